"""What an agent is shown: the observation of `features` and the mask of legal actions, as arrays and as spaces."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from splendor.core import features, rules
from splendor.core.actions import ACTIONS
from splendor.core.features import LARGEST, OBSERVATION_SIZE
from splendor.core.state import State

Observation = dict[str, NDArray[np.int8]]


def observation_space(actions: int = ACTIONS) -> spaces.Dict:
    """A dictionary of `observation`, what the seat knows, and `action_mask`, 1 for each legal action."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, LARGEST, (OBSERVATION_SIZE,), np.int8),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def observe(state: State, viewer: int) -> NDArray[np.int8]:
    """What a seat knows  [OBSERVATION_SIZE]."""
    seen = np.empty(OBSERVATION_SIZE, np.int8)
    features.observe(state, viewer, features.named(seen[None])[0])
    return seen


def action_mask(state: State) -> NDArray[np.int8]:
    """1 for every action that is legal for the seat that decides  [ACTIONS]."""
    mask = np.empty(ACTIONS, np.int8)
    rules.legal_mask(state, mask)
    return mask
