"""Commands that measure players: a match, a tournament, the ladder of all levels."""

from __future__ import annotations

import json
import secrets
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from splendor.cli.problems import MISUSED, complain, fail

if TYPE_CHECKING:
    from splendor.arena.dispatch import Crew
    from splendor.arena.play import GameResult
    from splendor.arena.schedule import Conditions

app = typer.Typer()

PLAYER_HELP = "A level or kind of player, such as master or search:time=1; or engine:COMMAND for a program."
Players = Annotated[list[str], typer.Argument(metavar="PLAYER...", help=PLAYER_HELP)]
Seed = Annotated[int | None, typer.Option(min=0, help="The same seed gives the same games; without one, chance.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
WorkerCount = Annotated[int | None, typer.Option("--workers", min=0, help="Processes; 0 plays in this one. All cores.")]
Ray = Annotated[str | None, typer.Option("--ray", metavar="ADDRESS", help="Play on this Ray cluster (or: local).")]
Keep = Annotated[Path | None, typer.Option("--records", help="Keep all games in this folder, or .jsonl file.")]
Cap = Annotated[int | None, typer.Option("--round-cap", min=1, help="End every game after this many rounds.")]
Plot = Annotated[Path | None, typer.Option(help="Draw the shares of the win into this SVG file.")]
EngineTime = Annotated[float | None, typer.Option(min=0.001, help="Seconds a move for external engines.")]
EngineSimulations = Annotated[int | None, typer.Option(min=1, help="Simulations a move for external engines.")]
MoveTimeout = Annotated[float, typer.Option(min=0.001, help="Seconds after which an external engine loses.")]
Deals = Annotated[
    int, typer.Option(min=1, help="Deals for each group; each is played with all rotations of the seats.")
]


@app.command()
def match(
    players: Players,
    games: Annotated[int, typer.Option(min=1, help="How many games; at most, with --until-certain.")] = 100,
    seed: Seed = None,
    as_json: Json = False,
    until_certain: Annotated[
        bool, typer.Option("--until-certain", help="Stop when somebody is surely better.")
    ] = False,
    adjusted: Annotated[
        bool, typer.Option("--adjusted", help="Show the shares freed of the luck of the cards too.")
    ] = False,
    only: Annotated[int | None, typer.Option(min=0, help="Play only this game of the match; print its record.")] = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    records: Keep = None,
    plot: Plot = None,
    round_cap: Cap = None,
    engine_time: EngineTime = None,
    engine_simulations: EngineSimulations = None,
    move_timeout: MoveTimeout = 60.0,
) -> None:
    """Let two to four players play against each other.

    Seats rotate, and every deal is played with each rotation. Intervals hold with 95 % confidence.

    Example: splendor match greedy random --games 200 --seed 1
    """
    from splendor.arena.match import check_players, play_match
    from splendor.arena.plot import share_plot
    from splendor.arena.report import match_table
    from splendor.arena.schedule import match_jobs

    seed = secrets.randbits(32) if seed is None else seed
    keep = records is not None or only is not None
    conditions = replace(_conditions(round_cap, keep, engine_time, engine_simulations, move_timeout), adjusted=adjusted)
    with _misuse():
        check_players(players)
        jobs = match_jobs(players, games, seed, conditions)
    if only is not None:
        if only >= len(jobs):
            fail(f"the match has the games 0 to {len(jobs) - 1}", MISUSED)
        _print_game(jobs[only].number, players, games, seed, conditions)
        return
    with _misuse(), _watching(games, records) as watch:
        result = play_match(
            players,
            games,
            seed,
            conditions=conditions,
            until_certain=until_certain,
            crew=_crew(workers, ray, games),
            watch=watch,
        )
    if plot is not None:
        rows = [(player.name, player.share) for player in result.players]
        plot.write_text(share_plot(f"Share of the win, {result.games} games", rows, 1 / len(rows)), encoding="utf-8")
    if as_json:
        print(json.dumps(result.to_json()))
        return
    _print_table(match_table(result))
    if result.is_certain is not None:
        print("Somebody is certainly better." if result.is_certain else "Nobody is certainly better yet.")
    _print_failures(result.to_json()["forfeits"], result.to_json()["void"])


@app.command()
def tournament(
    players: Players,
    seats: Annotated[int, typer.Option(min=2, max=4, help="Players at a table.")] = 2,
    deals: Deals = 10,
    seed: Seed = None,
    as_json: Json = False,
    workers: WorkerCount = None,
    ray: Ray = None,
    records: Keep = None,
    plot: Plot = None,
    round_cap: Cap = None,
    engine_time: EngineTime = None,
    engine_simulations: EngineSimulations = None,
    move_timeout: MoveTimeout = 60.0,
) -> None:
    """Let many players meet, every group of two to four.

    Example: splendor tournament random greedy apprentice master --deals 20
    """
    from splendor.arena.plot import share_plot
    from splendor.arena.report import tournament_table
    from splendor.arena.schedule import tournament_jobs
    from splendor.arena.tournament import play_tournament

    seed = secrets.randbits(32) if seed is None else seed
    conditions = _conditions(round_cap, records is not None, engine_time, engine_simulations, move_timeout)
    with _misuse():
        games = len(tournament_jobs(players, seats, deals, seed, conditions))
    with _misuse(), _watching(games, records) as watch:
        result = play_tournament(
            players, deals, seed, seats=seats, conditions=conditions, crew=_crew(workers, ray, games), watch=watch
        )
    if plot is not None:
        rows = [(player.name, player.share) for player in result.players]
        plot.write_text(share_plot(f"Share of the win, {result.games} games", rows, 1 / seats), encoding="utf-8")
    if as_json:
        print(json.dumps(result.to_json()))
        return
    _print_table(tournament_table(result))
    print("The numbered columns are how often, in percent, a player is placed before the one with that number.")
    _print_failures(result.to_json()["forfeits"], result.to_json()["void"])


@app.command()
def ladder(
    players: Annotated[list[str] | None, typer.Argument(metavar="PLAYER...", help="All levels, weakest first.")] = None,
    seats: Annotated[list[int] | None, typer.Option(min=2, max=4, help="Tables of 2, of 3 and of 4.")] = None,
    deals: Deals = 50,
    seed: Seed = 1,
    as_json: Json = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the page to this file.")] = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    round_cap: Cap = None,
) -> None:
    """Measure all levels against each other and write a page of Markdown.

    Example: splendor ladder --deals 100 -o ladder.md
    """
    from splendor.arena.ladder import ladder_page
    from splendor.arena.schedule import tournament_jobs
    from splendor.arena.tournament import play_tournament
    from splendor.players import LEVELS

    chosen = players or ["random", *LEVELS]
    seed = secrets.randbits(32) if seed is None else seed
    conditions = _conditions(round_cap, False, None, None, 60.0)
    results = []
    for table in seats or [n for n in (2, 3, 4) if n <= len(chosen)]:
        with _misuse():
            games = len(tournament_jobs(chosen, table, deals, seed, conditions))
        with _misuse(), _watching(games, None) as watch:
            crew = _crew(workers, ray, games)
            results.append(
                play_tournament(chosen, deals, seed, seats=table, conditions=conditions, crew=crew, watch=watch)
            )
    sizes = "".join(f" --seats {table}" for table in seats or [])
    names = "".join(f" {shlex.quote(player)}" for player in players or [])
    page = ladder_page(results, f"splendor ladder{names}{sizes} --deals {deals} --seed {seed}")
    if output is not None:
        output.write_text(page, encoding="utf-8")
    if as_json:
        print(json.dumps([result.to_json() for result in results]))
    elif output is None:
        print(page, end="")


# ------------------------------------------------------------------------------------------------ shared


def _conditions(
    round_cap: int | None, keep: bool, time: float | None, simulations: int | None, timeout: float
) -> Conditions:
    from splendor.arena.schedule import Conditions
    from splendor.protocol.client import Limits

    limits = Limits(simulations=simulations, time=time, move_timeout=timeout)
    return Conditions(round_cap, keep, limits=limits)


def _crew(workers: int | None, ray: str | None, games: int) -> Crew:
    if ray is not None:
        from splendor.arena.cluster import RayCrew

        return RayCrew(ray, workers)
    if workers == 0:
        from splendor.arena.dispatch import Alone

        return Alone()
    from splendor.arena.workers import Workers, all_cores

    return Workers(min(workers or all_cores(), games))


@contextmanager
def _misuse() -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as error:
        fail(error, MISUSED)


@contextmanager
def _watching(games: int, records: Path | None) -> Iterator[Callable[[GameResult], None]]:
    """Show progress on a terminal, and keep records where that is asked for."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from splendor.arena.records import Records

    kept = None if records is None else Records(records)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("games", total=games)

        def watch(result: GameResult) -> None:
            progress.advance(task)
            if kept is not None:
                kept.keep(result)

        yield watch


def _print_game(number: int, players: list[str], games: int, seed: int, conditions: Conditions) -> None:
    """Play one game of a match on its own, and print its record."""
    from splendor.arena.play import Lineup, play_job
    from splendor.arena.schedule import match_jobs

    lineup = Lineup()
    try:
        print(play_job(match_jobs(players, games, seed, conditions)[number], lineup).record, end="")
    finally:
        lineup.close()


def _print_table(table: object) -> None:
    from rich.console import Console

    Console().print(table)


def _print_failures(forfeits: list[dict[str, object]], void: list[dict[str, object]]) -> None:
    for forfeit in forfeits:
        complain(f"{forfeit['player']} lost game {forfeit['game']}: {forfeit['reason']}")
    for game in void:
        complain(f"game {game['game']} is void: {game['reason']}")
