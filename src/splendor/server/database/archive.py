"""Finished games, ratings and the lobby: what is looked up without folding logs."""

from __future__ import annotations

from collections.abc import AsyncIterator

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from splendor.server import messages as m
from splendor.server.database.log_store import UNFINISHED
from splendor.server.database.people import SHOWN, person_of
from splendor.server.database.schema import Query, Row, games, people, ratings, seats
from splendor.server.tables.rating import Rating

PAGE = 30
LOBBY = 50
LEADERS = 100
FEWEST_GAMES = 3  # to stand on the leaderboard


class GameArchive:
    """Reads what is stored about games and players."""

    def __init__(self, engine: AsyncEngine, reading: AsyncEngine | None = None) -> None:
        """Over a database that is up to date. `reading` has connections of its own for what may take long."""
        self.engine, self.reading = engine, reading or engine

    async def _rows(self, query: Query) -> list[Row]:
        async with self.engine.connect() as connection:
            return list(await connection.execute(query))

    async def _many(self, query: Query) -> list[Row]:
        """The same, of a query that looks at many rows: nobody who plays waits for it."""
        async with self.reading.connect() as connection:
            return list(await connection.execute(query))

    # ---------------------------------------------------------------------------------------------- tables

    async def public_tables(self, status: str) -> list[str]:
        """The newest public tables of a status."""
        query = sa.select(games.c.id).where(games.c.status == status, games.c.is_public)
        return [row.id for row in await self._rows(query.order_by(games.c.created.desc()).limit(LOBBY))]

    async def waiting(self, speed: str, players: int) -> list[str]:
        """The tables where people wait for a game of this kind, the oldest first."""
        query = sa.select(games.c.id).where(games.c.pairing == speed, games.c.players == players)
        query = query.where(games.c.status == "open").order_by(games.c.created, games.c.id)
        return [row.id for row in await self._rows(query.limit(LOBBY))]

    async def tables_of(self, person: str) -> list[str]:
        """The unfinished tables where a person sits."""
        query = sa.select(games.c.id).join(seats, seats.c.game == games.c.id).distinct()
        query = query.where(seats.c.person == person, sa.not_(seats.c.is_invited), games.c.status.in_(UNFINISHED))
        return [row.id for row in await self._rows(query.limit(PAGE * 4))]

    async def aborts_of(self, person: str) -> tuple[int, int]:
        """How many games a person has seen dealt and come to their end, and how many of them the person aborted."""
        query = sa.select(sa.func.count(), sa.func.sum(sa.cast(seats.c.has_aborted, sa.Integer)))
        query = query.select_from(seats.join(games, games.c.id == seats.c.game))
        is_counted = sa.or_(seats.c.has_aborted, games.c.status == "over")
        (row,) = await self._many(query.where(seats.c.person == person, is_counted))
        return int(row[0]), int(row[1] or 0)

    # ----------------------------------------------------------------------------------------------- games

    async def finished(
        self, person: str | None, players: int | None, before: str | None, *, with_private: bool
    ) -> list[m.ArchivedGame]:
        """Finished games, newest first, of everyone or of one person."""
        query = sa.select(games).where(games.c.status == "over", games.c.record.is_not(None))
        if not with_private:
            query = query.where(games.c.is_public)
        if person is not None:
            query = query.where(games.c.id.in_(sa.select(seats.c.game).where(seats.c.person == person)))
        if players is not None:
            query = query.where(games.c.players == players)
        if before is not None:
            at = sa.select(games.c.finished).where(games.c.id == before).scalar_subquery()
            query = query.where(games.c.finished < at)
        return await self._with_seats(await self._many(query.order_by(games.c.finished.desc()).limit(PAGE)))

    async def game(self, id: str) -> m.ArchivedGame | None:
        """One finished game."""
        rows = await self._many(sa.select(games).where(games.c.id == id, games.c.record.is_not(None)))
        found = await self._with_seats(rows)
        return found[0] if found else None

    async def record(self, id: str) -> str | None:
        """The game file of a finished game."""
        rows = await self._many(sa.select(games.c.record).where(games.c.id == id))
        return rows[0].record if rows else None

    async def _with_seats(self, rows: list[Row]) -> list[m.ArchivedGame]:
        joined = seats.outerjoin(people, people.c.id == seats.c.person)
        query = sa.select(seats, *SHOWN).select_from(joined)
        query = query.where(seats.c.game.in_([row.id for row in rows])).order_by(seats.c.game, seats.c.seat)
        by_game: dict[str, list[m.ArchivedSeat]] = {}
        for seat in await self._many(query) if rows else []:
            person = person_of(seat.person or "", seat)
            by_game.setdefault(seat.game, []).append(
                m.ArchivedSeat(
                    person=person,
                    label=seat.label,
                    place=seat.place,
                    points=seat.points,
                    rated_before=None if seat.rated_before is None else round(seat.rated_before, 2),
                    rated_after=None if seat.mu is None else round(Rating(seat.mu, seat.sigma).cautious, 2),
                )
            )
        return [
            m.ArchivedGame(
                id=row.id,
                players=row.players,
                finished=row.finished,
                turns=row.turns,
                reason=row.reason,
                is_rated=bool(row.is_rated),
                seats=by_game.get(row.id, []),
            )
            for row in rows
        ]

    async def all_finished(self, *, with_private: bool) -> AsyncIterator[Row]:
        """Every finished game with its record, oldest first, for export."""
        query = sa.select(games).where(games.c.record.is_not(None)).order_by(games.c.finished, games.c.id)
        if not with_private:
            query = query.where(games.c.is_public)
        async with self.reading.connect() as connection:
            async for row in await connection.stream(query):
                yield row

    # --------------------------------------------------------------------------------------------- ratings

    async def leaderboard(self, players: int, against: str) -> list[m.Ranked]:
        """The best registered players and computers at tables of one size, among people or against computers."""
        cautious = (ratings.c.mu - 3 * ratings.c.sigma).desc()
        known = ratings.outerjoin(people, people.c.id == ratings.c.person)
        is_known = sa.or_(people.c.name.is_not(None), ratings.c.person.like("computer:%"))
        here = sa.and_(ratings.c.players == players, ratings.c.against == against, ratings.c.games >= FEWEST_GAMES)
        best = sa.select(ratings, *SHOWN).select_from(known).where(here, is_known)
        lines = best.order_by(cautious, ratings.c.person).limit(LEADERS).subquery()
        mine = sa.and_(seats.c.person == lines.c.person, seats.c.has_aborted)
        aborted = sa.select(sa.func.count()).select_from(seats).where(mine).scalar_subquery().label("aborted")
        in_order = ((lines.c.mu - 3 * lines.c.sigma).desc(), lines.c.person)
        rows = await self._many(sa.select(lines, aborted).order_by(*in_order))
        return [
            m.Ranked(
                place=place,
                person=person_of(row.person, row),
                rating=round(Rating(row.mu, row.sigma).cautious, 2),
                mu=round(row.mu, 2),
                sigma=round(row.sigma, 2),
                games=row.games,
                aborted=row.aborted,
            )
            for place, row in enumerate(rows, 1)
        ]

    async def ratings_of(self, *persons: str) -> dict[str, list[m.RatingInfo]]:
        """The ratings of players, by the number of players and against whom."""
        found: dict[str, list[m.RatingInfo]] = {person: [] for person in persons}
        query = sa.select(ratings).where(ratings.c.person.in_(persons)).order_by(ratings.c.players, ratings.c.against)
        for row in await self._rows(query):
            rated = {
                "players": row.players,
                "against": row.against,
                "mu": round(row.mu, 2),
                "sigma": round(row.sigma, 2),
                "games": row.games,
            }
            found[row.person].append(m.RatingInfo.model_validate(rated))
        return found
