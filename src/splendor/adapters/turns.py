"""Whole turns by number: an action together with the tokens returned after it and the noble chosen.

Most agents decide step by step, with the 72 numbers of `actions`. Where one step has to be one turn, these
numbers name every turn that can occur: `TURNS[number]` is its decisions. Like the single decisions they pay
with as little gold as possible. Tokens are returned in rising color, since their order does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from splendor.core import rules
from splendor.core.actions import CHOOSE_NOBLE, PASS, RETURN_TOKEN, TAKEN, group_of
from splendor.core.components import GOLD
from splendor.core.state import NOBLE, RETURN, TABLE_NOBLES, State, copy_state
from splendor.game.moves import legal_actions


def most_returns(action: int) -> int:
    """How many tokens may have to go back after an action: as many as it brings."""
    match group_of(action).kind:
        case "take":
            return int(TAKEN[action].sum())
        case "reserve" | "draw":
            return 1
    return 0


def _all_turns() -> Iterator[tuple[int, ...]]:
    for action in range(PASS + 1):
        for count in range(most_returns(action) + 1):
            for colors in combinations_with_replacement(range(GOLD + 1), count):
                decisions = (action, *(RETURN_TOKEN + color for color in colors))
                yield decisions
                for place in range(TABLE_NOBLES):
                    yield (*decisions, CHOOSE_NOBLE + place)


TURNS = tuple(_all_turns())
TURN_NUMBER = {decisions: number for number, decisions in enumerate(TURNS)}


def legal_turns(state: State) -> Iterator[int]:
    """The numbers of all legal turns; the state is one in which a turn begins."""
    if not rules.is_over(state):
        yield from _completions(state, ())


def _completions(state: State, decisions: tuple[int, ...]) -> Iterator[int]:
    for action in legal_actions(state):
        if state.phase == RETURN and len(decisions) > 1 and action < decisions[-1]:
            continue
        after = copy_state(state)
        rules.apply(after, action)
        if after.phase in (RETURN, NOBLE):
            yield from _completions(after, (*decisions, action))
        else:
            yield TURN_NUMBER[*decisions, action]


def turn_mask(state: State) -> NDArray[np.int8]:
    """1 for every legal turn  [TURNS]."""
    mask = np.zeros(len(TURNS), np.int8)
    mask[list(legal_turns(state))] = 1
    return mask
