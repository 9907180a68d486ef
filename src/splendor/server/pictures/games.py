"""Pictures of games, made in a worker: of a board as it stands, and of a finished game after some of its turns."""

from __future__ import annotations

from collections.abc import Sequence

from splendor.game import showing
from splendor.game.game import Game
from splendor.game.shown import BoardView
from splendor.server.pictures.board import picture


def of_board(board: BoardView | None, names: Sequence[str]) -> bytes:
    """A board as a viewer is shown it; None for a picture of no game in particular."""
    return picture(board, names)


def of_record(text: str, step: int, names: Sequence[str]) -> bytes:
    """A finished game after so many turns, as a spectator saw it; after its last one if it has not as many."""
    game = Game.from_record(text)
    while len(game.turns) > step:
        game.undo()
    return picture(showing.board(game.state, None, len(game.turns)), names)
