"""The terminal program without a terminal, in Textual's own test harness: what its tests press and look at."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Label, Static

from splendor import Game
from splendor.notation import format_position
from splendor.terminal.app import SplendorApp
from splendor.terminal.dialogs import Question
from splendor.terminal.play_screen import PlayScreen
from splendor.terminal.replay_screen import ReplayScreen
from splendor.terminal.session import Session

SMALL, LARGE = (80, 24), (120, 40)


@asynccontextmanager
async def program(begin_with: Session | Game | None, size: tuple[int, int] = SMALL) -> AsyncIterator[Pilot[None]]:
    """The program, ready to be used."""
    async with SplendorApp(begin_with, pace=0).run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


def position_of(state: Any) -> Game:
    """A game that goes on from a state made by hand."""
    return Game.from_position(format_position(state))


async def next_turn(pilot: Pilot[None], session: Session, played: int) -> None:
    """Let the program go on until a turn more has been played, or a question is asked."""
    await until(pilot, lambda: len(session.game.moves) > played or is_open(pilot, Question))


async def until(pilot: Pilot[None], condition: Callable[[], bool], seconds: float = 60) -> None:
    """Let the program go on until something is true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "this did not happen in time"
        await pilot.pause(0.01)


def play_screen(pilot: Pilot[None]) -> PlayScreen:
    screen = next(screen for screen in pilot.app.screen_stack if isinstance(screen, PlayScreen))
    assert isinstance(screen, PlayScreen)
    return screen


def message(pilot: Pilot[None]) -> str:
    return str(play_screen(pilot).query_one("#message", Static).render()).strip()


def status(pilot: Pilot[None]) -> str:
    screen = next(s for s in pilot.app.screen_stack if isinstance(s, PlayScreen | ReplayScreen))
    return str(screen.query_one("#status", Label).render())


def is_open(pilot: Pilot[None], kind: type[Any]) -> bool:
    return isinstance(pilot.app.screen, kind)


def keys(text: str) -> Iterator[str]:
    names = {"+": "plus", "=": "equals_sign", "-": "minus", "@": "at"}
    return (names.get(letter, letter) for letter in text)


def screen_text(pilot: Pilot[None]) -> str:
    """What stands on the screen, line by line."""
    width, height = pilot.app.size
    lines = pilot.app.screen._compositor.render_strips(pilot.app.size)
    assert len(lines) == height
    return "\n".join(line.text[:width] for line in lines)
