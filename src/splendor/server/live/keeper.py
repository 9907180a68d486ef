"""The keeper of the tables: all that are in memory, and the one way in which they change.

A change is decided on the present table, folded into a copy, stored by compare-and-set, and only then put in the
table's place and told. So whoever looks at a table, at any time, sees what is stored. Each table has a lock, for those
who change it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from splendor.server.database.bookkeeping import change_of
from splendor.server.database.log_store import PIECE, Conflict, LogStore
from splendor.server.live.dues import due_at, has_clock
from splendor.server.live.live import Live
from splendor.server.live.sources import Sources
from splendor.server.refusal import RequestRefused
from splendor.server.tables import commands, log
from splendor.server.tables.commands import Manners
from splendor.server.tables.table import OnlineTable
from splendor.server.tasks import Tasks

ATTEMPTS = 5  # to store a change while other processes store theirs

Decide = Callable[[OnlineTable], list[log.AnyEntry]]


class Witness(Protocol):
    """Who is told about tables: the hub."""

    def loaded(self, live: Live) -> None:
        """A table is in memory now."""

    def changed(self, live: Live, since: int) -> None:
        """Something was stored after a version."""


class Keeper:
    """All tables in memory."""

    def __init__(self, log_store: LogStore, sources: Sources, manners: Manners, witness: Witness) -> None:
        """None yet."""
        self.log_store, self.sources, self.manners, self.witness = log_store, sources, manners, witness
        self.lives: dict[str, Live] = {}
        self.tasks = Tasks()
        self.is_closing = False
        self._loading: dict[str, asyncio.Task[Live | None]] = {}

    # ------------------------------------------------------------------------------------------- in memory

    async def find(self, id: str) -> Live:
        """A table, read from its log if need be; raises RequestRefused if there is none."""
        live = self.lives.get(id)
        if live is None:
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self._load(id))
            live = await asyncio.shield(self._loading[id])  # others may wait for it too
        if live is None:
            raise RequestRefused("not_found")
        live.touched = time.monotonic()
        return live

    async def _load(self, id: str) -> Live | None:
        try:
            entries = await self.log_store.read(id)
            if not entries:
                return None
            table = await folded(OnlineTable(id), entries)
            return self._keep(await self._resumed(table) if has_clock(table) else table)
        finally:
            del self._loading[id]

    async def _resumed(self, table: OnlineTable) -> OnlineTable:
        """A running clock stood still while no server was up."""
        down = await self.log_store.seconds_down(table.turn_began)
        if not down:
            return table
        now = self.sources.now()
        resumed = log.ClocksResumed(used=max(now - table.turn_began - down, 0.0))
        stored = log.Stored(table.version + 1, now, resumed)
        after = table.after([stored])
        try:
            await self.log_store.append(change_of(after, [stored], due_at(after, self.manners)))
        except Conflict:  # another process was faster
            return await folded(table, await self.log_store.read(table.id, table.version))
        return after

    def _keep(self, table: OnlineTable) -> Live:
        """Have a table in memory, unless it has come there meanwhile."""
        live = self.lives.get(table.id)
        if live is None:
            live = self.lives[table.id] = Live(table, touched=time.monotonic())
            self.witness.loaded(live)
        return live

    def forget(self, live: Live) -> None:
        """Let go of a table; whoever needs it again reads its log."""
        live.stop()
        del self.lives[live.table.id]

    # --------------------------------------------------------------------------------------------- changes

    async def create(self, made: log.Created) -> OnlineTable:
        """Make a table, and deal if nobody has to come first."""
        table = OnlineTable(self.sources.new_id())
        stored = log.Stored(1, self.sources.now(), made)
        after = table.after([stored])
        await self.log_store.append(change_of(after, [stored], due_at(after, self.manners)))
        live = self._keep(after)
        self.witness.changed(live, 0)
        return await self.change(live, nothing)

    async def change(self, live: Live, decide: Decide, key: str | None = None) -> OnlineTable:
        """Decide on the present table, store, tell; again from the start if another process was faster."""
        async with live.lock:
            for _ in range(ATTEMPTS):
                try:
                    await self._commit(live, decide(live.table), key)
                    await self._settle(live)
                    return live.table
                except Conflict:
                    await self._catch_up(live)
        raise RequestRefused("busy")

    async def _settle(self, live: Live) -> None:
        """What follows by itself: the deal when all is there."""
        while entries := commands.due(live.table, self.sources.now(), self.manners, self.sources.deal):
            await self._commit(live, entries)

    async def _commit(self, live: Live, entries: list[log.AnyEntry], key: str | None = None) -> None:
        """Fold into a copy, store, swap, tell. Whoever calls has the lock."""
        if not entries:
            return
        before, now = live.table.version, self.sources.now()
        stored = [log.Stored(before + n, now, entry, key if n == 1 else None) for n, entry in enumerate(entries, 1)]
        after = live.table.after(stored)
        await self.log_store.append(change_of(after, stored, due_at(after, self.manners)))
        self._swap(live, after)

    def _swap(self, live: Live, after: OnlineTable) -> None:
        """What is stored is the table now."""
        since = live.table.version
        live.table = after
        self.witness.changed(live, since)

    # ------------------------------------------------------------------------------------- other processes

    async def reread(self, live: Live) -> None:
        """Fold the whole log again."""
        async with live.lock:
            live.table = OnlineTable(live.table.id).after(await self.log_store.read(live.table.id))
        self.witness.loaded(live)

    async def catch_up(self, live: Live, version: int | None = None) -> None:
        """Take what other processes have stored, unless this version is known already."""
        async with live.lock:
            if version is None or live.table.version < version:
                await self._catch_up(live)

    async def _catch_up(self, live: Live) -> None:
        """The same; whoever calls has the lock."""
        entries = await self.log_store.read(live.table.id, live.table.version)
        if entries:
            self._swap(live, await folded(live.table, entries))


async def folded(table: OnlineTable, entries: list[log.Stored]) -> OnlineTable:
    """The table with further entries. A long log is folded in pieces, so that nobody else waits for it."""
    for start in range(0, len(entries), PIECE):
        table = table.after(entries[start : start + PIECE])
        await asyncio.sleep(0)
    return table


def nothing(_: OnlineTable) -> list[log.AnyEntry]:
    """No entry of one's own: only what is due."""
    return []
