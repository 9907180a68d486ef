"""A game as people use it: positions and views, whole moves, refusals in words, and `Game`."""

from splendor.game.game import Game, IllegalRecord
from splendor.game.moves import IllegalMove
from splendor.game.position import Board, Card, Noble, View

__all__ = ["Board", "Card", "Game", "IllegalMove", "IllegalRecord", "Noble", "View"]
