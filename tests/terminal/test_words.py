"""What is said of moves, of the last round and of the end."""

from __future__ import annotations

import pytest

from positions import deal, give_bonuses, give_points
from splendor.core.state import ENDED_BY_POINTS, ENDED_BY_STALEMATE
from splendor.notation import parse_move
from splendor.terminal.words import decider, how_it_ended, last_round, log_line, situation
from terminal.pilot import (
    position_of,
)

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


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


@pytest.mark.parametrize(
    ("who", "move", "words"),
    [
        ("Ann", "+wu", "Ann takes ○w◆u"),
        ("You", "rd2-o", "You reserve from deck 2, return ✦o1"),
        ("Ann", "b8=oooo@3", "Ann buys #8 ○w+1 for ✦o4, noble @3"),
        ("Ann", "pass", "Ann passes"),
    ],
)
def test_moves_are_told_in_words(who: str, move: str, words: str) -> None:
    assert log_line(who, parse_move(move)).plain == words
