"""Several processes on one PostgreSQL: hearing of each other's changes, and agreeing on who is the steward.

One connection listens; the same one holds the advisory lock that makes its process the steward, so that the
lock is free as soon as that process is gone. With SQLite there is one process, which is the steward.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from splendor.server.database.appending import CHANNEL
from splendor.server.database.connect import database_url
from splendor.server.logs import logger

STEWARD_LOCK = 7_361_116
RETRY = 2.0  # seconds

DISMISS = f"""
    SELECT pg_terminate_backend(its.pid)
    FROM pg_locks JOIN pg_stat_activity steward ON steward.pid = pg_locks.pid
    JOIN pg_stat_activity its ON its.application_name = steward.application_name
    WHERE pg_locks.locktype = 'advisory' AND pg_locks.objid = {STEWARD_LOCK} AND pg_locks.granted
    AND its.pid <> pg_backend_pid()
"""

Hear = Callable[[list[str]], Awaitable[None]]


class Notices:
    """The connection to the other processes."""

    def __init__(self, database: str, process: str, hear: Hear, missed: Callable[[], Awaitable[None]]) -> None:
        """`hear` gets the words of each notice by another process; `missed` is told that some were not heard."""
        self._url = database_url(database).set(drivername="postgresql").render_as_string(hide_password=False)
        self._process, self._hear, self._missed = process, hear, missed
        self._connection: Any = None
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Begin to listen."""
        await self._connect()
        self._tasks = [asyncio.create_task(self._deliver()), asyncio.create_task(self._stay_connected())]

    async def _connect(self) -> None:
        self._connection = await asyncpg.connect(self._url, server_settings={"application_name": self._process})
        await self._connection.add_listener(CHANNEL, lambda *notice: self._waiting.put_nowait(str(notice[3])))

    async def _deliver(self) -> None:
        while True:
            sender, *words = (await self._waiting.get()).split()
            if sender == self._process:
                continue
            try:
                await self._hear(words)
            except Exception:
                logger.exception("a notice failed")

    async def _stay_connected(self) -> None:
        while True:
            await asyncio.sleep(RETRY)
            if self._connection.is_closed():
                with contextlib.suppress(OSError, asyncpg.PostgresError):
                    await self._connect()
                    await self._missed()

    async def try_to_be_steward(self) -> bool:
        """Is this process the steward, or has it just become it?"""
        try:
            return bool(await self._connection.fetchval(f"SELECT pg_try_advisory_lock({STEWARD_LOCK})"))
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return False

    async def dismiss_steward(self) -> None:
        """End all connections of the steward, which has not been heard of: it may hold locks for ever."""
        with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await self._connection.execute(DISMISS)

    async def close(self) -> None:
        """Stop listening; the steward's lock is free again."""
        for task in self._tasks:
            task.cancel()
        with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await self._connection.close(timeout=2)
