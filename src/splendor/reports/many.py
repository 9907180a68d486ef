"""Reviews of many games, in processes of this machine or on a Ray cluster; what is there already is not made again."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splendor.analysis.model import FORMULA, Effort, Review
from splendor.analysis.reviewer import review
from splendor.arena.cluster import joined


@dataclass(frozen=True)
class Task:
    """A game to review, or to go on with."""

    name: str
    text: str
    effort: Effort
    seed: int
    seats: tuple[int, ...] | None = None
    resume: Review | None = None

    @property
    def is_done(self) -> bool:
        """Is there nothing to add to what it goes on from?"""
        old = self.resume
        return old is not None and old.is_complete and old.effort == self.effort and old.formula == FORMULA


@dataclass(frozen=True)
class Reviewed:
    """What came of a task: a review, or a sentence that says why not."""

    task: Task
    review: Review | None
    problem: str = ""


def work(task: Task) -> Reviewed:
    """Review one game, here."""
    try:
        if task.is_done:
            return Reviewed(task, task.resume)
        return Reviewed(task, review(task.text, task.effort, seats=task.seats, seed=task.seed, resume=task.resume))
    except ValueError as error:
        return Reviewed(task, None, str(error))


def review_all(tasks: Sequence[Task], workers: int, ray: str | None = None) -> Iterator[Reviewed]:
    """The results as they come in. What is complete already comes first."""
    yield from (work(task) for task in tasks if task.is_done)
    open_tasks = [task for task in tasks if not task.is_done]
    yield from on_cluster(open_tasks, ray, workers) if ray is not None else in_processes(open_tasks, workers)


def kept(path: Path) -> Review | None:
    """A review that was kept in a file, if it is there; raises ValueError if it is something else."""
    if not path.exists():
        return None
    try:
        return Review.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None


def keep(path: Path, result: Review) -> None:
    """Write a review as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".part")
    fresh.write_text(result.model_dump_json() + "\n", encoding="utf-8")
    fresh.replace(path)


def in_processes(tasks: Sequence[Task], workers: int) -> Iterator[Reviewed]:
    """By so many processes; none of them: right here."""
    if workers < 1 or len(tasks) == 1:
        yield from map(work, tasks)
        return
    with ProcessPoolExecutor(min(workers, len(tasks)), multiprocessing.get_context("spawn")) as pool:
        try:
            for future in as_completed([pool.submit(work, task) for task in tasks]):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def on_cluster(tasks: Sequence[Task], address: str, workers: int | None) -> Iterator[Reviewed]:
    """By tasks on a Ray cluster, which repeats those whose node has died."""
    with joined(address, workers) as ray:
        remote: Any = ray.remote(num_cpus=1, max_retries=3)(work)
        waiting = [remote.remote(task) for task in tasks]
        while waiting:
            ready, waiting = ray.wait(waiting, num_returns=1)
            yield from ray.get(ready)
