"""The terminal program, driven by keys and clicks in Textual's own test harness."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text
from textual.pilot import Pilot
from textual.widgets import Footer, Input, Label, Static

from games import random_game
from positions import deal, give_bonuses, give_points, give_reserve, give_tokens, lay_nobles, show, show_row
from splendor import Game, Move, Tokens
from splendor.components import GOLD
from splendor.notation import format_position
from splendor.notation.moves import LETTERS
from splendor.players import load
from splendor.state import ENDED_BY_POINTS, ENDED_BY_STALEMATE
from splendor.table import View
from splendor.terminal.app import SplendorApp
from splendor.terminal.choice import Choice, Returning
from splendor.terminal.dialogs import Curtain, Page, Question, ReturnDialog
from splendor.terminal.faces import CardPlace, Face, HandPlace, TokenPlace
from splendor.terminal.play_screen import PlayScreen
from splendor.terminal.replay_screen import ReplayScreen
from splendor.terminal.session import PERSON, Session, seating
from splendor.terminal.start_screen import StartScreen
from splendor.terminal.words import decider, how_it_ended, last_round, log_line, situation

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere

SMALL, LARGE = (80, 24), (120, 40)


def drive(
    begin_with: Session | Game | None, test: Callable[[Pilot[None]], Awaitable[None]], size: tuple[int, int] = SMALL
) -> None:
    """Run the program without a terminal and let `test` use it."""

    async def run() -> None:
        app = SplendorApp(begin_with, pace=0)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await test(pilot)

    asyncio.run(run())


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


# ------------------------------------------------------------------------------------- choosing bit by bit


def test_tokens_are_picked_one_by_one_and_put_back() -> None:
    choice = Choice(Game(players=2, seed=1).legal_moves)
    assert not choice.add(GOLD)
    assert choice.add(0)
    assert choice.add(0)
    assert [str(move) for move in choice.moves] == ["+ww"]
    assert not choice.can_add(1)  # two of one color, and nothing else
    assert choice.put_back(0)
    assert choice.add(1)
    assert not choice.is_ready
    assert choice.add(4)
    assert [str(move) for move in choice.moves] == ["+wuk"]
    choice.clear()
    assert choice.is_empty
    assert not choice.put_back(0)


@pytest.mark.parametrize("seed", range(12))
def test_every_legal_move_can_be_picked_and_nothing_else(seed: int) -> None:
    game = random_game(2 + seed % 3, seed, turns=9 * seed)
    legal = game.legal_moves
    for move in legal:
        choice = Choice(legal)
        for color, count in enumerate(move.taken):
            for _ in range(count):
                assert choice.add(color)
        if move.card is not None:
            assert choice.pick_card(move.card, move.kind)
        if move.level is not None:
            assert choice.pick_deck(move.level)
        assert move in choice.moves
        returning = Returning(list(dict.fromkeys(other.returned for other in choice.moves)))
        for color, count in enumerate(move.returned):
            for _ in range(count):
                assert returning.add(color)
        assert returning.is_ready
    cards = {card.id for row in game.market for card in row if card}
    assert not any(
        Choice(legal).pick_card(card) for card in set(range(1, 91)) - cards - {m.card for m in legal if m.card}
    )


def test_a_card_is_picked_to_buy_if_that_is_possible_and_else_to_reserve() -> None:
    state = deal()
    show(state, 0, 6)  # 3 blue
    give_tokens(state, 0, "3 blue")
    choice = Choice(position_of(state).legal_moves)
    assert choice.pick_card(6)
    assert choice.kind == "buy"
    assert choice.pick_card(6, "reserve")
    assert [str(move) for move in choice.moves] == ["r6"]
    assert not choice.pick_card(90, "buy")
    assert choice.card == 6


def test_seats_are_filled_from_the_options() -> None:
    assert seating(2, ["greedy"], 0, hotseat=False, watch=False) == [PERSON, "greedy"]
    assert seating(4, ["a", "b"], 2, hotseat=False, watch=False) == ["a", "b", PERSON, "a"]
    assert seating(3, ["a"], 0, hotseat=False, watch=True) == ["a", "a", "a"]
    assert seating(3, [], 0, hotseat=True, watch=False) == [PERSON] * 3
    for bad in [
        (5, ["a"], 0, False, False),
        (2, ["a"], 2, False, False),
        (2, ["a", "b"], 0, False, False),
        (2, ["a"], 0, True, True),
        (2, [], 0, False, False),
    ]:
        with pytest.raises(ValueError, match=r"\w"):
            seating(*bad)
    with pytest.raises(ValueError, match="no player 'nonsense'"):
        Session([PERSON, "nonsense"])
    assert Session(["greedy", "greedy"], seed=1).names == ["Greedy", "Greedy 2"]


# --------------------------------------------------------------------------------------------------- words


def test_the_end_is_explained_in_words() -> None:
    names = ["Ann", "Bob"]
    state = deal()
    give_points(state, 0, 16)
    state.seat, state.phase = 1, ENDED_BY_POINTS
    assert "Ann wins" in how_it_ended(position_of(state), names)
    assert "Ann has the most points: 16." in how_it_ended(position_of(state), names)


def test_a_tie_is_explained_in_words() -> None:
    state = deal()
    give_points(state, 0, 15)
    give_points(state, 1, 15)
    give_bonuses(state, 1, "5 white")
    state.seat, state.phase = 1, ENDED_BY_POINTS
    game = position_of(state)
    mine, others = (len(game.bought(seat)) for seat in (0, 1))
    assert mine < others
    assert decider(game, ["You", "Bob"]) == (
        f"You and Bob have 15 points each, so fewer bought cards decide (You {mine} and Bob {others}): You have fewest."
    )
    assert how_it_ended(game, ["You", "Bob"]).startswith("You win. Round 1 was the last")


def test_a_shared_win_is_explained_in_words() -> None:
    state = deal()
    state.phase, state.seat, state.passes = ENDED_BY_STALEMATE, 1, 2
    sentence = how_it_ended(position_of(state), ["Ann", "Bob"])
    assert sentence.startswith("Ann and Bob share the win. Nobody could do anything but pass")
    assert sentence.endswith("fewer bought cards do not decide either (Ann 0 and Bob 0).")


def test_the_last_round_is_explained_in_words() -> None:
    state = deal(3)
    give_points(state, 0, 15)
    state.seat = 1
    game = position_of(state)
    sentence = "Last round: Ann reached 15 points. Still to play: Bob and Cid."
    assert last_round(game, ["Ann", "Bob", "Cid"]) == sentence
    assert "LAST ROUND" in situation(game, ["Ann", "Bob", "Cid"])


def test_moves_are_told_in_words() -> None:
    game = Game(seed=1)
    assert log_line("Ann", Move("take", taken=Tokens(white=1, blue=1))).plain == "Ann takes ○w◆u"
    assert log_line("You", Move("draw", level=2, returned=Tokens(gold=1))).plain == (
        "You reserve from deck 2, return ✦o1"
    )
    assert log_line("Ann", Move("buy", card=8, payment=Tokens(gold=4), noble=3)).plain == (
        "Ann buys #8 ○w+1 for ✦o4, noble @3"
    )
    assert log_line("Ann", Move("pass")).plain == "Ann passes"
    assert game.moves == []


# --------------------------------------------------------------------------------------- playing by keyboard


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


def keys(text: str) -> Iterator[str]:
    names = {"+": "plus", "=": "equals_sign", "-": "minus", "@": "at"}
    return (names.get(letter, letter) for letter in text)


def test_a_whole_game_is_played_by_keyboard() -> None:
    session = Session([PERSON, "greedy"], seed=5)
    adviser = load("greedy", seed=1)

    async def play(pilot: Pilot[None]) -> None:
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

    drive(session, play)
    assert Game.from_record(session.game.record()).winners == session.game.winners


def test_everything_picked_can_be_put_back() -> None:
    session = Session([PERSON, "random"], seed=3)

    async def play(pilot: Pilot[None]) -> None:
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
        await pilot.press("2")
        assert screen.choice.level == 2
        await pilot.press("escape", "w", "w", "g")
        assert "Not possible: take one token each of 3 different colors" in message(pilot)
        assert screen.choice.taken == Tokens(white=2)
        await pilot.press("backspace", "backspace", "backspace")
        assert screen.choice.is_empty

    drive(session, play)


def test_the_arrow_keys_reach_every_place() -> None:
    session = Session([PERSON, "random"], seed=3)

    async def play(pilot: Pilot[None]) -> None:
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

    drive(session, play)


def test_a_move_can_be_typed_with_hints_and_refusals() -> None:
    session = Session([PERSON, PERSON], seed=3)

    async def play(pilot: Pilot[None]) -> None:
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

    drive(session, play)


def test_undo_goes_back_to_the_last_turn_of_a_person() -> None:
    session = Session([PERSON, "random", "greedy"], seed=3)

    async def play(pilot: Pilot[None]) -> None:
        start = session.game.position
        await pilot.press("z")
        assert session.game.position == start
        await pilot.press("w", "u", "g", "enter")
        await until(pilot, lambda: len(session.game.moves) == 3)
        await pilot.press("z")
        await pilot.pause()
        assert session.game.position == start
        await pilot.press("1", "enter")
        await until(pilot, lambda: len(session.game.moves) == 3)
        assert str(session.game.moves[0]) == "rd1"

    drive(session, play)


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


def test_the_screen_stays_alive_while_a_computer_thinks_and_undo_drops_its_answer() -> None:
    thinker = Thinker()
    session = with_player(Session([PERSON, "random"], seed=3), thinker)

    async def play(pilot: Pilot[None]) -> None:
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

    drive(session, play)


def test_a_player_that_fails_does_not_take_the_program_down() -> None:
    session = with_player(Session([PERSON, "random"], seed=3), Broken())

    async def play(pilot: Pilot[None]) -> None:
        await pilot.press("w", "u", "g", "enter")
        await until(pilot, lambda: "the dog ate my tree" in message(pilot))
        await pilot.press("z")
        assert session.game.moves == []

    drive(session, play)


# ------------------------------------------------------------------------------------------------- dialogs


def test_tokens_above_ten_are_returned_in_a_dialog() -> None:
    state = deal()
    give_tokens(state, 0, "3 white 3 blue 3 green")
    session = Session([PERSON, PERSON], game=position_of(state))

    async def play(pilot: Pilot[None]) -> None:
        await pilot.press("r", "k", "w", "enter")
        await until(pilot, lambda: is_open(pilot, ReturnDialog))
        await pilot.press("escape")  # nothing has happened yet
        await pilot.pause()
        assert session.game.tokens(0).red == 0
        await pilot.press("enter")
        await until(pilot, lambda: is_open(pilot, ReturnDialog))
        await pilot.press("o", "w", "w", "backspace", "u", "g", "enter")  # gold is not there, green is one too many
        await pilot.pause()
        assert [str(move) for move in session.game.moves] == ["+wrk-wu"]

    drive(session, play)


def test_a_drawn_card_is_seen_before_tokens_are_returned() -> None:
    state = deal()
    give_tokens(state, 0, "4 white 3 blue 3 green")
    session = Session([PERSON, PERSON], game=position_of(state))

    async def play(pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await until(pilot, lambda: is_open(pilot, ReturnDialog))
        hand = play_screen(pilot).query_one("#hand-1", HandPlace)
        assert hand.card is not None
        assert hand.card.level == 3
        assert not hand.card.is_unseen
        await pilot.press("escape")  # too late: the card has been seen
        assert is_open(pilot, ReturnDialog)
        await pilot.press("o", "enter")
        await until(pilot, lambda: [str(move) for move in session.game.moves] == ["rd3-o"])

    drive(session, play)


def test_a_noble_is_chosen_in_a_dialog() -> None:
    state = deal()
    lay_nobles(state, 5, 8, 10)
    give_bonuses(state, 0, "4 white 4 blue 4 green")
    session = Session([PERSON, PERSON], game=position_of(state))

    async def play(pilot: Pilot[None]) -> None:
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

    drive(session, play)


def test_a_payment_is_chosen_in_a_dialog() -> None:
    state = deal()
    show(state, 0, 6)  # 3 blue
    give_tokens(state, 0, "3 blue 2 gold")
    session = Session([PERSON, PERSON], game=position_of(state))

    async def play(pilot: Pilot[None]) -> None:
        await pilot.click("#card-1-1")
        await pilot.click("#confirm")
        await until(pilot, lambda: is_open(pilot, Question))
        await pilot.press("down", "enter")
        await pilot.pause()
        assert [str(move) for move in session.game.moves] == ["b6=uuo"]
        assert session.game.tokens(0) == Tokens(blue=1, gold=1)

    drive(session, play)


def test_a_typed_move_may_leave_returns_to_the_dialog() -> None:
    state = deal()
    give_tokens(state, 0, "3 white 3 blue 3 green")
    session = Session([PERSON, PERSON], game=position_of(state))

    async def play(pilot: Pilot[None]) -> None:
        await pilot.press("colon", *keys("+wrk"), "enter")
        await until(pilot, lambda: is_open(pilot, ReturnDialog))
        await pilot.press("w", "w", "enter")
        await pilot.pause()
        assert [str(move) for move in session.game.moves] == ["+wrk-ww"]

    drive(session, play)


def test_passing_is_offered_when_nothing_else_is_possible() -> None:
    state = deal()
    for level, cards in enumerate(((8, 16, 24, 32), (46, 52, 58, 64), (72, 77, 80, 84)), 1):
        show_row(state, level, *cards)
    for card in (88, 90, 86):
        give_reserve(state, 0, card)
    for seat in (0, 1):
        give_tokens(state, seat, "2 white 2 blue 2 green 2 red 2 black")
    game = position_of(state)
    session = Session([PERSON, PERSON], game=game)

    async def play(pilot: Pilot[None]) -> None:
        assert "Nothing is possible but to pass" in message(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert [str(move) for move in session.game.moves] == ["pass"]

    drive(session, play)


# ------------------------------------------------------------------------------------------------- by mouse


def test_a_whole_game_is_played_by_mouse() -> None:
    session = Session(["greedy", PERSON, "random"], game=Game(3, seed=11, round_cap=9))
    adviser = load("greedy", seed=2)

    async def click_tokens(pilot: Pilot[None], tokens: Tokens) -> None:
        for color, count in enumerate(tokens):
            for _ in range(count):
                await pilot.click(f"#token-{LETTERS[color]}")

    async def play(pilot: Pilot[None]) -> None:
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

    drive(session, play, LARGE)
    assert session.game.is_over


def test_clicking_a_card_twice_plays_it_and_a_right_click_puts_a_token_back() -> None:
    session = Session([PERSON, PERSON], seed=3)

    async def play(pilot: Pilot[None]) -> None:
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

    drive(session, play)


# ------------------------------------------------------------------------------------------------ hot-seat


def test_hidden_cards_are_behind_a_curtain_between_people() -> None:
    session = Session([PERSON, PERSON], seed=3)

    async def play(pilot: Pilot[None]) -> None:
        await pilot.press("1", "enter")
        await until(pilot, lambda: is_open(pilot, Curtain))
        drawn = session.game.reserved(0)[0].id
        assert f"#{drawn} " not in screen_text(pilot)
        assert all(card.is_unseen for card in play_screen(pilot).table.reserved(0))
        await pilot.press("w")  # keys do nothing to the table behind the curtain
        await pilot.press("enter")
        await pilot.pause()
        assert not is_open(pilot, Curtain)
        assert play_screen(pilot).table.viewer == 1
        assert all(card.is_unseen for card in play_screen(pilot).table.reserved(0))
        assert f"#{drawn} " not in screen_text(pilot)
        await pilot.press("w", "u", "g", "enter")
        await until(pilot, lambda: is_open(pilot, Curtain))
        await pilot.click("#ready")
        await pilot.pause()
        assert play_screen(pilot).table.viewer == 0
        assert f"#{drawn} " in screen_text(pilot)

    drive(session, play)


def test_without_hidden_cards_there_is_no_curtain() -> None:
    session = Session([PERSON, PERSON, PERSON], seed=3)

    async def play(pilot: Pilot[None]) -> None:
        for expected in (1, 2, 0):
            await pilot.press("w", "u", "g", "enter")
            await pilot.pause()
            assert not is_open(pilot, Curtain)
            assert play_screen(pilot).table.viewer == expected

    drive(session, play)


# ---------------------------------------------------------------------------------- watching and replaying


def test_computers_play_each_other_and_can_be_paused() -> None:
    session = Session(["random", "greedy"], seed=3)

    async def play(pilot: Pilot[None]) -> None:
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

    drive(session, play)


def test_a_record_is_replayed_turn_by_turn() -> None:
    game = random_game(3, 6)
    game.tag("Seat0", "Ann")
    game.annotate(0, comment="a fine [opening]", evaluation=(0.5, 0.25, 0.25))
    last = len(game.moves)

    async def look(pilot: Pilot[None]) -> None:
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

    drive(game, look)


# -------------------------------------------------------------------------------------------- start screen


def test_the_start_screen_leads_to_a_game_and_back() -> None:
    async def use(pilot: Pilot[None]) -> None:
        assert is_open(pilot, StartScreen)
        await pilot.press("f1")
        assert is_open(pilot, Page)
        await pilot.press("escape")
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

    drive(None, use)


def test_the_start_screen_opens_records_and_says_what_is_wrong_with_them(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(random_game(2, 1).record(), encoding="utf-8")
    bad.write_text("nonsense [b", encoding="utf-8")

    async def use(pilot: Pilot[None]) -> None:
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

    drive(None, use)


def test_a_game_is_saved_as_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = Session([PERSON, PERSON], seed=3)

    async def play(pilot: Pilot[None]) -> None:
        await pilot.press("w", "u", "g", "enter", "ctrl+s")
        assert "Saved as splendor-" in message(pilot)

    drive(session, play)
    (file,) = tmp_path.glob("splendor-*.txt")
    saved = Game.from_record(file.read_text(encoding="utf-8"))
    assert saved.position == session.game.position
    assert saved.tags["Seat0"] == "Player 1"


# ------------------------------------------------------------------------------------------- what is seen


def screen_text(pilot: Pilot[None]) -> str:
    """What stands on the screen, line by line."""
    width, height = pilot.app.size
    lines = pilot.app.screen._compositor.render_strips(pilot.app.size)
    assert len(lines) == height
    return "\n".join(line.text[:width] for line in lines)


def crowded_game() -> Game:
    """Four players with as much before them as there can be."""
    state = deal(4, seed=8)
    for seat in range(4):
        give_reserve(state, seat, 71 + 2 * seat)
        give_reserve(state, seat, 41 + 2 * seat, from_deck=1)
        give_reserve(state, seat, 1 + 3 * seat)
    for seat in range(4):
        give_bonuses(state, seat, "1 white 1 blue 1 green 1 red 1 black")
    give_tokens(state, 0, "2 white 2 blue 2 green 1 red 1 black 2 gold")
    give_tokens(state, 1, "1 white 1 blue 1 green 1 red 1 black 1 gold")
    return position_of(state)


@pytest.mark.parametrize("size", [SMALL, (81, 25), (100, 30), LARGE, (200, 60)])
def test_nothing_is_cut_off_at_any_size(size: tuple[int, int]) -> None:
    game = crowded_game()
    session = Session([PERSON, "journeyman", "journeyman", "journeyman"], game=game)

    async def look(pilot: Pilot[None]) -> None:
        screen = play_screen(pilot)
        whole = screen.region
        for face in screen.query(Face):
            if face.display:
                assert whole.contains_region(face.region), face
                drawn = face.render()
                lines = (drawn if isinstance(drawn, Text) else face._drawn or Text()).split("\n")
                assert len(lines) <= face.content_size.height, face
                assert max(line.cell_len for line in lines) <= face.content_size.width, face
        for widget in (screen.query_one(Footer), screen.query_one(Input)):
            assert widget.region.height == 1
            assert whole.contains_region(widget.region), widget
        text = screen_text(pilot)
        for row in game.market:
            for card in row:
                assert card is not None
                assert re.search(rf"#{card.id}\b", text)
        for place in screen.query(CardPlace):
            assert place.region.height >= 4
            assert place.region.width >= 11
        for noble in game.nobles:
            assert f"@{noble.id} +3" in text
        for card in game.reserved(0):
            assert re.search(rf"#{card.id}\b", text)
        for seat, name in enumerate(session.names):
            assert f"{name}  {game.points[seat]} pts" in text
        assert text.count("10/10") == 1
        assert "w2 u2 g2 r1 k1 o2" in text
        assert "Leave" in text

    drive(session, look, size)


def test_every_gem_has_a_letter_and_a_shape_of_its_own() -> None:
    session = Session([PERSON, "random"], seed=3)

    async def look(pilot: Pilot[None]) -> None:
        text = screen_text(pilot)
        for sign in ("○w", "◆u", "▲g", "■r", "●k", "✦o"):
            assert sign in text

    drive(session, look)


def test_cards_say_what_is_missing_and_which_can_be_bought() -> None:
    state = deal()
    show(state, 0, 6)  # 3 blue
    show(state, 1, 8)  # 4 green
    give_tokens(state, 0, "3 blue 1 green")
    session = Session([PERSON, "random"], game=position_of(state))

    async def look(pilot: Pilot[None]) -> None:
        first, second = (pilot.app.screen.query_one(f"#card-1-{n}", CardPlace) for n in (1, 2))
        assert "✓ buy" in first.render().plain
        assert first.has_class("-payable")
        assert "✗ g3" in second.render().plain
        assert not second.has_class("-payable")
        await pilot.click("#card-1-1")
        assert "▶ BUY" in first.render().plain

    drive(session, look)


def test_a_view_of_another_seat_never_reaches_the_screen() -> None:
    session = Session([PERSON, "random"], seed=3)
    session.game.play("+wug")
    session.game.play("rd2")
    drawn = session.game.reserved(1)[0].id

    async def look(pilot: Pilot[None]) -> None:
        text = screen_text(pilot)
        assert "L2?" in text
        assert not re.search(rf"#{drawn}\b", text)

    drive(session, look)


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


def wait_for(look: Callable[..., str], words: str) -> None:
    """Look until these words are there; without words, until nothing is."""
    deadline = time.monotonic() + 120
    while words not in look() or (not words and look()):
        assert time.monotonic() < deadline, look()
        time.sleep(0.1)
