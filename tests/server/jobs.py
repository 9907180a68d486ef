"""Jobs for the workers of tests."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from splendor.server.refusal import RequestRefused


def process() -> int:
    return os.getpid()


def wait_for(file: Path) -> int:
    """Work until a file is there."""
    while not file.exists():
        time.sleep(0.005)
    return os.getpid()


def note(file: Path, word: str) -> None:
    with file.open("a") as out:
        out.write(word + "\n")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refuse() -> None:
    raise RequestRefused("no_such_seat", seat=3)


def fail_strangely() -> None:
    class Strange(Exception):
        pass

    raise Strange("cannot travel")


def answer_of(length: int) -> bytes:
    print("what is printed is not a reply")  # noqa: T201
    return bytes(length)


def count_to(last: int, *, tell: Callable[[int], None]) -> int:
    for number in range(1, last + 1):
        tell(number)
    return last


def count_for_ever(*, tell: Callable[[int], None]) -> None:
    number = 0
    while True:
        tell(number := number + 1)
        time.sleep(0.001)


def share(file: Path, *, share: float) -> float:
    wait_for(file)
    return share
