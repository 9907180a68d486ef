"""Small sets kept in one integer: bit n is set when n belongs to the set, and n is at most 62.

Compiled code asks for the size of a set, and for one member of it, at every decision. Both are found without a
loop or a jump. The compiler knows the idiom in `count_bits` and turns it into the one instruction that
processors and GPUs have for it.
"""

from __future__ import annotations

import numpy as np

from splendor.core.instructions import HAS_DEPOSIT
from splendor.core.jit import rule
from splendor.core.types import Bits, Count

EACH_BYTE = 0x0101010101010101
LOW_BYTES = 0x007F7F7F7F7F7F7F  # all but the highest, which a search never has to pass
LOW_BYTES_TOP = 0x0080808080808080

NTH_IN_BYTE = np.zeros((256, 8), np.uint8)  # the n-th member of a set of numbers below 8   [set, n]
for _set in range(256):
    for _n, _member in enumerate(member for member in range(8) if _set >> member & 1):
        NTH_IN_BYTE[_set, _n] = _member
NTH_IN_BYTE.flags.writeable = False


@rule
def bits_in_bytes(bits: Bits) -> Bits:
    """For each byte of the set how many members it has."""
    bits = int(bits)
    bits -= (bits >> 1) & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    return (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F


@rule
def count_bits(bits: Bits) -> Count:
    """How many members the set has."""
    return (bits_in_bytes(bits) * EACH_BYTE >> 56) & 0x7F


@rule
def nth_bit_by_bytes(bits: Bits, n: Count) -> int:
    """The n-th member of the set in rising order; the smallest is number 0.

    The product adds the bytes up: byte i of `up_to` counts the members in bytes 0 to i. A byte lies wholly before the
    member we look for when that count is at most n, and then its top bit survives the subtraction.
    """
    up_to = (bits_in_bytes(bits) * EACH_BYTE) & LOW_BYTES
    before = ((int(n) * EACH_BYTE | LOW_BYTES_TOP) - up_to) & LOW_BYTES_TOP
    first = 8 * count_bits(before)
    rest = n - (up_to << 8 >> first & 0x7F)
    return first + NTH_IN_BYTE[bits >> first & 0xFF, rest & 7]


if HAS_DEPOSIT:
    from splendor.core.instructions import deposited_bit

    @rule
    def nth_bit(bits: Bits, n: Count) -> int:
        """The same as `nth_bit_by_bytes`, by the instruction for it."""
        return deposited_bit(bits, n)

else:
    nth_bit = nth_bit_by_bytes
