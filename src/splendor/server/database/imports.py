"""Games from elsewhere that an account keeps: apart from those of this server, and for their owner alone."""

from __future__ import annotations

import json

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from splendor.server import messages as m
from splendor.server.database.people import new_id
from splendor.server.database.schema import imports, people
from splendor.server.tables.imported import FoundGame

MOST_OF_ONE = 300  # games of an account


class TooManyImports(Exception):
    """The account keeps as many as one may."""


class Imports:
    """Reads and changes them."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Over a database that is up to date."""
        self.engine = engine

    async def keep(self, person: str, found: FoundGame, now: float) -> m.ImportedGame:
        """Keep a game, once however often it comes; raises TooManyImports."""
        mine = imports.c.person == person
        again = sa.select(imports).where(mine, imports.c.digest == found.digest)
        row = {
            "id": new_id(),
            "person": person,
            "digest": found.digest,
            "at": now,
            "origin": found.origin,
            "date": found.date,
            "turns": found.turns,
            "reason": found.reason,
            "seats": json.dumps([seat.model_dump() for seat in found.seats]),
            "record": found.record,
        }
        async with self.engine.execution_options(is_writer=True).begin() as connection:
            # Of several requests of one person, each waits for the one before.
            await connection.execute(sa.select(people.c.id).where(people.c.id == person).with_for_update())
            known = (await connection.execute(again)).first()
            if known is not None:
                return shown(known)
            count = (await connection.execute(sa.select(sa.func.count()).select_from(imports).where(mine))).scalar_one()
            if count >= MOST_OF_ONE:
                raise TooManyImports
            await connection.execute(imports.insert(), [row])
            return shown((await connection.execute(again)).one())

    async def of(self, person: str) -> list[m.ImportedGame]:
        """All games that a person keeps, the newest first."""
        columns = [column for column in imports.c if column is not imports.c.record]
        query = sa.select(*columns).where(imports.c.person == person).order_by(imports.c.at.desc(), imports.c.id)
        async with self.engine.connect() as connection:
            return [shown(row) for row in await connection.execute(query)]

    async def record(self, person: str, id: str) -> str | None:
        """The game file of one of them."""
        query = sa.select(imports.c.record).where(imports.c.person == person, imports.c.id == id)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).scalar()

    async def remove(self, person: str, id: str) -> bool:
        """Forget one of them; False if there is none."""
        async with self.engine.execution_options(is_writer=True).begin() as connection:
            gone = imports.delete().where(imports.c.person == person, imports.c.id == id)
            return (await connection.execute(gone)).rowcount > 0


def shown(row: sa.Row[tuple[object, ...]]) -> m.ImportedGame:
    """A stored game, as its owner is told of it."""
    told = {name: getattr(row, name) for name in ("id", "at", "origin", "date", "turns", "reason")}
    return m.ImportedGame.model_validate({**told, "seats": json.loads(row.seats)})
