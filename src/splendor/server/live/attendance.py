"""Who is connected to which table: known in memory, and with several processes shared through the database."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from splendor.server.database.schema import presence, upsert

REFRESH = 10.0  # seconds between signs of life in the database
FRESH = 25.0  # seconds for which one is believed


class Attendance:
    """Connections of people to tables; a table "" stands for a person's own stream, which counts at every table."""

    def __init__(self, engine: AsyncEngine, process: str, now: Callable[[], float]) -> None:
        """`process` names this server among several on one database."""
        self.engine, self.process, self.now = engine, process, now
        self.is_shared = engine.dialect.name == "postgresql"
        self._here: defaultdict[str, Counter[str]] = defaultdict(Counter)  # connections of people, by table

    async def arrive(self, table: str, person: str) -> bool:
        """A connection opens; True if it is the person's first here."""
        self._here[table][person] += 1
        is_first = self._here[table][person] == 1
        if is_first and self.is_shared:
            await self._write([(table, person)])
        return is_first

    async def depart(self, table: str, person: str) -> bool:
        """A connection has closed; True if it was the person's last here."""
        self._here[table][person] -= 1
        if self._here[table][person] > 0:
            return False
        del self._here[table][person]
        if not self._here[table]:
            del self._here[table]
        if self.is_shared:
            mine = sa.and_(presence.c.process == self.process, presence.c.game == table, presence.c.person == person)
            async with self.engine.begin() as connection:
                await connection.execute(presence.delete().where(mine))
        return True

    async def online(self, table: str) -> set[str]:
        """Who is connected to a table, anywhere."""
        if not self.is_shared:
            return {person for place in (table, "") for person in self._here.get(place, ())}
        fresh = sa.and_(presence.c.game.in_([table, ""]), presence.c.seen > self.now() - FRESH)
        async with self.engine.connect() as connection:
            return {row.person for row in await connection.execute(sa.select(presence.c.person).where(fresh))}

    async def refresh(self) -> None:
        """Say again who is here, and remove what processes left behind that are gone."""
        if not self.is_shared:
            return
        await self._write([(table, person) for table, people in self._here.items() for person in people])
        async with self.engine.begin() as connection:
            await connection.execute(presence.delete().where(presence.c.seen < self.now() - 4 * FRESH))

    async def _write(self, places: list[tuple[str, str]]) -> None:
        now = self.now()
        rows = [{"process": self.process, "game": t, "person": p, "seen": now} for t, p in sorted(places)]
        if rows:
            async with self.engine.begin() as connection:
                await connection.execute(
                    upsert(self.engine.dialect, presence, ("process", "game", "person"), ("seen",)), rows
                )
