"""Servers that begin where another process has done the reading: modules imported, rules loaded.

A server needs seconds of the processor before it can say anything, and tests start many. So one process gets ready
once and forks for each. What is forked has an environment, output and signals of its own, as any process has.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.forkserver import ensure_running
from pathlib import Path

from splendor.server.labor.fork_server import ForkServer

if os.environ.get("NURSERY"):  # the process that forks
    from splendor.server.live.warm import warm_up
    from splendor.server.process import running  # noqa: F401

    warm_up()

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__])


class Forked:
    """Such a process, which can be asked what `subprocess.Popen` can be asked."""

    def __init__(self, script: Sequence[str], environment: Mapping[str, str], output: Path, log: Path) -> None:
        """Run what `python` runs with these arguments."""
        self._process = _CONTEXT.Process(target=_run, args=(list(script), dict(environment), output, log))
        _begin_here()
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, seconds: float) -> int:
        self._process.join(seconds)
        status = self._process.exitcode
        if status is None:
            raise TimeoutError(f"process {self.pid} does not end")
        return status


def _begin_here() -> None:
    """The process that forks finds this module, and knows what it is for."""
    before = {name: os.environ.get(name) for name in ("NURSERY", "PYTHONPATH")}
    os.environ |= {"NURSERY": "1", "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        ensure_running()
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _run(script: list[str], environment: dict[str, str], output: Path, log: Path) -> None:
    os.environ.clear()
    os.environ |= environment
    for number, path in ((1, output), (2, log)):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(opened, number)
        os.close(opened)
    if script[0] == "-m":
        sys.argv = script[1:]
        runpy.run_module(script[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = script
        runpy.run_path(script[0], run_name="__main__")


@contextmanager
def a_fork_server(first: str = "") -> Iterator[ForkServer]:
    """One for workers, in an interpreter of its own that has run something first: this process may have threads."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    serve = "import socket; from splendor.server.labor.fork_server import serve; serve(socket.socket(fileno=0))"
    with theirs:
        process = subprocess.Popen([sys.executable, "-c", f"{first}\n{serve}"], stdin=theirs.fileno())
    fork_server = ForkServer(ours)
    try:
        yield fork_server
    finally:
        fork_server.close()
        assert process.wait() == 0
