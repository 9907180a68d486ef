"""One decision deep: try every legal decision, and take the one after which the position is worth most.

Whatever the evaluation counts is weighed: points, bonuses, cards and nobles in reach, and what the others lose when
a card leaves the table. A card that is turned up afterwards is not looked at.
"""

from __future__ import annotations

import math

from splendor.core.actions import PHASE_ACTION, RETURN_TOKEN
from splendor.core.components import GOLD
from splendor.core.jit import rule
from splendor.core.rules import apply, can_return, is_over, legal_set
from splendor.core.state import RETURN, State, States
from splendor.core.types import Action, BySeat, Floats, Rng, Seat
from splendor.search.kernel.evaluation import evaluate
from splendor.search.kernel.policy import smallest, uniform
from splendor.search.kernel.weights import Weights

SCRATCH_STATES = 2
WON = 1000.0
TINY = 1e-12


@rule
def best_decision(
    state: State,
    noise: float,
    rng: Rng,
    weights: Weights,
    scratch: States,
    shares: BySeat,
    row: Floats,
) -> Action:
    """The decision with the best position behind it, in a game that is not over.

    With `noise` every position is misjudged by a random amount, in units of the seat's log-odds. `scratch` has room
    for SCRATCH_STATES states, `shares` and `row` for one evaluation.
    """
    seat = state.seat
    legal, first = legal_set(state), int(PHASE_ACTION[state.phase])
    best, best_worth = -1, -math.inf
    while legal != 0:
        action = first + smallest(legal)
        legal &= legal - 1
        scratch[0] = state
        apply(scratch[0], action)
        return_tokens(scratch[0], weights, scratch[1:], shares, row)
        worth = log_odds(scratch[0], seat, weights, shares, row) + noise * normal(rng)
        if worth > best_worth:
            best, best_worth = action, worth
    return best


@rule
def return_tokens(state: State, weights: Weights, scratch: States, shares: BySeat, row: Floats) -> None:
    """Return down to ten tokens, each time the one that is missed least."""
    seat = state.seat
    while state.phase == RETURN:
        best, best_worth = -1, -math.inf
        for color in range(GOLD + 1):
            if can_return(state, color):
                scratch[0] = state
                apply(scratch[0], RETURN_TOKEN + color)
                worth = log_odds(scratch[0], seat, weights, shares, row)
                if worth > best_worth:
                    best, best_worth = color, worth
        apply(state, RETURN_TOKEN + best)


@rule
def log_odds(state: State, seat: Seat, weights: Weights, shares: BySeat, row: Floats) -> float:
    """What a position is worth to a seat, without the limits that a share has; a won game beats everything."""
    evaluate(state, weights, shares, row)
    if is_over(state):
        return WON * (shares[seat] - 0.5)
    return math.log((shares[seat] + TINY) / (1.0 - shares[seat] + TINY))


@rule
def normal(rng: Rng) -> float:
    """A random number, spread normally with a deviation of 1, nearly: the sum of three uniform ones."""
    return 2.0 * (uniform(rng) + uniform(rng) + uniform(rng) - 1.5)
