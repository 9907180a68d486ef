"""One question to a player: think within limits, tell how it goes, and weigh the moves.

A player that only chooses answers with its one move.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from splendor.engine.messages import Analyse, Candidate, Go, Info
from splendor.players import Player
from splendor.table import View


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of it: moves, the best first."""

    moves: tuple[Candidate, ...]


def think(
    player: Player, view: View, request: Go | Analyse, stop: threading.Event, tell: Callable[[Info], None]
) -> Thought:
    """Ask a player about a view that it may decide; `tell` gets info on the way, and `stop` ends it early."""
    thought = Thought((Candidate(move=str(player.choose(view))),))
    if request.infinite:
        stop.wait()
    return thought
