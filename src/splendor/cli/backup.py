"""The commands that save, bring back and export what a server has stored."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from splendor.cli.problems import MISUSED, fail

app = typer.Typer()

Database = Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://…; by default as the server.")]


def database_of(given: str | None) -> str:
    from splendor.server.config import from_environment

    return given or from_environment().database


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write, such as splendor.backup.")], database: Database = None
) -> None:
    """Save everything that a server has stored into one file; the server may go on running.

    Example: splendor backup splendor.backup
    """
    from splendor.server.database.backup import write_backup

    if file.exists():
        fail(f"{file} is there already, and backups are not written over", MISUSED)
    try:
        rows = asyncio.run(write_backup(database_of(database), file))
    except (OSError, ValueError) as error:
        fail(error, MISUSED)
    print(f"{file}: {rows} rows")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that splendor backup has written.")], database: Database = None
) -> None:
    """Bring a backup into an empty database, of either kind; no server may be using it.

    Example: splendor restore splendor.backup --database postgresql://localhost/splendor
    """
    from splendor.server.database.backup import NotEmpty, read_backup
    from splendor.server.database.connect import Unusable

    try:
        rows = asyncio.run(read_backup(file, database_of(database)))
    except (OSError, ValueError, NotEmpty, Unusable) as error:
        fail(error, MISUSED)
    print(f"{file}: {rows} rows")


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="The file to write: NAME.jsonl.zst or NAME.parquet.")],
    database: Database = None,
    private: Annotated[bool, typer.Option("--private", help="Also the games of private tables.")] = False,
) -> None:
    """Write all finished games into one file, for study.

    Example: splendor export games.parquet
    """
    from splendor.server.database.archive import Archive
    from splendor.server.database.connect import connect
    from splendor.server.export import write_lines, write_parquet

    is_parquet = file.name.endswith(".parquet")
    if not is_parquet and not file.name.endswith(".jsonl.zst"):
        fail("the name of the file must end with .jsonl.zst or .parquet", MISUSED)
    if file.exists():
        fail(f"{file} is there already, and exports are not written over", MISUSED)

    async def write() -> None:
        engine = connect(database_of(database))
        try:
            rows = Archive(engine).all_finished(with_private=private)
            await (write_parquet(rows, file) if is_parquet else write_lines(rows, file))
        finally:
            await engine.dispose()

    try:
        asyncio.run(write())
    except ImportError:
        fail("writing Parquet needs pyarrow: pip install pyarrow", MISUSED)
    except (OSError, ValueError) as error:
        fail(error, MISUSED)
    print(f"wrote {file}")
