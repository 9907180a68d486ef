"""A child program that talks in lines and cannot hurt us: bounded in what it says, ended for sure.

Three threads serve its pipes, so that a program that reads nothing, writes too much or hangs never blocks its
caller. What it writes is cut into lines of limited length and waits in a short queue: whoever floods is
held back by the full pipe. On POSIX the program leads a process group, which is killed as a whole.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from typing import IO

WAITING_LINES = 64  # read from the program, not yet asked for
KEPT_ERRORS = 8 * 1024  # bytes of stderr, the last ones
CHUNK = 16 * 1024
LAST_WORDS = 1.0  # seconds for a program that closed its output to end by itself


class LineTooLong(Exception):
    """The program wrote a line beyond the limit."""


class ProgramEnded(Exception):
    """The program closed its output: it has ended, or is about to."""


class Program:
    """A running command."""

    def __init__(self, command: str, max_line: int) -> None:
        """Start it; raises OSError or ValueError if that is not possible."""
        arguments = shlex.split(command)
        if not arguments:
            raise ValueError("an engine needs a command, such as engine:python3 bot.py")
        self._process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=os.name == "posix",
        )
        self._max_line = max_line
        self._lines: queue.Queue[bytes | Exception] = queue.Queue(WAITING_LINES)
        self._to_write: queue.Queue[bytes | None] = queue.Queue()
        self._errors = b""
        self._closed = threading.Event()
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        jobs = zip((self._write, self._read, self._read_errors), streams, strict=True)
        self._threads = [threading.Thread(target=job, args=(stream,), daemon=True) for job, stream in jobs]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The id of the process, and on POSIX of its group."""
        return self._process.pid

    def send(self, line: str) -> None:
        """Write a line, some time soon; a program that has ended does not get it."""
        self._to_write.put(line.encode() + b"\n")

    def receive(self, timeout: float) -> bytes:
        """The next line. Raises TimeoutError, LineTooLong or ProgramEnded."""
        try:
            line = self._lines.get(timeout=max(timeout, 0.0))
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(line, Exception):
            raise line
        return line

    def errors(self) -> str:
        """The last that it wrote to stderr."""
        return self._errors.decode(errors="replace").strip()

    def close(self, patience: float = 0.0) -> int:
        """End the program and everything in its group, after a moment to end by itself; return its exit status."""
        if self._process.returncode is not None:
            return self._process.returncode
        self._to_write.put(None)
        _await_exit(self._process, patience)
        _kill(self._process.pid)
        status = self._process.wait()
        self._closed.set()
        for thread in self._threads:
            thread.join(LAST_WORDS)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        return status

    # ----------------------------------------------------------------------------------------- the threads

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (line := self._to_write.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[stream.write(rest) :]
        with contextlib.suppress(OSError):
            stream.close()

    def _read(self, stream: IO[bytes]) -> None:
        pending = b""
        with contextlib.suppress(OSError, ValueError):
            while chunk := stream.read(CHUNK):
                *lines, pending = (pending + chunk).split(b"\n")
                for line in lines:
                    self._put(line if len(line) < self._max_line else LineTooLong())
                if len(pending) >= self._max_line:
                    self._put(LineTooLong())
                    return
                if self._closed.is_set():
                    return
        self._put(ProgramEnded())

    def _put(self, line: bytes | Exception) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return

    def _read_errors(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := stream.read(CHUNK):
                self._errors = (self._errors + chunk)[-KEPT_ERRORS:]
                self._closed.wait(0.001)  # a flood gets no more of our time than this


def _await_exit(process: subprocess.Popen[bytes], patience: float) -> None:
    """Wait a little for an exit without reaping the process, so that its id stays ours until the group is killed."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if sys.platform == "win32":
            ended = process.poll() is not None
        else:
            ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        if ended:
            return
        time.sleep(0.005)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)
