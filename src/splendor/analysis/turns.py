"""A whole turn as the decisions that it is made of, as the seat that makes them sees the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from splendor.core import rules
from splendor.core.actions import CHOOSE_NOBLE, RETURN_TOKEN
from splendor.core.state import NOBLE, RETURN, State, copy_state
from splendor.game.moves import action_of_move, play_action
from splendor.notation.moves import Move


class Decision(NamedTuple):
    """One decision of a turn, and the state in which it is made."""

    state: State
    action: int


def decisions_of(state: State, move: Move) -> Iterator[Decision]:
    """The decisions of a legal move, in order; tokens are returned in rising color.

    In a hidden state a card that is turned up or drawn on the way stays unseen.
    """
    state = copy_state(state)
    action = action_of_move(state, move)
    if action is not None:  # else the rest of a turn
        yield Decision(copy_state(state), action)
        play_action(state, action, move.payment)
    for color, count in enumerate(move.returned):
        for _ in range(count):
            if state.phase == RETURN:
                yield Decision(copy_state(state), RETURN_TOKEN + color)
                rules.apply(state, RETURN_TOKEN + color)
    if move.noble is not None and state.phase == NOBLE:
        action = CHOOSE_NOBLE + int(np.flatnonzero(state.nobles == move.noble - 1)[0])
        yield Decision(copy_state(state), action)
