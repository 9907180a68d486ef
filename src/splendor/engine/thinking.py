"""One question to a player: think within limits, tell how it goes, and weigh the moves.

A player that searches is asked for all that it found; any other answers with its one move.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeGuard

from splendor.engine.messages import Analyse, Candidate, Go, Info
from splendor.players import Player
from splendor.players.network import Network
from splendor.players.search import Search
from splendor.search.search import Result
from splendor.search.search import Search as TreeSearch
from splendor.table import View

INFO_SECONDS = 0.2  # at most so often the host is told how it goes
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


def is_searching(player: Player, request: Go | Analyse) -> TypeGuard[Search | Network]:
    """A network answers at once unless it, or the request, says how long to think."""
    if isinstance(player, Network):
        limits = (player.simulations, player.time, request.simulations, request.time)
        return request.infinite or any(limit is not None for limit in limits)
    return isinstance(player, Search)


def search(
    player: Search | Network, view: View, request: Go | Analyse, stop: threading.Event, tell: Callable[[Info], None]
) -> tuple[Candidate, ...]:
    """Run the search of a player with the limits of the request; without any, with its own."""
    simulations, seconds = request.simulations, request.time
    if simulations is None and seconds is None and not request.infinite:
        simulations, seconds = player.simulations, player.time
    told = time.monotonic()

    def progress(result: Result) -> None:
        nonlocal told
        if time.monotonic() - told >= INFO_SECONDS:
            told = time.monotonic()
            tell(info(request.id, result))

    tree = player.prepare(view)
    is_done = threading.Event()
    watcher = threading.Thread(target=_stop_when_told, args=(tree, stop, is_done), daemon=True)
    watcher.start()
    try:
        result = tree.run(simulations=simulations, seconds=seconds, progress=progress)
    finally:
        is_done.set()
        stop.set()
        watcher.join()
    tell(info(request.id, result))
    visited = [choice for choice in result.choices if choice.visits > 0] or result.choices[:1]
    return tuple(
        Candidate(
            move=str(choice.move), visits=choice.visits, shares=as_shares(choice.value) if choice.visits else None
        )
        for choice in visited
    )


def _stop_when_told(tree: TreeSearch, stop: threading.Event, is_done: threading.Event) -> None:
    """A search that has not begun yet forgets that it was stopped, so it is told until it has ended."""
    stop.wait()
    while not is_done.wait(STOP_SECONDS):
        tree.stop()


def info(request_id: int, result: Result) -> Info:
    """A result so far, as a message."""
    line = tuple(str(move) for move in result.principal_variation)
    return Info(id=request_id, visits=result.simulations, shares=as_shares(result.value), line=line)


def as_shares(value: tuple[float, ...]) -> tuple[float, ...]:
    """Rounded for reading, and within bounds whatever the sums of many floats say."""
    return tuple(round(min(max(share, 0.0), 1.0), 4) for share in value)
