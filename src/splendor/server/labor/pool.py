"""`Labor`: functions run in worker processes, so that the event loop is free for everyone else.

Each job has a kind, a visitor and a time limit; a worker that takes too long or dies is replaced. Jobs wait in a fair
queue, and when there is no room whoever asks is refused at once: nobody waits for somebody else's flood.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import signal
import socket
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from splendor.server.labor.queue import FairQueue, Full, Kind, ShareSpent, Taken, Visitor
from splendor.server.labor.starting import Process, Starter, start_anew
from splendor.server.labor.worker import LENGTH, REPORT, STOP, packed
from splendor.server.logs import logger
from splendor.server.refusal import RequestRefused

T = TypeVar("T")
Tell = Callable[[Any], None]

START_SECONDS = 60.0  # more for the first job of a worker, which may have to compile rules
END_SECONDS = 2.0  # for a worker to end in good order, with the engines it has started


class Overdue(Exception):
    """A job took too long, or its worker died over it."""


class QueuedCall:
    """Something to do, and whoever waits for it."""

    def __init__(self, function: Callable[..., object], args: tuple[object, ...], tell: Tell | None) -> None:
        """`tell` is given what the function reports on its way."""
        self.function, self.args, self.tell = function, args, tell
        self.result: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.worker: WorkerProcess | None = None  # while it is underway
        self.timer: asyncio.TimerHandle | None = None  # when it has waited for too long

    def message(self, share: float | None) -> bytes:
        """The call as it is sent to a worker."""
        keywords = {} if share is None else {"share": share}
        return pickle.dumps((self.function, self.args, keywords, self.tell is not None))


class WorkerProcess:
    """One process, started when it is first needed, and again after it was ended."""

    def __init__(self, start: Starter) -> None:
        """Not started."""
        self._start_worker = start
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None  # of the connection to it
        self._process: Process
        self.is_warm = False  # it has done something already, so that what it needs is read and compiled

    async def do(self, message: bytes, seconds: float, tell: Tell | None = None) -> bytes:
        """The reply to a message; raises Overdue."""
        try:
            if self._ends is None or self._ends[0].at_eof():
                await self._start()
            assert self._ends is not None
            reader, writer = self._ends
            async with asyncio.timeout(seconds + (0 if self.is_warm else START_SECONDS)):
                writer.write(packed(message))
                await writer.drain()
                while (reply := await read(reader))[:1] == REPORT:
                    if tell is not None:
                        tell(pickle.loads(reply[1:]))
        except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
            logger.warning("a worker was replaced", extra={"error": type(error).__name__})
            await self.end()
            raise Overdue from None
        except asyncio.CancelledError:
            await self.end()
            raise
        self.is_warm = True
        return reply[1:]

    async def _start(self) -> None:
        """Start it. Where a fork server is gone, which the system may have ended for want of memory, do without it."""
        await self.end()
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = await self._start_worker(theirs)
            except OSError:
                self._process = await start_anew(theirs)
        self._ends = await asyncio.open_connection(sock=ours)

    def stop(self) -> None:
        """Ask the worker to give up what it does, when it next reports."""
        if self._ends is not None:
            self._ends[1].write(STOP)

    async def end(self) -> None:
        """End the process: there is nothing in it to be saved. It is gone when its end of the connection is closed."""
        ends, self._ends, self.is_warm = self._ends, None, False
        if ends is None:
            return
        reader, writer = ends
        with contextlib.suppress(OSError):
            self._process.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(read_to_the_end(reader), END_SECONDS)
            except TimeoutError:  # it is deep in compiled code
                self._process.send_signal(signal.SIGKILL)
                await read_to_the_end(reader)
        writer.close()
        await self._process.wait()


async def read(reader: asyncio.StreamReader) -> bytes:
    """The next message."""
    length = LENGTH.unpack(await reader.readexactly(LENGTH.size))[0]
    return await reader.readexactly(length)


async def read_to_the_end(reader: asyncio.StreamReader) -> None:
    """Until the other end is closed."""
    while await reader.read(1 << 16):
        pass


class Labor:
    """Some workers, for some kinds of work."""

    def __init__(self, workers: int, kinds: Sequence[Kind], start: Starter = start_anew) -> None:
        """The kinds that come first are named first."""
        self._idle = [WorkerProcess(start) for _ in range(workers)]
        self._workers = list(self._idle)
        self._queue: FairQueue[QueuedCall] = FairQueue(kinds, workers)
        self._tasks: set[asyncio.Task[None]] = set()
        self._warming = 0  # workers that are getting ready

    @property
    def waiting(self) -> int:
        """How many jobs wait for a worker."""
        return len(self._queue)

    async def run(
        self, kind: Kind, visitor: Visitor, function: Callable[..., T], /, *args: object, tell: Tell | None = None
    ) -> T:
        """What the function returns or raises, called in a worker.

        It must be importable, and arguments and result picklable. With `tell` it is called with a keyword `tell`, and
        what it tells arrives here. A job of a hurried kind is called with `share`, of the time that it usually takes.
        When this is cancelled, a job that waits is not done, and one that tells something is given up.

        Raises RequestRefused if there is no room: `too_many` when the visitor has spent a share, `busy` when all have
        or the job has waited for too long; and `too_long` when the job took too long.
        """
        job = QueuedCall(function, args, tell)
        try:
            self._queue.put(kind, visitor, job)
        except ShareSpent:
            raise RequestRefused("too_many", seconds=1.0, what=kind.name) from None
        except Full:
            raise RequestRefused("busy") from None
        job.timer = self._patience(kind, visitor, job)
        self._dispatch()
        try:
            is_good, result = pickle.loads(await job.result)
        except Overdue:
            raise RequestRefused("too_long") from None
        except asyncio.CancelledError:
            self._queue.give_up(kind, visitor, job)
            if job.worker is not None and tell is not None:
                job.worker.stop()
            raise
        finally:
            if job.timer is not None:
                job.timer.cancel()
        if not is_good:
            raise result
        return cast(T, result)

    def _patience(self, kind: Kind, visitor: Visitor, job: QueuedCall) -> asyncio.TimerHandle | None:
        """How long a job will wait."""
        if kind.patience is None:
            return None
        return asyncio.get_running_loop().call_later(kind.patience, self._expire, kind, visitor, job)

    def _expire(self, kind: Kind, visitor: Visitor, job: QueuedCall) -> None:
        """A job has waited for too long, apart from waiting for workers to get ready."""
        if job.worker is not None or job.result.done():
            return
        if self._warming:
            job.timer = self._patience(kind, visitor, job)
        else:
            self._queue.give_up(kind, visitor, job)
            job.result.set_exception(RequestRefused("busy"))

    def _dispatch(self) -> None:
        """Give jobs to idle workers."""
        while self._idle and (taken := self._queue.take()) is not None:
            task = asyncio.create_task(self._do(self._idle.pop(), taken))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _do(self, worker: WorkerProcess, taken: Taken[QueuedCall]) -> None:
        kind, visitor, job = taken
        job.worker = worker
        is_cold = not worker.is_warm
        self._warming += is_cold
        try:
            share = len(self._workers) / (len(self._workers) + self._queue.waiting(kind)) if kind.is_hurried else None
            reply = await worker.do(job.message(share), kind.seconds, job.tell)
            if not job.result.done():
                job.result.set_result(reply)
        except Exception as error:
            if not job.result.done():
                job.result.set_exception(error)
        except asyncio.CancelledError:
            job.result.cancel()
            raise
        finally:
            job.worker = None
            self._warming -= is_cold
            self._queue.done(kind, visitor)
            self._idle.append(worker)
            self._dispatch()

    async def warm_up(self, function: Callable[[], object], *, workers: int | None = None) -> None:
        """Have workers do this first, so that the first visitors need not wait until it is compiled."""
        job = pickle.dumps((function, (), {}, False))
        busy = [self._idle.pop() for _ in range(len(self._idle) if workers is None else min(workers, len(self._idle)))]
        self._warming += len(busy)
        try:
            await asyncio.gather(*(worker.do(job, START_SECONDS) for worker in busy), return_exceptions=True)
        finally:
            self._warming -= len(busy)
            self._idle += busy
            self._dispatch()

    async def close(self) -> None:
        """End all workers."""
        self._idle = []
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self._workers))
