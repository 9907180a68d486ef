"""Reviews as they are stored: one of each finished game, and those of records from elsewhere for some time."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from splendor.server.database.schema import Columns, games, reviews, seats, upsert

KEPT_SECONDS = 30 * 86_400.0  # that the review of a record from elsewhere is kept after its last use


class StoredReview(NamedTuple):
    """A review, whole or growing."""

    id: str  # of the game; a record from elsewhere has an id of its own
    effort: str  # that was asked for
    done: int
    total: int
    body: bytes | None  # the review as JSON, packed by gzip


class Subject(NamedTuple):
    """What is to be reviewed, and who may see it."""

    record: str
    is_public: bool
    persons: tuple[str, ...]


class ReviewStore:
    """Reads and writes reviews."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Over a database that is up to date."""
        self.engine = engine

    async def find(self, id: str) -> StoredReview | None:
        """A review, as far as it has come."""
        query = sa.select(reviews.c.id, reviews.c.effort, reviews.c.done, reviews.c.total, reviews.c.body)
        async with self.engine.connect() as connection:
            row = (await connection.execute(query.where(reviews.c.id == id))).first()
        return StoredReview(*row) if row else None

    async def subject(self, id: str) -> Subject | None:
        """The record behind an id; None if there is none, or its game is not over."""
        async with self.engine.connect() as connection:
            query = sa.select(games.c.record, games.c.is_public).where(games.c.id == id, games.c.record.is_not(None))
            game = (await connection.execute(query)).first()
            if game is not None:
                rows = await connection.execute(sa.select(seats.c.person).where(seats.c.game == id))
                return Subject(game.record, bool(game.is_public), tuple(row.person for row in rows if row.person))
            query = sa.select(reviews.c.record).where(reviews.c.id == id, reviews.c.record.is_not(None))
            imported = (await connection.execute(query)).first()
        return Subject(imported.record, True, ()) if imported else None

    async def keep(self, review: StoredReview, now: float, record: str | None = None) -> None:
        """Store a review; a `record` comes from elsewhere."""
        row: Columns = {**review._asdict(), "updated": now}
        columns = ["effort", "done", "total", "body", "updated"]
        if record is not None:
            row["record"] = record
        async with self.engine.connect() as connection:
            await connection.execution_options(is_writer=True)
            async with connection.begin():
                await connection.execute(upsert(self.engine.dialect, reviews, ("id",), columns), [row])

    async def unreviewed(self, since: float, most: int) -> list[str]:
        """Games that ended after a time and have no whole review yet, the newest first."""
        joined = games.outerjoin(reviews, reviews.c.id == games.c.id)
        is_part = sa.or_(reviews.c.body.is_(None), reviews.c.done < reviews.c.total)
        is_missing = sa.or_(reviews.c.id.is_(None), sa.and_(reviews.c.effort == "quick", is_part))
        query = sa.select(games.c.id).select_from(joined)
        query = query.where(games.c.record.is_not(None), games.c.finished > since, games.c.turns > 0, is_missing)
        async with self.engine.connect() as connection:
            return [row.id for row in await connection.execute(query.order_by(games.c.finished.desc()).limit(most))]

    async def forget(self, now: float) -> None:
        """Let go of records from elsewhere that nobody has asked about for long."""
        old = sa.delete(reviews).where(reviews.c.record.is_not(None), reviews.c.updated < now - KEPT_SECONDS)
        async with self.engine.connect() as connection:
            await connection.execution_options(is_writer=True)
            async with connection.begin():
                await connection.execute(old)
