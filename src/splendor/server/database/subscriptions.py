"""Browsers that want to be told when it is their turn, one for each session, and our key for that."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from splendor.server.database.people import new_id
from splendor.server.database.schema import push_key, subscriptions, upsert
from splendor.server.web_push import Subscription, decoded, encoded, new_key

MOST_OF_ONE = 10  # browsers of a person; the newest stay


class Subscriptions:
    """Reads and changes them."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Over a database that is up to date."""
        self.engine = engine

    async def key(self) -> str:
        """Our private key, made when it is asked for the first time; of several processes the first one's counts."""
        stored = sa.select(push_key.c.key)
        async with self.engine.execution_options(is_writer=True).begin() as connection:
            found = (await connection.execute(stored)).scalar()
            if found is None:
                row = {"id": 1, "key": new_key()}
                await connection.execute(upsert(self.engine.dialect, push_key, ("id",), ("id",)), [row])
                found = (await connection.execute(stored)).scalar_one()
        return str(found)

    async def add(self, person: str, session: str, to: Subscription, language: str, now: float) -> None:
        """A browser of this session wants to be told; whoever had it before is not."""
        row = {"id": new_id(), "person": person, "session": session, "endpoint": to.endpoint, "created": now}
        row |= {"p256dh": encoded(to.p256dh), "auth": encoded(to.auth), "language": language}
        is_old = sa.or_(subscriptions.c.endpoint == to.endpoint, subscriptions.c.session == session)
        mine = subscriptions.c.person == person
        newest = sa.select(subscriptions.c.id).where(mine).order_by(subscriptions.c.created.desc()).limit(MOST_OF_ONE)
        async with self.engine.execution_options(is_writer=True).begin() as connection:
            await connection.execute(subscriptions.delete().where(is_old))
            await connection.execute(subscriptions.insert(), [row])
            kept = [one.id for one in await connection.execute(newest)]
            await connection.execute(subscriptions.delete().where(mine, subscriptions.c.id.not_in(kept)))

    async def remove(self, session: str) -> None:
        """The browser of this session does not want to be told any more."""
        async with self.engine.execution_options(is_writer=True).begin() as connection:
            await connection.execute(subscriptions.delete().where(subscriptions.c.session == session))

    async def is_gone(self, endpoint: str) -> None:
        """The service knows this browser no longer."""
        async with self.engine.execution_options(is_writer=True).begin() as connection:
            await connection.execute(subscriptions.delete().where(subscriptions.c.endpoint == endpoint))

    async def of(self, person: str) -> list[tuple[Subscription, str]]:
        """All browsers of a person, each with its language."""
        async with self.engine.connect() as connection:
            rows = await connection.execute(sa.select(subscriptions).where(subscriptions.c.person == person))
            return [(Subscription(r.endpoint, decoded(r.p256dh), decoded(r.auth)), r.language) for r in rows]
