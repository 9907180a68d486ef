"""A process that works: a function and its arguments come in by a connection, what it returns or raises goes out.

Both are pickled, with their length in front. The server is the only one at the other end. A function may report on its
way; when nobody wants its result any more, the next report ends it.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import struct
import sys
from collections.abc import Callable
from functools import partial
from typing import BinaryIO

LENGTH = struct.Struct(">Q")
STOP = LENGTH.pack(0)  # instead of a job: the one underway is not wanted any more
REPORT, RESULT = b"t", b"r"  # the first byte of what goes out
NICENESS = 5  # the event loop, which everyone waits for, comes first


at_end: list[Callable[[], object]] = []  # what is to be called before the process ends, to end what jobs have started


class GivenUp(Exception):
    """Nobody wants the result of this job any more."""


def main(connection: int) -> None:
    """Work until there is nothing more to do; the connection is a file descriptor."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # by Ctrl-C the server ends first, and then us
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # in good order, which ends engines that were started
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    os.dup2(2, 1)  # as if whatever is printed were an error
    with contextlib.suppress(SystemExit, BrokenPipeError, ConnectionResetError):
        work(os.fdopen(connection, "rb", buffering=0), os.fdopen(os.dup(connection), "wb"))
    for end in at_end:
        end()


def work(jobs: BinaryIO, replies: BinaryIO) -> None:
    """Do one job after the other."""
    while (job := read(jobs)) is not None:
        if job:
            send(replies, RESULT + answer(job, partial(tell, jobs, replies)))


def read(pipe: BinaryIO) -> bytes | None:
    """The next message; None at the end. It reads no further than that, so that `select` sees what comes next."""
    length = read_exactly(pipe, LENGTH.size)
    return None if length is None else read_exactly(pipe, LENGTH.unpack(length)[0])


def read_exactly(pipe: BinaryIO, size: int) -> bytes | None:
    """So many bytes; None if the pipe ends before."""
    parts = []
    while size:
        part = pipe.read(size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def packed(message: bytes) -> bytes:
    """A message as it goes through a pipe."""
    return LENGTH.pack(len(message)) + message


def send(pipe: BinaryIO, message: bytes) -> None:
    """Send a message."""
    pipe.write(packed(message))
    pipe.flush()


def tell(jobs: BinaryIO, replies: BinaryIO, report: object) -> None:
    """Report on the job underway; raises GivenUp if nobody wants it any more."""
    if select.select([jobs], [], [], 0)[0]:
        read(jobs)  # nothing but a stop comes while a job is underway
        raise GivenUp
    send(replies, REPORT + pickle.dumps(report))


def answer(job: bytes, tell: Callable[[object], None]) -> bytes:
    """Whether it went well, and what it returned or raised."""
    try:
        function, args, keywords, tells = pickle.loads(job)
        return pickle.dumps((True, function(*args, **keywords, **({"tell": tell} if tells else {}))))
    except Exception as error:
        try:
            pickle.loads(reply := pickle.dumps((False, error)))
        except Exception:  # an error that cannot travel
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return reply
