"""Where chance comes from: a generator of 64-bit numbers, and unbiased draws and shuffles made from it.

The generator is SplitMix64 (Steele, Lea and Flood, 2014): one 64-bit word of state, so it costs a game
nothing to have its own, and a few lines in any language. `docs/rules.md` states the deal exactly, so that
anyone can check one. `rng` is an array of one `uint64`, which starts as the seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splendor.core.jit import rule, wrapping_rule
from splendor.core.types import Cards, Count, Place, Rng

STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_1, SHIFT_2, SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
HALF = np.uint64(32)
LOW_HALF = np.uint64(0xFFFFFFFF)
HALF_RANGE = np.uint64(1 << 32)


def new_rng(seed: int) -> NDArray[np.uint64]:
    """A generator; seeds are taken modulo 2**64."""
    return np.array([seed & 0xFFFFFFFFFFFFFFFF], np.uint64)


@wrapping_rule
def random_bits(rng: Rng) -> np.uint64:
    """The next 64 random bits."""
    rng[0] += STEP
    bits = rng[0]
    bits = (bits ^ (bits >> SHIFT_1)) * MIX_1
    bits = (bits ^ (bits >> SHIFT_2)) * MIX_2
    return bits ^ (bits >> SHIFT_3)


@rule
def below(rng: Rng, count: Count) -> int:
    """A number from 0 to `count` - 1, each exactly equally likely (Lemire's method on 32 bits)."""
    size = np.uint64(count)
    scaled = (random_bits(rng) >> HALF) * size
    if (scaled & LOW_HALF) < size:
        unfair = (HALF_RANGE - size) % size
        while (scaled & LOW_HALF) < unfair:
            scaled = (random_bits(rng) >> HALF) * size
    number: Any = np.int64(scaled >> HALF)
    return number


@rule
def shuffle(cards: Cards, first: Place, count: Count, rng: Rng) -> None:
    """Bring `count` cards from place `first` on into random order (Fisher and Yates, from the end)."""
    for last in range(count - 1, 0, -1):
        other = below(rng, last + 1)
        card = cards[first + last]
        cards[first + last] = cards[first + other]
        cards[first + other] = card
