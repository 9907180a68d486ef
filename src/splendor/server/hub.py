"""The hub: all tables in memory, every change stored first and then sent to all who look on.

Each table has a lock. A change is folded, stored by compare-and-set and only then acknowledged and sent; if it
cannot be stored, the table is folded anew from the log. Readers take the same lock, so nobody sees what is not
stored. The one server that is the steward also plays computers' moves and lets clocks run out.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from splendor.moves import IllegalMove, play_move
from splendor.notation import NotationError, parse_move
from splendor.server import commands, log, viewers
from splendor.server import messages as m
from splendor.server.attendance import Attendance
from splendor.server.bookkeeping import change_of
from splendor.server.commands import Manners, carry_out
from splendor.server.computers import ComputerFailed, Computers
from splendor.server.config import Settings
from splendor.server.database.ledger import Conflict, Ledger
from splendor.server.database.people import new_id
from splendor.server.fairness import DealMaker, deal, new_secret
from splendor.server.logs import logger
from splendor.server.metrics import Metrics
from splendor.server.outbox import Outbox
from splendor.server.refusal import Refused
from splendor.server.showing import seen_by
from splendor.server.table import OnlineTable, computer
from splendor.state import State
from splendor.table import View

ATTEMPTS = 5  # to store a change while other processes store theirs
RETRY = 2.0  # seconds until a computer is asked again after the server itself failed
IDLE = 300.0  # seconds that a table stays in memory without need

T = TypeVar("T")


@dataclass
class Sources:
    """Where a server gets time, chance and names from; tests give their own."""

    now: Callable[[], float] = time.time
    new_id: Callable[[], str] = new_id
    new_secret: Callable[[], str] = new_secret
    deal: DealMaker = deal


@dataclass
class Live:
    """A table in memory, with those who look on."""

    table: OnlineTable
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    outboxes: set[Outbox] = field(default_factory=set)
    timer: asyncio.TimerHandle | None = None
    thinking: asyncio.Task[None] | None = None
    thinks_about: State | None = None
    leaving: dict[str, asyncio.TimerHandle] = field(default_factory=dict)  # people who may be absent soon
    touched: float = 0.0


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
        self.settings, self.ledger, self.attendance = settings, ledger, attendance
        self.computers, self.metrics, self.sources = computers, metrics, sources
        self.levels = settings.levels
        substitute = "journeyman" if "journeyman" in self.levels else next(iter(self.levels))
        self.manners = Manners(substitute=substitute, absence=settings.absence)
        self.tables: dict[str, Live] = {}
        self.personal: dict[str, set[Outbox]] = {}
        self.is_steward = False
        self.is_closing = False
        self._loading: dict[str, asyncio.Task[Live | None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something beside; what goes wrong is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.error("task failed", exc_info=task.exception())

    # ------------------------------------------------------------------------------------------- in memory

    async def find(self, id: str) -> Live:
        """A table, read from its log if need be; raises Refused if there is none."""
        live = self.tables.get(id)
        if live is None:
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self._load(id))
            live = await self._loading[id]
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
            self._schedule(live)
            return live
        finally:
            del self._loading[id]

    def forget_idle(self) -> None:
        """Let go of tables that nobody looks at and that need no steward."""
        for id, live in list(self.tables.items()):
            is_needed = self.is_steward and not live.table.is_finished
            is_idle = not live.outboxes and not live.lock.locked() and time.monotonic() - live.touched > IDLE
            if is_idle and not is_needed:
                self._unschedule(live)
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
        if any(plan.kind == "computer" for plan in plans):
            self.computers.warm_up()
        logger.info("table made", extra={"person": host.id, "players": len(plans)})
        return await self._undisturbed(self.change(live, lambda _: [made]))

    async def join(self, id: str, person: m.Person, wish: m.Join) -> OnlineTable:
        """Take a seat."""
        live = await self.find(id)
        return await self._undisturbed(self.change(live, lambda table: commands.join(table, person, wish)))

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
                answer = await self._undisturbed(self._rematch(live, person, command))
            else:
                answer = await self._undisturbed(self._carry_out(live, person.id, command))
            outcome = "done"
            return answer
        finally:
            self.metrics.commands.labels(command.type, outcome).inc()
            self.metrics.command_seconds.observe(time.perf_counter() - began)

    async def _undisturbed(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish a change even if whoever asked for it is gone."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

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
            if self.is_steward or self.personal:
                with contextlib.suppress(Refused):
                    live = await self.find(id)
                    self._tell_people(live.table, max(version - 1, 0))
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

    # --------------------------------------------------------------------------------------------- sending

    def _send(self, live: Live, since: int) -> None:
        """Tell everyone who looks on what happened after a version, each what they may know."""
        table, now = live.table, self.sources.now()
        texts: dict[tuple[int, ...], str] = {}
        for outbox in list(live.outboxes):
            if not viewers.may_watch(table, outbox.person):
                outbox.close("revoked")
                continue
            seats = tuple(table.seats_of(outbox.person)) if outbox.person else ()
            if seats not in texts:
                message = viewers.update_message(table, outbox.person, now, since)
                texts[seats] = message.model_dump_json()
            outbox.push(texts[seats])
        self._tell_people(table, since)
        self._schedule(live)
        if any(isinstance(stored.entry, log.Started) for stored in table.log[since:]):
            self.spawn(self.watch_presence(live))

    def _tell_people(self, table: OnlineTable, since: int) -> None:
        """Messages for people's own streams."""
        if not self.personal:
            return
        news: list[tuple[str | None, m.Message]] = []
        for stored in table.log[since:]:
            match stored.entry:
                case log.Created(seats=plans):
                    news += [(p.invited, m.Invited(table=table.id, seat=n)) for n, p in enumerate(plans) if p.invited]
                case log.Started():
                    news += [(person, m.TableStarted(table=table.id)) for person in table.persons]
        if table.is_finished and len(table.log) > since:
            everyone = {seat.player.id for seat in table.seats if seat.player}
            news += [(person, m.TableEnded(table=table.id, result=table.result)) for person in everyone]
        turn = your_turn(table)
        if turn is not None:
            news.append(turn)
        for person, message in news:
            for outbox in self.personal.get(person or "", ()):
                outbox.push(message.model_dump_json())

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
        if outbox.person:
            await self.attendance.arrive(id, outbox.person)
        await self.watch_presence(live)
        return live

    async def unsubscribe(self, live: Live, outbox: Outbox) -> None:
        """The connection is gone."""
        live.outboxes.discard(outbox)
        self.metrics.connections.dec()
        live.touched = time.monotonic()
        if outbox.person:
            await self.attendance.depart(live.table.id, outbox.person)
        await self.watch_presence(live)

    async def follow(self, person: str, outbox: Outbox, tables: list[str]) -> None:
        """Send a person's own news to an outbox, beginning with how the given tables stand."""
        for id in tables:
            live = await self.find(id)
            async with live.lock:
                table, turn = live.table, your_turn(live.table)
                invited = [n for n, seat in enumerate(table.seats) if seat.invited == person and not seat.is_taken]
                news: list[m.Message] = [m.Invited(table=id, seat=seat) for seat in invited]
                if table.status == "live":
                    news.append(m.TableStarted(table=id))
                if turn is not None and turn[0] == person:
                    news.append(turn[1])
            for message in news:
                outbox.push(message.model_dump_json())
        self.personal.setdefault(person, set()).add(outbox)
        self.metrics.connections.inc()
        if await self.attendance.arrive("", person):
            await self._watch_tables(tables)

    async def unfollow(self, person: str, outbox: Outbox) -> None:
        """The person's stream is gone."""
        self.personal[person].discard(outbox)
        if not self.personal[person]:
            del self.personal[person]
        self.metrics.connections.dec()
        if await self.attendance.depart("", person):
            await self._watch_tables([id for id, live in self.tables.items() if person in live.table.persons])

    async def _watch_tables(self, ids: list[str]) -> None:
        for id in ids:
            if id in self.tables:
                await self.watch_presence(self.tables[id])

    # ---------------------------------------------------------------------------------------------- presence

    async def watch_presence(self, live: Live) -> None:
        """Tell who is there, and begin or end absences."""
        if self.is_closing:
            return
        table = live.table
        online = await self.attendance.online(table.id)
        seats = [n for n, seat in enumerate(table.seats) if seat.person and seat.person.id in online]
        spectators = sum(not (outbox.person and table.seats_of(outbox.person)) for outbox in live.outboxes)
        text = m.Presence(online=seats, spectators=spectators).model_dump_json()
        for outbox in live.outboxes:
            outbox.push(text)
        if table.status != "live" or table.made.clock.kind == "days":
            return
        for person in table.persons:
            is_absent = any(table.seats[seat].absent_since is not None for seat in table.seats_of(person))
            if person in online:
                timer = live.leaving.pop(person, None)
                if timer is not None:
                    timer.cancel()
                if is_absent:
                    self.spawn(self.change(live, partial(came_back, person=person)))
            elif not is_absent and person not in live.leaving:
                later = asyncio.get_running_loop().call_later
                live.leaving[person] = later(self.settings.grace, self._suspect_absence, live, person)

    def _suspect_absence(self, live: Live, person: str) -> None:
        self.spawn(self._note_absence(live, person))

    async def _note_absence(self, live: Live, person: str) -> None:
        live.leaving.pop(person, None)
        if self.is_closing or person in await self.attendance.online(live.table.id):
            return
        until = self.sources.now() + self.manners.absence
        await self.change(live, lambda table: went_absent(table, person, until))

    # ------------------------------------------------------------------------------------ the steward's work

    async def take_stewardship(self, down_since: float | None) -> None:
        """Look after all unfinished tables: fold them, and let clocks go on from where they stood."""
        self.is_steward = True
        for id in await self.ledger.unfinished():
            with contextlib.suppress(Refused):
                live = await self.find(id)
                if down_since is not None:
                    await self.change(live, lambda table: resumed(table, down_since))
                self._schedule(live)
                await self.watch_presence(live)

    def _schedule(self, live: Live) -> None:
        """Set the timer for what is due next, and let a computer think if it is its turn."""
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        if not self.is_steward or self.is_closing:
            return
        due = commands.next_due(live.table)
        if due is not None:
            delay = max(due - self.sources.now(), 0.0) + 0.01
            live.timer = asyncio.get_running_loop().call_later(delay, lambda: self.spawn(self._tick(live)))
        seat = live.table.to_move
        if seat is not None and live.table.seats[seat].level and live.thinks_about is not live.table.state:
            live.thinks_about = live.table.state
            if live.thinking is not None:
                live.thinking.cancel()
            live.thinking = asyncio.create_task(self._think(live, seat))
            live.thinking.add_done_callback(partial(self._thought, live))

    async def _tick(self, live: Live) -> None:
        """Something is due."""
        await self.change(live, _nothing)
        self._schedule(live)

    def _thought(self, live: Live, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            logger.error("thinking failed", exc_info=task.exception())
            live.thinks_about = None
            asyncio.get_running_loop().call_later(RETRY, self._schedule, live)

    def _unschedule(self, live: Live) -> None:
        for timer in (live.timer, *live.leaving.values()):
            if timer is not None:
                timer.cancel()
        if live.thinking is not None:
            live.thinking.cancel()

    async def _think(self, live: Live, seat: int) -> None:
        """Ask a computer for its move and play it; if it fails, another one's, and the table is told."""
        began, state = time.monotonic(), live.table.state
        level = live.table.seats[seat].level
        assert level is not None
        entries: list[log.AnyEntry] = []
        move = await self._computers_move(level, state, seat)
        if move is None:
            instead = self.manners.substitute
            entries.append(log.EngineTrouble(seat=seat, level=level, instead=instead))
            move = await self._computers_move(instead, state, seat) or str(View(state, seat).legal_moves[0])
            logger.warning("a computer failed", extra={"level": level})
        await asyncio.sleep(max(self.settings.computer_pause - (time.monotonic() - began), 0.0))
        entries.append(log.Played(seat=seat, move=move))
        live.thinking = None  # from here on the move must not be cancelled
        await self.change(live, lambda table: entries if table.state is state and table.status == "live" else [])

    async def _computers_move(self, level: str, state: State, seat: int) -> str | None:
        """A legal move by a level; None if it has none to offer."""
        try:
            text = await self.computers.choose(self.levels.get(level, level), View(state, seat).position, seat)
            return str(play_move(seen_by(state, seat), parse_move(text))[1])
        except (ComputerFailed, NotationError, IllegalMove):
            return None

    # ----------------------------------------------------------------------------------------------- the end

    def revoke(self, credential: str) -> None:
        """Close the connections of a session or token that was ended."""
        for outboxes in [*(live.outboxes for live in self.tables.values()), *self.personal.values()]:
            for outbox in outboxes:
                if outbox.credential == credential:
                    outbox.close("revoked")

    def say_goodbye(self) -> None:
        """The server goes down: everyone is told, nothing new begins."""
        self.is_closing = True
        for outboxes in [*(live.outboxes for live in self.tables.values()), *self.personal.values()]:
            for outbox in outboxes:
                outbox.close("shutdown")

    async def close(self) -> None:
        """Stop timers and thinking, and wait for changes under way."""
        self.say_goodbye()
        for live in self.tables.values():
            self._unschedule(live)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5)


