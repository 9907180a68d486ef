"""How a worker process comes to be: by itself it is started anew; a `ForkServer` is faster, where there is one."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Protocol


class Process(Protocol):
    """What has been started."""

    def send_signal(self, signal: int, /) -> None:
        """Raises OSError if it is gone."""
        ...

    async def wait(self) -> object:
        """When its end of the connection is closed: until nothing of it is left."""
        ...


Starter = Callable[[socket.socket], Awaitable[Process]]  # starts a worker at the other end of a connection


async def start_anew(connection: socket.socket) -> Process:
    """With an interpreter that has read nothing yet."""
    command = (sys.executable, "-m", "splendor.server.labor")
    return await asyncio.create_subprocess_exec(*command, stdin=connection.fileno())
