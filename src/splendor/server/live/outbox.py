"""Messages on their way to one connection: never more than a few, however slowly it reads.

A reader who keeps up is sent each message at once. For one who is behind they wait here, and are taken one by one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from math import inf
from typing import Literal

MOST = 64  # messages
SEND_NOW = "splendor.send_now"  # how a connection that can send at once says so: an extension of its ASGI scope

Goodbye = Literal["shutdown", "slow", "revoked", "flood"]


class Resync:
    """Stands in the queue for messages that were dropped: the reader gets the whole table instead."""


RESYNC = Resync()


class Outbox:
    """The messages for one connection of a person, or of a spectator who has no cookie."""

    def __init__(
        self, person: str | None, credential: str | None = None, until: float = inf, *, has_chat: bool = False
    ) -> None:
        """`credential` is the session or token that it was opened with, and `until` when that ends by itself.
        `has_chat`: it is that of a browser whose person has an account.
        """
        self.person = person
        self.has_chat = has_chat
        self.credential = credential
        self.until = until
        self.goodbye: Goodbye | None = None
        self.send_now: Callable[[str], bool] | None = None  # sends a message, unless the reader is behind: then False
        self._queue: deque[str | Resync] = deque()
        self._filled = asyncio.Event()
        self._is_awaited = False  # has whoever takes messages sent all that was taken?
        self._sent_at = -inf  # when a message was last sent at once, by the loop's clock

    def push(self, text: str) -> None:
        """Send a message, or keep it; if the reader is too far behind, all that waits is replaced by one resync."""
        is_first = self._is_awaited and not self._queue and self.goodbye is None
        if is_first and self.send_now is not None and self.send_now(text):
            self._sent_at = asyncio.get_running_loop().time()
            return
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
        """The next message; None when the outbox is closed. Raises TimeoutError if nothing is sent for so long."""
        quiet_since = asyncio.get_running_loop().time()
        while not self._queue and self.goodbye is None:
            self._is_awaited = True
            try:
                async with asyncio.timeout_at(max(quiet_since, self._sent_at) + timeout):
                    await self._filled.wait()
            except TimeoutError:
                if self._sent_at <= quiet_since:
                    raise
                quiet_since = self._sent_at
            finally:
                self._is_awaited = False
        if self._queue:
            message = self._queue.popleft()
            if not self._queue and self.goodbye is None:
                self._filled.clear()
            return message
        return None
