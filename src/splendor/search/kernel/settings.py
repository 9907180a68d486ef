"""How a search spends its simulations: the numbers that the descent and the rollouts go by."""

from __future__ import annotations

from typing import NamedTuple


class SearchSettings(NamedTuple):
    """The same for all simulations of a run."""

    exploration: float = 1.0  # how much a prior counts against values that were found
    first_play_reduction: float = 0.1  # a decision without visits is taken to be worth so much less than its position
    widening: float = 1.0  # how many cards may be turned up behind a decision: times the root of its visits
    temperature: float = 1.0  # of the priors: lower trusts the light policy more
    rollout: int = 10  # decisions that are played on from a leaf, before it is evaluated
    noise: float = 1.0  # how freely the light policy plays them
    include: int = 0  # decisions at the root that are visited as often as any other: a set, from the phase's first on
