"""Where a server gets time, chance and names from; tests give their own."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from splendor.server.database.people import new_id
from splendor.server.tables.fairness import DealMaker, deal, new_secret


class Clock:
    """The time of day as it was when the server started, and the seconds since: nobody sets it forward or back.

    What depends on the difference of two times, such as a player's clock, does not notice when the system's is set.
    """

    def __init__(self) -> None:
        """Agree with the system this once."""
        self._offset = time.time() - time.monotonic()

    def __call__(self) -> float:
        """Seconds since 1970."""
        return time.monotonic() + self._offset

    def follow(self, now: float) -> None:
        """Agree with another process from here on."""
        self._offset = now - time.monotonic()


@dataclass
class Sources:
    """What is different each time, unless it is known beforehand."""

    now: Callable[[], float] = field(default_factory=Clock)
    new_id: Callable[[], str] = new_id
    new_secret: Callable[[], str] = new_secret
    deal: DealMaker = deal
