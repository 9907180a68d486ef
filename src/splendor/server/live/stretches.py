"""How long the event loop works at a stretch: everyone who is connected waits for so long.

Measured is the processor time of its thread, so that a machine which is busy with other things makes no difference.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

EVERY = 0.01  # seconds between looks


class Stretches:
    """Looks at the loop it was started in."""

    def __init__(self, note: Callable[[float], None]) -> None:
        """`note` is told of every stretch that is longer than the time between two looks."""
        self.note = note
        self._last = time.thread_time()
        self._timer = asyncio.get_running_loop().call_later(EVERY, self._look)

    def _look(self) -> None:
        now = time.thread_time()
        if now - self._last > EVERY:
            self.note(now - self._last)
        self._last = now
        self._timer = asyncio.get_running_loop().call_later(EVERY, self._look)

    def stop(self) -> None:
        """Look no more."""
        self._timer.cancel()
