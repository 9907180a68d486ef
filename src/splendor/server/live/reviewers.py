"""`Reviewers`: reviews of finished games, made in workers, stored as they grow, and shown to whoever follows them.

Finished games are reviewed quickly by themselves; a closer look is taken when somebody asks for it, and given up when
nobody follows it any more. What has been shown is stored, so a crash loses nothing that anyone has seen.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import time
from collections.abc import AsyncIterator, Callable
from typing import cast

from splendor.server import messages as m
from splendor.server.database.people import new_id
from splendor.server.database.reviews import ReviewStore, StoredReview
from splendor.server.labor.kinds import ANALYSIS, QUICK
from splendor.server.labor.pool import Labor
from splendor.server.labor.queue import Visitor
from splendor.server.live.study import Growth, check, look, study
from splendor.server.logs import logger
from splendor.server.refusal import RequestRefused

EFFORTS = ("quick", "normal", "deep")
OURSELVES = Visitor("", "")  # for whom finished games are reviewed
STORE_SECONDS = 1.0  # between two times that a growing review is stored and shown
PATIENCE = 30.0  # seconds that a review goes on though nobody follows it
RETRY_SECONDS = 2.0  # until a worker is asked for again, after there was no room
RECENT = 7 * 86_400.0  # games that ended before that are reviewed only when somebody asks
AT_ONCE = 4  # games that wait for their first review in this process
MOST_LINES = 400  # that wait for one reader


class Follower:
    """Somebody who reads along."""

    def __init__(self) -> None:
        """Nothing has happened yet."""
        self.lines: asyncio.Queue[str] = asyncio.Queue(MOST_LINES)

    def push(self, line: str) -> bool:
        """Add a line; False for a reader who is too slow."""
        try:
            self.lines.put_nowait(line)
        except asyncio.QueueFull:
            return False
        return True


class RunningReview:
    """A review that is underway."""

    def __init__(self, id: str, effort: str, asker: Visitor) -> None:
        """Nobody follows it yet."""
        self.id, self.effort, self.asker = id, effort, asker
        self.stored = StoredReview(id, effort, 0, 0, None)
        self.followers: set[Follower] = set()
        self.grown: list[Growth] = []  # not stored yet
        self.storing = asyncio.Lock()
        self.wanted()

    def grow(self, growth: Growth) -> None:
        """More is known."""
        self.grown.append(growth)

    def wanted(self) -> None:
        """Somebody wants it, now."""
        self.last_wanted = time.monotonic()

    @property
    def is_wanted(self) -> bool:
        """Does anybody follow it, or has anybody asked for it lately?"""
        if self.followers:
            self.wanted()
        return self.asker is OURSELVES or time.monotonic() - self.last_wanted < PATIENCE

    def tell(self, line: str) -> None:
        """Say something to all who follow; who cannot keep up is dropped."""
        self.followers = {follower for follower in self.followers if follower.push(line)}


class Reviewers:
    """All reviews of one server process."""

    def __init__(self, store: ReviewStore, labor: Labor, now: Callable[[], float]) -> None:
        """None is underway."""
        self.store, self.labor, self.now = store, labor, now
        self._underway: dict[str, RunningReview] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------------------------------ what is asked

    async def want(self, id: str, effort: str, asker: Visitor) -> m.ReviewStatus:
        """See to it that a game is reviewed with at least this effort."""
        work = self._underway.get(id)
        stored = work.stored if work else await self.store.find(id)
        work = self._underway.get(id)  # it may have begun meanwhile
        if work is not None:
            if rank(effort) > rank(work.effort):
                work.effort, work.asker = effort, asker  # from the next slice on
            work.wanted()
            return status(work.stored._replace(effort=work.effort), "underway")
        if stored is not None and is_whole(stored) and rank(stored.effort) >= rank(effort):
            return status(stored, "done")
        if stored is not None and rank(stored.effort) > rank(effort):
            effort = stored.effort
        return status(self._begin(id, effort, asker, stored).stored, "underway")

    async def bring(self, record: str, effort: str, asker: Visitor) -> m.ReviewStatus:
        """Review a record from elsewhere; raises RequestRefused if it is none."""
        text = await self.labor.run(QUICK, asker, check, record)
        stored = StoredReview(new_id(), effort, 0, 0, None)
        await self.store.keep(stored, self.now(), text)
        return await self.want(stored.id, effort, asker)

    async def find(self, id: str) -> StoredReview:
        """A review as far as it is stored; raises RequestRefused if there is none."""
        stored = await self.store.find(id)
        if stored is None or not stored.body:
            raise RequestRefused("no_review")
        return stored

    async def follow(self, id: str) -> AsyncIterator[str]:
        """The review so far, and then how it grows: lines of JSON."""
        work = self._underway.get(id)
        follower = Follower()
        if work is not None:
            work.followers.add(follower)
        try:
            stored = await self.store.find(id)
            if stored is not None and stored.body:
                yield '{"type":"review","review":' + await asyncio.to_thread(unpacked, stored.body) + "}"
            while work is not None and follower in work.followers:
                try:
                    line = await asyncio.wait_for(follower.lines.get(), STORE_SECONDS)
                except TimeoutError:
                    if self._underway.get(id) is not work and follower.lines.empty():
                        break
                    continue
                yield line
            final = await self.store.find(id)
            state: m.ReviewState = "done" if final is not None and is_whole(final) else "stopped"
            yield m.ReviewEnd(state=state).model_dump_json()
        finally:
            if work is not None:
                work.followers.discard(follower)

    async def evaluate(self, asker: Visitor, question: m.EvaluationQuestion) -> AsyncIterator[str]:
        """What each decision is worth in a position, clearer from line to line; given up when nobody reads on."""
        lines: asyncio.Queue[str] = asyncio.Queue()
        job = asyncio.create_task(
            self.labor.run(
                ANALYSIS,
                asker,
                look,
                question.position,
                question.effort,
                list(question.include),
                tell=lines.put_nowait,
            )
        )
        job.add_done_callback(lambda _: lines.put_nowait(""))
        try:
            while line := await lines.get():
                yield line
            yield job.result()
        finally:
            job.cancel()

    async def look_for_games(self) -> None:
        """Begin with the games that nobody has reviewed yet."""
        if len(self._underway) < AT_ONCE:
            for id in await self.store.unreviewed(self.now() - RECENT, AT_ONCE):
                if id not in self._underway:
                    self._begin(id, "quick", OURSELVES, await self.store.find(id))

    async def close(self) -> None:
        """Give up everything; what was shown is stored."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # ------------------------------------------------------------------------------------------- what is done

    def _begin(self, id: str, effort: str, asker: Visitor, stored: StoredReview | None) -> RunningReview:
        work = self._underway[id] = RunningReview(id, effort, asker)
        if stored is not None:
            work.stored = stored._replace(effort=effort)
        task = asyncio.create_task(self._work(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return work

    async def _work(self, work: RunningReview) -> None:
        """Slice after slice, until all is done or nobody wants it any more."""
        keeping = asyncio.create_task(self._keep_up(work))
        try:
            subject = await self.store.subject(work.id)
            while subject is not None and work.is_wanted:
                try:
                    effort = work.effort
                    growth = await self.labor.run(
                        ANALYSIS, work.asker, study, subject.record, effort, work.stored.body, tell=work.grow
                    )
                except RequestRefused as refusal:  # there is no room now
                    if refusal.code == "too_long":
                        raise
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
                work.grow(growth)
                await self._store(work, effort)
                if growth.done == growth.total and effort == work.effort:
                    break
        except Exception:
            logger.exception("a review failed")
            broken = work.stored._replace(total=work.stored.done, body=work.stored.body or b"")
            with contextlib.suppress(Exception):
                await self.store.keep(broken, self.now())
        finally:
            keeping.cancel()
            if self._underway.get(work.id) is work:
                del self._underway[work.id]

    async def _keep_up(self, work: RunningReview) -> None:
        """Store and show what has grown, from time to time."""
        while True:
            await asyncio.sleep(STORE_SECONDS)
            await self._store(work, work.effort)

    async def _store(self, work: RunningReview, effort: str) -> None:
        """Store first, then show."""
        async with work.storing:
            grown, work.grown = work.grown, []
            if not grown:
                return
            last = grown[-1]
            stored = StoredReview(work.id, effort, last.done, last.total, last.body)
            await self.store.keep(stored, self.now())
            work.stored = stored
            for growth in grown:
                work.tell(growth.line)


def rank(effort: str) -> int:
    """How much effort that is, as a place among the efforts."""
    return EFFORTS.index(effort)


def is_whole(stored: StoredReview) -> bool:
    """Has every decision been looked at with the effort that was asked for?"""
    return stored.body is not None and stored.done == stored.total


def status(stored: StoredReview, state: m.ReviewState) -> m.ReviewStatus:
    """How a review stands, as it is told."""
    effort = cast(m.WishedEffort, stored.effort)
    return m.ReviewStatus(id=stored.id, effort=effort, done=stored.done, total=stored.total, state=state)


def unpacked(body: bytes) -> str:
    """A stored review as JSON."""
    return gzip.decompress(body).decode()
