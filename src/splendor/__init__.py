"""The board game Splendor: exact rules for 2 to 4 players, notation, and the fastest simulator there is.

>>> from splendor import Game
>>> game = Game(players=3, seed=7)
>>> while not game.is_over:
...     _ = game.play(game.legal_moves[0])
>>> len(game.winners) >= 1
True
"""

from splendor.game import Game, IllegalRecord
from splendor.moves import IllegalMove
from splendor.notation import Move, NotationError, Tokens, parse_move
from splendor.table import Card, Noble, View

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
