"""Quick pairing: people who look for the same kind of game are brought to one table.

Whoever looks for a game sits at a table from the beginning, which is public and has free seats; the next one who looks
for the same is seated there. So the log of a table is the queue. Seeking is done one after the other, in all processes,
so that two people never wait at two tables for each other. Who closes the page loses the seat, see `presence`.
"""

from __future__ import annotations

import contextlib
from functools import partial

from splendor.server import messages as m
from splendor.server.access.limits import RateLimits
from splendor.server.database.archive import GameArchive
from splendor.server.database.invitations import Invitations
from splendor.server.database.turns import Turns
from splendor.server.live.hub import Hub
from splendor.server.live.live import Live
from splendor.server.refusal import RequestRefused
from splendor.server.tables import commands, log
from splendor.server.tables.table import OnlineTable

PAIRING_LOCK = 7_361_117


class Pairing:
    """Finds a table for whoever looks for a game."""

    def __init__(
        self, hub: Hub, archive: GameArchive, invitations: Invitations, turns: Turns, limits: RateLimits
    ) -> None:
        """`invitations` knows who has blocked whom."""
        self.hub, self.archive, self.invitations, self.turns, self.limits = hub, archive, invitations, turns, limits

    async def seek(self, person: m.Person, wish: m.Seek, network: str) -> OnlineTable:
        """The table where this person waits, or plays; raises RequestRefused."""
        if wish.level not in self.hub.levels:
            raise RequestRefused("no_such_level", levels=list(self.hub.levels))
        async with self.turns.alone():
            own = await self._own(person, wish)
            if own is not None and own.table.id == wish.waiting and own.table.status != "open":
                return own.table  # it begins: nobody is taken away
            live = await self._best(person, wish, own) or own or await self._make(person, wish, network)
            await self._leave_others(person, live.table.id)
        await self.hub.presence.watch(live)  # who never comes to the table loses the seat
        return live.table

    async def _own(self, person: m.Person, wish: m.Seek) -> Live | None:
        """Where this person waits for such a game already."""
        if wish.waiting is not None:
            with contextlib.suppress(RequestRefused):
                live = await self.hub.keeper.find(wish.waiting)
                if live.table.seats_of(person.id):
                    return live
        for id in await self.archive.waiting(wish.speed, wish.players):
            live = await self.hub.keeper.find(id)
            if live.table.seats_of(person.id):
                return live
        return None

    async def _best(self, person: m.Person, wish: m.Seek, own: Live | None) -> Live | None:
        """Where this person has sat down now: with the most people, and of those at the oldest table."""
        lives = [await self.hub.keeper.find(id) for id in await self.archive.waiting(wish.speed, wish.players)]
        patience = log.Patience(seconds=wish.fill, level=wish.level)
        for live in sorted(lives, key=lambda live: rank(live.table)):
            if live is own:
                return None
            if not await self._is_welcome(person, live):
                continue
            decide = partial(commands.join, person=person, wish=m.Join(commit=wish.commit), patience=patience)
            try:
                await self.hub.keeper.change(live, decide)
            except RequestRefused:
                continue  # somebody else was faster
            return live
        return None

    async def _is_welcome(self, person: m.Person, live: Live) -> bool:
        """Does somebody wait there, of whom none has blocked the other?"""
        others = live.table.persons
        online = await self.hub.presence.attendance.online(live.table.id)
        is_new = live.table.updated > self.hub.sources.now() - self.hub.presence.grace  # and may be on the way there
        if not others or not (is_new or others & online):
            await self.hub.presence.watch(live)
            return False
        for other in others:
            if await self.invitations.is_blocked(person.id, by=other):
                return False
            if await self.invitations.is_blocked(other, by=person.id):
                return False
        return True

    async def _make(self, person: m.Person, wish: m.Seek, network: str) -> Live:
        self.limits.spend("table", network)
        patience = log.Patience(seconds=wish.fill, level=wish.level)
        mine = log.SeatPlan(kind="person", person=person, commit=wish.commit, patience=patience)
        seats = [m.SeatWish(kind="me"), *[m.SeatWish(kind="open")] * (wish.players - 1)]
        table = m.NewTable(seats=seats, public=True, clock=m.SPEEDS[wish.speed])
        made = await self.hub.create(table, [mine, *[log.SeatPlan(kind="open")] * (wish.players - 1)], wish.speed)
        return await self.hub.keeper.find(made.id)

    async def _leave_others(self, person: m.Person, but: str) -> None:
        """Nobody waits at two tables at once."""
        for id in await self.archive.tables_of(person.id):
            live = await self.hub.keeper.find(id)
            if id != but and live.table.made.pairing:
                await self.hub.keeper.change(live, partial(commands.stop_waiting, person=person.id))


def rank(table: OnlineTable) -> tuple[int, float, str]:
    """Which of two tables people are brought to: the order is the same for all, so that nobody is moved to and fro."""
    return -len(table.persons), table.created, table.id
