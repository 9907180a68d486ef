"""`exp` and `log` in plain arithmetic.

A C library has them, WebAssembly has not, and the `Math.exp` of browsers differ in the last bit. These are the methods
of fdlibm (Sun Microsystems, 1993): the argument is brought into a small range, where a polynomial is exact enough. The
error is below one unit in the last place.
"""

from __future__ import annotations

import math

import numpy as np

LARGEST, SMALLEST = 709.0, -708.0  # beyond lie infinity and, nearly, zero
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
SQRT_2 = 1.4142135623730951

ONE, HALF = np.float32(1), np.float32(0.5)
SMALLEST_SINGLE = np.float32(-87)
LOG2_E_SINGLE = np.float32(LOG2_E)
LN2_HIGH_SINGLE, LN2_LOW_SINGLE = np.float32(0.693359375), np.float32(-2.12194440e-4)
C6, C5, C4, C3, C2 = (np.float32(1 / math.factorial(n)) for n in (6, 5, 4, 3, 2))


def exp(x: float) -> float:
    """e to the power of x."""
    if math.isnan(x):
        return x
    if x > LARGEST:
        return math.inf
    if x < SMALLEST:
        return 0.0
    twos = np.int64(math.floor(x * LOG2_E + 0.5))
    rest = (x - twos * LN2_HIGH) - twos * LN2_LOW
    series = 1.0 / 6227020800.0
    series = series * rest + 1.0 / 479001600.0
    series = series * rest + 1.0 / 39916800.0
    series = series * rest + 1.0 / 3628800.0
    series = series * rest + 1.0 / 362880.0
    series = series * rest + 1.0 / 40320.0
    series = series * rest + 1.0 / 5040.0
    series = series * rest + 1.0 / 720.0
    series = series * rest + 1.0 / 120.0
    series = series * rest + 1.0 / 24.0
    series = series * rest + 1.0 / 6.0
    series = series * rest + 0.5
    return ((series * rest * rest + rest) + 1.0) * np.int64((twos + 1023) << 52).view(np.float64)


def log(x: float) -> float:
    """The natural logarithm; of zero minus infinity. The smallest numbers, below 1e-307, are taken for zero."""
    if math.isnan(x) or x == math.inf:
        return x
    if x < 0.0:
        return math.nan
    bits = np.float64(x).view(np.int64)
    exponent = bits >> 52
    if exponent == 0:
        return -math.inf
    fraction = np.int64((bits & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000).view(np.float64)  # from 1 to 2
    if fraction > SQRT_2:
        fraction *= 0.5
        exponent += 1
    twos = np.float64(exponent - 1023)
    f = fraction - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    odd = z * (
        6.666666666666735130e-01
        + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01))
    )
    square = 0.5 * f * f
    return twos * LN2_HIGH - ((square - (s * (square + even + odd) + twos * LN2_LOW)) - f)


def exp_single(x: np.float32) -> np.float32:
    """e to the power of a 32-bit float that is not positive, without a jump: the softmax of the network."""
    x = max(x, SMALLEST_SINGLE)
    twos = np.float32(np.int32(x * LOG2_E_SINGLE - HALF))  # rounded, since x is not positive
    rest = (x - twos * LN2_HIGH_SINGLE) - twos * LN2_LOW_SINGLE
    series = C6 * rest + C5
    series = series * rest + C4
    series = series * rest + C3
    series = series * rest + C2
    series = (series * rest * rest + rest) + ONE
    return series * np.int32((np.int32(twos) + np.int32(127)) << np.int32(23)).view(np.float32)
