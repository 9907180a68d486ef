"""Computers as players: a fixed number of processes outside the event loop, each question with a time limit.

A process that fails or takes too long is ended, with the engine that it may have started, and a new one started for
the next question. Whoever asks is told by `ComputerFailed` and decides what happens at the table.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process

from splendor.game import Game

START_SECONDS = 60.0  # the first question of a process waits for the rules to be compiled and the network to be read
END_SECONDS = 2.0  # for a process to end its engine and itself
MOST_WAITING = 1000


class ComputerFailed(RuntimeError):
    """There is no move from this computer."""


class Computers:
    """A pool of thinking processes."""

    def __init__(self, count: int, thinking_time: float) -> None:
        """Processes start when they are first needed."""
        self.thinking_time = thinking_time
        self.waiting = 0
        self.failures = 0
        self._ids = 0
        self._closed = False
        self._idle: asyncio.LifoQueue[Process | None] = asyncio.LifoQueue()
        for _ in range(count):
            self._idle.put_nowait(None)  # a place for a process that is not there yet
        self._processes: set[Process] = set()
        self._warmed: set[Process] = set()

    async def choose(self, player: str, position: str, viewer: int) -> str:
        """A move, as notation, for a position as its viewer sees it; raises ComputerFailed."""
        if self.waiting >= MOST_WAITING or self._closed:
            raise ComputerFailed("too many questions")
        self.waiting += 1
        try:
            process = await self._idle.get()
        finally:
            self.waiting -= 1
        try:
            process = await self._ready(process)
            return await self._ask(process, player, position, viewer)
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError) as error:
            self.failures += 1
            await self._end(process)
            process = None
            raise ComputerFailed(str(error) or type(error).__name__) from None
        except asyncio.CancelledError:
            await self._end(process)
            process = None
            raise
        finally:
            self._idle.put_nowait(process)

    async def warm_up(self) -> None:
        """Start a process and wait until it answers, so that nobody has to wait for that at a table."""
        if self._idle.qsize():
            with contextlib.suppress(ComputerFailed):
                await self.choose("random", Game(players=2, seed=0).view(0).position, 0)

    async def _ready(self, process: Process | None) -> Process:
        if process is not None and process.returncode is None:
            return process
        if process is not None:
            self._processes.discard(process)
        fresh = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "splendor.server.thinker", stdin=PIPE, stdout=PIPE, stderr=DEVNULL
        )
        self._processes.add(fresh)
        return fresh

    async def _ask(self, process: Process, player: str, position: str, viewer: int) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        self._ids += 1
        question = {"id": self._ids, "player": player, "position": position, "viewer": viewer}
        process.stdin.write(json.dumps(question).encode() + b"\n")
        patience = self.thinking_time + (0 if process in self._warmed else START_SECONDS)
        async with asyncio.timeout(patience):
            await process.stdin.drain()
            line = await process.stdout.readuntil(b"\n")
        self._warmed.add(process)
        reply = json.loads(line)
        if reply.get("id") != question["id"]:
            raise ValueError("an answer to another question")
        if "move" not in reply:
            raise ValueError(reply.get("error", "no move"))
        return str(reply["move"])

    async def _end(self, process: Process | None) -> None:
        if process is None:
            return
        self._processes.discard(process)
        self._warmed.discard(process)
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), END_SECONDS)
            except TimeoutError:  # it is deep in thought
                process.kill()
        await process.wait()

    async def close(self) -> None:
        """End all processes."""
        self._closed = True
        await asyncio.gather(*(self._end(process) for process in list(self._processes)))
