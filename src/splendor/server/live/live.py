"""`Live`: a table in memory, with those who look on and what is under way for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from splendor.server.outbox import Outbox
from splendor.server.table import OnlineTable
from splendor.state import State


@dataclass
class Live:
    """A table in memory. Whoever changes or shows it holds the lock."""

    table: OnlineTable
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    outboxes: set[Outbox] = field(default_factory=set)
    touched: float = 0.0  # when it was last needed
    timer: asyncio.TimerHandle | None = None  # for what is due next
    thinking: asyncio.Task[None] | None = None
    thinks_about: State | None = None
    leaving: dict[str, asyncio.TimerHandle] = field(default_factory=dict)  # people who may be absent soon

    def stop(self) -> None:
        """Let nothing more happen by itself."""
        for timer in (self.timer, *self.leaving.values()):
            if timer is not None:
                timer.cancel()
        if self.thinking is not None:
            self.thinking.cancel()
