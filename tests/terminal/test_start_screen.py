"""The screen that the program opens with."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, Label, Static

from games import random_game
from splendor.terminal.dialogs import Page, Question
from splendor.terminal.play_screen import PlayScreen
from splendor.terminal.replay_screen import ReplayScreen
from splendor.terminal.session import PERSON
from splendor.terminal.start_screen import StartScreen
from terminal.pilot import (
    SMALL,
    is_open,
    play_screen,
    program,
    until,
)

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


async def test_the_start_screen_leads_to_a_game_and_back() -> None:
    async with program(None) as pilot:
        assert is_open(pilot, StartScreen)
        await pilot.press("f1")
        assert is_open(pilot, Page)
        await pilot.press("f1")
        assert is_open(pilot, StartScreen)
        pilot.app.screen.query_one("#seed", Input).value = "42"
        await pilot.press("ctrl+n")
        await until(pilot, lambda: is_open(pilot, PlayScreen))
        session = play_screen(pilot).session
        assert session.who == [PERSON, "apprentice"]
        assert session.game.tags["Seed"] == "42"
        await pilot.press("q")
        await until(pilot, lambda: is_open(pilot, Question))
        await pilot.press("escape")
        assert is_open(pilot, PlayScreen)
        await pilot.press("q")
        await until(pilot, lambda: is_open(pilot, Question))
        await pilot.press("down", "enter")
        await until(pilot, lambda: is_open(pilot, StartScreen))
        await pilot.press("escape")


async def test_enter_starts_and_f1_helps_everywhere() -> None:
    async with program(None) as pilot:
        labels = [str(label.render()) for label in pilot.app.screen.query(Label)]
        assert "Player 1" in labels
        assert not any("Seat 0" in label for label in labels)
        await pilot.press("enter")
        await until(pilot, lambda: is_open(pilot, PlayScreen))
        await pilot.press("f1")
        assert is_open(pilot, Page)
        await pilot.press("f1")
        await pilot.press("q")
        await until(pilot, lambda: is_open(pilot, Question))
        await pilot.press("f1")
        assert is_open(pilot, Page)


async def test_the_start_screen_opens_records_and_says_what_is_wrong_with_them(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(random_game(2, 1).record(), encoding="utf-8")
    bad.write_text("nonsense [b", encoding="utf-8")
    async with program(None) as pilot:
        file = pilot.app.screen.query_one("#file", Input)
        problem = pilot.app.screen.query_one("#problem", Static)
        for name, words in ((bad, "line 1"), (tmp_path / "none", "No such file"), (tmp_path, "directory")):
            file.value = str(name)
            await pilot.click("#replay")
            assert words in str(problem.render())
            await pilot.pause(0.3)  # a button does not take two presses at once
        pilot.app.screen.query_one("#seed", Input).value = "-4"
        await pilot.click("#start")
        assert "a seed must be" in str(problem.render())
        assert pilot.app.screen.query_one("#form").region.bottom <= SMALL[1] - 1
        file.value = str(good)
        await pilot.click("#replay")
        await until(pilot, lambda: is_open(pilot, ReplayScreen))
        await pilot.press("q")
        await until(pilot, lambda: is_open(pilot, StartScreen))
