"""What JavaScript may call of the network. It has a memory of its own, since it needs SIMD and the rules do not."""

from __future__ import annotations

import numpy as np
from numba import from_dtype

from splendor.core.actions import ACTIONS
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE
from splendor.core.types import Count
from splendor.network.kernel import inference
from splendor.network.kernel.layout import DESK, WEIGHTS
from splendor.wasm.exports import ADDRESS, I32, VOID, Address, Exports, Struct, array_at, wide

EXPORTS = Exports()


@EXPORTS.add(VOID, ADDRESS, I32, from_dtype(WEIGHTS), from_dtype(DESK), ADDRESS, ADDRESS)
def rate(observation: Address, steps: Count, weights: Struct, desk: Struct, shares: Address, ratings: Address) -> None:
    inference.rate(
        array_at(observation, np.int8, OBSERVATION_SIZE),
        wide(steps),
        weights,
        desk,
        array_at(shares, np.float32, MAX_PLAYERS),
        array_at(ratings, np.float32, ACTIONS),
    )


@EXPORTS.add(VOID, ADDRESS, ADDRESS, I32)
def widen(halves: Address, floats: Address, count: Count) -> None:
    inference.widen(array_at(halves, np.uint16, count), array_at(floats, np.float32, count), wide(count))
