"""One decision deep: try every legal decision, and take the one after which the position is worth most.

Whatever the evaluation counts is weighed: points, bonuses, cards and nobles in reach, and what the others lose when
a card leaves the table. A card that is turned up afterwards is not looked at.
"""

from __future__ import annotations

import math
from typing import Any

from splendor._jit import rule
from splendor.actions import PHASE_ACTION
from splendor.chance import random_bits
from splendor.rules import apply, is_over, legal_set
from splendor.search.evaluation import evaluate
from splendor.state import RETURN

SCRATCH_STATES = 2


@rule
def best_decision(state: Any, noise: Any, rng: Any, weights: Any, scratch: Any, shares: Any, row: Any) -> Any:
    """The decision with the best position behind it, in a game that is not over.

    With `noise` every position is misjudged by a random amount, in units of the seat's log-odds. `scratch` has room
    for SCRATCH_STATES states, `shares` and `row` for one evaluation.
    """
    seat = state.seat
    best, best_worth = -1, -math.inf
    legal, first = legal_set(state), PHASE_ACTION[state.phase]
    place = 0
    while legal >> place:
        if legal >> place & 1:
            scratch[0] = state
            apply(scratch[0], first + place)
            return_tokens(scratch[0], weights, scratch[1:], shares, row)
            worth = log_odds(scratch[0], seat, weights, shares, row) + noise * normal(rng)
            if worth > best_worth:
                best, best_worth = first + place, worth
        place += 1
    return best


@rule
def return_tokens(state: Any, weights: Any, scratch: Any, shares: Any, row: Any) -> None:
    """Return down to ten tokens, each time the one that is missed least."""
    seat = state.seat
    while state.phase == RETURN:
        best, best_worth = -1, -math.inf
        legal, first = legal_set(state), PHASE_ACTION[state.phase]
        place = 0
        while legal >> place:
            if legal >> place & 1:
                scratch[0] = state
                apply(scratch[0], first + place)
                worth = log_odds(scratch[0], seat, weights, shares, row)
                if worth > best_worth:
                    best, best_worth = first + place, worth
            place += 1
        apply(state, best)


@rule
def log_odds(state: Any, seat: Any, weights: Any, shares: Any, row: Any) -> Any:
    """What a position is worth to a seat, without the limits that a share has; a won game beats everything."""
    evaluate(state, weights, shares, row)
    if is_over(state):
        return 1000.0 * (shares[seat] - 0.5)
    return math.log(shares[seat] + 1e-300) - math.log(1.0 - shares[seat] + 1e-300)


@rule
def normal(rng: Any) -> Any:
    """A random number of the normal distribution, nearly: the sum of four uniform ones."""
    bits = int(random_bits(rng) >> 1)
    total = (bits & 0x7FFF) + (bits >> 15 & 0x7FFF) + (bits >> 30 & 0x7FFF) + (bits >> 45 & 0x7FFF)
    return (total / 32768.0 - 2.0) * 1.7320508075688772
