"""A crew of processes on this machine.

Processes are spawned, not forked, so that every worker starts clean on every system. A worker that dies is
replaced; one whose master is gone ends by itself.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from splendor.arena.play import GameResult, Lineup, play_job
from splendor.arena.schedule import Job

FAREWELL = 3.0  # seconds for a worker to end its engines


@dataclass(slots=True)
class Worker:
    """A process, our end of its pipe, and what it plays."""

    process: SpawnProcess
    pipe: Connection
    job: Job | None = None


class Workers:
    """Several worker processes; each plays one job at a time."""

    def __init__(self, count: int) -> None:
        """Hire `count` workers."""
        self._context = multiprocessing.get_context("spawn")
        self._workers = [self._hire() for _ in range(count)]

    @property
    def pids(self) -> list[int]:
        """The ids of the processes."""
        return [worker.process.pid or 0 for worker in self._workers]

    @property
    def has_room(self) -> bool:
        """Is a worker free?"""
        return any(worker.job is None for worker in self._workers)

    def give(self, job: Job) -> None:
        """Let a free worker play a job."""
        worker = next(worker for worker in self._workers if worker.job is None)
        worker.job = job
        with contextlib.suppress(OSError):  # it died while it was idle; `wait` finds out
            worker.pipe.send(job)

    def wait(self) -> list[tuple[Job, GameResult | None]]:
        """Wait for a result, or for a death."""
        busy = {worker.pipe: place for place, worker in enumerate(self._workers) if worker.job is not None}
        done: list[tuple[Job, GameResult | None]] = []
        for pipe in wait(list(busy)):
            place = busy[pipe]  # type: ignore[index]  # these are the connections that were given
            worker = self._workers[place]
            job = worker.job
            assert job is not None
            try:
                done.append((job, worker.pipe.recv()))
                worker.job = None
            except Exception:  # it died, perhaps in the middle of a result
                done.append((job, None))
                self._dismiss(worker, 0.0)
                self._workers[place] = self._hire()
        return done

    def close(self) -> None:
        """Send everybody home; who is in the middle of a game is not waited for."""
        for worker in self._workers:
            if worker.job is None:
                worker.pipe.close()
        for worker in self._workers:
            self._dismiss(worker, FAREWELL if worker.job is None else 0.0)
        self._workers = []

    def _hire(self) -> Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return Worker(process, ours)

    def _dismiss(self, worker: Worker, patience: float) -> None:
        worker.process.join(patience)
        if worker.process.is_alive():
            worker.process.terminate()
            worker.process.join(FAREWELL)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.pipe.close()
        worker.process.close()


def work(pipe: Connection) -> None:
    """What a worker does: play what comes, until nothing more does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the master decides when to stop
    signal.signal(signal.SIGTERM, _leave)
    lineup = Lineup()
    try:
        while True:
            pipe.send(play_job(pipe.recv(), lineup))
    except (EOFError, OSError):
        pass
    finally:
        lineup.close()


def _leave(*_: object) -> None:
    raise SystemExit(0)


def all_cores() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
