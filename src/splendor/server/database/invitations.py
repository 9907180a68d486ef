"""Who may invite whom, and the invitations that wait."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from splendor.server import messages as m
from splendor.server.database.log_store import UNFINISHED
from splendor.server.database.people import SHOWN, Account, person_of
from splendor.server.database.schema import blocks, games, people, seats

MOST_WAITING = 20  # invitations of one person
MOST_BLOCKED = 500  # by one person


class Invitations:
    """Reads and changes what people want of invitations."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Over a database that is up to date."""
        self.engine = engine

    def _writing(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self.engine.execution_options(is_writer=True).begin()

    async def may_invite(self, host: Account, guest: Account) -> bool:
        """May this host keep a seat for that person?"""
        if guest.invitations == "nobody" or (guest.invitations == "registered" and not host.is_registered):
            return False
        return not await self.is_blocked(host.id, by=guest.id)

    async def is_blocked(self, person: str, *, by: str) -> bool:
        """Does somebody not want to be invited by this person?"""
        query = sa.select(blocks.c.created).where(blocks.c.person == by, blocks.c.blocked == person)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).first() is not None

    async def are_too_many(self, guest: str) -> bool:
        """Does this person have as many invitations as can be looked through?"""
        return len(await self.waiting(guest)) >= MOST_WAITING

    async def waiting(self, guest: str) -> list[str]:
        """The tables to which a person is invited, newest first."""
        query = sa.select(games.c.id).join(seats, seats.c.game == games.c.id).distinct().add_columns(games.c.created)
        query = query.where(seats.c.person == guest, seats.c.is_invited, games.c.status.in_(UNFINISHED))
        async with self.engine.connect() as connection:
            rows = await connection.execute(query.order_by(games.c.created.desc()).limit(MOST_WAITING))
            return [row.id for row in rows]

    async def block(self, person: str, other: str, now: float) -> bool:
        """Let somebody invite this person no more; False if there are too many of them."""
        mine = blocks.c.person == person
        async with self._writing() as connection:
            count = await connection.execute(sa.select(sa.func.count()).select_from(blocks).where(mine))
            if count.scalar_one() >= MOST_BLOCKED:
                return False
            await connection.execute(blocks.delete().where(mine, blocks.c.blocked == other))
            await connection.execute(blocks.insert().values(person=person, blocked=other, created=now))
        return True

    async def unblock(self, person: str, other: str) -> bool:
        """Let somebody invite this person again; False if that was so."""
        condition = sa.and_(blocks.c.person == person, blocks.c.blocked == other)
        async with self._writing() as connection:
            return bool((await connection.execute(blocks.delete().where(condition))).rowcount)

    async def blocked(self, person: str) -> list[m.Person]:
        """Whom a person has blocked, the latest first."""
        joined = blocks.outerjoin(people, people.c.id == blocks.c.blocked)
        query = sa.select(blocks.c.blocked, *SHOWN).select_from(joined)
        async with self.engine.connect() as connection:
            rows = await connection.execute(query.where(blocks.c.person == person).order_by(blocks.c.created.desc()))
            return [person_of(row.blocked, row) for row in rows]
