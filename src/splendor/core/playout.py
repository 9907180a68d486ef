"""Random play to the end of a game: the same choices one by one, in a batch and on a GPU.

Every legal decision is equally likely. The choices depend on nothing but the state and the generator, so
anyone can repeat them: number the legal actions in rising order from 0, and take the one that
`chance.below` names.
"""

from __future__ import annotations

from splendor.core.actions import PHASE_ACTION
from splendor.core.bits import count_bits, nth_bit
from splendor.core.chance import below
from splendor.core.jit import rule
from splendor.core.rules import apply, is_over, legal_set
from splendor.core.state import State
from splendor.core.types import Action, Count, Rng


@rule
def random_action(state: State, rng: Rng) -> Action:
    """One of the legal actions of a game that is not over, each equally likely."""
    legal = legal_set(state)
    return PHASE_ACTION[state.phase] + nth_bit(legal, below(rng, count_bits(legal)))


@rule
def playout(state: State, rng: Rng) -> Count:
    """Play random decisions until the game is over; return how many there were."""
    decisions = 0
    while not is_over(state):
        apply(state, random_action(state, rng))
        decisions += 1
    return decisions
