"""The program in a real terminal, tmux."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


@contextmanager
def terminal(width: int, height: int, *arguments: str) -> Iterator[Callable[..., str]]:
    """`splendor tui` in a real terminal; call with keys, and get what stands on the screen."""
    name = f"splendor-test-{os.getpid()}-{width}"
    tmux = ["tmux", "-L", name]
    code = "from splendor.cli import main; main()"
    command = [sys.executable, "-c", f"'{code}'", "tui", *arguments]
    size = ["-x", str(width), "-y", str(height)]
    subprocess.run([*tmux, "new-session", "-d", *size, " ".join(command)], check=True)

    def look(*pressed: str) -> str:
        if pressed:
            subprocess.run([*tmux, "send-keys", *pressed], check=True)
        captured = subprocess.run([*tmux, "capture-pane", "-p"], check=False, capture_output=True, text=True)
        return captured.stdout

    try:
        yield look
    finally:
        subprocess.run([*tmux, "kill-server"], check=False, capture_output=True)


def wait_for(look: Callable[..., str], words: str) -> None:
    """Look until these words are there; without words, until nothing is."""
    deadline = time.monotonic() + 120
    while words not in look() or (not words and look()):
        assert time.monotonic() < deadline, look()
        time.sleep(0.1)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_the_program_runs_in_a_real_terminal() -> None:
    with terminal(80, 24, "--hotseat", "--seed", "3") as look:
        wait_for(look, "type a move")
        look("w", "u", "g")
        wait_for(look, "Picked ○w1 ◆u1 ▲g1")
        look("Enter")
        wait_for(look, "turn of Player 2")
        assert "w1 u1 g1 r0 k0 o0" in look()
        look("q")
        wait_for(look, "Leave this game?")
        look("Down", "Down", "Enter")
        wait_for(look, "")  # the program has gone, and its terminal with it
