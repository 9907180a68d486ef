"""Game files, turn by turn."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from games import random_game
from splendor.terminal.dialogs import Page
from splendor.terminal.replay_screen import ReplayScreen
from terminal.pilot import (
    is_open,
    program,
    status,
)

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


async def test_a_record_is_replayed_turn_by_turn() -> None:
    game = random_game(3, 6)
    game.tag("Seat0", "Ann")
    game.annotate(0, comment="a fine [opening]", evaluation=(0.5, 0.25, 0.25))
    last = len(game.moves)
    async with program(game) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ReplayScreen)
        assert "Turn 0 of" in status(pilot)
        await pilot.press("right")
        assert screen.turn == 1
        assert "a fine [opening]" in str(screen.query_one("#message", Static).render())
        await pilot.press("pagedown", "left", "left")
        assert screen.turn == 9
        await pilot.press("end")
        assert screen.turn == last
        assert "Over after round" in status(pilot)
        await pilot.press("right", "home", "left")
        assert screen.turn == 0
        await pilot.press("question_mark")
        assert is_open(pilot, Page)
        await pilot.press("escape", "q")
        await pilot.pause()
