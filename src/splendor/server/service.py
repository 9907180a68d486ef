"""`Service`: what all routes share, from opening the database to closing it; and the work that repeats."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import splendor
from splendor.server.attendance import REFRESH, Attendance
from splendor.server.computers import Computers
from splendor.server.config import Settings
from splendor.server.database.archive import Archive
from splendor.server.database.connect import FileLock, connect, migrate
from splendor.server.database.ledger import Ledger
from splendor.server.database.people import People, new_id
from splendor.server.hub import Hub
from splendor.server.limits import Limits
from splendor.server.logs import logger
from splendor.server.metrics import Metrics
from splendor.server.sources import Sources
from splendor.server.sweeping import sweep
from splendor.server.warm import warm_up

if TYPE_CHECKING:
    from splendor.server.database.notices import Notices

PULSE = 5.0  # seconds between notes that a server is up
SWEEP = 60.0
WEB = Path(__file__).parent / "web"


def build_id() -> str:
    """Changes with the version and with the web client."""
    page = WEB / "index.html"
    text = page.read_bytes() if page.exists() else b""
    return f"{splendor.__version__}-{hashlib.sha256(text).hexdigest()[:8]}"


class Service:
    """A running server, apart from its routes."""

    def __init__(self, settings: Settings, sources: Sources | None = None) -> None:
        """Nothing is opened yet."""
        self.settings = settings
        self.sources = sources or Sources()
        self.process = new_id()
        self.build = build_id()
        self.metrics = Metrics()
        self.limits = Limits(settings.limits)
        self._tasks: list[asyncio.Task[None]] = []
        self._lock: FileLock | None = None

    def claim_database(self, address: str = "") -> None:
        """Make sure that the database is ours, to be reached at this address; raises Unusable."""
        if self._lock is None:
            self._lock = FileLock(self.settings.database)
            self._lock.note(address)

    async def open(self) -> None:
        """Open the database, bring it up to date, fold the log of every unfinished game, and go on."""
        self.claim_database()
        self.computers = Computers(self.settings.computers, self.settings.thinking_time)
        await asyncio.gather(asyncio.to_thread(warm_up), self.computers.warm_up())
        self.engine = connect(self.settings.database)
        await migrate(self.engine)
        self.people = People(self.engine)
        self.archive = Archive(self.engine)
        self.ledger = Ledger(self.engine, self.process)
        self.attendance = Attendance(self.engine, self.process, self.sources.now)
        self.hub = Hub(self.settings, self.ledger, self.attendance, self.computers, self.metrics, self.sources)
        self.notices: Notices | None = None
        if self.engine.dialect.name == "postgresql":
            from splendor.server.database.notices import Notices

            self.notices = Notices(self.settings.database, self.process, self._hear, self._catch_up)
            await self.notices.open()
        await self._care()
        self._tasks = [
            asyncio.create_task(self._repeat(PULSE, self._care)),
            asyncio.create_task(self._repeat(SWEEP, self._sweep)),
            asyncio.create_task(self._repeat(REFRESH, self.attendance.refresh)),
        ]
        logger.info("server is up", extra={"tables": len(self.hub.tables), "database": self.engine.dialect.name})

    async def close(self) -> None:
        """Tell everyone, finish what is under way, close the database."""
        for task in self._tasks:
            task.cancel()
        await self.hub.close()
        await self.computers.close()
        await self.ledger.close()
        if self.hub.steward.in_office:
            await self.ledger.beat(self.sources.now())
        if self.notices is not None:
            await self.notices.close()
        await self.engine.dispose()
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        logger.info("server is down")

    # --------------------------------------------------------------------------------------- what repeats

    async def _repeat(self, seconds: float, work: object) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()  # type: ignore[operator]
            except Exception:
                logger.exception("repeated work failed")

    async def _care(self) -> None:
        """Be the steward if nobody else is, and note that a server is up."""
        now = self.sources.now()
        if self.hub.steward.in_office:
            if self.notices is None or await self.notices.try_to_be_steward():
                await self.ledger.beat(now)
            else:
                self.hub.steward.in_office = False
        elif self.notices is None or await self.notices.try_to_be_steward():
            last = await self.ledger.beat(now)
            was_down = last is not None and (self.notices is None or now - last > 3 * PULSE)
            await self.hub.steward.take_office(last if was_down else None)

    async def _sweep(self) -> None:
        self.hub.forget_idle()
        if self.hub.steward.in_office:
            await sweep(self.hub, self.settings.sweep)
            await self.people.forget(self.sources.now())

    async def _hear(self, words: list[str]) -> None:
        """What another process says: a table has gone on, or a session has ended."""
        match words:
            case ["table", id, version]:
                await self.hub.hear_of(id, int(version))
            case ["revoke", credential]:
                self.hub.revoke(credential)

    async def _catch_up(self) -> None:
        for id in list(self.hub.tables):
            with contextlib.suppress(KeyError):
                await self.hub.catch_up(self.hub.tables[id])

    async def revoke(self, credential: str) -> None:
        """Close the connections of a session or token, here and in all other processes."""
        self.hub.revoke(credential)
        await self.ledger.announce(f"revoke {credential}")
