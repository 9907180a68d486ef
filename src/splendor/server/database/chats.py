"""Free chat, as far as it must be kept: who is willing to write with whom at a table, and the latest lines.

Lines are no part of a game's log or record. Those of a table are removed a day after its end, and each 30 days after it
was written in any case; until then they wait for who is not there, and can be reported.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from splendor.server import messages as m
from splendor.server.database.people import DAY, new_id
from splendor.server.database.schema import blocks, chat_lines, chat_wishes, games, people

MOST_LINES = 100  # of one table
LATER = 1e-5  # seconds between two lines, so that they have an order
AFTER_END = DAY
LINE_LIFETIME = 30 * DAY


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it is stored."""

    id: str
    game: str
    person: str
    readers: frozenset[str]
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands between the people at one table."""

    able: frozenset[str]  # have an account, chat turned on, and are not paused
    apart: frozenset[frozenset[str]]  # pairs of which one has blocked the other
    wishes: dict[tuple[str, str], bool]

    def state(self, me: str, other: str) -> m.ChatState:
        """How it stands with another one; that somebody would rather not is told to nobody."""
        if not {me, other} <= self.able or frozenset((me, other)) in self.apart:
            return "unable"
        mine, theirs = self.wishes.get((me, other)), self.wishes.get((other, me))
        if mine:
            return "open" if theirs else "asked"
        return "asks" if theirs and mine is None else "able"

    def readers(self, me: str) -> set[str]:
        """Who reads what this person writes."""
        return {other for other in self.able if other != me and self.state(me, other) == "open"}


@dataclass(frozen=True, slots=True)
class Setting:
    """What one person has set, and may do."""

    has_account: bool
    is_on: bool
    paused: float | None


def line_of(row: Any) -> Line:
    return Line(row.id, row.game, row.person, frozenset(row.readers.split()), row.at, row.text)


class Chats:
    """Reads and changes it."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Over a database that is up to date."""
        self.engine = engine

    def _writing(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self.engine.execution_options(is_writer=True).begin()

    async def standing(self, game: str, persons: Collection[str], now: float) -> Standing:
        """How it stands between these people at a table."""
        here = sorted(persons)
        is_able = sa.and_(
            people.c.password.is_not(None),
            sa.not_(people.c.is_computer),
            people.c.chat,
            sa.or_(people.c.chat_paused.is_(None), people.c.chat_paused < now),
        )
        async with self.engine.connect() as connection:
            able = await connection.execute(sa.select(people.c.id).where(people.c.id.in_(here), is_able))
            ids = frozenset(row.id for row in able)
            blocked = await connection.execute(
                sa.select(blocks).where(blocks.c.person.in_(here), blocks.c.blocked.in_(here))
            )
            pairs = frozenset(frozenset((row.person, row.blocked)) for row in blocked)
            wishes = await connection.execute(sa.select(chat_wishes).where(chat_wishes.c.game == game))
            return Standing(ids, pairs, {(row.person, row.other): row.allow for row in wishes})

    async def apart_from(self, person: str) -> set[str]:
        """Whom this person has blocked, and by whom the person is blocked."""
        query = sa.select(blocks).where(sa.or_(blocks.c.person == person, blocks.c.blocked == person))
        async with self.engine.connect() as connection:
            rows = await connection.execute(query)
            return {other for row in rows for other in (row.person, row.blocked)} - {person}

    async def setting_of(self, person: str) -> Setting:
        """What a person has set, and may do."""
        query = sa.select(people.c.chat, people.c.chat_paused, people.c.password, people.c.is_computer)
        async with self.engine.connect() as connection:
            row = (await connection.execute(query.where(people.c.id == person))).first()
        if row is None:
            return Setting(False, False, None)
        return Setting(row.password is not None and not row.is_computer, row.chat, row.chat_paused)

    async def wish(self, game: str, person: str, other: str, allow: bool) -> None:
        """Note whether a person is willing to write with another at a table."""
        this = sa.and_(chat_wishes.c.game == game, chat_wishes.c.person == person, chat_wishes.c.other == other)
        async with self._writing() as connection:
            await connection.execute(chat_wishes.delete().where(this))
            await connection.execute(chat_wishes.insert().values(game=game, person=person, other=other, allow=allow))

    # ---------------------------------------------------------------------------------------------- lines

    async def add(self, line: Line, key: str) -> Line | None:
        """Keep a line, later than all before it; None if the same one has come before."""
        here = chat_lines.c.game == line.game
        row = {"id": line.id, "game": line.game, "person": line.person, "text": line.text, "key": key}
        try:
            async with self._writing() as connection:
                last = (await connection.execute(sa.select(sa.func.max(chat_lines.c.at)).where(here))).scalar()
                line = replace(line, at=line.at if last is None else max(line.at, last + LATER))
                readers = " ".join(sorted(line.readers))
                await connection.execute(chat_lines.insert().values(**row, at=line.at, readers=readers))
                newest = sa.select(chat_lines.c.at).where(here).order_by(chat_lines.c.at.desc())
                oldest = (await connection.execute(newest.offset(MOST_LINES).limit(1))).scalar()
                if oldest is not None:
                    await connection.execute(chat_lines.delete().where(here, chat_lines.c.at <= oldest))
        except sa.exc.IntegrityError:
            return None
        return line

    async def line(self, id: str) -> Line | None:
        """A line, as long as it is kept."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(sa.select(chat_lines).where(chat_lines.c.id == id))).first()
        return None if row is None else line_of(row)

    async def lines(self, game: str, person: str) -> list[Line]:
        """The lines at a table that a person wrote or was sent, oldest first."""
        query = sa.select(chat_lines).where(chat_lines.c.game == game).order_by(chat_lines.c.at, chat_lines.c.id)
        async with self.engine.connect() as connection:
            lines = [line_of(row) for row in await connection.execute(query)]
        return [line for line in lines if person == line.person or person in line.readers]

    async def forget(self, now: float) -> None:
        """Remove what is kept for long enough."""
        over = sa.select(games.c.id).where(games.c.finished < now - AFTER_END)
        async with self._writing() as connection:
            await connection.execute(
                chat_lines.delete().where(sa.or_(chat_lines.c.at < now - LINE_LIFETIME, chat_lines.c.game.in_(over)))
            )
            await connection.execute(chat_wishes.delete().where(chat_wishes.c.game.in_(over)))


def new_line(game: str, person: str, readers: Collection[str], at: float, text: str) -> Line:
    """A line with an id of its own."""
    return Line(new_id(), game, person, frozenset(readers), at, text)
