"""`splendor tui`: play in the terminal."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from splendor.cli.problems import MISUSED, fail
from splendor.cli.sources import read_game

app = typer.Typer()


@app.command()
def tui(
    players: Annotated[int | None, typer.Option(help="How many play: 2, 3 or 4.")] = None,
    against: Annotated[
        str | None, typer.Option(metavar="LEVEL,LEVEL…", help="The computer players, such as apprentice or greedy.")
    ] = None,
    seat: Annotated[int, typer.Option(help="Your seat; seat 0 begins.")] = 0,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same deal.")] = None,
    hotseat: Annotated[bool, typer.Option("--hotseat", help="People only, who share this screen.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Computers only; you watch.")] = False,
    replay: Annotated[str | None, typer.Option(metavar="FILE", help="Step through a recorded game.")] = None,
) -> None:
    """Play in the terminal: against computers, with friends, or just watch.

    Without options a start screen lets you choose. Press ? for help in the program.

    Example: splendor tui --against journeyman
    """
    from splendor.terminal import play_session, replay_game
    from splendor.terminal.session import Session, seating

    if replay is not None:
        game = read_game(replay)
        need_terminal()
        replay_game(game)
        return
    if players is None and against is None and seed is None and not (hotseat or watch):
        need_terminal()
        play_session(None)
        return
    opponents = [name.strip() for name in (against or "apprentice").split(",")]
    if players is None:
        players = max(2, len(opponents) + (0 if watch else 1))
    try:
        session = Session(seating(players, opponents, seat, hotseat, watch), seed=seed)
    except ValueError as error:
        fail(error, MISUSED)
    need_terminal()
    play_session(session)


def need_terminal() -> None:
    """End the command if this is a pipe."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail("this program needs a terminal; splendor show and splendor replay print to a pipe", MISUSED)
