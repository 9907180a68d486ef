"""What a turn asks for: returns, a noble, a payment; and passing."""

from __future__ import annotations

import pytest

from positions import deal, give_bonuses, give_reserve, give_tokens, lay_nobles, show, show_row
from splendor import Tokens
from splendor.terminal.dialogs import Question, ReturnDialog
from splendor.terminal.faces import HandPlace
from splendor.terminal.session import PERSON, Session
from terminal.pilot import (
    is_open,
    keys,
    message,
    play_screen,
    position_of,
    program,
    until,
)

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


TYPED = ("colon", *keys("+wrk"), "enter")


@pytest.mark.parametrize(
    ("played", "returned", "move"),
    [
        (("r", "k", "w", "enter"), ("w", "w", "enter"), "+wrk-ww"),
        (("r", "k", "w", "enter"), ("u", "w", "enter"), "+wrk-wu"),
        (TYPED, ("w", "w", "enter"), "+wrk-ww"),
        # Gold is not there, green is one too many
        (TYPED, ("o", "w", "w", "backspace", "u", "g", "enter"), "+wrk-wu"),
    ],
)
async def test_tokens_above_ten_are_returned_in_a_dialog(
    played: tuple[str, ...], returned: tuple[str, ...], move: str
) -> None:
    state = deal()
    give_tokens(state, 0, "3 white 3 blue 3 green")
    session = Session([PERSON, PERSON], game=position_of(state))
    async with program(session) as pilot:
        await pilot.press(*played)
        await until(pilot, lambda: is_open(pilot, ReturnDialog))
        await pilot.press(*returned)
        await pilot.pause()
        assert [str(each) for each in session.game.moves] == [move]


async def test_a_dialog_of_returns_can_be_left_while_nothing_has_happened() -> None:
    state = deal()
    give_tokens(state, 0, "3 white 3 blue 3 green")
    session = Session([PERSON, PERSON], game=position_of(state))
    async with program(session) as pilot:
        await pilot.press("r", "k", "w", "enter")
        await until(pilot, lambda: is_open(pilot, ReturnDialog))
        await pilot.press("escape")
        await pilot.pause()
        assert session.game.tokens(0).red == 0
        await pilot.press("enter")
        await until(pilot, lambda: is_open(pilot, ReturnDialog))


async def test_a_drawn_card_is_seen_before_tokens_are_returned() -> None:
    state = deal()
    give_tokens(state, 0, "4 white 3 blue 3 green")
    session = Session([PERSON, PERSON], game=position_of(state))
    async with program(session) as pilot:
        await pilot.press("3", "0", "enter")
        await until(pilot, lambda: is_open(pilot, ReturnDialog))
        hand = play_screen(pilot).query_one("#hand-1", HandPlace)
        assert hand.card is not None
        assert hand.card.level == 3
        assert not hand.card.is_unseen
        await pilot.press("escape")  # too late: the card has been seen
        assert is_open(pilot, ReturnDialog)
        await pilot.press("o", "enter")
        await until(pilot, lambda: [str(move) for move in session.game.moves] == ["rd3-o"])


async def test_a_noble_is_chosen_in_a_dialog() -> None:
    state = deal()
    lay_nobles(state, 5, 8, 10)
    give_bonuses(state, 0, "4 white 4 blue 4 green")
    session = Session([PERSON, PERSON], game=position_of(state))
    async with program(session) as pilot:
        await pilot.press("w", "u", "g", "enter")
        await until(pilot, lambda: is_open(pilot, Question))
        await pilot.press("escape")
        assert session.game.moves == []
        await pilot.press("enter")
        await until(pilot, lambda: is_open(pilot, Question))
        await pilot.press("down", "enter")
        await pilot.pause()
        assert [str(move) for move in session.game.moves] == ["+wug@8"]
        assert "Noble @8 visits Player 1: +3 points." in message(pilot)


async def test_a_payment_is_chosen_in_a_dialog() -> None:
    state = deal()
    show(state, 0, 6)  # 3 blue
    give_tokens(state, 0, "3 blue 2 gold")
    session = Session([PERSON, PERSON], game=position_of(state))
    async with program(session) as pilot:
        await pilot.click("#card-1-1")
        await pilot.click("#confirm")
        await until(pilot, lambda: is_open(pilot, Question))
        await pilot.press("down", "enter")
        await pilot.pause()
        assert [str(move) for move in session.game.moves] == ["b6=uuo"]
        assert session.game.tokens(0) == Tokens(blue=1, gold=1)


async def test_passing_is_offered_when_nothing_else_is_possible() -> None:
    state = deal()
    for level, cards in enumerate(((8, 16, 24, 32), (46, 52, 58, 64), (72, 77, 80, 84)), 1):
        show_row(state, level, *cards)
    for card in (88, 90, 86):
        give_reserve(state, 0, card)
    for seat in (0, 1):
        give_tokens(state, seat, "2 white 2 blue 2 green 2 red 2 black")
    game = position_of(state)
    session = Session([PERSON, PERSON], game=game)
    async with program(session) as pilot:
        assert "Nothing is possible but to pass" in message(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert [str(move) for move in session.game.moves] == ["pass"]
