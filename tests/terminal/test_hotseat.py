"""Several people at one screen."""

from __future__ import annotations

import pytest

from splendor.terminal.dialogs import Curtain
from splendor.terminal.session import PERSON, Session
from terminal.pilot import (
    is_open,
    play_screen,
    program,
    screen_text,
    until,
)

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


async def test_hidden_cards_are_behind_a_curtain_between_people() -> None:
    session = Session([PERSON, PERSON], seed=3)
    async with program(session) as pilot:
        await pilot.press("1", "0", "enter")
        await until(pilot, lambda: is_open(pilot, Curtain))
        drawn = session.game.reserved(0)[0].id
        assert f"#{drawn} " not in screen_text(pilot)
        assert all(card.is_unseen for card in play_screen(pilot).board.reserved(0))
        await pilot.press("w")  # keys do nothing to the table behind the curtain
        await pilot.press("enter")
        await pilot.pause()
        assert not is_open(pilot, Curtain)
        assert play_screen(pilot).board.viewer == 1
        assert all(card.is_unseen for card in play_screen(pilot).board.reserved(0))
        assert f"#{drawn} " not in screen_text(pilot)
        await pilot.press("w", "u", "g", "enter")
        await until(pilot, lambda: is_open(pilot, Curtain))
        await pilot.click("#ready")
        await pilot.pause()
        assert play_screen(pilot).board.viewer == 0
        assert f"#{drawn} " in screen_text(pilot)


async def test_without_hidden_cards_there_is_no_curtain() -> None:
    session = Session([PERSON, PERSON, PERSON], seed=3)
    async with program(session) as pilot:
        for expected in (1, 2, 0):
            await pilot.press("w", "u", "g", "enter")
            await pilot.pause()
            assert not is_open(pilot, Curtain)
            assert play_screen(pilot).board.viewer == expected
