"""Real processes for tests: servers, and the command `splendor`."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Self

import httpx

from server.nursery import Forked

START_SECONDS = 120.0
COMMAND_SECONDS = 120.0
RIGGED = Path(__file__).parent / "rigged.py"


class Server:
    """`splendor serve`, or another script, with its own database; started, ended and killed at will."""

    is_forked = True

    def __init__(self, folder: Path, script: list[str] | None = None, **settings: object) -> None:
        self.folder = folder
        self.script = script or ["-m", "splendor.server.process.serving"]
        folder.mkdir(parents=True, exist_ok=True)
        defaults = {
            "database": f"sqlite:///{folder / 'splendor.db'}",
            "limits": 0,
            "computer_pause": 0,
            "reviews": False,
            "log_level": "debug",
            "port": free_port(),
        }
        self.settings: dict[str, object] = defaults | settings
        self.url = ""
        self.process: subprocess.Popen[bytes] | Forked | None = None
        self.log = folder / "log"

    def start(self) -> Self:
        names = {f"SPLENDOR_{name.upper()}": str(value) for name, value in self.settings.items()}
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SPLENDOR_") or k == "SPLENDOR_CACHE"}
        said = self.folder / "said"
        said.unlink(missing_ok=True)
        self.process = self._begin(environment | names, said)
        deadline = time.monotonic() + START_SECONDS
        while not said.exists() or "\n" not in (line := said.read_text()):
            assert self.process.poll() is None, self.logs()[-3000:]
            assert time.monotonic() < deadline, self.logs()[-3000:]
            time.sleep(0.02)
        assert line.startswith("splendor is at "), f"{line!r} {self.logs()[-3000:]}"
        self.url = f"http://127.0.0.1:{self.settings['port']}"
        while True:
            try:
                if httpx.get(f"{self.url}/healthz").status_code == 200:
                    return self
            except httpx.TransportError:
                assert self.process.poll() is None, self.logs()[-3000:]
                assert time.monotonic() < deadline, self.logs()[-3000:]
            time.sleep(0.05)

    def _begin(self, environment: dict[str, str], said: Path) -> subprocess.Popen[bytes] | Forked:
        if self.is_forked:
            return Forked(self.script, environment, said, self.log)
        with self.log.open("ab") as log, said.open("ab") as output:
            return subprocess.Popen([sys.executable, *self.script], env=environment, stdout=output, stderr=log)

    def kill(self) -> None:
        """Without any warning, as by a power cut."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self._reap()

    def stop(self) -> int:
        """By a polite signal; returns the exit status."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self._reap()

    def _reap(self) -> int:
        assert self.process is not None
        status = self.process.wait(60)
        self.process = None
        return status

    def logs(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.stop()


def splendor(*words: str) -> subprocess.CompletedProcess[str]:
    """The command, in a process of its own that has read everything already."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        status = Forked(["-m", "splendor", *words], os.environ, out, err).wait(COMMAND_SECONDS)
        return subprocess.CompletedProcess(words, status, out.read_text(), err.read_text())


class FreshServer(Server):
    """A server for which nothing is imported when it begins."""

    is_forked = False


def free_port() -> int:
    """A port that is free, and stays so while a server is down: the system gives these to no other connection."""
    while True:
        port = random.randrange(10_000, 30_000)
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Rigged(Server):
    """A server that deals these positions, and for which time passes only when it is told so; see `rigged.py`."""

    def __init__(self, folder: Path, positions: list[str], **settings: object) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        deals, self.clock = folder / "positions", folder / "clock"
        deals.write_text("\n".join(positions))
        self.now = 1_800_000_000.0
        self.pass_time(0.0)
        super().__init__(folder, [str(RIGGED), str(deals), str(self.clock)], grace=3600, heartbeat=3600, **settings)

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        written = self.clock.with_suffix(".new")
        written.write_text(repr(self.now))
        written.replace(self.clock)
