"""Sets in one integer, counted and taken apart without loops."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from splendor.core.bits import count_bits, nth_bit, nth_bit_by_bytes

SETS = st.sets(st.integers(0, 61))


@given(SETS)
def test_members_are_counted(members: set[int]) -> None:
    assert count_bits(sum(1 << member for member in members)) == len(members)


@pytest.mark.parametrize("nth", [nth_bit, nth_bit_by_bytes])
@given(members=SETS)
def test_the_nth_member_is_found_in_rising_order(nth, members: set[int]) -> None:  # type: ignore[no-untyped-def]
    bits = sum(1 << member for member in members)
    assert [int(nth(bits, n)) for n in range(len(members))] == sorted(members)
