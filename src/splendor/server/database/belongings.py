"""Everything that is stored about a person: to be handed out, and to be erased.

Reading all of it may take long, and is for a worker. What is erased is erased game by game, so that nobody who plays
waits for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from splendor.game.game import Game
from splendor.notation import parse_record
from splendor.server import messages as m
from splendor.server.database.connect import connect
from splendor.server.database.people import SHOWN, Account, person_of
from splendor.server.database.schema import (
    Columns,
    Query,
    blocks,
    chat_lines,
    chat_wishes,
    devices,
    events,
    games,
    imports,
    people,
    ratings,
    reports,
    seats,
    subscriptions,
    tokens,
)
from splendor.server.tables import log
from splendor.server.tables.records import player_name

T = TypeVar("T")


class Trace(NamedTuple):
    """The name of a person in one game: entries by version and the record, as they are without it."""

    game: str
    entries: list[tuple[int, str]]
    record: str | None  # None: it is not named there


class Belongings:
    """Reads all of a person, and erases it."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Over a database that is up to date."""
        self.engine = engine

    async def of(self, account: Account, sessions: list[m.SessionInfo]) -> m.OwnData:
        """All that is stored about a person, whose sessions are known already."""
        async with self.engine.connect() as connection:

            async def rows(query: Query) -> list[Columns]:
                return [dict(row._mapping) for row in await connection.execute(query)]

            mine = seats.c.person == account.id
            joined = games.join(seats, seats.c.game == games.c.id)
            columns = (games.c.id, seats.c.seat, games.c.status, games.c.created, games.c.finished, games.c.record)
            known = sa.select(blocks.c.blocked, *SHOWN).select_from(
                blocks.outerjoin(people, people.c.id == blocks.c.blocked)
            )
            blocked = await connection.execute(known.where(blocks.c.person == account.id))
            token_rows = await rows(sa.select(tokens).where(tokens.c.person == account.id))
            return m.OwnData.model_validate(
                {
                    "person": account.person,
                    "created": account.created,
                    "invitations": account.invitations,
                    "has_second_factor": account.has_second_factor,
                    "sessions": sessions,
                    "tokens": [
                        {name: row[name] for name in ("id", "name", "created", "expires", "seen")}
                        | {"scopes": row["scopes"].split()}
                        for row in token_rows
                    ],
                    "devices": [
                        row["seen"] for row in await rows(sa.select(devices).where(devices.c.person == account.id))
                    ],
                    "blocked": [person_of(row.blocked, row) for row in blocked],
                    "subscriptions": [
                        {name: row[name] for name in ("endpoint", "created")}
                        for row in await rows(sa.select(subscriptions).where(subscriptions.c.person == account.id))
                    ],
                    "ratings": [
                        {name: row[name] for name in ("players", "against", "mu", "sigma", "games")}
                        for row in await rows(sa.select(ratings).where(ratings.c.person == account.id))
                    ],
                    "games": await rows(
                        sa.select(*columns).select_from(joined).where(mine, sa.not_(seats.c.is_invited))
                    ),
                    "imports": [
                        {name: row[name] for name in ("id", "at", "record")}
                        for row in await rows(sa.select(imports).where(imports.c.person == account.id))
                    ],
                    "chat": account.chat,
                    "chats": [
                        {"table": row["game"], "person": row["other"], "allow": row["allow"]}
                        for row in await rows(sa.select(chat_wishes).where(chat_wishes.c.person == account.id))
                    ],
                    "lines": [
                        {"table": row["game"], "at": row["at"], "text": row["text"]}
                        for row in await rows(
                            sa.select(chat_lines).where(chat_lines.c.person == account.id).order_by(chat_lines.c.at)
                        )
                    ],
                    "reports": [
                        {name: row[name] for name in ("created", "closed", "reason", "text")}
                        for row in await rows(
                            sa.select(reports).where(reports.c.reporter == account.id).order_by(reports.c.created)
                        )
                    ],
                }
            )

    async def traces(self, person: str) -> list[Trace]:
        """Where a person's name still stands in logs and records, and what shall stand there."""
        async with self.engine.connect() as connection:
            found = await connection.execute(sa.select(events.c.game).where(events.c.entry.contains(person)).distinct())
            traces = [await self._trace(connection, row.game, person) for row in found.all()]
        return [trace for trace in traces if trace.entries or trace.record is not None]

    async def _trace(self, connection: AsyncConnection, game: str, person: str) -> Trace:
        query = sa.select(events.c.version, events.c.entry).where(events.c.game == game)
        entries = []
        for row in await connection.execute(query):
            if person in row.entry:
                text = log.format_entry(nameless(log.parse_entry(row.entry), person))
                if log.parse_entry(text) != log.parse_entry(row.entry):
                    entries.append((row.version, text))
        record = (await connection.execute(sa.select(games.c.record).where(games.c.id == game))).scalar()
        if record is None:
            return Trace(game, entries, None)
        mine = sa.select(seats.c.seat, seats.c.label).where(seats.c.game == game, seats.c.person == person)
        own = [row.seat for row in await connection.execute(mine) if row.label is None]
        name = player_name(person_of(person))
        if all(parse_record(record).tags.get(f"Seat{seat}") == name for seat in own):
            return Trace(game, entries, None)
        played = Game.from_record(record)
        for seat in own:
            played.tag(f"Seat{seat}", name)
        return Trace(game, entries, played.record())

    async def wipe(self, trace: Trace) -> None:
        """Take a person's name out of one game; in its log and record only the id stays, as of a guest."""
        async with self.engine.execution_options(is_writer=True).begin() as connection:
            for version, text in trace.entries:
                one = sa.and_(events.c.game == trace.game, events.c.version == version)
                await connection.execute(events.update().where(one).values(entry=text))
            if trace.record is not None:
                await connection.execute(games.update().where(games.c.id == trace.game).values(record=trace.record))

    async def erase(self, person: str) -> None:
        """Delete a person whose name stands nowhere any more."""
        async with self.engine.execution_options(is_writer=True).begin() as connection:
            await connection.execute(blocks.delete().where(blocks.c.blocked == person))
            await connection.execute(chat_wishes.delete().where(chat_wishes.c.other == person))
            await connection.execute(ratings.delete().where(ratings.c.person == person))
            await connection.execute(seats.update().where(seats.c.person == person).values(mu=None, sigma=None))
            await connection.execute(people.delete().where(people.c.id == person))


