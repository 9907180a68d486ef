"""One question to a player: think within limits, tell how it goes, and weigh the moves.

A player that searches is asked for all that it found; any other answers with its one move.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeGuard

from splendor.game.position import View
from splendor.notation.moves import Move
from splendor.players import Player
from splendor.players.network import NetworkPlayer
from splendor.players.search import SearchPlayer
from splendor.protocol.messages import Analyse, Candidate, Go, Info
from splendor.search import Choice, Result, Search

Searching = SearchPlayer | NetworkPlayer

INFO_SECONDS = 0.2  # at most so often the host is told how it goes
INFO_MOVES = 10  # decisions that an analysis tells of on the way
STOP_SECONDS = 0.01  # so often a search is told to stop, until it does


def think(
    player: Player, view: View, request: Go | Analyse, stop: threading.Event, tell: Callable[[Info], None]
) -> tuple[Candidate, ...]:
    """Ask a player about a view: its moves, the best first. `tell` gets info on the way, `stop` ends it early."""
    if is_searching(player, request):
        return search(player, view, request, stop, tell)
    move = player.choose(view)
    if request.infinite:
        stop.wait()
    return (Candidate(move=str(move)),)


def is_searching(player: Player, request: Go | Analyse) -> TypeGuard[Searching]:
    """A network answers at once unless it, or the request, says how long to think."""
    if isinstance(player, NetworkPlayer):
        limits = (player.simulations, player.time, request.simulations, request.time)
        return request.infinite or any(limit is not None for limit in limits)
    return isinstance(player, SearchPlayer)


def search(
    player: Searching,
    view: View,
    request: Go | Analyse,
    stop: threading.Event,
    tell: Callable[[Info], None],
) -> tuple[Candidate, ...]:
    """Run the search of a player with the limits of the request; without any, with its own."""
    simulations, seconds = request.simulations, request.time
    if simulations is None and seconds is None and not request.infinite:
        simulations, seconds = player.simulations, player.time

    def progress(result: Result) -> None:
        tell(info(request, result))

    tree = player.prepare(view)
    is_done = threading.Event()
    watcher = threading.Thread(target=_stop_when_told, args=(tree, stop, is_done), daemon=True)
    watcher.start()
    try:
        result = tree.run(simulations=simulations, seconds=seconds, progress=progress, interval=INFO_SECONDS)
    finally:
        is_done.set()
        stop.set()
        watcher.join()
    progress(result)
    return candidates(result)


def candidates(result: Result) -> tuple[Candidate, ...]:
    """The best decision, and the others that were looked at."""
    others = [choice for choice in result.choices[1:] if choice.visits > 0]
    return tuple(candidate(choice) for choice in (result.choices[0], *others))


def candidate(choice: Choice) -> Candidate:
    """A decision that was looked at, as part of a message."""
    return Candidate(
        move=str(choice.move),
        visits=choice.visits,
        shares=as_shares(choice.value) if choice.visits else None,
        worth=as_share(choice.worth),
        error=None if choice.error is None else as_share(choice.error),
        prior=as_share(choice.prior),
        line=as_texts(choice.line),
    )


def _stop_when_told(tree: Search, stop: threading.Event, is_done: threading.Event) -> None:
    """A search that has not begun yet forgets that it was stopped, so it is told until it has ended."""
    stop.wait()
    while not is_done.wait(STOP_SECONDS):
        tree.stop()


def info(request: Go | Analyse, result: Result) -> Info:
    """A result so far, as a message; of an analysis, with the best decisions."""
    return Info(
        id=request.id,
        visits=result.simulations,
        shares=as_shares(result.value),
        line=as_texts(result.principal_variation),
        moves=candidates(result)[:INFO_MOVES] if isinstance(request, Analyse) else (),
    )


def as_texts(line: tuple[Move, ...]) -> tuple[str, ...]:
    return tuple(str(move) for move in line)


def as_shares(value: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(as_share(share) for share in value)


def as_share(number: float) -> float:
    """Rounded for reading, and within bounds: a worth may lie a little outside, and so may sums of many floats."""
    return round(min(max(number, 0.0), 1.0), 4)
