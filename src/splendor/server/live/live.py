"""`Live`: a table in memory, with those who look on and what is under way for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from splendor.core.state import State
from splendor.server.labor.queue import Visitor
from splendor.server.live.outbox import Outbox
from splendor.server.tables.table import OnlineTable


@dataclass
class Live:
    """A table in memory, as it is stored. Whoever changes it holds the lock."""

    table: OnlineTable
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    rematching: asyncio.Lock = field(default_factory=asyncio.Lock)  # of several who ask for a rematch, one makes it
    telling: asyncio.Lock = field(default_factory=asyncio.Lock)  # how the chat stands: the latest is told last
    outboxes: set[Outbox] = field(default_factory=set)
    touched: float = 0.0  # when it was last needed
    timer: asyncio.TimerHandle | None = None  # for what is due next
    thinking: asyncio.Task[None] | None = None
    thinks_about: State | None = None
    is_moving: bool = False  # is a computer's move being stored?
    asker: Visitor | None = None  # who moved last here, as queues count it
    leaving: dict[str, asyncio.TimerHandle] = field(default_factory=dict)  # people who may be absent soon

    @property
    def visitor(self) -> Visitor:
        """For whom computers think here: who moved last, or any of the people who play."""
        person = min(self.table.persons, default=self.table.id)
        return self.asker or Visitor(person, person)

    def stop(self) -> None:
        """Let nothing more happen by itself."""
        for timer in (self.timer, *self.leaving.values()):
            if timer is not None:
                timer.cancel()
        if self.thinking is not None:
            self.thinking.cancel()
