"""What the games of a person come to, worked out in a worker; of those who were asked for lately it is kept."""

from __future__ import annotations

from collections import OrderedDict

from splendor.server.database.statistics import statistics_of
from splendor.server.labor.kinds import QUICK
from splendor.server.labor.pool import Labor
from splendor.server.labor.queue import Visitor

MOST = 300  # of a few kB each


class Profiles:
    """The statistics of people."""

    def __init__(self, database: str, labor: Labor) -> None:
        """None yet."""
        self.database, self.labor = database, labor
        self._kept: OrderedDict[str, tuple[int, bytes]] = OrderedDict()

    def find(self, person: str, games: int) -> bytes | None:
        """What is known of somebody who has played so many games."""
        played, body = self._kept.get(person, (-1, b""))
        return body if played == games else None

    async def make(self, person: str, games: int, visitor: Visitor) -> bytes:
        """Work it out; raises RequestRefused."""
        body = await self.labor.run(QUICK, visitor, statistics_of, self.database, person)
        self._kept[person] = games, body
        self._kept.move_to_end(person)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return body
