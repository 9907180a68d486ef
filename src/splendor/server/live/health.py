"""Is the server well? It is while it can write to its database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from splendor.server.database.connect import STORAGE_ERRORS

FRESH = 2.0  # seconds for which an answer is good
PATIENCE = 5.0  # seconds after which a database that does not answer has failed


class HealthCheck:
    """The last answer, and whoever finds the next one."""

    def __init__(self, try_to_write: Callable[[], Awaitable[None]]) -> None:
        """Nothing is known yet."""
        self.try_to_write = try_to_write
        self._until = 0.0
        self._asking: asyncio.Task[bool] | None = None

    async def is_well(self) -> bool:
        """Could something be written just now?"""
        if self._asking is None or (self._asking.done() and time.monotonic() > self._until):
            self._asking = asyncio.create_task(self._ask())
        return await asyncio.shield(self._asking)

    async def _ask(self) -> bool:
        try:
            async with asyncio.timeout(PATIENCE):
                await self.try_to_write()
        except (*STORAGE_ERRORS, TimeoutError):
            return False
        finally:
            self._until = time.monotonic() + FRESH
        return True
