"""Everything that is stored about a person: to be handed out, and to be erased."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from splendor.game.game import Game
from splendor.server import messages as m
from splendor.server.database.people import SHOWN, Account, person_of
from splendor.server.database.schema import (
    Columns,
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


class Belongings:
    """Reads all of a person, and erases it."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Over a database that is up to date."""
        self.engine = engine

    async def of(self, account: Account, sessions: list[m.SessionInfo]) -> m.OwnData:
        """All that is stored about a person, whose sessions are known already."""
        async with self.engine.connect() as connection:

            async def rows(query: Any) -> list[Columns]:
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

    async def erase(self, person: str) -> list[str]:
        """Delete a person. In the logs and records of games only the id stays, as of a guest; returns these games."""
        async with self.engine.execution_options(is_writer=True).begin() as connection:
            found = await connection.execute(sa.select(events.c.game).where(events.c.entry.contains(person)).distinct())
            touched = [row.game for row in found]
            for game in touched:
                await self._erase_from(connection, game, person)
            await connection.execute(blocks.delete().where(blocks.c.blocked == person))
            await connection.execute(chat_wishes.delete().where(chat_wishes.c.other == person))
            await connection.execute(ratings.delete().where(ratings.c.person == person))
            await connection.execute(seats.update().where(seats.c.person == person).values(mu=None, sigma=None))
            await connection.execute(people.delete().where(people.c.id == person))
        return touched

    async def _erase_from(self, connection: AsyncConnection, game: str, person: str) -> None:
        """Take a person's name out of the log and the record of a game."""
        here = events.c.game == game
        for row in list(await connection.execute(sa.select(events.c.version, events.c.entry).where(here))):
            if person in row.entry:
                text = log.format_entry(nameless(log.parse_entry(row.entry), person))
                await connection.execute(
                    events.update().where(here, events.c.version == row.version).values(entry=text)
                )
        record = (await connection.execute(sa.select(games.c.record).where(games.c.id == game))).scalar()
        if record is not None:
            played = Game.from_record(record)
            mine = sa.select(seats.c.seat, seats.c.label).where(seats.c.game == game, seats.c.person == person)
            for row in list(await connection.execute(mine)):
                if row.label is None:
                    played.tag(f"Seat{row.seat}", player_name(person_of(person)))
            await connection.execute(games.update().where(games.c.id == game).values(record=played.record()))


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
