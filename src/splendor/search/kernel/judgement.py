"""Between leaves and a network: what the deciding seats see, and what the network says about it."""

from __future__ import annotations

import math

from splendor.core.actions import ACTIONS
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import observe, seat_at
from splendor.core.jit import rule
from splendor.core.rules import legal_mask
from splendor.core.state import States
from splendor.core.types import ByGame, Count


@rule
def observe_deciders(states: States, count: Count, seen: ByGame) -> None:
    """What the seat that decides knows in each of the first `count` states."""
    for number in range(count):
        observe(states[number], states[number].seat, seen[number])


@rule
def write_judgement(
    states: States,
    count: Count,
    shares: ByGame,
    ratings: ByGame,
    leaf_priors: ByGame,
    leaf_shares: ByGame,
) -> None:
    """Shares by seat, and priors: the softmax of the ratings of the legal decisions."""
    for leaf in range(count):
        state = states[leaf]
        for distance in range(MAX_PLAYERS):
            leaf_shares[leaf, seat_at(state, state.seat, distance)] = shares[leaf, distance]
        priors = leaf_priors[leaf]
        legal_mask(state, priors)
        top = -math.inf
        for action in range(ACTIONS):
            if priors[action] > 0:
                top = max(top, ratings[leaf, action])
        total = 0.0
        for action in range(ACTIONS):
            if priors[action] > 0:
                priors[action] = math.exp(ratings[leaf, action] - top)
                total += priors[action]
        for action in range(ACTIONS):
            priors[action] /= max(total, 1e-30)
