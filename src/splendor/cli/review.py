"""`splendor review`: what each decision of a game cost, how lucky it was, and why; of one game or of many."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from splendor.cli.problems import BROKEN, MISUSED, complain, fail
from splendor.cli.sources import Unreadable, read_text, shown

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from splendor.analysis.model import Review
    from splendor.reports.many import Reviewed, Task

app = typer.Typer()

INTERRUPTED = 130  # the exit code of a command that was stopped from the keyboard


@app.command()
def review(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Game files, or - for standard input.")],
    effort: Annotated[str, typer.Option(help="curve, quick, normal or deep.")] = "quick",
    seat: Annotated[list[int] | None, typer.Option(min=0, help="Grade this seat's decisions only.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed finds the same.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON; of several games, one line for each.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the game with the review as comments to this file.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page to this file; it needs nothing else.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write a table of all seats of all games.")] = None,
    parquet: Annotated[Path | None, typer.Option(help="The same as Parquet (the data extra).")] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Keep reviews in this folder, and go on with those that are there.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=0, help="Processes for several games; 0: none. All cores.")] = None,
    threads: Annotated[int, typer.Option(min=1, max=64, help="Threads for one game.")] = 1,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Work on this Ray cluster (or: local).")] = None,
) -> None:
    """Review finished games: grades, luck, accuracy, and reasons.

    Example: splendor review game.txt --effort normal --html review.html
    """
    from splendor.analysis.model import EFFORTS

    if effort not in EFFORTS:
        fail(f"there is no effort {effort!r}; there are {', '.join(EFFORTS)}", MISUSED)
    if len(files) > 1 and (output or html):
        fail("-o and --html are for one game; for several there are --keep, --csv and --parquet", MISUSED)
    names = [_kept(keep, file).name for file in files] if keep else []
    if len(set(names)) < len(names):
        fail("--keep needs files of different names", MISUSED)
    for path in (output, html, csv, parquet):
        if path is not None and not path.parent.is_dir():
            fail(f"there is no folder {shown(str(path.parent))} to write to", MISUSED)
    tasks = [task for file in files if (task := _task(file, effort, seed, seat, keep, len(files) == 1)) is not None]
    try:
        if len(files) == 1 and ray is None:
            found = [_review_one(tasks[0], threads, keep)]
        else:
            found = _review_many(tasks, workers, ray, keep)
        _write_tables(found, csv, parquet)
    except KeyboardInterrupt:
        complain("stopped" + ("; the same command goes on from here" if keep else ""))
        raise typer.Exit(INTERRUPTED) from None
    except ImportError as error:
        fail(f"Parquet needs pyarrow: pip install splendor[data] ({error})", MISUSED)
    except (ValueError, OSError) as error:
        fail(error, MISUSED)
    if len(files) == 1 and found[0].review is not None:
        _report_one(tasks[0].text, found[0].review, as_json, output, html)
    else:
        _report_many(found, as_json)
    if len(found) < len(files) or any(done.review is None for done in found):
        raise typer.Exit(BROKEN)


# ------------------------------------------------------------------------------------------------- tasks


def _task(file: str, effort: str, seed: int, seats: list[int] | None, keep: Path | None, is_only: bool) -> Task | None:
    """The game in a file; of one that cannot be read among several, a sentence."""
    from splendor.reports.many import Task, kept

    try:
        text = read_text(file)
        resume = None if keep is None else kept(_kept(keep, file))
        return Task(file, text, effort, seed, None if seats is None else tuple(seats), resume)  # type: ignore[arg-type]
    except Unreadable as error:
        problem, code = str(error), MISUSED
    except ValueError as error:
        problem, code = f"{shown(file)}: {error}", BROKEN
    if is_only:
        fail(problem, code)
    complain(problem)
    return None


def _kept(folder: Path, file: str) -> Path:
    name = "standard-input" if file == "-" else Path(file).name
    return folder / f"{name}.review.json"


def _review_one(task: Task, threads: int, keep: Path | None) -> Reviewed:
    """Review with a bar for its decisions; what is known when it is interrupted is kept."""
    from splendor.analysis import review
    from splendor.reports.many import Reviewed, work
    from splendor.reports.many import keep as write

    if task.is_done:
        return work(task)
    latest: Review | None = None
    try:
        with _progress("decisions", 1) as (progress, bar):

            def watch(partial: Review) -> None:
                nonlocal latest
                latest = partial
                progress.update(bar, completed=partial.done, total=partial.total or 1)

            found = review(
                task.text,
                task.effort,
                seats=task.seats,
                seed=task.seed,
                threads=threads,
                progress=watch,
                resume=task.resume,
            )
    except ValueError as error:
        fail(f"{shown(task.name)}: {error}")
    except KeyboardInterrupt:
        if keep is not None and latest is not None:
            write(_kept(keep, task.name), latest)
        raise
    if keep is not None:
        write(_kept(keep, task.name), found)
    return Reviewed(task, found)


def _review_many(tasks: list[Task], workers: int | None, ray: str | None, keep: Path | None) -> list[Reviewed]:
    """Review with a bar for the games; each is kept when it is done."""
    from splendor.arena.workers import all_cores
    from splendor.reports.many import keep as write
    from splendor.reports.many import review_all

    found = []
    with _progress("games", len(tasks)) as (progress, bar):
        for done in review_all(tasks, all_cores() if workers is None else workers, ray):
            progress.advance(bar)
            if done.review is None:
                complain(f"{shown(done.task.name)}: {done.problem}")
            elif keep is not None:
                write(_kept(keep, done.task.name), done.review)
            found.append(done)
    order = {task.name: place for place, task in enumerate(tasks)}
    return sorted(found, key=lambda done: order[done.task.name])


@contextmanager
def _progress(what: str, total: int) -> Iterator[tuple[Progress, TaskID]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        yield progress, progress.add_task(what, total=total)


# ------------------------------------------------------------------------------------------------ reports


def _report_one(text: str, found: Review, as_json: bool, output: Path | None, html: Path | None) -> None:
    from splendor.analysis.gaps import read_game
    from splendor.reports.annotated import annotated
    from splendor.reports.page import page

    game, gaps = read_game(text)
    if output is not None and gaps:
        fail("this record does not say which cards were drawn, so it cannot be written anew; --html and --json can")
    for path, report in ((output, annotated), (html, page)):
        if path is not None:
            try:
                path.write_text(report(game, found), encoding="utf-8")
            except OSError as error:
                fail(f"{shown(str(path))} cannot be written: {error.strerror}", MISUSED)
    if as_json:
        print(json.dumps(found.to_json()))
    elif output is None and html is None:
        from rich.console import Console

        from splendor.reports.screen import screen

        console = Console()
        console.print(screen(found))


def _report_many(found: list[Reviewed], as_json: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from splendor.reports.words import name_of, performance_words, points

    if as_json:
        for done in found:
            if done.review is not None:
                print(json.dumps({"file": done.task.name, **done.review.to_json()}))
        return
    table = Table(box=None)
    for name in ("game", "player", "result", "accuracy", "decided like", "luck", "own errors"):
        table.add_column(name)
    for done in found:
        for seat in done.review.summary if done.review is not None else ():
            assert done.review is not None
            table.add_row(
                Text(shown(Path(done.task.name).name) if seat.seat == 0 else ""),
                Text(name_of(done.review, seat.seat)),
                f"{100 * seat.result:.0f}",
                "–" if seat.accuracy is None else f"{seat.accuracy:.0f}",
                performance_words(seat.performance),
                points(seat.luck),
                points(seat.own_errors),
            )
    Console().print(table)


def _write_tables(found: list[Reviewed], csv: Path | None, parquet: Path | None) -> None:
    from splendor.reports.rows import rows_of, write_csv, write_parquet

    rows = [row for done in found if done.review is not None for row in rows_of(done.task.name, done.review)]
    if csv is not None:
        write_csv(csv, rows)
    if parquet is not None:
        write_parquet(parquet, rows)
