"""How many sockets and streams are open, of each person and each network: nobody takes all there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from splendor.server.labor.queue import Visitor
from splendor.server.refusal import RequestRefused

MOST_OF_PERSON = 30
MOST_OF_NETWORK = 120


class Places:
    """Those that are taken."""

    def __init__(self, factor: float) -> None:
        """`factor` multiplies the limits; 0 turns them off."""
        self.factor = factor
        self._taken: Counter[str] = Counter()

    def take(self, visitor: Visitor) -> Callable[[], None]:
        """Take a place, to be given back by what is returned; raises RequestRefused if there is none."""
        limits = {f"person {visitor.person}": MOST_OF_PERSON, f"network {visitor.network}": MOST_OF_NETWORK}
        if self.factor and any(self._taken[who] >= most * self.factor for who, most in limits.items()):
            raise RequestRefused("too_many", seconds=60.0, what="connections")
        self._taken.update(limits.keys())

        def give_back() -> None:
            for who in limits:
                self._taken[who] -= 1
                if not self._taken[who]:
                    del self._taken[who]

        return give_back