def _nothing(_: OnlineTable) -> list[log.AnyEntry]:
    """No entry of one's own: only what is due."""
    return []


def your_turn(table: OnlineTable) -> tuple[str, m.YourTurn] | None:
    """Whose turn it is, if it is a person's."""
    seat = table.to_move
    if seat is None or table.seats[seat].level or table.seats[seat].person is None:
        return None
    person = table.seats[seat].person
    assert person is not None
    return person.id, m.YourTurn(table=table.id, seat=seat, turn=table.turn)


def went_absent(table: OnlineTable, person: str, until: float) -> list[log.AnyEntry]:
    """Absences of a person who is still in the game."""
    if table.status != "live":
        return []
    seats = [seat for seat in table.seats_of(person) if table.seats[seat].absent_since is None]
    return [log.WentAbsent(seat=seat, until=until) for seat in seats]


def came_back(table: OnlineTable, person: str) -> list[log.AnyEntry]:
    if table.status != "live":
        return []
    seats = [seat for seat in table.seats_of(person) if table.seats[seat].absent_since is not None]
    return [log.CameBack(seat=seat) for seat in seats]


def resumed(table: OnlineTable, down_since: float) -> list[log.AnyEntry]:
    """A running clock goes on as it stood when the server went down."""
    if table.status != "live" or table.made.clock.kind == "none":
        return []
    return [log.ClocksResumed(used=max(down_since - table.turn_began, 0.0))]


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
