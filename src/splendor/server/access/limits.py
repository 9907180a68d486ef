"""Rate limits: a bucket of tokens for each person or address and each kind of deed.

Each process spends from buckets of its own, without asking anybody. Where there are several, they tell each other
every second what was spent, and take that from their own buckets too. A bucket can owe: who was let through by
several processes at once waits until that is made up for.

What a person may do, the people of one network may do ten times together: so it is no use to be very many guests.
"""

from __future__ import annotations

import base64
import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from math import inf
from typing import NamedTuple

from splendor.server.logs import note
from splendor.server.refusal import RequestRefused

MOST_BUCKETS = 100_000  # of one kind; newcomers beyond that share one, so that nobody else's is forgotten
STRANGERS = ""  # whose bucket that is
MOST_TOLD = 300  # buckets in one notice, which PostgreSQL takes up to 8,000 bytes

Buckets = dict[str, tuple[float, float]]  # by whose it is: what is left, and when that was so


class Limit(NamedTuple):
    """So many at once, and so many for each second after that."""

    burst: float
    rate: float


LIMITS = {
    "request": Limit(120, 40),  # anything of the interface for programs, for each address
    "file": Limit(1000, 100),  # pages and files of the client, of which one visit needs many at once
    "account": Limit(10, 10 / 60),  # new guests, registering, signing in from where one is not known
    "sign_in": Limit(10, 10 / 60),  # tries at one name from one address, or from one device that is known
    "guess": Limit(100, 100 / 3600),  # tries at one name from all devices that are not known
    "table": Limit(10, 10 / 60),  # making and joining tables
    "pairing": Limit(20, 0.5),  # looking for a game, and asking again while one waits
    "command": Limit(40, 8),  # moves
    "manners": Limit(10, 15 / 60),  # offers, votes: what asks for other people's attention
    "talk": Limit(5, 0.25),  # faces and phrases
    "chat": Limit(12, 0.5),  # lines of one person
    "chat_table": Limit(6, 0.2),  # lines of one person at one table
    "report": Limit(5, 10 / 3600),  # reports of lines
    "analysis": Limit(20, 0.5),  # hints, replays, verification: what makes the server work
    "import": Limit(100, 1),  # games from elsewhere to be kept
    "list": Limit(40, 4),  # games, players and the best of them: what looks at many rows of the database
    "push": Limit(20, 20 / 3600),  # messages to the closed browsers of one person
    "picture": Limit(30, 1),  # pictures of positions that are not there yet, for each address
    "message": Limit(60, 20),  # messages on sockets, understood or not
    "record": Limit(30, 30 / 3600),  # game files from elsewhere that are kept for a review, for each address
}
NETWORK_SHARES = 10  # of a school, for example
NETWORK = "network-"
for _kind in ("pairing", "command", "manners", "talk", "analysis", "message"):
    LIMITS[NETWORK + _kind] = Limit(*(NETWORK_SHARES * value for value in LIMITS[_kind]))


class RateLimits:
    """All buckets of one server process."""

    def __init__(self, factor: float, now: Callable[[], float] = time.monotonic) -> None:
        """`factor` multiplies all limits; 0 turns them off."""
        self.factor, self.now = factor, now
        self.is_shared = False  # are there other processes to tell?
        self._buckets: dict[str, Buckets] = {kind: {} for kind in LIMITS}
        self._noted: set[tuple[str, str]] = set()  # whose limit was reached, and has not been kept again since
        self._untold: Counter[tuple[str, str]] = Counter()  # what was spent here, by kind and whose bucket it is

    def spend(self, kind: str, who: str, network: str | None = None) -> None:
        """Count one deed, of a person also for the network; raises RequestRefused with the seconds to wait."""
        self._spend(kind, who)
        if network is not None and network != who:
            self._spend(NETWORK + kind, network)

    def _spend(self, kind: str, who: str) -> None:
        if not self.factor:
            return
        mark = mark_of(who)
        left = self._take(kind, mark, 1, least=1)
        if left >= 1:
            if left >= LIMITS[kind].burst * self.factor / 2:  # kept again, and not only for a moment
                self._noted.discard((kind, mark))
            if self.is_shared:
                self._untold[kind, mark] += 1
        else:
            if (kind, mark) not in self._noted and len(self._noted) < MOST_BUCKETS:
                self._noted.add((kind, mark))
                note("limit reached", source=who, what=kind)
            rate = LIMITS[kind].rate * self.factor
            what = kind.removeprefix(NETWORK)
            raise RequestRefused("too_many", seconds=round((1 - left) / rate, 1), what=what)

    def _take(self, kind: str, mark: str, much: int, least: float) -> float:
        """Fill a bucket as time has filled it, and take so much if it holds the least; returns what was in it."""
        burst, rate = (value * self.factor for value in LIMITS[kind])
        buckets, now = self._buckets[kind], self.now()
        forget_full(buckets, now - 2 * burst / rate)
        if mark not in buckets and len(buckets) >= MOST_BUCKETS:
            mark = STRANGERS
        left, then = buckets.pop(mark, (burst, now))
        left = min(left + (now - then) * rate, burst)
        after = max(left - much, -burst) if left >= least else left
        buckets[mark] = (after, now)  # the last one used comes last
        return left

    def tell(self) -> Iterator[str]:
        """What was spent here since the last time, in words for the other processes."""
        untold, self._untold = self._untold, Counter()
        by_kind: dict[str, list[str]] = {}
        for (kind, mark), count in untold.items():
            by_kind.setdefault(kind, []).append(f"{mark}={count}")
        for kind, spent in by_kind.items():
            for start in range(0, len(spent), MOST_TOLD):
                yield " ".join(["spent", kind, *spent[start : start + MOST_TOLD]])

    def hear(self, kind: str, spent: list[str]) -> None:
        """Take from the buckets what was spent elsewhere."""
        if not self.factor:
            return
        for word in spent:
            mark, count = word.split("=")
            self._take(kind, mark, int(count), least=-inf)


def mark_of(who: str) -> str:
    """Somebody's bucket by a short word, so that neither names nor addresses are told around."""
    return base64.urlsafe_b64encode(hashlib.blake2b(who.encode(), digest_size=9).digest()).decode()


def forget_full(buckets: Buckets, unused_since: float) -> None:
    """Let go of the oldest buckets: what was not used for so long is full again, whatever it owed."""
    while buckets:
        oldest = next(iter(buckets))
        if buckets[oldest][1] > unused_since:
            return
        del buckets[oldest]
