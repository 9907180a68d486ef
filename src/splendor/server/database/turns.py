"""One after the other: what must not be done twice at once, in this process and in all others on one database."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine


class Turns:
    """Whoever enters is alone until leaving. SQLite serves one process; with PostgreSQL a lock there is taken too."""

    def __init__(self, engine: AsyncEngine, number: int) -> None:
        """`number` names the lock in PostgreSQL."""
        self._engine, self._number = engine, number
        self._here = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Wait for one's turn."""
        async with self._here:
            if self._engine.dialect.name != "postgresql":
                yield
                return
            async with self._engine.begin() as connection:
                await connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({self._number})"))
                yield
