"""How a command ends when something is wrong: one sentence on stderr and an exit code, never a traceback."""

from __future__ import annotations

import sys
from typing import NoReturn

import typer

BROKEN = 1  # what was given is not a legal game or position
MISUSED = 2  # the command was not used as it should be


def fail(sentence: object, code: int = BROKEN) -> NoReturn:
    """Say what is wrong, and end the command."""
    complain(sentence)
    raise typer.Exit(code)


def complain(sentence: object) -> None:
    """Say what is wrong, in one line."""
    print(f"splendor: {' '.join(str(sentence).split())}", file=sys.stderr)
