"""The board game Splendor: exact rules for 2 to 4 players, notation, and the fastest simulator there is.

>>> from splendor import Game
>>> game = Game(players=3, seed=7)
>>> while not game.is_over:
...     _ = game.play(game.legal_moves[0])
>>> len(game.winners) >= 1
True
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from splendor.game import Card, Game, IllegalMove, IllegalRecord, Noble, View
    from splendor.notation import Move, NotationError, Tokens, parse_move

__version__ = "0.1.0"

__all__ = [
    "Card",
    "Game",
    "IllegalMove",
    "IllegalRecord",
    "Move",
    "Noble",
    "NotationError",
    "Tokens",
    "View",
    "parse_move",
]

# Each name is fetched at its first use: the compiler behind the rules takes a moment to load, and a command
# that only prints its help should not wait for it.
_HOMES = {
    "Card": "game",
    "Game": "game",
    "IllegalMove": "game",
    "IllegalRecord": "game",
    "Move": "notation",
    "Noble": "game",
    "NotationError": "notation",
    "Tokens": "notation",
    "View": "game",
    "parse_move": "notation",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'splendor' has no attribute {name!r}")
    value: object = getattr(import_module(f"splendor.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
