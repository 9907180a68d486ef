"""The record of one game."""

import numpy as np

from positions import deal
from splendor.core.state import STATE, copy_state, new_states


def test_a_state_is_256_aligned_bytes() -> None:
    assert STATE.itemsize == 256
    assert STATE.isalignedstruct


def test_no_field_has_the_name_of_something_that_records_have_already() -> None:
    """In plain Python `state.round` would be a method of NumPy's, while compiled code would read the field."""
    assert STATE.names is not None
    assert [name for name in STATE.names if hasattr(np.record, name)] == []


def test_a_copy_is_equal_and_apart() -> None:
    state = deal()
    copy = copy_state(state)
    assert copy.tobytes() == state.tobytes()
    copy.bank[0] = 0
    copy.seat = 1
    assert (state.bank[0], state.seat) == (4, 0)


def test_blank_states_are_all_zero() -> None:
    assert not any(new_states(3).tobytes())
