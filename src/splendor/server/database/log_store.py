"""The logs of all tables, on disk: appended to by compare-and-set, many tables in one transaction.

`append` returns when the entries are stored for good. Changes that arrive while a transaction is being written
wait and go together into the next one, so that a busy server does not wait for the disk once for every move.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from splendor.server.database.appending import CHANNEL, Change, append_all
from splendor.server.database.connect import WritingThread
from splendor.server.database.schema import events, games, outages, pulse, seats, upsert
from splendor.server.tables.log import Stored, parse_entry

PIECE = 50  # entries that are read or folded at a stretch
UP, TRIED = 1, 2  # rows of the pulse: when a server was last up, and when one last tried to write
MOST_TOGETHER = 256  # changes in one transaction
T = TypeVar("T")

UNFINISHED = ("open", "dealing", "live")


class Conflict(Exception):
    """The log has gone on meanwhile; nothing was stored."""


@dataclass(slots=True)
class Waiting:
    """A change, and who waits for it."""

    change: Change
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class LogStore:
    """Reads and appends logs."""

    def __init__(self, engine: AsyncEngine, sender: str = "") -> None:
        """On PostgreSQL every append is announced, in the name of this sender."""
        self.engine = engine
        self.sender = sender
        self._thread = WritingThread(engine.url) if engine.dialect.name == "sqlite" else None
        self._waiting: list[Waiting] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    @property
    def _is_postgres(self) -> bool:
        return self.engine.dialect.name == "postgresql"

    # -------------------------------------------------------------------------------------------- writing

    async def append(self, change: Change) -> None:
        """Store entries; raises Conflict if the log is not at the expected version."""
        if self._writer is None:
            self._writer = asyncio.create_task(self._write_all())
        waiting = Waiting(change)
        self._waiting.append(waiting)
        self._wake.set()
        await asyncio.shield(waiting.done)

    async def close(self) -> None:
        """Write what waits, then stop."""
        while self._waiting:
            await asyncio.sleep(0.01)
        if self._writer is not None:
            self._writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writer
        if self._thread is not None:
            await self._thread.close()

    async def _write_all(self) -> None:
        while True:
            await self._wake.wait()
            batch = self._waiting[:MOST_TOGETHER]
            await asyncio.shield(self._write_batch(batch))
            del self._waiting[: len(batch)]
            if not self._waiting:
                self._wake.clear()

    async def _write_batch(self, batch: list[Waiting]) -> None:
        """Write together; if that fails, each alone, so that only what is at fault fails."""
        try:
            conflicts = await self._write([waiting.change for waiting in batch])
        except Exception as error:
            if len(batch) == 1:
                batch[0].done.set_exception(error)
                return
            for waiting in batch:
                await self._write_batch([waiting])
            return
        for waiting in batch:
            if waiting.change.game in conflicts:
                waiting.done.set_exception(Conflict(waiting.change.game))
            else:
                waiting.done.set_result(None)

    async def _write(self, changes: list[Change]) -> set[str]:
        """One transaction; returns the games whose change came too late."""
        if self._thread is not None:
            return await self._thread.run(lambda connection: append_all(connection, changes, self.sender))
        async with self.engine.execution_options(is_writer=True).begin() as connection:
            return await connection.run_sync(append_all, changes, self.sender)

    async def announce(self, message: str) -> None:
        """Tell the other processes something that is no entry of a log."""
        if self._is_postgres:
            async with self.engine.begin() as connection:
                await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{self.sender} {message}")))

    # -------------------------------------------------------------------------------------------- reading

    async def read(self, game: str, since: int = 0) -> list[Stored]:
        """The entries of a table after a version; none if there is no such table."""
        query = sa.select(events).where(events.c.game == game, events.c.version > since).order_by(events.c.version)
        async with self.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        entries = []
        async for row in in_pieces(rows):
            entries.append(Stored(row.version, row.at, parse_entry(row.entry), row.key))
        return entries

    async def unfinished_of(self, person: str) -> list[str]:
        """The tables that are not over where a person sits or is invited."""
        query = sa.select(games.c.id).join(seats, seats.c.game == games.c.id).distinct()
        query = query.where(seats.c.person == person, games.c.status.in_(UNFINISHED))
        async with self.engine.connect() as connection:
            return [row.id for row in await connection.execute(query)]

    async def is_in_sight(self, sight: str) -> bool:
        """Does a game among people stand like this, in memory or not?"""
        query = sa.select(games.c.id).where(games.c.sight == sight).limit(1)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).first() is not None

    async def due(self, until: float) -> list[str]:
        """The tables at which something happens by itself until then, the first one first."""
        query = sa.select(games.c.id).where(games.c.due <= until).order_by(games.c.due)
        async with self.engine.connect() as connection:
            return [row.id for row in await connection.execute(query)]

    async def note_outage(self, began: float, ended: float) -> None:
        """No server was up in this time."""
        async with self.engine.connect() as connection:
            await connection.execution_options(is_writer=True)
            async with connection.begin():
                await connection.execute(outages.insert(), [{"began": began, "ended": ended}])

    async def seconds_down(self, since: float) -> float:
        """For how long no server was up since then."""
        query = sa.select(outages).where(outages.c.ended > since)
        async with self.engine.connect() as connection:
            return sum((float(row.ended - max(row.began, since)) for row in await connection.execute(query)), 0.0)

    async def try_to_write(self, at: float) -> None:
        """Write something, to see whether that can be done."""
        async with self.engine.connect() as connection:
            await connection.execution_options(is_writer=True)
            async with connection.begin():
                await connection.execute(
                    upsert(self.engine.dialect, pulse, ("id",), ("at",)), [{"id": TRIED, "at": at}]
                )

    async def last_beat(self) -> float | None:
        """When a server was last known to be up."""
        async with self.engine.connect() as connection:
            return (await connection.execute(sa.select(pulse.c.at).where(pulse.c.id == UP))).scalar()

    async def beat(self, at: float) -> float | None:
        """Note that a server is up, and return when that was last noted."""
        async with self.engine.connect() as connection:
            await connection.execution_options(is_writer=True)
            async with connection.begin():
                last = (await connection.execute(sa.select(pulse.c.at).where(pulse.c.id == UP))).scalar()
                await connection.execute(upsert(self.engine.dialect, pulse, ("id",), ("at",)), [{"id": UP, "at": at}])
        return last


async def in_pieces(things: Iterable[T]) -> AsyncIterator[T]:
    """The same things; after some of them, others get their turn."""
    for number, thing in enumerate(things, 1):
        yield thing
        if number % PIECE == 0:
            await asyncio.sleep(0)
