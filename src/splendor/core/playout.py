"""Random play to the end of a game: the same choices one by one, in a batch and on a GPU.

Every legal decision is equally likely. The choices depend on nothing but the state and the generator, so
anyone can repeat them: number the legal actions in rising order from 0, and take the one that
`chance.below` names.
"""

from __future__ import annotations

from typing import Any

from splendor._jit import rule
from splendor.actions import PHASE_ACTION
from splendor.bits import count_bits, nth_bit
from splendor.chance import below
from splendor.rules import apply, is_over, legal_set


@rule
def random_action(state: Any, rng: Any) -> Any:
    """One of the legal actions of a game that is not over, each equally likely."""
    legal = legal_set(state)
    return PHASE_ACTION[state.phase] + nth_bit(legal, below(rng, count_bits(legal)))


@rule
def playout(state: Any, rng: Any) -> Any:
    """Play random decisions until the game is over; return how many there were."""
    decisions = 0
    while not is_over(state):
        apply(state, random_action(state, rng))
        decisions += 1
    return decisions
