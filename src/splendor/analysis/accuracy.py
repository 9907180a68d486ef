"""Accuracy: one number from 0 to 100 for how well somebody decided.

    accuracy = 100 / (1 + (mean loss × players / 2 / HALF) ^ STEEPNESS)

The mean is over decisions that count: forced ones do not. Whoever loses nothing has 100, and `HALF` of the win each
turn is 50. The two constants were fitted so that the graded levels are spread evenly (`benchmarks/level_losses.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

HALF = 0.025
STEEPNESS = 1.2


def accuracy(losses: Sequence[float], players: int) -> float | None:
    """The accuracy of somebody who lost so much in the decisions that count; None if there are none.

    >>> accuracy([0.0, 0.0], 2), round(accuracy([HALF], 2)), accuracy([], 2)
    (100.0, 50, None)
    """
    if not losses:
        return None
    mean = max(sum(losses) / len(losses), 0.0) * players / 2
    return float(100 / (1 + (mean / HALF) ** STEEPNESS))
