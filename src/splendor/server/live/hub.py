"""The hub: what people do at tables and what they see of them; it joins the keeper with those who work beside it.

`keeper` holds the tables and changes them, `post` sends what has changed, `presence` watches who is there, and
`steward` sees to what happens by itself.
"""

from __future__ import annotations

import contextlib
import time
from functools import partial

from splendor.core.state import State
from splendor.notation.positions import format_position
from splendor.server import messages as m
from splendor.server.config import Settings
from splendor.server.database.bookkeeping import RESEATING
from splendor.server.database.chats import Chats
from splendor.server.database.log_store import LogStore
from splendor.server.labor.queue import Visitor
from splendor.server.live.attendance import Attendance
from splendor.server.live.chatting import Chatting
from splendor.server.live.computers import Computers
from splendor.server.live.herald import Herald
from splendor.server.live.keeper import Keeper
from splendor.server.live.live import Live
from splendor.server.live.outbox import Outbox
from splendor.server.live.post import Post, how_it_stands
from splendor.server.live.presence import PresenceWatch
from splendor.server.live.sources import Sources
from splendor.server.live.steward import Steward
from splendor.server.logs import logger
from splendor.server.metrics import Metrics
from splendor.server.refusal import RequestRefused
from splendor.server.tables import commands, log, viewers
from splendor.server.tables.commands import Manners, carry_out
from splendor.server.tables.fairness import PROCEDURE
from splendor.server.tables.starting import read_start
from splendor.server.tables.table import OnlineTable, computer


