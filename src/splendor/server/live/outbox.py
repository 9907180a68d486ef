"""Messages on their way to one connection: never more than a few, however slowly it reads."""

from __future__ import annotations

import asyncio
from collections import deque
from math import inf
from typing import Literal

MOST = 64  # messages

Goodbye = Literal["shutdown", "slow", "revoked", "flood"]


class Resync:
    """Stands in the queue for messages that were dropped: the reader gets the whole table instead."""


RESYNC = Resync()


class Outbox:
    """The messages for one connection of a person, or of a spectator who has no cookie."""

    def __init__(self, person: str | None, credential: str | None = None, until: float = inf) -> None:
        """`credential` is the session or token that it was opened with, and `until` when that ends by itself."""
        self.person = person
        self.credential = credential
        self.until = until
        self.goodbye: Goodbye | None = None
        self._queue: deque[str | Resync] = deque()
        self._filled = asyncio.Event()

    def push(self, text: str) -> None:
        """Add a message; if the reader is too far behind, everything that waits is replaced by one resync."""
        if len(self._queue) >= MOST:
            self._queue.clear()
            self._queue.append(RESYNC)
        else:
            self._queue.append(text)
        self._filled.set()

    def close(self, goodbye: Goodbye) -> None:
        """Let the reader end after what waits."""
        self.goodbye = self.goodbye or goodbye
        self._filled.set()

    async def next(self, timeout: float) -> str | Resync | None:
        """The next message; None when the outbox is closed. Raises TimeoutError if nothing comes."""
        if not self._queue and self.goodbye is None:
            async with asyncio.timeout(timeout):
                await self._filled.wait()
        if self._queue:
            message = self._queue.popleft()
            if not self._queue and self.goodbye is None:
                self._filled.clear()
            return message
        return None
