"""Computers as players: they think in workers, for seats that wait at a table before people who ask for a hint.

When many wait, each thinks for less time. Whoever asks is told by `ComputerFailed` when there is no move.
"""

from __future__ import annotations

from dataclasses import replace

from splendor.server.labor import kinds
from splendor.server.labor.pool import Labor
from splendor.server.labor.queue import Visitor
from splendor.server.labor.starting import Starter, start_anew
from splendor.server.live import thinker
from splendor.server.refusal import RequestRefused


class ComputerFailed(RuntimeError):
    """There is no move from this computer."""


class Computers:
    """All computers of a server."""

    def __init__(self, workers: int, thinking_time: float, start: Starter = start_anew) -> None:
        """Workers start when they are first needed."""
        self.game, self.hint = (replace(kind, seconds=thinking_time) for kind in kinds.THINKING)
        self.labor = Labor(workers, (self.game, self.hint), start)
        self.failures = 0

    @property
    def waiting(self) -> int:
        """How many questions wait for a worker."""
        return self.labor.waiting

    async def play(self, visitor: Visitor, player: str, position: str, viewer: int) -> str:
        """A move at a table, as notation, for a position as its viewer sees it. The visitor is who last moved there.

        Raises ComputerFailed if this computer has none, and RequestRefused if there is no room for the question.
        """
        try:
            return await self.labor.run(self.game, visitor, thinker.choose, player, position, viewer)
        except Exception as error:
            if isinstance(error, RequestRefused) and error.code != "too_long":
                raise
            self.failures += 1
            raise ComputerFailed(str(error) or type(error).__name__) from None

    async def advise(self, visitor: Visitor, player: str, position: str, viewer: int) -> str:
        """The same for a person who asks; raises RequestRefused if there is no room, or no move."""
        try:
            return await self.labor.run(self.hint, visitor, thinker.choose, player, position, viewer)
        except RequestRefused:
            raise
        except Exception:
            self.failures += 1
            raise RequestRefused("busy") from None

    async def warm_up(self) -> None:
        """Start a worker and wait until it can think, so that nobody has to wait for that at a table."""
        await self.labor.warm_up(thinker.warm_up, workers=1)

    async def close(self) -> None:
        """End all workers."""
        await self.labor.close()
