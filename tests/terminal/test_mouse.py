"""Playing by mouse."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from splendor import Game, Tokens
from splendor.notation.moves import LETTERS
from splendor.players import load
from splendor.terminal.dialogs import Page, Question, ReturnDialog
from splendor.terminal.faces import CardPlace, HandPlace
from splendor.terminal.session import PERSON, Session
from terminal.pilot import (
    LARGE,
    is_open,
    message,
    next_turn,
    play_screen,
    program,
    until,
)

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


async def test_a_whole_game_is_played_by_mouse() -> None:
    session = Session(["greedy", PERSON, "random"], game=Game(3, seed=11, round_cap=9))
    adviser = load("greedy", seed=2)

    async def click_tokens(pilot: Pilot[None], tokens: Tokens) -> None:
        for color, count in enumerate(tokens):
            for _ in range(count):
                await pilot.click(f"#token-{LETTERS[color]}")

    async with program(session, LARGE) as pilot:
        while not session.game.is_over:
            await until(pilot, lambda: session.is_persons_turn or session.game.is_over)
            if session.game.is_over:
                break
            await pilot.pause()
            screen = play_screen(pilot)
            move = adviser.choose(session.game.view(1))
            before = len(session.game.moves)
            await click_tokens(pilot, move.taken)
            if move.level is not None:
                await pilot.click(f"#deck-{move.level}")
            if move.card is not None:
                places = [*screen.query(CardPlace), *screen.query(HandPlace)]
                place = next(p for p in places if p.card is not None and p.card.id == move.card)
                await pilot.click(f"#{place.id}")
                if screen.choice.kind != move.kind:
                    await pilot.click("#other")
            await pilot.click("#confirm")
            await pilot.pause()
            if is_open(pilot, ReturnDialog):
                await click_tokens(pilot, move.returned)
                await pilot.click("#return")
                await pilot.pause()
            while is_open(pilot, Question):
                await pilot.press("enter")
                await pilot.pause()
            await next_turn(pilot, session, before)
        await until(pilot, lambda: is_open(pilot, Page))
    assert session.game.is_over


async def test_clicking_a_card_twice_plays_it_and_a_right_click_puts_a_token_back() -> None:
    session = Session([PERSON, PERSON], seed=3)
    async with program(session) as pilot:
        screen = play_screen(pilot)
        await pilot.click("#token-w")
        await pilot.click("#token-w", button=3)
        assert screen.choice.is_empty
        await pilot.click("#token-o")
        assert "Gold cannot be taken" in message(pilot)
        await pilot.click("#card-3-2")
        await pilot.click("#card-3-2")
        await pilot.pause()
        assert session.game.moves[0].kind == "reserve"
