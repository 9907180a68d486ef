"""Rate limits: a bucket of tokens for each person or address and each kind of deed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from splendor.server.refusal import Refused

MOST_BUCKETS = 100_000  # then full ones are forgotten


class Limit(NamedTuple):
    """So many at once, and so many for each second after that."""

    burst: float
    rate: float


LIMITS = {
    "request": Limit(120, 40),  # anything at all, for each address
    "account": Limit(10, 10 / 60),  # new guests, registering, signing in
    "table": Limit(10, 10 / 60),  # making and joining tables
    "command": Limit(40, 8),  # moves
    "manners": Limit(10, 15 / 60),  # offers, votes: what asks for other people's attention
    "analysis": Limit(20, 0.5),  # hints, replays, verification: what makes the server work
    "message": Limit(60, 20),  # messages on one socket, understood or not
}


class Limits:
    """All buckets of one server process."""

    def __init__(self, factor: float, now: Callable[[], float] = time.monotonic) -> None:
        """`factor` multiplies all limits; 0 turns them off."""
        self.factor, self.now = factor, now
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}  # what is left, and when that was so

    def spend(self, kind: str, who: str) -> None:
        """Count one deed; raises Refused with the seconds to wait."""
        if not self.factor:
            return
        burst, rate = (value * self.factor for value in LIMITS[kind])
        now = self.now()
        left, then = self._buckets.get((kind, who), (burst, now))
        left = min(left + (now - then) * rate, burst)
        if left < 1:
            raise Refused("too_many", seconds=round((1 - left) / rate, 1), what=kind)
        if len(self._buckets) >= MOST_BUCKETS:
            self._forget_full(now)
        self._buckets[kind, who] = (left - 1, now)

    def _forget_full(self, now: float) -> None:
        for key, (left, then) in list(self._buckets.items()):
            burst, rate = (value * self.factor for value in LIMITS[key[0]])
            if left + (now - then) * rate >= burst:
                del self._buckets[key]
        if len(self._buckets) >= MOST_BUCKETS:
            self._buckets.clear()
