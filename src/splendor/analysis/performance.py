"""Performance: which of the graded levels decides like that, by the likelihood of the losses.

`data/level_losses.json` has, for each level, how often it loses how much, in easy and in hard positions; measured by
`benchmarks/level_losses.py`, for one network. How hard a position is says the expected loss of one of the levels. The
place on the scale of levels is 0 for the weakest of them, 1 for the next; between two of them the distribution is a
mixture of theirs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from splendor.analysis.model import EFFORTS, Effort, Performance
from splendor.notation.json import JsonObject
from splendor.players.levels import LEVELS

# Upper ends, for two players; losses of more players are multiplied by players / 2 before they are compared.
LOSS_BINS = (0.0005, 0.0025, 0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1)  # and more
HARDNESS_BINS = (0.006, 0.015, 0.03)  # of the expected loss of this level:
YARDSTICK = "journeyman"
CONFIDENCE = 0.9
STEPS = 20  # of the scale between two levels
FEWEST = 5  # decisions; fewer say nothing
FEWEST_MEASURED = 30  # decisions of a level; one that is known from fewer is left out
PRIOR_DECISIONS = 1.0  # added to the decisions of each distribution, in equal parts: nothing is impossible

Floats = NDArray[np.float64]


class Sample(NamedTuple):
    """A decision that counts."""

    loss: float
    hardness: float  # the expected loss of the yardstick in this position


def bins_of(sample: Sample, players: int) -> tuple[int, int]:
    """Where a decision is counted: how hard it was, and how much it lost."""
    scale = players / 2
    hardness = int(np.searchsorted(HARDNESS_BINS, sample.hardness * scale, side="right"))
    return hardness, int(np.searchsorted(LOSS_BINS, sample.loss * scale, side="right"))


def performance(samples: Iterable[Sample], players: int, effort: Effort) -> Performance | None:
    """Between which levels somebody decided; None if there are too few decisions."""
    places = [bins_of(sample, players) for sample in samples]
    if len(places) < FEWEST:
        return None
    levels, scale, logarithms = scale_of_levels(players, effort)
    counts = np.zeros(logarithms.shape[1:])
    for place in places:
        counts[place] += 1
    likelihood = (logarithms * counts).sum(axis=(1, 2))
    weights = np.exp(likelihood - likelihood.max())
    total = np.cumsum(weights) / weights.sum()
    low, middle, high = (
        float(scale[min(int(np.searchsorted(total, part)), len(scale) - 1)])
        for part in ((1 - CONFIDENCE) / 2, 0.5, (1 + CONFIDENCE) / 2)
    )
    is_top = middle > len(levels) - 1 - 1 / STEPS
    below = len(levels) - 1 if is_top else int(middle)
    return Performance(
        scale=middle,
        low=low,
        high=high,
        below=levels[below] if middle > 0 else None,
        above=None if is_top else levels[below + 1] if middle > 0 else levels[0],
        decisions=len(places),
    )


@cache
def scale_of_levels(players: int, effort: Effort) -> tuple[list[str], Floats, Floats]:
    """The levels, places on their scale, and the logarithms of what is mixed there  [place, hardness, loss]."""
    levels, tables = distributions(players, effort)
    scale = np.linspace(0, len(levels) - 1, STEPS * (len(levels) - 1) + 1)
    lower = np.minimum(scale.astype(int), len(levels) - 2)
    part = (scale - lower)[:, None, None]
    return levels, scale, np.log(part * tables[lower + 1] + (1 - part) * tables[lower])


@cache
def distributions(players: int, effort: Effort) -> tuple[list[str], Floats]:
    """The levels, the weakest first, and how likely each loses how much  [level, hardness, loss].

    Where this effort was not measured, those of the nearest one below it, or of *quick*.
    """
    table, key = stored()["efforts"], str(players)
    measured = [name for name in EFFORTS if key in table.get(name, {}) and EFFORTS.index(name) <= EFFORTS.index(effort)]
    entry = table[measured[-1] if measured else "quick"][key]
    known = {level for level, found in entry["levels"].items() if found["decisions"] >= FEWEST_MEASURED}
    levels = [level for level in LEVELS if level in known]
    counts = np.array([entry["levels"][level]["counts"] for level in levels]) + PRIOR_DECISIONS / (len(LOSS_BINS) + 1)
    return levels, counts / counts.sum(axis=2, keepdims=True)


@cache
def stored() -> JsonObject:
    """The distributions of the package."""
    text = resources.files("splendor").joinpath("data", "level_losses.json").read_text(encoding="utf-8")
    table: JsonObject = json.loads(text)
    return table
