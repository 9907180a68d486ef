"""The hub: all tables in memory, every change stored first and then sent to all who look on.

Each table has a lock. A change is folded, stored by compare-and-set and only then acknowledged and sent; if it
cannot be stored, the table is folded anew from the log. Readers take the same lock, so nobody sees what is not
stored. `post` sends, `presence` watches who is there, and `steward` sees to what happens by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from splendor.server import commands, log, viewers
from splendor.server import messages as m
from splendor.server.attendance import Attendance
from splendor.server.bookkeeping import change_of
from splendor.server.commands import Manners, carry_out
from splendor.server.computers import Computers
from splendor.server.config import Settings
from splendor.server.database.ledger import Conflict, Ledger
from splendor.server.live import Live
from splendor.server.logs import logger
from splendor.server.metrics import Metrics
from splendor.server.outbox import Outbox
from splendor.server.post import Post, how_it_stands
from splendor.server.presence import Presence
from splendor.server.refusal import Refused
from splendor.server.sources import Sources
from splendor.server.steward import Steward
from splendor.server.table import OnlineTable, computer
from splendor.server.tasks import Tasks

ATTEMPTS = 5  # to store a change while other processes store theirs
IDLE = 300.0  # seconds that a table stays in memory without need


class Hub:
    """All tables."""

    def __init__(
        self,
        settings: Settings,
        ledger: Ledger,
        attendance: Attendance,
        computers: Computers,
        metrics: Metrics,
        sources: Sources,
    ) -> None:
        """Over an open database."""
        self.settings, self.ledger, self.metrics, self.sources = settings, ledger, metrics, sources
        self.levels = settings.levels
        substitute = "journeyman" if "journeyman" in self.levels else next(iter(self.levels))
        self.manners = Manners(substitute=substitute, absence=settings.absence)
        self.tables: dict[str, Live] = {}
        self.tasks = Tasks()
        self.post = Post()
        self.presence = Presence(self, attendance)
        self.steward = Steward(self, computers)
        self.is_closing = False
        self._loading: dict[str, asyncio.Task[Live | None]] = {}

    # ------------------------------------------------------------------------------------------- in memory

    async def find(self, id: str) -> Live:
        """A table, read from its log if need be; raises Refused if there is none."""
        live = self.tables.get(id)
        if live is None:
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self._load(id))
            live = await asyncio.shield(self._loading[id])  # others may wait for it too
        if live is None:
            raise Refused("not_found")
        live.touched = time.monotonic()
        return live

    async def _load(self, id: str) -> Live | None:
        try:
            entries = await self.ledger.read(id)
            if not entries:
                return None
            table = OnlineTable(id)
            for stored in entries:
                table.apply(stored)
            live = self.tables[id] = Live(table)
            self.steward.schedule(live)
            return live
        finally:
            del self._loading[id]

    def forget_idle(self) -> None:
        """Let go of tables that nobody looks at and that need no steward."""
        for id, live in list(self.tables.items()):
            is_needed = self.steward.in_office and not live.table.is_finished
            is_idle = not live.outboxes and not live.lock.locked() and time.monotonic() - live.touched > IDLE
            if is_idle and not is_needed:
                live.stop()
                del self.tables[id]

    # --------------------------------------------------------------------------------------------- changes

    async def create(self, host: m.Person, wish: m.NewTable, plans: list[log.SeatPlan]) -> OnlineTable:
        """Make a table."""
        made = log.Created(
            seats=plans,
            public=wish.public,
            spectators=wish.spectators,
            clock=wish.clock,
            order=wish.order,
            secret=self.sources.new_secret(),
        )
        live = Live(OnlineTable(self.sources.new_id()), touched=time.monotonic())
        self.tables[live.table.id] = live
        logger.info("table made", extra={"person": host.id, "players": len(plans)})
        return await self.tasks.undisturbed(self.change(live, lambda _: [made]))

    async def join(self, id: str, person: m.Person, wish: m.Join) -> OnlineTable:
        """Take a seat."""
        live = await self.find(id)
        return await self.tasks.undisturbed(self.change(live, lambda table: commands.join(table, person, wish)))

    async def command(
        self, id: str, person: m.Person, command: m.Command | m.Consider
    ) -> m.Done | m.Continuations | m.RematchReady:
        """Carry out what a person wants; raises Refused. Sent twice with one key, it is done once."""
        began, outcome = time.perf_counter(), "refused"
        try:
            live = await self.find(id)
            if isinstance(command, m.Consider):
                async with live.lock:
                    moves = commands.consider(live.table, person.id, command)
                answer: m.Done | m.Continuations | m.RematchReady = m.Continuations(key=command.key, moves=moves)
            elif isinstance(command, m.Rematch):
                answer = await self.tasks.undisturbed(self._rematch(live, person, command))
            else:
                answer = await self.tasks.undisturbed(self._carry_out(live, person.id, command))
            outcome = "done"
            return answer
        finally:
            self.metrics.commands.labels(command.type, outcome).inc()
            self.metrics.command_seconds.observe(time.perf_counter() - began)

    async def _carry_out(self, live: Live, person: str, command: m.Command) -> m.Done:
        key = f"{person}:{command.key}"

        def decide(table: OnlineTable) -> list[log.AnyEntry]:
            if key in table.keys:
                return []
            entries = carry_out(table, person, command, self.sources.now(), self.manners)
            back = [seat for seat in table.seats_of(person) if table.seats[seat].absent_since is not None]
            return [*entries, *(log.CameBack(seat=seat) for seat in back if table.status == "live")]

        await self.change(live, decide, key)
        return m.Done(key=command.key, version=live.table.keys[key])

    async def change(
        self, live: Live, decide: Callable[[OnlineTable], list[log.AnyEntry]], key: str | None = None
    ) -> OnlineTable:
        """Decide on the present table, store, send; again from the start if another process was faster."""
        async with live.lock:
            for _ in range(ATTEMPTS):
                entries = decide(live.table)
                try:
                    await self._commit(live, entries, key)
                    await self._settle(live)
                    return live.table
                except Conflict:
                    await self._catch_up(live)
        raise Refused("busy")

    async def _commit(self, live: Live, entries: list[log.AnyEntry], key: str | None = None) -> None:
        """Fold, store, send. Whoever calls has the lock."""
        if not entries:
            return
        table, now = live.table, self.sources.now()
        before = table.version
        stored = [log.Stored(before + n, now, entry, key if n == 1 else None) for n, entry in enumerate(entries, 1)]
        try:
            for entry in stored:
                table.apply(entry)
            await self.ledger.append(change_of(table, stored))
        except BaseException:
            await self._fold_anew(live, before)
            raise
        self._send(live, before)

    def _send(self, live: Live, since: int) -> None:
        """Tell everyone what happened after a version, and see to what follows."""
        self.post.send(live, since, self.sources.now())
        self.steward.schedule(live)
        if any(isinstance(stored.entry, log.Started) for stored in live.table.log[since:]):
            self.tasks.spawn(self.presence.watch(live))

    async def _settle(self, live: Live) -> None:
        """What follows by itself: the deal when all is there."""
        while entries := commands.due(live.table, self.sources.now(), self.manners, self.sources.deal):
            await self._commit(live, entries)

    async def _fold_anew(self, live: Live, version: int) -> None:
        """Go back to what is stored."""
        table = OnlineTable(live.table.id)
        for stored in live.table.log[:version]:
            table.apply(stored)
        live.table = table
        if not version:
            self.tables.pop(table.id, None)

    async def _catch_up(self, live: Live) -> None:
        """Take what other processes have stored, and send it. Whoever calls has the lock."""
        before = live.table.version
        for stored in await self.ledger.read(live.table.id, before):
            live.table.apply(stored)
        if live.table.version > before:
            self._send(live, before)

    async def catch_up(self, live: Live) -> None:
        """The same for whoever has not."""
        async with live.lock:
            await self._catch_up(live)

    async def hear_of(self, id: str, version: int) -> None:
        """Another process stored something at a table."""
        live = self.tables.get(id)
        if live is None:
            if self.steward.in_office or self.post.personal:
                with contextlib.suppress(Refused):
                    live = await self.find(id)
                    self.post.tell_people(live.table, max(version - 1, 0))
            return
        async with live.lock:
            if live.table.version < version:
                await self._catch_up(live)

    async def _rematch(self, live: Live, person: m.Person, command: m.Rematch) -> m.RematchReady:
        """The table for another game: the one that was made already, or a new one with seats kept for the others."""
        async with live.lock:
            seats = [n for n, seat in enumerate(live.table.seats) if seat.player and seat.player.id == person.id]
            if not live.table.is_finished:
                raise Refused("not_over")
            if not seats:
                raise Refused("not_seated")
            if live.table.rematch is None:
                wish = m.NewTable(
                    seats=[m.SeatWish(kind="me")] * len(live.table.seats),
                    public=live.table.made.public,
                    spectators=live.table.made.spectators,
                    clock=live.table.made.clock,
                    order=live.table.made.order,
                )
                table = await self.create(person, wish, rematch_plans(live.table, person, command.commit))
                try:
                    await self._commit(live, [log.Rematched(seat=seats[0], table=table.id)])
                except Conflict:
                    await self._catch_up(live)
            if live.table.rematch is None:
                raise Refused("busy")
            return m.RematchReady(key=command.key, table=live.table.rematch)

    # ------------------------------------------------------------------------------------------ looking on

    async def look(self, id: str, person: str | None, since: int | None = None) -> m.Update:
        """A table as a person may see it now; raises Refused."""
        live = await self.find(id)
        async with live.lock:
            if not viewers.may_watch(live.table, person):
                raise Refused("not_allowed")
            return viewers.update_message(live.table, person, self.sources.now(), since)

    async def subscribe(self, id: str, outbox: Outbox, since: int | None) -> Live:
        """Send a table to an outbox, from now on and what was missed."""
        live = await self.find(id)
        async with live.lock:
            if not viewers.may_watch(live.table, outbox.person):
                raise Refused("not_allowed")
            message = viewers.update_message(live.table, outbox.person, self.sources.now(), since)
            outbox.push(message.model_dump_json())
            live.outboxes.add(outbox)
        self.metrics.connections.inc()
        await self.presence.arrive(live, outbox.person)
        return live

    async def unsubscribe(self, live: Live, outbox: Outbox) -> None:
        """The connection is gone."""
        live.outboxes.discard(outbox)
        self.metrics.connections.dec()
        live.touched = time.monotonic()
        await self.presence.depart(live, outbox.person)

    async def follow(self, person: str, outbox: Outbox) -> None:
        """Send a person's own news to an outbox, from now on."""
        self.post.follow(person, outbox)
        self.metrics.connections.inc()
        await self.presence.follow(person)

    async def unfollow(self, person: str, outbox: Outbox) -> None:
        """The person's stream is gone."""
        self.post.unfollow(person, outbox)
        self.metrics.connections.dec()
        await self.presence.unfollow(person)

    async def how_tables_stand(self, person: str, ids: list[str]) -> list[m.Message]:
        """News about these tables for a person who has missed what there was."""
        news: list[m.Message] = []
        for id in ids:
            live = await self.find(id)
            async with live.lock:
                news += how_it_stands(live.table, person)
        return news

    # ----------------------------------------------------------------------------------------------- the end

    def revoke(self, credential: str) -> None:
        """Close the connections of a session or token that was ended."""
        self.post.close(self.tables.values(), "revoked", credential)

    def say_goodbye(self) -> None:
        """The server goes down: everyone is told, nothing new begins."""
        self.is_closing = True
        self.post.close(self.tables.values(), "shutdown")

    async def close(self) -> None:
        """Stop timers and thinking, and wait for changes under way."""
        self.say_goodbye()
        for live in self.tables.values():
            live.stop()
        await self.tasks.close(timeout=5)


def rematch_plans(table: OnlineTable, person: m.Person, commit: str | None) -> list[log.SeatPlan]:
    """The same seats again, one place on, kept for those who had them."""
    plans: list[log.SeatPlan] = []
    for seat in [*table.seats[1:], table.seats[0]]:
        player = seat.player
        if player is None:
            plans.append(log.SeatPlan(kind="open"))
        elif player.level:
            plans.append(log.SeatPlan(kind="computer", person=computer(player.level)))
        elif player.id == person.id:
            is_first = all(plan.person != person for plan in plans)
            kind = "device" if seat.label else "person"
            plans.append(
                log.SeatPlan.model_validate(
                    {"kind": kind, "person": person, "label": seat.label, "commit": commit if is_first else None}
                )
            )
        else:
            plans.append(log.SeatPlan(kind="invited", invited=player.id, label=player.name))
    return plans
