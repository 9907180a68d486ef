"""From decisions to moves: a whole turn, by a player that decides step by step."""

from __future__ import annotations

from collections.abc import Callable

from splendor.core import rules
from splendor.core.state import NOBLE, RETURN, State
from splendor.game.moves import with_decision
from splendor.game.position import View
from splendor.notation.moves import Move


def whole_turn(view: View, decide: Callable[[State], int]) -> Move:
    """The move that results when `decide` makes each decision of the turn: action, returns, noble.

    What it is shown of the later ones is the view with its earlier decisions played: a card that was turned up or
    drawn by them stays unseen.
    """
    if view.is_over:
        raise ValueError("the game is over")
    if view.viewer != view.seat:
        raise ValueError(f"it is the turn of seat {view.seat}, but this is the view of {view.viewer}")
    state = view.state
    move = Move("finish")
    while True:
        action = decide(state)
        move = with_decision(state, move, action)
        rules.apply(state, action)
        if state.phase not in (RETURN, NOBLE):
            return move
