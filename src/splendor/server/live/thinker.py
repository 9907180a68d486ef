"""How computer players think, in a worker: they get the view of a seat and nothing else.

Players are kept from one question to the next, since reading and compiling what they need may take seconds.
"""

from __future__ import annotations

from splendor.game.game import Game
from splendor.game.position import View
from splendor.players import LEVELS, Player, load
from splendor.server.labor import worker

LEAST_SECONDS = 0.02  # of a search in a hurry; it begins with what its network thinks at first sight

_players: dict[str, Player] = {}
worker.at_end.append(_players.clear)  # engines end when nobody holds them


def choose(spec: str, position: str, viewer: int, *, share: float = 1.0) -> str:
    """The move of a player, as notation; with a share of the time that it usually takes, if it takes a known time."""
    if spec not in _players:
        _players[spec] = load(spec)
    player = _players[spec]
    view = View.from_position(position, viewer)
    try:
        return str(in_time(player, view, share))
    except BaseException:  # whatever a player does wrong, the next question may be for another one
        _players.pop(spec, None)
        raise


def in_time(player: Player, view: View, share: float) -> object:
    """Its move, thinking for a share of its time."""
    usual = getattr(player, "time", None)
    if usual is None or share >= 1:
        return player.choose(view)
    player.time = max(usual * share, LEAST_SECONDS)  # type: ignore[attr-defined]
    try:
        return player.choose(view)
    finally:
        player.time = usual  # type: ignore[attr-defined]


def warm_up() -> None:
    """Every level, with what it needs read and compiled."""
    view = Game(players=2, seed=0).view(0)
    for spec in ("network", "network:simulations=1"):  # what all levels are; a grandmaster would think for seconds
        load(spec).choose(view)
    for level in LEVELS:
        _players[level] = load(level)
