"""The logs of all tables, on disk: appended to by compare-and-set, many tables in one transaction.

`append` returns when the entries are stored for good. Changes that arrive while a transaction is being written
wait and go together into the next one, so that a busy server does not wait for the disk once for every move.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from splendor.server.database.schema import events, games, pulse, ratings, seats
from splendor.server.log import Stored, format_entry, parse_entry
from splendor.server.rating import START, Rating, rate

CHANNEL = "splendor"  # of PostgreSQL's notifications
MOST_TOGETHER = 256  # changes in one transaction
UNFINISHED = ("open", "dealing", "live")

# Statements of every move, made once: SQLAlchemy looks each up by its structure, which it works out per object.
ADD_EVENTS = events.insert()
LOCK_VERSIONS = (
    sa.select(games.c.id, games.c.version)
    .where(games.c.id.in_(sa.bindparam("ids", expanding=True)))
    .order_by(games.c.id)
    .with_for_update()
)


@lru_cache
def _update_game(columns: tuple[str, ...]) -> sa.Update:
    values: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in columns}
    return games.update().where(games.c.id == sa.bindparam("old_id")).values(values)


class Conflict(Exception):
    """The log has gone on meanwhile; nothing was stored."""


@dataclass(frozen=True, slots=True)
class Change:
    """Entries to append to the log of one table, and what its other rows shall say then."""

    game: str
    expected: int  # the version before; 0 makes the table
    entries: Sequence[Stored]
    row: dict[str, Any]
    seats: Sequence[dict[str, Any]] | None = None  # all seats anew
    places: Sequence[tuple[str, int]] = ()  # persons with their places, if the game is rated


@dataclass(slots=True)
class Waiting:
    """A change, and who waits for it."""

    change: Change
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Ledger:
    """Reads and appends logs."""

    def __init__(self, engine: AsyncEngine, sender: str = "") -> None:
        """On PostgreSQL every append is announced, in the name of this sender."""
        self.engine = engine
        self.sender = sender
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
        async with self.engine.connect() as connection:
            await connection.execution_options(is_writer=True)
            async with connection.begin():
                old = sorted((change for change in changes if change.expected), key=lambda change: change.game)
                versions = await self._versions(connection, [change.game for change in old])
                late = {change.game for change in old if versions.get(change.game) != change.expected}
                good = [change for change in changes if change.game not in late]
                await self._write_rows(connection, good)
                if self._is_postgres and good:
                    await self._announce(connection, good)
        return late

    async def _versions(self, connection: AsyncConnection, ids: list[str]) -> dict[str, int]:
        """The present versions, locked until the transaction ends."""
        if not ids:
            return {}
        return {row.id: row.version for row in await connection.execute(LOCK_VERSIONS, {"ids": ids})}

    async def _write_rows(self, connection: AsyncConnection, changes: list[Change]) -> None:
        made = [{"id": change.game, **change.row} for change in changes if not change.expected]
        if made:
            await connection.execute(games.insert(), made)
        by_columns: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for change in changes:
            if change.expected:
                row = {f"new_{name}": value for name, value in change.row.items()}
                by_columns.setdefault(tuple(change.row), []).append({"old_id": change.game, **row})
        for columns, rows in by_columns.items():
            await connection.execute(_update_game(columns), rows)
        await connection.execute(ADD_EVENTS, [_event_row(change.game, e) for change in changes for e in change.entries])
        await self._write_seats(connection, changes)
        for change in changes:
            if change.places:
                await self._rate(connection, change)

    async def _write_seats(self, connection: AsyncConnection, changes: list[Change]) -> None:
        reseated = [change for change in changes if change.seats is not None]
        if not reseated:
            return
        await connection.execute(seats.delete().where(seats.c.game.in_([change.game for change in reseated])))
        rows = [{"game": change.game, **row} for change in reseated for row in change.seats or ()]
        await connection.execute(seats.insert(), rows)

    async def _rate(self, connection: AsyncConnection, change: Change) -> None:
        """New ratings for the players of a finished game."""
        players = len(change.places)
        ids = [person for person, _ in change.places]
        query = sa.select(ratings).where(ratings.c.players == players, ratings.c.person.in_(sorted(ids)))
        found = {
            row.person: row for row in await connection.execute(query.order_by(ratings.c.person).with_for_update())
        }
        old = [Rating(found[p].mu, found[p].sigma) if p in found else START for p in ids]
        new = rate(old, [place for _, place in change.places])
        rows = [
            {
                "person": person,
                "players": players,
                "mu": rating.mu,
                "sigma": rating.sigma,
                "games": (found[person].games if person in found else 0) + 1,
            }
            for person, rating in zip(ids, new, strict=True)
        ]
        await connection.execute(upsert(self.engine, ratings, ("person", "players"), ("mu", "sigma", "games")), rows)

    async def _announce(self, connection: AsyncConnection, changes: list[Change]) -> None:
        """Tell the other processes; PostgreSQL delivers this with the commit."""
        payloads = [f"{self.sender} table {c.game} {c.entries[-1].version}" for c in changes]
        listed = sa.bindparam("payloads", payloads, type_=postgresql.ARRAY(sa.Text))
        await connection.execute(
            sa.select(sa.func.pg_notify(CHANNEL, sa.column("payload"))).select_from(
                sa.func.unnest(listed).alias("payload")
            )
        )

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
            rows = await connection.execute(query)
            return [Stored(row.version, row.at, parse_entry(row.entry), row.key) for row in rows]

    async def unfinished(self) -> list[str]:
        """The tables that are not over."""
        async with self.engine.connect() as connection:
            rows = await connection.execute(sa.select(games.c.id).where(games.c.status.in_(UNFINISHED)))
            return [row.id for row in rows]

    async def beat(self, at: float) -> float | None:
        """Note that a server is up, and return when that was last noted."""
        async with self.engine.connect() as connection:
            await connection.execution_options(is_writer=True)
            async with connection.begin():
                last = (await connection.execute(sa.select(pulse.c.at).where(pulse.c.id == 1))).scalar()
                await connection.execute(upsert(self.engine, pulse, ("id",), ("at",)), [{"id": 1, "at": at}])
        return last


def _event_row(game: str, stored: Stored) -> dict[str, Any]:
    entry = format_entry(stored.entry)
    return {"game": game, "version": stored.version, "at": stored.at, "entry": entry, "key": stored.key}


def upsert(engine: AsyncEngine, table: sa.Table, keys: Iterable[str], columns: Iterable[str]) -> Any:
    """Insert rows, or change those that are there."""
    insert = postgresql.insert(table) if engine.dialect.name == "postgresql" else sqlite.insert(table)
    changed = {column: insert.excluded[column] for column in columns}
    return insert.on_conflict_do_update(index_elements=list(keys), set_=changed)