def own_data(database: str, account: Account, sessions: list[m.SessionInfo]) -> bytes:
    """All that is stored about a person as JSON: for a worker, which opens the database for itself."""
    return asyncio.run(_reading(database, lambda all: all.of(account, sessions))).model_dump_json().encode()


def traces_of(database: str, person: str) -> list[Trace]:
    """Where a person's name still stands: for a worker, too."""
    return asyncio.run(_reading(database, lambda all: all.traces(person)))


async def _reading(database: str, read: Callable[[Belongings], Awaitable[T]]) -> T:
    engine = connect(database)
    try:
        return await read(Belongings(engine))
    finally:
        await engine.dispose()


def nameless(entry: log.AnyEntry, person: str) -> log.AnyEntry:
    """An entry in which this person is a guest."""
    match entry:
        case log.Created(seats=plans):
            return entry.model_copy(update={"seats": [nameless_plan(plan, person) for plan in plans]})
        case log.SatDown(person=named) | log.Introduced(person=named) if named.id == person:
            return entry.model_copy(update={"person": person_of(person)})
    return entry


def nameless_plan(plan: log.SeatPlan, person: str) -> log.SeatPlan:
    """The same of a seat when the table was made; the names of others at the same screen stay."""
    if plan.person is not None and plan.person.id == person:
        return plan.model_copy(update={"person": person_of(person)})
    if plan.invited == person:
        return plan.model_copy(update={"label": None})
    return plan
