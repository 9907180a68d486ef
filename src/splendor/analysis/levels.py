"""What the graded levels would have decided: the yardstick for what a loss says about a player.

Most levels are the network with a temperature. What such a level would play in a position is a softmax of the
network's action values, so its expected loss follows without playing: for each decision, how likely the level takes it,
times what it costs by the search. Levels that search have none here.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from splendor.core.state import State
from splendor.network.action_values import ActionValues
from splendor.network.network import Network
from splendor.players.levels import LEVELS
from splendor.players.registry import read_options

Floats = NDArray[np.float64]

SHARPEST = 1e-4  # the temperature of a level that has none


def temperatures() -> dict[str, float]:
    """The levels that do not search, the weakest first, with their temperatures."""
    options = {level: read_options(*spec.partition(":")[::2]) for level, spec in LEVELS.items()}
    return {
        level: option.get("temperature", SHARPEST)
        for level, option in options.items()
        if not {"simulations", "time"} & set(option)
    }


TEMPERATURES = temperatures()


def chances(state: State, network: Network) -> dict[str, dict[int, float]]:
    """How likely each level takes each legal decision in a hidden state."""
    values = ActionValues(network).of(state)
    legal = np.flatnonzero(values >= 0)
    scale = 2 / int(state.players)
    found = {}
    for level, temperature in TEMPERATURES.items():
        weights = np.exp((values[legal] - values[legal].max()) / (temperature * scale))
        found[level] = dict(zip(legal.tolist(), (weights / weights.sum()).tolist(), strict=True))
    return found


def expected_losses(policies: Mapping[str, Mapping[int, float]], worths: Mapping[int, float]) -> dict[str, float]:
    """What each level would have lost on average, by what the decisions are worth."""
    best = max(worths.values())
    return {
        level: sum(chance * (best - worths[action]) for action, chance in policy.items())
        for level, policy in policies.items()
    }
