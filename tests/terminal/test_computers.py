"""Computers at the table: thinking, failing, and among themselves."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from splendor import Move
from splendor.game.position import View
from splendor.terminal.dialogs import Page
from splendor.terminal.session import PERSON, Session
from terminal.pilot import (
    is_open,
    message,
    play_screen,
    program,
    until,
)

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


class Thinker:
    """A player that thinks until it is allowed to answer."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()

    def choose(self, view: View) -> Move:
        assert self.may_answer.wait(60)
        return view.legal_moves[0]


class Broken:
    """A player that fails."""

    def choose(self, view: View) -> Move:  # noqa: ARG002
        raise RuntimeError("the dog ate my tree")


def with_player(session: Session, player: Any) -> Session:
    session.seats[1] = type(session.seats[1])("Guest", player)
    return session


async def test_the_screen_stays_alive_while_a_computer_thinks_and_undo_drops_its_answer() -> None:
    thinker = Thinker()
    session = with_player(Session([PERSON, "random"], seed=3), thinker)
    async with program(session) as pilot:
        await pilot.press("w", "u", "g", "enter")
        await until(pilot, lambda: "Guest is thinking" in message(pilot))
        await pilot.press("question_mark")
        assert is_open(pilot, Page)
        assert len(session.game.moves) == 1
        await pilot.press("escape", "z")
        thinker.may_answer.set()
        await until(pilot, lambda: "thinking" not in {thread.name for thread in threading.enumerate()})
        await pilot.pause()
        assert session.game.moves == []


async def test_a_player_that_fails_does_not_take_the_program_down() -> None:
    session = with_player(Session([PERSON, "random"], seed=3), Broken())
    async with program(session) as pilot:
        await pilot.press("w", "u", "g", "enter")
        await until(pilot, lambda: "the dog ate my tree" in message(pilot))
        await pilot.press("z")
        assert session.game.moves == []


async def test_computers_play_each_other_and_can_be_paused() -> None:
    session = Session(["random", "greedy"], seed=3)
    async with program(session) as pilot:
        play_screen(pilot).pace = 0.05
        await until(pilot, lambda: len(session.game.moves) > 2)
        await pilot.press("space")
        await pilot.pause(0.3)
        played = len(session.game.moves)
        await pilot.pause(0.3)
        assert len(session.game.moves) == played
        assert "Paused" in message(pilot)
        await pilot.press("w", "enter")  # whoever watches does not play
        assert play_screen(pilot).choice.is_empty
        play_screen(pilot).pace = 0
        await pilot.press("space")
        await until(pilot, lambda: session.game.is_over)
        await until(pilot, lambda: is_open(pilot, Page))
