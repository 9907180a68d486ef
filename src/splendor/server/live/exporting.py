"""The file of all public finished games: made by a worker, for everyone who asks in the same minutes.

Whoever reads it slowly holds a file open, and neither a connection to the database nor a place in a queue.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from splendor.server.database import export
from splendor.server.labor.kinds import EXPORT
from splendor.server.labor.pool import Labor
from splendor.server.labor.queue import Visitor

FRESH = 600.0  # seconds for which a file is good
ITSELF = Visitor("", "")  # the server asks, for everyone


class Export:
    """The newest file, and whoever makes the next one."""

    def __init__(self, database: str, labor: Labor) -> None:
        """Nothing is made before somebody asks."""
        self.database, self.labor = database, labor
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._made = -FRESH
        self._making: asyncio.Task[Path] | None = None

    async def file(self) -> Path:
        """A file that is fresh; raises RequestRefused if it cannot be made now."""
        if self._making is None or (self._making.done() and not self._is_good):
            self._making = asyncio.create_task(self._make())
        return await asyncio.shield(self._making)

    @property
    def _is_good(self) -> bool:
        assert self._making is not None
        return self._making.exception() is None and time.monotonic() - self._made < FRESH

    async def _make(self) -> Path:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="splendor-export-")
        new, file = Path(self._folder.name) / "new", Path(self._folder.name) / "games.jsonl.zst"
        await self.labor.run(EXPORT, ITSELF, export.write_public_lines, self.database, new)
        new.replace(file)  # who reads the old one reads it to its end
        self._made = time.monotonic()
        return file

    def close(self) -> None:
        """Remove the file."""
        if self._folder is not None:
            self._folder.cleanup()
