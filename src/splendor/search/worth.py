"""What decisions are worth after a search: what was known before it, corrected by what the visits found.

    worth = (PRIOR_VISITS × prior value + sum of the visits' values) / (PRIOR_VISITS + visits)

The prior value is the action value of an evaluator, or without one a constant. All values are expected win shares of
the seat that decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS

PRIOR_VISITS = 8.0  # the prior value of a decision counts as much as so many visits
PRIOR_TEMPERATURE = 0.05  # of the win: a decision that is worth so much less gets e times less of the search

Floats = NDArray[np.float64]


def worth_of(prior_values: Any, visits: Any, values: Any) -> Any:
    """The formula above, for numbers, arrays or tensors; `values` are sums over the visits."""
    return (PRIOR_VISITS * prior_values + values) / (PRIOR_VISITS + visits)


def corrected_worth(prior_values: Floats, visits: NDArray[np.int64], values: Floats) -> Floats:
    """The worth with prior values that may have been too high or too low for the position as a whole  [action].

    They are first shifted by the mean error found in the visited decisions. Otherwise a decision that was hardly
    visited could win by an optimistic prior value.
    """
    error = (values - visits * prior_values).sum() / max(visits.sum(), 1)
    worth: Floats = worth_of(prior_values + error, visits, values)
    return worth


def standard_error(visits: int, value: float, square: float) -> float | None:
    """The standard error of a worth, from the sums of the visits' values and of their squares.

        s² = (sum of squares − sum² / visits) / (visits − 1)          the variance of a visit
        error = √(visits × s²) / (PRIOR_VISITS + visits)

    Each visit goes through a deal of its own, so visits count as independent samples. The prior value counts as
    known. Two decisions are visited in the same deals: the error of their difference is mostly less than the root of
    the sum of their squared errors.
    """
    if visits < 2:  # noqa: PLR2004
        return None
    variance = max(square - value * value / visits, 0.0) / (visits - 1)
    return float(np.sqrt(visits * variance) / (PRIOR_VISITS + visits))


def softmax(worth: Floats, legal: list[int]) -> NDArray[np.float32]:
    """Priors from action values: how likely each decision is the best  [action]."""
    priors = np.zeros(ACTIONS, np.float32)
    priors[legal] = np.exp((worth[legal] - worth[legal].max()) / PRIOR_TEMPERATURE)
    priors /= priors.sum()
    return priors
