"""A crew on a Ray cluster: the same jobs, played by actors anywhere.

Ray is an extra (`pip install splendor[ray]`) and is imported only here, when it is used. The package must be
installed on every node.
"""

from __future__ import annotations

import importlib
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from splendor.arena.play import GameResult, Lineup, play_job
from splendor.arena.schedule import Job

REACH_SECONDS = 10.0


class RayPlayer:
    """The actor: plays one job at a time."""

    def __init__(self) -> None:
        """An empty table."""
        self._lineup = Lineup()

    def pid(self) -> int:
        """The id of its process, on its node."""
        return os.getpid()

    def play(self, job: Job) -> GameResult:
        """Play a job."""
        return play_job(job, self._lineup)


class RayCrew:
    """Actors on a cluster; one that dies is replaced."""

    def __init__(self, address: str, count: int | None = None) -> None:
        """Join the cluster at an address, "local" for one of our own, and hire an actor for each of its cores.

        Raises ValueError if Ray is not installed or the cluster cannot be reached.
        """
        ray, self._joined = join(address, count)
        self._ray = ray
        count = count or int(ray.cluster_resources().get("CPU", 1))
        self._actor: Any = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(RayPlayer)
        self._idle: list[Any] = [self._actor.remote() for _ in range(count)]
        self._busy: dict[Any, tuple[Any, Job]] = {}  # the promise of a result: who plays which job

    @property
    def has_room(self) -> bool:
        """Is an actor free?"""
        return bool(self._idle)

    def pids(self) -> list[int]:
        """The ids of the processes of the actors that are free."""
        return [int(pid) for pid in self._ray.get([actor.pid.remote() for actor in self._idle])]

    def give(self, job: Job) -> None:
        """Let a free actor play a job."""
        actor = self._idle.pop(0)
        self._busy[actor.play.remote(job)] = actor, job

    def wait(self) -> list[tuple[Job, GameResult | None]]:
        """Wait for a result, or for the death of an actor or its node."""
        ready, _ = self._ray.wait(list(self._busy), num_returns=1)
        done: list[tuple[Job, GameResult | None]] = []
        for promise in ready:
            actor, job = self._busy.pop(promise)
            try:
                done.append((job, self._ray.get(promise)))
                self._idle.append(actor)
            except self._ray.exceptions.RayError:
                done.append((job, None))
                self._ray.kill(actor)
                self._idle.append(self._actor.remote())
        return done

    def close(self) -> None:
        """Send the actors home, and leave the cluster if this joined it."""
        for actor in [*self._idle, *(actor for actor, _ in self._busy.values())]:
            self._ray.kill(actor)
        self._idle, self._busy = [], {}
        if self._joined:
            self._ray.shutdown()


def join(address: str, count: int | None) -> tuple[ModuleType, bool]:
    """Ray, connected with the cluster at an address, and whether this has connected it.

    Raises ValueError if Ray is not installed or the cluster cannot be reached.
    """
    try:
        ray = importlib.import_module("ray")
    except ImportError:
        raise ValueError("this needs Ray: pip install splendor[ray]") from None
    if ray.is_initialized():
        return ray, False
    try:
        check_reachable(address)
        own = {"num_cpus": count, "include_dashboard": False} if address == "local" else {}
        ray.init(address=address, log_to_driver=False, logging_level="error", **own)
    except (OSError, ValueError, RuntimeError) as error:
        raise ValueError(f"there is no Ray cluster at {address}: {error}") from None
    return ray, True


@contextmanager
def joined(address: str, count: int | None) -> Iterator[ModuleType]:
    """Ray, connected for a while."""
    ray, is_ours = join(address, count)
    try:
        yield ray
    finally:
        if is_ours:
            ray.shutdown()


def check_reachable(address: str) -> None:
    """Raise OSError if nobody listens at `host:port` or `ray://host:port`; Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), REACH_SECONDS).close()
