"""`Service`: what all routes share, from opening the database to closing it; and the work that repeats."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, cast

from splendor.server import messages as m
from splendor.server.access.limits import RateLimits
from splendor.server.access.names import look_of
from splendor.server.build import build_id
from splendor.server.config import Settings
from splendor.server.database.archive import GameArchive
from splendor.server.database.belongings import Belongings
from splendor.server.database.chats import Chats
from splendor.server.database.connect import READING, FileLock, connect, migrate
from splendor.server.database.imports import Imports
from splendor.server.database.invitations import Invitations
from splendor.server.database.log_store import LogStore
from splendor.server.database.people import People, new_id
from splendor.server.database.reports import Reports
from splendor.server.database.reviews import ReviewStore
from splendor.server.database.subscriptions import Subscriptions
from splendor.server.database.turns import Turns
from splendor.server.labor.kinds import WORKING
from splendor.server.labor.pool import Labor
from splendor.server.labor.starting import Starter, start_anew
from splendor.server.live.attendance import REFRESH, Attendance
from splendor.server.live.computers import Computers
from splendor.server.live.exporting import Export
from splendor.server.live.gallery import Gallery
from splendor.server.live.health import HealthCheck
from splendor.server.live.herald import Herald
from splendor.server.live.hub import Hub
from splendor.server.live.pairing import PAIRING_LOCK, Pairing
from splendor.server.live.places import Places
from splendor.server.live.profiles import Profiles
from splendor.server.live.reviewers import Reviewers
from splendor.server.live.sources import Clock, Sources
from splendor.server.live.steward import AHEAD
from splendor.server.live.stretches import Stretches
from splendor.server.live.sweeping import forget_idle, sweep
from splendor.server.live.warm import warm_up
from splendor.server.logs import logger
from splendor.server.metrics import Metrics

if TYPE_CHECKING:
    from splendor.server.database.notices import Notices

PULSE = 2.0  # seconds between notes that a server is up
SWEEP = 60.0
TELL = 1.0  # seconds between words to other processes about what visitors have spent of their limits
SETTLED = 20.0  # seconds until workers for what is rarely asked get ready: the first game is not to wait for them
WATCH = 2.0  # seconds between looks for tables where something should have happened


class Service:
    """A running server, apart from its routes."""

    def __init__(self, settings: Settings, sources: Sources | None = None, start: Starter = start_anew) -> None:
        """Nothing is opened yet; `start` is how workers come to be."""
        self.settings = settings
        self._start_worker = start
        self.sources = sources or Sources()
        self.process = new_id()
        self.build = build_id()
        self.metrics = Metrics()
        self.limits = RateLimits(settings.limits)
        self.places = Places(settings.limits)
        self.labor = Labor(settings.workers, WORKING, start)
        self.export = Export(settings.database, self.labor)
        self.gallery = Gallery(self.labor)
        self.profiles = Profiles(settings.database, self.labor)
        self._tasks: list[asyncio.Task[None]] = []
        self._lock: FileLock | None = None
        self._is_up = False
        self._last_beat: float | None = None
        self._heard = 0.0  # when the steward's last sign of life was new

    def claim_database(self, address: str = "") -> None:
        """Make sure that the database is ours, to be reached at this address; raises Unusable."""
        if self._lock is None:
            self._lock = FileLock(self.settings.database)
            self._lock.note(address)

    async def open(self) -> None:
        """Open the database, bring it up to date, fold the log of every unfinished game, and go on."""
        self.claim_database()
        self.computers = Computers(self.settings.computers, self.settings.thinking_time, self._start_worker)
        await asyncio.gather(asyncio.to_thread(warm_up), self.computers.warm_up())
        self.engine = connect(self.settings.database, self.process)
        self.reading = connect(self.settings.database, self.process, READING)
        await migrate(self.engine)
        self.people = People(self.engine)
        await self.people.note_looks(look_of)
        self.invitations, self.belongings = Invitations(self.engine), Belongings(self.engine)
        self.archive, self.imports = GameArchive(self.engine, self.reading), Imports(self.engine)
        self.chats, self.reports = Chats(self.engine), Reports(self.engine)
        self.log_store = LogStore(self.engine, self.process)
        self.health = HealthCheck(lambda: self.log_store.try_to_write(self.sources.now()))
        self.attendance = Attendance(self.engine, self.process, self.sources.now)
        self.subscriptions = Subscriptions(self.engine)
        self.herald = Herald(self.settings, self.subscriptions, self.metrics, self.limits, self.sources.now)
        await self.herald.open()
        self.hub = Hub(
            self.settings,
            self.log_store,
            self.attendance,
            self.computers,
            self.metrics,
            self.sources,
            self.herald,
            self.chats,
        )
        self.pairing = Pairing(self.hub, self.archive, self.invitations, Turns(self.engine, PAIRING_LOCK), self.limits)
        self.reviewers = Reviewers(ReviewStore(self.engine), self.labor, self.sources.now)
        self.notices: Notices | None = None
        if self.engine.dialect.name == "postgresql":
            from splendor.server.database.notices import Notices

            self.notices = Notices(self.settings.database, self.process, self._hear, self.hub.catch_up)
            await self.notices.open()
            self.limits.is_shared = True
        await self._care()
        self._stretches = Stretches(self.metrics.busy.observe)
        self._tasks = [
            asyncio.create_task(self._warm_up_workers()),
            asyncio.create_task(self._repeat(PULSE, self._care)),
            asyncio.create_task(self._repeat(SWEEP, self._sweep)),
            asyncio.create_task(self._repeat(WATCH, self._watch)),
            asyncio.create_task(self._repeat(WATCH, self._review)),
            asyncio.create_task(self._repeat(REFRESH, self.attendance.refresh)),
        ]
        if self.limits.is_shared:
            self._tasks.append(asyncio.create_task(self._repeat(TELL, self._tell_limits)))
        logger.info("server is up", extra={"tables": len(self.hub.tables), "database": self.engine.dialect.name})

    async def close(self) -> None:
        """Tell everyone, finish what is under way, close the database."""
        for task in self._tasks:
            task.cancel()
        self._stretches.stop()
        await self.hub.close()
        await self.herald.close()
        await self.reviewers.close()
        await self.computers.close()
        await self.labor.close()
        self.export.close()
        self.gallery.close()
        await self.log_store.close()
        if self.hub.steward.in_office:
            await self.log_store.beat(self.sources.now())
        if self.notices is not None:
            await self.notices.close()
        await self.reading.dispose()
        await self.engine.dispose()
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        logger.info("server is down")

    async def _warm_up_workers(self) -> None:
        """Those of `labor`; what is asked before that starts them as well."""
        await asyncio.sleep(SETTLED)
        await self.labor.warm_up(warm_up)

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
                await self.log_store.beat(now)
                await self.log_store.announce(f"time {self.sources.now()}")
            else:
                self.hub.steward.in_office = False
        elif self.notices is None or await self.notices.try_to_be_steward():
            last = await self.log_store.beat(now)
            if last is not None and not self._is_up and (self.notices is None or now - last > 3 * PULSE):
                await self.log_store.note_outage(last, max(now, last))
            await self.hub.steward.take_office()
        elif await self._is_frozen():
            logger.warning("the steward is not heard of, and is dismissed")
            await self.notices.dismiss_steward()
        self._is_up = True

    async def _is_frozen(self) -> bool:
        """Has the steward not said for long that it is up? Counted by our own clock."""
        beat = await self.log_store.last_beat()
        if beat != self._last_beat:
            self._last_beat, self._heard = beat, time.monotonic()
        return time.monotonic() - self._heard > 3 * PULSE

    async def _watch(self) -> None:
        self.hub.steward.watch()

    async def _sweep(self) -> None:
        is_steward = self.hub.steward.in_office
        forget_idle(self.hub.keeper, but_due=self.sources.now() + AHEAD if is_steward else 0.0)
        if is_steward:
            await self.hub.steward.look_ahead()
            await sweep(self.hub.keeper, self.hub.presence, self.settings.sweep)
            await self.people.forget(self.sources.now())
            await self.reviewers.store.forget(self.sources.now())
            await self.chats.forget(self.sources.now())
            await self.reports.forget(self.sources.now())

    async def _tell_limits(self) -> None:
        for words in self.limits.tell():
            await self.log_store.announce(words)

    async def _review(self) -> None:
        if self.hub.steward.in_office and self.settings.reviews:
            await self.reviewers.look_for_games()

    async def _hear(self, words: list[str]) -> None:
        """What another process says: of a table, of what people say there, of a session, or of a limit."""
        match words:
            case ["table", id, version]:
                await self.hub.hear_of(id, int(version))
            case ["said", id, seat, what]:
                await self.hub.hear_said(id, int(seat), cast(m.Saying, what))
            case ["chat", id]:
                await self.hub.chatting.hear_of(id)
            case ["chatter", person]:
                await self.hub.chatting.hear_of_person(person)
            case ["written", id, line]:
                await self.hub.chatting.hear_written(id, line)
            case ["time", now] if isinstance(self.sources.now, Clock):
                self.sources.now.follow(float(now))
            case ["revoke", credential]:
                self.hub.revoke(credential)
            case ["spent", kind, *spent]:
                self.limits.hear(kind, spent)
            case ["reread", id]:
                await self.hub.reread(id)

    async def revoke(self, credential: str) -> None:
        """Close the connections of a session or token, here and in all other processes."""
        self.hub.revoke(credential)
        await self.log_store.announce(f"revoke {credential}")

    async def reread(self, id: str) -> None:
        """Take a table from its log again, which was rewritten, here and in all other processes."""
        await self.hub.reread(id)
        await self.log_store.announce(f"reread {id}")
