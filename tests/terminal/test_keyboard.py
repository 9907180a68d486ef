"""Playing by keyboard."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from splendor import Game, Move, Tokens
from splendor.notation.moves import LETTERS
from splendor.players import load
from splendor.terminal.dialogs import Page, Question, ReturnDialog
from splendor.terminal.faces import CardPlace, HandPlace, TokenPlace
from splendor.terminal.session import PERSON, Session
from terminal.pilot import (
    is_open,
    keys,
    message,
    next_turn,
    play_screen,
    program,
    until,
)

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


async def choose_by_keys(pilot: Pilot[None], move: Move, typed: bool) -> None:
    """Play a move with the keyboard, dialogs included."""
    screen = play_screen(pilot)
    if typed:
        await pilot.press("colon", *keys(str(move)), "enter")
        return
    if move.kind == "take":
        await pilot.press(*(LETTERS[color] for color, n in enumerate(move.taken) for _ in range(n)))
    elif move.kind == "draw":
        await pilot.press(str(move.level))
    elif move.kind != "pass":
        places = [*screen.query(CardPlace), *screen.query(HandPlace)]
        place = next(place for place in places if place.card is not None and place.card.id == move.card)
        place.focus()
        await pilot.press("b" if move.kind == "buy" else "v")
    await pilot.press("enter")
    await pilot.pause()
    if is_open(pilot, Question) and move.kind == "buy" and not move.noble:
        await pilot.press("enter")  # the first payment is the one with the least gold
    if is_open(pilot, ReturnDialog):
        await pilot.press(*(LETTERS[color] for color, n in enumerate(move.returned) for _ in range(n)), "enter")


async def test_a_whole_game_is_played_by_keyboard() -> None:
    session = Session([PERSON, "greedy"], seed=5)
    adviser = load("greedy", seed=1)
    async with program(session) as pilot:
        turn = 0
        while not session.game.is_over:
            await until(pilot, lambda: session.is_persons_turn or session.game.is_over)
            if session.game.is_over:
                break
            await pilot.pause()
            move = adviser.choose(session.game.view(0))
            turn += 1
            before = len(session.game.moves)
            await choose_by_keys(pilot, move, typed=turn % 4 == 0)
            await next_turn(pilot, session, before)
            while is_open(pilot, Question):
                await pilot.press("enter")
                await pilot.pause()
        await until(pilot, lambda: is_open(pilot, Page))
        assert session.game.is_over
        await pilot.press("escape", "l")
        assert is_open(pilot, Page)
        await pilot.press("escape", "n")
        await pilot.pause()
        assert play_screen(pilot).session.game.moves == []
    assert Game.from_record(session.game.record()).winners == session.game.winners


async def test_everything_picked_can_be_put_back() -> None:
    session = Session([PERSON, "random"], seed=3)
    async with program(session) as pilot:
        screen = play_screen(pilot)
        await pilot.press("w", "u")
        assert screen.choice.taken == Tokens(white=1, blue=1)
        await pilot.press("enter")  # no whole move yet
        assert session.game.moves == []
        assert "no whole move" in message(pilot)
        await pilot.press("backspace")
        assert screen.choice.taken == Tokens(white=1)
        await pilot.press("escape")
        assert screen.choice.is_empty
        await pilot.press("2", "0")
        assert screen.choice.level == 2
        await pilot.press("3", "1")
        first = session.game.view(0).market[2][0]
        assert first is not None
        assert screen.choice.card == first.id
        await pilot.press("4", "1")  # the hand is empty: nothing changes
        assert screen.choice.card == first.id
        await pilot.press("escape", "w", "w", "g")
        assert "Not possible: take one token each of 3 different colors" in message(pilot)
        assert screen.choice.taken == Tokens(white=2)
        await pilot.press("backspace", "backspace", "backspace")
        assert screen.choice.is_empty


async def test_the_arrow_keys_reach_every_place() -> None:
    session = Session([PERSON, "random"], seed=3)
    async with program(session) as pilot:
        screen = play_screen(pilot)
        seen = set()
        await pilot.press("up")
        for row in range(3):
            for _ in range(4):
                assert screen.focused is not None
                seen.add(screen.focused.id)
                await pilot.press("left" if row % 2 else "right")
            assert screen.focused is not None
            seen.add(screen.focused.id)
            await pilot.press("down")
        assert seen == {f"deck-{n}" for n in (1, 2, 3)} | {f"card-{n}-{m}" for n in (1, 2, 3) for m in (1, 2, 3, 4)}
        assert isinstance(screen.focused, TokenPlace)


async def test_a_move_can_be_typed_with_hints_and_refusals() -> None:
    session = Session([PERSON, PERSON], seed=3)
    async with program(session) as pilot:
        await pilot.press("colon", *keys("+wu"))
        assert message(pilot).split() == ["+wug", "+wur", "+wuk"]
        await pilot.press("right")  # accepts the suggestion
        assert play_screen(pilot).query_one(Input).value == "+wug"
        await pilot.press("enter")
        await pilot.pause()
        assert [str(move) for move in session.game.moves] == ["+wug"]
        await pilot.press("colon", *"b90", "enter")
        assert "Not possible: card 90" in message(pilot)
        await pilot.press("escape", "colon", *"hello", "enter")
        assert "is no move" in message(pilot)
        await pilot.press("escape", "w")
        assert play_screen(pilot).choice.taken == Tokens(white=1)
        assert len(session.game.moves) == 1


async def test_undo_goes_back_to_the_last_turn_of_a_person() -> None:
    session = Session([PERSON, "random", "greedy"], seed=3)
    async with program(session) as pilot:
        start = session.game.position
        await pilot.press("z")
        assert session.game.position == start
        await pilot.press("w", "u", "g", "enter")
        await until(pilot, lambda: len(session.game.moves) == 3)
        await pilot.press("z")
        await pilot.pause()
        assert session.game.position == start
        await pilot.press("1", "0", "enter")
        await until(pilot, lambda: len(session.game.moves) == 3)
        assert str(session.game.moves[0]) == "rd1"
