"""Pictures as files: each is made once by a worker and kept as long as there is room; the oldest go first."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from splendor.server.labor.kinds import PICTURE
from splendor.server.labor.pool import Labor
from splendor.server.labor.queue import Visitor

MOST_FILES = 300  # of some 200 kB each


class Gallery:
    """All pictures that were made lately."""

    def __init__(self, labor: Labor) -> None:
        """None yet."""
        self.labor = labor
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._files: OrderedDict[str, Path] = OrderedDict()
        self._making: dict[str, asyncio.Task[bytes]] = {}

    async def find(self, key: str) -> bytes | None:
        """A picture that is there."""
        file = self._files.get(key)
        if file is None:
            return None
        self._files.move_to_end(key)
        return await asyncio.to_thread(file.read_bytes)

    async def make(self, key: str, visitor: Visitor, draw: Callable[..., bytes], *args: object) -> bytes:
        """A new picture; whoever asks for the same waits for the same. Raises RequestRefused."""
        if key not in self._making:
            self._making[key] = asyncio.create_task(self._make(key, visitor, draw, *args))
            self._making[key].add_done_callback(lambda task: self._made(key, task))
        return await asyncio.shield(self._making[key])

    async def _make(self, key: str, visitor: Visitor, draw: Callable[..., bytes], *args: object) -> bytes:
        picture = await self.labor.run(PICTURE, visitor, draw, *args)
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="splendor-pictures-")
        file = Path(self._folder.name) / key
        await asyncio.to_thread(file.write_bytes, picture)
        self._files[key] = file
        while len(self._files) > MOST_FILES:
            self._files.popitem(last=False)[1].unlink(missing_ok=True)
        return picture

    def _made(self, key: str, task: asyncio.Task[bytes]) -> None:
        del self._making[key]
        if not task.cancelled():
            task.exception()  # whoever waits has heard of it

    def close(self) -> None:
        """Remove the files."""
        if self._folder is not None:
            self._folder.cleanup()


def key_of(*what: object) -> str:
    """A name for a picture of this; another server gives it the same."""
    return hashlib.sha256(repr(what).encode()).hexdigest()[:32]
