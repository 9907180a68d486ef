"""Programs for tests: engines that do something wrong; the children of a process, and whether one has ended."""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path

MISBEHAVING = Path(__file__).parent / "engines" / "misbehaving.py"


def misbehaving(fault: str, *arguments: str) -> str:
    """The command for an engine with this fault."""
    return " ".join([sys.executable, str(MISBEHAVING), f"'{fault}'", *arguments])


def has_ended(pid: int) -> bool:
    """Wait for a process to be gone, or to wait for its parent, however long that takes."""
    for _ in range(20_000):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX":
                time.sleep(0.005)
                continue
        return True
    return False


def children(pid: int) -> list[int]:
    """The processes that a process has started and that have not ended."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            state, parent = file.read_text().rpartition(")")[2].split()[:2]
            if int(parent) == pid and state not in "ZX":
                found.append(int(file.parent.name))
    return found
