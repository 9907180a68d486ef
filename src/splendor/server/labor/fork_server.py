"""`ForkServer`: a process that has read what workers need, and becomes one whenever one is wanted.

A worker that is forked is ready in milliseconds and shares its memory with the others; one that is started anew reads
for seconds. Only a process without threads may fork, so this one begins before the server has any, and does no work.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import signal
import socket
import struct

from splendor.server.labor import worker
from splendor.server.labor.starting import Process

REQUEST = struct.Struct(">iI")  # a signal for a worker, or FORK, and the number of the worker
FORK = 0
HIGHEST_FILE = 1 << 20
END_SIGNAL = 1  # PR_SET_PDEATHSIG


class ForkServer:
    """The server's end of it."""

    def __init__(self, control: socket.socket) -> None:
        """Behind this socket is a process that runs `serve`."""
        self._control = control
        self._control.setblocking(False)
        self._numbers = itertools.count(1)

    @classmethod
    def begin(cls) -> ForkServer:
        """A copy of this process as it is now; the next thing after everything is read and nothing is open."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork() == 0:
            with contextlib.suppress(BaseException):
                keep_only(theirs.fileno())
                serve(theirs)
            os._exit(0)
        theirs.close()
        return cls(ours)

    async def start(self, connection: socket.socket) -> Process:
        """Have a worker begin at the other end of a connection; raises OSError if the process is gone."""
        number = next(self._numbers)
        socket.send_fds(self._control, [REQUEST.pack(FORK, number)], [connection.fileno()])
        return ForkedProcess(self._control, number)

    def close(self) -> None:
        """End the process; workers end when their connections do."""
        self._control.close()


class ForkedProcess:
    """One of its workers."""

    def __init__(self, control: socket.socket, number: int) -> None:
        """The number is that of the request."""
        self._control, self._number = control, number

    def send_signal(self, signal: int) -> None:
        """Have the fork server send it; raises OSError if that is gone."""
        self._control.send(REQUEST.pack(signal, self._number))

    async def wait(self) -> None:
        """The fork server waits for it."""


def keep_only(file: int) -> None:
    """Close what the process that was copied has open, apart from what it prints to."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.closerange(3, file)
    os.closerange(file + 1, HIGHEST_FILE)


def serve(control: socket.socket) -> None:
    """Fork workers and pass signals on to them, until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # by Ctrl-C the server ends first, and then us
    workers: dict[int, int] = {}  # the process of each number; it waits for us to notice its end, so the id is its own
    while True:
        request, files, _, _ = socket.recv_fds(control, REQUEST.size, 1)
        if not request:
            return
        forget_ended(workers)
        which, number = REQUEST.unpack(request)
        if which != FORK:
            if number in workers:
                os.kill(workers[number], which)
            continue
        (connection,) = files
        pid = os.fork()
        if pid == 0:
            control.close()
            with contextlib.suppress(BaseException):
                end_with_parent()
                worker.main(connection)
            os._exit(0)
        os.close(connection)
        workers[number] = pid


def end_with_parent() -> None:
    """Get a SIGTERM when the fork server ends: nobody could send one any more."""
    ctypes.CDLL(None).prctl(END_SIGNAL, signal.SIGTERM)


def forget_ended(workers: dict[int, int]) -> None:
    """Take out those that have ended."""
    for number, pid in list(workers.items()):
        if os.waitpid(pid, os.WNOHANG)[0]:
            del workers[number]
