"""The commands that save, bring back and export what a server has stored."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from splendor.cli.problems import MISUSED, fail

app = typer.Typer()

Database = Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://…; by default as the server.")]


def database_of(given: str | None) -> str:
    from splendor.server.config import from_environment

    return given or from_environment().database


@contextlib.contextmanager
def complete(file: Path) -> Iterator[Path]:
    """A path to write to, which gets the name of the file at the end: half a file is never taken for a whole one."""
    partial = file.with_name(f"{file.name}.partial")
    try:
        yield partial
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write, such as splendor.backup.")], database: Database = None
) -> None:
    """Save everything that a server has stored into one file; the server may go on running.

    Example: splendor backup splendor.backup
    """
    from splendor.server.database.backup import write_backup
    from splendor.server.database.connect import Unusable, to_be_read

    if file.exists():
        fail(f"{file} is there already, and backups are not written over", MISUSED)
    try:
        source = database_of(database)
        with to_be_read(source), complete(file) as partial:
            rows = asyncio.run(write_backup(source, partial))
    except (OSError, ValueError, Unusable) as error:
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
    from splendor.server.database.archive import GameArchive
    from splendor.server.database.connect import Unusable, connect, to_be_read
    from splendor.server.database.export import write_lines, write_parquet

    is_parquet = file.name.endswith(".parquet")
    if not is_parquet and not file.name.endswith(".jsonl.zst"):
        fail("the name of the file must end with .jsonl.zst or .parquet", MISUSED)
    if file.exists():
        fail(f"{file} is there already, and exports are not written over", MISUSED)

    async def write(source: str, partial: Path) -> None:
        engine = connect(source)
        try:
            rows = GameArchive(engine).all_finished(with_private=private)
            await (write_parquet(rows, partial) if is_parquet else write_lines(rows, partial))
        finally:
            await engine.dispose()

    try:
        source = database_of(database)
        with to_be_read(source), complete(file) as partial:
            asyncio.run(write(source, partial))
    except ImportError:
        fail("writing Parquet needs pyarrow: pip install pyarrow", MISUSED)
    except (OSError, ValueError, Unusable) as error:
        fail(error, MISUSED)
    print(f"wrote {file}")
