"""`splendor dataset`: games of chosen players as files for learning and statistics."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from splendor.cli.problems import BROKEN, MISUSED, complain, fail

if TYPE_CHECKING:
    from splendor.arena.dispatch import Crew
    from splendor.tools.dataset import DatasetSettings

app = typer.Typer()

INTERRUPTED = 130  # the exit code of a command that was stopped from the keyboard


@app.command()
def dataset(
    output: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the dataset is, or will be.")],
    players: Annotated[list[str] | None, typer.Argument(metavar="PLAYER...", help="Two to four players.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed gives the same games.")] = None,
    formats: Annotated[list[str] | None, typer.Option("--format", help="parquet or jsonl; both.")] = None,
    part_games: Annotated[int, typer.Option(min=1, help="Games in each file.")] = 1000,
    round_cap: Annotated[int | None, typer.Option(min=1, help="End every game after this many rounds.")] = None,
    workers: Annotated[int | None, typer.Option(min=0, help="Processes; 0 plays in this one. All cores.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only compare the files with their checksums.")] = False,
) -> None:
    """Write games of these players, with every decision, as Parquet and JSON lines.

    The same command goes on where it was stopped.

    Example: splendor dataset games/ greedy greedy:noise=0.3 --games 10000 --seed 1
    """
    from splendor.tools.dataset import DatasetProblem, check_files, read_manifest

    if check:
        try:
            manifest = read_manifest(output)
            print(f"{check_files(output, manifest)} files are as they were written.")
        except DatasetProblem as problem:
            fail(problem, BROKEN)
        return
    try:
        settings = _settings(output, players, games, seed, formats, part_games, round_cap)
        _write(output, settings, workers)
    except KeyboardInterrupt:
        complain("stopped; the same command goes on from here")
        raise typer.Exit(INTERRUPTED) from None
    except (ValueError, OSError) as error:
        fail(error, MISUSED)
    except ImportError as error:
        fail(f"Parquet needs pyarrow: pip install splendor[data], or choose --format jsonl ({error})", MISUSED)


def _settings(
    folder: Path,
    players: list[str] | None,
    games: int,
    seed: int | None,
    formats: list[str] | None,
    part_games: int,
    round_cap: int | None,
) -> DatasetSettings:
    """What is asked for; without a seed, that of a dataset that was begun, or chance."""
    from splendor.arena.match import check_players
    from splendor.tools.dataset import FORMATS, MANIFEST, DatasetSettings, read_manifest

    if not players:
        raise ValueError("name two to four players, such as greedy and random")
    check_players(players)
    if seed is None and (folder / MANIFEST).exists():
        seed = read_manifest(folder)["settings"]["seed"]
    return DatasetSettings(
        players=tuple(players),
        games=games,
        seed=secrets.randbits(32) if seed is None else seed,
        round_cap=round_cap,
        formats=tuple(formats or FORMATS),
        part_games=part_games,
    )


def _write(folder: Path, settings: DatasetSettings, workers: int | None) -> None:
    """Play and write, with progress on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from splendor.tools.dataset import write_dataset

    if "parquet" in settings.formats:
        import pyarrow  # type: ignore[import-untyped]  # noqa: F401  # to say now that it is missing, not in an hour

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("games", total=settings.games)
        manifest = write_dataset(
            folder,
            settings,
            crew=_crew(workers, settings.games),
            watch=lambda done: progress.update(task, completed=done),
        )
    rows = sum(file["rows"] for part in manifest["parts"] for name, file in part["files"].items() if "dec" in name)
    print(f"{settings.games} games" + (f", {rows} decisions" if rows else "") + f" in {len(manifest['parts'])} parts")


def _crew(workers: int | None, games: int) -> Crew:
    if workers == 0:
        from splendor.arena.dispatch import Alone

        return Alone()
    from splendor.arena.workers import Workers, all_cores

    return Workers(min(workers or all_cores(), games))
