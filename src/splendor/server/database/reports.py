"""Reports of lines in free chat: made by who was sent the line, read and closed by the operator of the server.

A report has the line and what the two wrote before it. It is removed 30 days after it was closed, 180 days after it was
made in any case, and with the account of either of the two.
"""

from __future__ import annotations

import json
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from splendor.server import messages as m
from splendor.server.database.chats import Line
from splendor.server.database.people import DAY, new_id
from splendor.server.database.schema import people, reports

CONTEXT = 20  # lines before the reported one
MOST_OPEN = 20  # reports of one person that nobody has closed
MOST_OPEN_IN_ALL = 5000
CLOSED_LIFETIME = 30 * DAY
LIFETIME = 180 * DAY


class TooManyReports(Exception):
    """No more are taken before some are closed."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report as the operator reads it. In the context, True stands before what the reported person wrote."""

    id: str
    reporter: str
    reported: str
    game: str
    reason: str
    text: str
    context: list[tuple[bool, float, str]]
    created: float
    closed: float | None


class Reports:
    """Reads and changes them."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Over a database that is up to date."""
        self.engine = engine

    def _writing(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self.engine.execution_options(is_writer=True).begin()

    async def add(self, reporter: str, line: Line, before: list[Line], reason: m.ReportReason, now: float) -> None:
        """Keep a report; of one line each person makes one. Raises TooManyReports."""
        both = (reporter, line.person)
        context = [(one.person == line.person, one.at, one.text) for one in before if one.person in both]
        row = {"id": new_id(), "reporter": reporter, "reported": line.person, "game": line.game, "line": line.id}
        row |= {"reason": reason, "text": line.text, "context": json.dumps(context[-CONTEXT:])}
        mine = reports.c.reporter == reporter
        is_open = sa.select(sa.func.count()).select_from(reports).where(reports.c.closed.is_(None))
        async with self._writing() as connection:
            if (await connection.execute(sa.select(reports.c.id).where(mine, reports.c.line == line.id))).first():
                return
            of_this = (await connection.execute(is_open.where(mine))).scalar_one()
            if of_this >= MOST_OPEN or (await connection.execute(is_open)).scalar_one() >= MOST_OPEN_IN_ALL:
                raise TooManyReports
            await connection.execute(reports.insert().values(**row, created=now))

    async def listed(self, *, with_closed: bool = False) -> list[Report]:
        """Those that wait, oldest first; or all."""
        reporter, reported = people.alias(), people.alias()
        joined = reports.join(reporter, reporter.c.id == reports.c.reporter)
        joined = joined.join(reported, reported.c.id == reports.c.reported)
        names = (reporter.c.name.label("by"), reported.c.name.label("about"))
        query = sa.select(reports, *names).select_from(joined).order_by(reports.c.created)
        if not with_closed:
            query = query.where(reports.c.closed.is_(None))
        async with self.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        return [
            Report(
                row.id,
                row.by,
                row.about,
                row.game,
                row.reason,
                row.text,
                [(bool(theirs), at, text) for theirs, at, text in json.loads(row.context)],
                row.created,
                row.closed,
            )
            for row in rows
        ]

    async def close(self, id: str, now: float) -> bool:
        """Note that a report was looked at; False if no such one is open."""
        condition = sa.and_(reports.c.id == id, reports.c.closed.is_(None))
        async with self._writing() as connection:
            return bool((await connection.execute(reports.update().where(condition).values(closed=now))).rowcount)

    async def pause(self, name_key: str, until: float | None) -> bool:
        """Turn the chat of an account off until then, or on again; False if there is no such account."""
        condition = sa.and_(people.c.name_key == name_key, people.c.password.is_not(None))
        async with self._writing() as connection:
            return bool((await connection.execute(people.update().where(condition).values(chat_paused=until))).rowcount)

    async def forget(self, now: float) -> None:
        """Remove those that are kept for long enough."""
        is_old = sa.or_(reports.c.closed < now - CLOSED_LIFETIME, reports.c.created < now - LIFETIME)
        async with self._writing() as connection:
            await connection.execute(reports.delete().where(is_old))
