"""Give jobs to workers and take each result exactly once, whatever happens to the workers.

A crew is any set of workers, processes of this machine or of a cluster. When a worker dies, its job is given to
another one; a job that takes several workers with it is void, and the match goes on.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from typing import Protocol

from splendor.arena.play import GameResult, Lineup, play_job
from splendor.arena.schedule import Job

MAX_DEATHS = 3  # of workers over one job


class Crew(Protocol):
    """Workers that play jobs."""

    @property
    def has_room(self) -> bool:
        """Can another job be given?"""
        ...

    def give(self, job: Job) -> None:
        """Let a free worker play this."""
        ...

    def wait(self) -> list[tuple[Job, GameResult | None]]:
        """Wait until at least one job is done, or its worker dead: then its result is None."""
        ...

    def close(self) -> None:
        """Send everybody home, in the middle of a game if need be."""
        ...


class Alone:
    """A crew without workers: the jobs are played right here."""

    def __init__(self) -> None:
        """Nobody to hire."""
        self._lineup = Lineup()
        self._job: Job | None = None

    @property
    def has_room(self) -> bool:
        """One job at a time."""
        return self._job is None

    def give(self, job: Job) -> None:
        """Keep it for `wait`."""
        self._job = job

    def wait(self) -> list[tuple[Job, GameResult | None]]:
        """Play it."""
        assert self._job is not None
        job, self._job = self._job, None
        return [(job, play_job(job, self._lineup))]

    def close(self) -> None:
        """End the engines."""
        self._lineup.close()


def play_all(jobs: Iterable[Job], crew: Crew) -> Generator[GameResult]:
    """The result of every job, once, as they come in; the crew is sent home at the end."""
    ahead, again = iter(jobs), deque[Job]()
    deaths: Counter[int] = Counter()
    under_way: set[int] = set()
    with closing(crew):
        while True:
            while crew.has_room and (job := again.popleft() if again else next(ahead, None)) is not None:
                under_way.add(job.number)
                crew.give(job)
            if not under_way:
                return
            for job, result in crew.wait():
                if job.number not in under_way:
                    continue
                under_way.remove(job.number)
                if result is not None:
                    yield result
                    continue
                deaths[job.number] += 1
                if deaths[job.number] < MAX_DEATHS:
                    again.append(job)
                else:
                    yield GameResult(job, "void", void_reason=f"{MAX_DEATHS} workers died while playing it")


def in_order(results: Iterable[GameResult]) -> Iterator[GameResult]:
    """The same in the order of their numbers, so that nothing depends on which worker was faster."""
    early: dict[int, GameResult] = {}
    due = 0
    for result in results:
        early[result.job.number] = result
        while due in early:
            yield early.pop(due)
            due += 1
