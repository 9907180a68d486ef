"""Small sets kept in one integer: bit n is set when n belongs to the set.

Compiled code asks for the size of a set at every decision. The compiler knows the idiom in `count_bits` and turns
it into the one instruction that processors and GPUs have for it.
"""

from __future__ import annotations

from typing import Any

from splendor._jit import rule


@rule
def count_bits(bits: Any) -> Any:
    """How many numbers are in the set; it must not hold 63, the sign."""
    bits = int(bits)
    bits -= (bits >> 1) & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (bits * 0x0101010101010101 >> 56) & 0x7F


@rule
def nth_bit(bits: Any, n: Any) -> Any:
    """The n-th number of the set, from the smallest, which is number 0. Halving takes the same steps for all."""
    place = 0
    width = 32
    while width > 0:
        low = count_bits(bits & ((1 << width) - 1))
        is_above = n >= low
        n -= low * is_above
        bits >>= width * is_above
        place += width * is_above
        width >>= 1
    return place
