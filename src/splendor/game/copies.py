"""A copy of a state, made in a sixth of the time of the general way: a server makes several for every move."""

from __future__ import annotations

import numpy as np

from splendor.core.state import State, new_state

_RECORD = new_state().dtype


def copied(state: State) -> State:
    """The same state, to be changed without changing this one."""
    return np.frombuffer(bytearray(np.void.tobytes(state)), _RECORD)[0]