class Hub:
    """All tables."""

    def __init__(
        self,
        settings: Settings,
        log_store: LogStore,
        attendance: Attendance,
        computers: Computers,
        metrics: Metrics,
        sources: Sources,
        herald: Herald,
        chats: Chats,
    ) -> None:
        """Over an open database."""
        self.metrics, self.sources = metrics, sources
        self.levels = settings.levels
        substitute = "journeyman" if "journeyman" in self.levels else next(iter(self.levels))
        manners = Manners(substitute, settings.absence, settings.sweep, tuple(self.levels))
        self.keeper = Keeper(log_store, sources, manners, self)
        self.tasks = self.keeper.tasks
        self.post, self.herald = Post(), herald
        self.presence = PresenceWatch(self.keeper, attendance, settings.grace)
        self.chatting = Chatting(self.keeper, chats)
        self.steward = Steward(self.keeper, self.presence, computers, self.levels, settings.computer_pause)

    # ---------------------------------------------------------------------------------------- what is told

    def loaded(self, live: Live) -> None:
        """A table is in memory: see to what is due there."""
        self.steward.schedule(live)

    def changed(self, live: Live, since: int) -> None:
        """Tell everyone what happened after a version, and see to what follows."""
        self.post.send(live, since, self.sources.now())
        if self.steward.in_office:
            self.herald.tell(live.table, since)
        self.steward.schedule(live)
        entries = [stored.entry for stored in live.table.log[since:]]
        if any(isinstance(entry, log.Started) for entry in entries):
            self.tasks.spawn(self.presence.watch(live))
        if any(isinstance(entry, (*RESEATING, log.Replaced)) for entry in entries):
            self.tasks.spawn(self.chatting.tell(live))

    async def hear_of(self, id: str, version: int) -> None:
        """Another process stored something at a table."""
        live = self.keeper.lives.get(id)
        if live is not None:
            await self.keeper.catch_up(live, version)
        elif self.steward.in_office or self.post.personal:
            with contextlib.suppress(RequestRefused):
                table = await self.table(id)
                self.post.tell_people(table, max(version - 1, 0))
                if self.steward.in_office:
                    self.herald.tell(table, max(version - 1, 0))

    async def catch_up(self) -> None:
        """Take whatever other processes have stored."""
        for live in list(self.keeper.lives.values()):
            await self.keeper.catch_up(live)

    # ------------------------------------------------------------------------------------- what people do

    async def create(self, wish: m.NewTable, plans: list[log.SeatPlan], pairing: m.Speed | None = None) -> OnlineTable:
        """Make a table; raises RequestRefused for a position that no game can begin from."""
        start = None if wish.position is None else read_start(wish.position, len(plans))
        if start is not None and await self.is_being_played(start):
            raise RequestRefused("still_played")
        made = log.Created(
            seats=plans,
            public=wish.public,
            spectators=wish.spectators,
            clock=wish.clock,
            order=wish.order if start is None else "chosen",
            secret=self.sources.new_secret(),
            procedure=PROCEDURE,
            position=None if start is None else format_position(start),
            pairing=pairing,
        )
        logger.info("table made", extra={"players": len(plans)})
        return await self.tasks.undisturbed(self.keeper.create(made))

    async def join(self, id: str, person: m.Person, wish: m.Join) -> OnlineTable:
        """Take a seat."""
        live = await self.keeper.find(id)
        decide = partial(commands.join, person=person, wish=wish)
        return await self.tasks.undisturbed(self.keeper.change(live, decide))

    async def command(
        self, id: str, person: m.Person, command: m.Deed, network: str = ""
    ) -> m.Done | m.Continuations | m.RematchReady:
        """Carry out what a person wants; raises RequestRefused. Sent twice with one key, it is done once."""
        began, outcome = time.perf_counter(), "refused"
        try:
            live = await self.keeper.find(id)
            if person.id in live.table.persons:
                live.asker = Visitor(person.id, network or person.id)
            answer: m.Done | m.Continuations | m.RematchReady
            if isinstance(command, m.Consider):
                answer = m.Continuations(key=command.key, moves=commands.consider(live.table, person.id, command))
            elif isinstance(command, m.Talk):
                answer = await self.tasks.undisturbed(self._talk(live, person.id, command))
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
            entries = carry_out(table, person, command, self.sources.now(), self.keeper.manners)
            back = [seat for seat in table.seats_of(person) if table.seats[seat].absent_since is not None]
            return [*entries, *(log.CameBack(seat=seat) for seat in back if table.status == "live")]

        table = await self.keeper.change(live, decide, key)
        return m.Done(key=command.key, version=table.keys[key])

    async def _talk(self, live: Live, person: str, command: m.Talk) -> m.Done:
        """What passes between people; the table stays as it is."""
        match command:
            case m.Say():
                await self._say(live, person, command.what)
            case m.AllowChat():
                await self.chatting.allow(live, person, command)
            case m.Write():
                await self.chatting.write(live, person, command)
        return m.Done(key=command.key, version=live.table.version)

    async def _say(self, live: Live, person: str, what: m.Saying) -> None:
        """Pass on what a player says, here and in all other processes; it is kept nowhere."""
        seats = commands.own_seats(live.table, person)
        seat = live.table.to_move if live.table.to_move in seats else seats[0]
        assert seat is not None
        self.post.say(live, seat, what, await self.chatting.chats.apart_from(person))
        await self.keeper.log_store.announce(f"said {live.table.id} {seat} {what}")

    async def hear_said(self, id: str, seat: int, what: m.Saying) -> None:
        """Another process passes on what a player says."""
        live = self.keeper.lives.get(id)
        player = live.table.seats[seat].person if live is not None else None
        if live is not None and player is not None:
            self.post.say(live, seat, what, await self.chatting.chats.apart_from(player.id))

    async def _rematch(self, live: Live, person: m.Person, command: m.Rematch) -> m.RematchReady:
        """The table for another game: the one that was made already, or a new one with seats kept for the others."""
        async with live.rematching:
            over = live.table
            seats = [n for n, seat in enumerate(over.seats) if seat.player and seat.player.id == person.id]
            if not over.is_finished:
                raise RequestRefused("not_over")
            if not seats:
                raise RequestRefused("not_seated")
            if over.rematch is None:
                wish = m.NewTable(
                    seats=[m.SeatWish(kind="me")] * len(over.seats),
                    public=over.made.public,
                    spectators=over.made.spectators,
                    clock=over.made.clock,
                    order=over.made.order,
                    position=over.made.position,
                )
                table = await self.create(wish, rematch_plans(over, person, command.commit))
                entry = log.Rematched(seat=seats[0], table=table.id)
                over = await self.keeper.change(live, lambda present: [] if present.rematch else [entry])
            assert over.rematch is not None
            return m.RematchReady(key=command.key, table=over.rematch)

    # ------------------------------------------------------------------------------------------ looking on

    async def table(self, id: str) -> OnlineTable:
        """A table as it is stored; raises RequestRefused if there is none."""
        return (await self.keeper.find(id)).table

    @property
    def tables(self) -> list[OnlineTable]:
        """Those in memory."""
        return [live.table for live in self.keeper.lives.values()]

    async def is_being_played(self, state: State) -> bool:
        """Is this how a game among people stands right now, for all that everybody can see?"""
        return await self.keeper.log_store.is_in_sight(viewers.sight(state))

    async def look(self, id: str, person: str | None, since: int | None = None) -> m.Update:
        """A table as a person may see it now; raises RequestRefused."""
        return self._shown(await self.table(id), person, since)

    async def chat_for(self, id: str, outbox: Outbox) -> str | None:
        """How the chat at a table stands for whoever has this outbox, if it is meant for it."""
        return await self.chatting.text_for(await self.table(id), outbox.person) if outbox.has_chat else None

    async def glance(self, id: str, person: str | None) -> m.Table:
        """A table, and its board if this person may see it."""
        return viewers.table_message(await self.table(id), person, self.sources.now())

    def _shown(self, table: OnlineTable, person: str | None, since: int | None) -> m.Update:
        if not viewers.may_watch(table, person):
            raise RequestRefused("not_allowed")
        return viewers.update_message(table, person, self.sources.now(), since)

    async def subscribe(self, id: str, outbox: Outbox, since: int | None) -> Live:
        """Send a table to an outbox, from now on and what was missed."""
        live = await self.keeper.find(id)
        outbox.push(self._shown(live.table, outbox.person, since).model_dump_json())
        live.outboxes.add(outbox)  # with no await in between: nothing is missed, nothing comes twice
        self.metrics.connections.inc()
        await self.presence.arrive(live, outbox.person)
        await self.chatting.show(live, outbox)
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
        return [news for id in ids for news in how_it_stands(await self.table(id), person)]

    # ----------------------------------------------------------------------------------------------- the end

    async def withdraw(self, person: m.Person) -> None:
        """Give up all seats of a person who is about to be gone for ever."""
        for id in await self.keeper.log_store.unfinished_of(person.id):
            live = await self.keeper.find(id)
            await self.keeper.change(live, partial(commands.withdraw, person=person.id, manners=self.keeper.manners))

    async def introduce(self, person: m.Person) -> None:
        """Let all tables of a person that are not over show a new name or picture."""
        for id in await self.keeper.log_store.unfinished_of(person.id):
            live = await self.keeper.find(id)
            await self.keeper.change(live, partial(commands.introduce, person=person))

    async def reread(self, id: str) -> None:
        """Take a table from its log again, which was rewritten."""
        live = self.keeper.lives.get(id)
        if live is not None:
            await self.keeper.reread(live)

    def revoke(self, credential: str) -> None:
        """Close the connections of a session or token that was ended."""
        self.post.close(self.keeper.lives.values(), "revoked", credential)

    def say_goodbye(self) -> None:
        """The server goes down: everyone is told, nothing new begins."""
        self.keeper.is_closing = True
        self.post.close(self.keeper.lives.values(), "shutdown")

    async def close(self) -> None:
        """Stop timers and thinking, and wait for changes under way."""
        self.say_goodbye()
        for live in self.keeper.lives.values():
            live.stop()
        await self.tasks.close(timeout=5)


def rematch_plans(table: OnlineTable, person: m.Person, commit: str | None) -> list[log.SeatPlan]:
    """The same seats again, kept for those who had them: one place on, unless it is from the same position again."""
    plans: list[log.SeatPlan] = []
    moved = 0 if table.made.position else 1
    for seat in [*table.seats[moved:], *table.seats[:moved]]:
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
