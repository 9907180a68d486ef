"""Who is there: all at a table are told. Who is away for too long counts as absent, or waits for no game any more."""

from __future__ import annotations

import asyncio
from functools import partial

from splendor.server import messages as m
from splendor.server.live.attendance import Attendance
from splendor.server.live.keeper import Keeper
from splendor.server.live.live import Live
from splendor.server.tables import log
from splendor.server.tables.commands import stop_waiting
from splendor.server.tables.table import OnlineTable


class PresenceWatch:
    """Watches over connections to the tables of one keeper."""

    def __init__(self, keeper: Keeper, attendance: Attendance, grace: float) -> None:
        """`attendance` knows the connections of all processes; `grace` is how long one may be missing, in seconds."""
        self.keeper, self.attendance, self.grace = keeper, attendance, grace

    async def arrive(self, live: Live, person: str | None) -> None:
        """Somebody looks on."""
        if person:
            await self.attendance.arrive(live.table.id, person)
        await self.watch(live)

    async def depart(self, live: Live, person: str | None) -> None:
        """A connection is gone."""
        if person:
            await self.attendance.depart(live.table.id, person)
        await self.watch(live)

    async def follow(self, person: str) -> None:
        """Somebody's own stream opens, which counts at all their tables."""
        if await self.attendance.arrive("", person):
            await self._watch_tables_of(person)

    async def unfollow(self, person: str) -> None:
        """Somebody's own stream is gone."""
        if await self.attendance.depart("", person):
            await self._watch_tables_of(person)

    async def _watch_tables_of(self, person: str) -> None:
        for live in list(self.keeper.lives.values()):
            if person in live.table.persons:
                await self.watch(live)

    async def watch(self, live: Live) -> None:
        """Tell who is there, and begin or end absences."""
        if self.keeper.is_closing:
            return
        table = live.table
        online = await self.attendance.online(table.id)
        seats = [n for n, seat in enumerate(table.seats) if seat.person and seat.person.id in online]
        spectators = sum(not (outbox.person and table.seats_of(outbox.person)) for outbox in live.outboxes)
        text = m.Presence(online=seats, spectators=spectators).model_dump_json()
        for outbox in live.outboxes:
            outbox.push(text)
        if not is_watched(table):
            return
        for person in table.persons:
            is_absent = any(table.seats[seat].absent_since is not None for seat in table.seats_of(person))
            if person in online:
                timer = live.leaving.pop(person, None)
                if timer is not None:
                    timer.cancel()
                if is_absent:
                    self.keeper.tasks.spawn(self.keeper.change(live, partial(came_back, person=person)))
            elif not is_absent and person not in live.leaving:
                later = asyncio.get_running_loop().call_later
                live.leaving[person] = later(self.grace, self._suspect_absence, live, person)

    def _suspect_absence(self, live: Live, person: str) -> None:
        self.keeper.tasks.spawn(self._note_absence(live, person))

    async def _note_absence(self, live: Live, person: str) -> None:
        live.leaving.pop(person, None)
        if self.keeper.is_closing or person in await self.attendance.online(live.table.id):
            return
        until = self.keeper.sources.now() + self.keeper.manners.absence
        await self.keeper.change(live, partial(gone, person=person, until=until))


def is_watched(table: OnlineTable) -> bool:
    """Does it matter here who is connected?"""
    if table.status == "open":
        return table.made.pairing is not None
    return table.status == "live" and table.made.clock.kind != "days"


def gone(table: OnlineTable, person: str, until: float) -> list[log.AnyEntry]:
    """What it leads to that a person is not there any more: a seat is free, or the others may soon vote."""
    return stop_waiting(table, person) or went_absent(table, person, until)


def went_absent(table: OnlineTable, person: str, until: float) -> list[log.AnyEntry]:
    """Absences of a person who is still in the game."""
    if table.status != "live":
        return []
    seats = [seat for seat in table.seats_of(person) if table.seats[seat].absent_since is None]
    return [log.WentAbsent(seat=seat, until=until) for seat in seats]


def came_back(table: OnlineTable, person: str) -> list[log.AnyEntry]:
    """The end of these absences."""
    if table.status != "live":
        return []
    seats = [seat for seat in table.seats_of(person) if table.seats[seat].absent_since is not None]
    return [log.CameBack(seat=seat) for seat in seats]
