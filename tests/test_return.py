"""Returning tokens: ten at most at the end of a turn."""

import pytest

from positions import assert_conserved, bank, deal, give_tokens, hand, legal, play
from splendor.core.state import ACT, RETURN


def test_twelve_tokens_are_returned_down_to_exactly_ten() -> None:
    state = deal(4)
    give_tokens(state, 0, "4 white 5 blue")
    play(state, "take green, red, black")
    assert state.phase == RETURN
    play(state, "return green")
    assert (state.phase, state.seat) == (RETURN, 0)
    play(state, "return red")
    assert (state.phase, state.seat) == (ACT, 1)
    assert hand(state, 0) == "4 white 5 blue 1 black"
    assert_conserved(state)


def test_the_three_just_taken_may_all_be_returned() -> None:
    state = deal(4)
    give_tokens(state, 0, "5 white 5 blue")
    before = bank(state)
    play(state, "take green, red, black", "return green", "return red", "return black")
    assert hand(state, 0) == "5 white 5 blue"
    assert bank(state) == before
    assert state.seat == 1


def test_any_token_in_hand_may_be_returned_old_new_or_gold() -> None:
    state = deal(4)
    give_tokens(state, 0, "4 white 4 blue 2 gold")
    play(state, "take green, red, black")
    assert legal(state) == ["return white", "return blue", "return green", "return red", "return black", "return gold"]
    play(state, "return gold", "return white", "return blue")
    assert hand(state, 0) == "3 white 3 blue 1 green 1 red 1 black 1 gold"


def test_a_color_that_is_not_held_cannot_be_returned() -> None:
    state = deal(4)
    give_tokens(state, 0, "6 white 4 blue")
    play(state, "take blue, green, red")
    assert legal(state) == ["return white", "return blue", "return green", "return red"]
    play(state, "return red")
    assert legal(state) == ["return white", "return blue", "return green"]


def test_gold_counts_towards_the_limit() -> None:
    state = deal(4)
    give_tokens(state, 0, "3 white 2 blue 4 gold")
    play(state, "take white, white")
    assert state.phase == RETURN
    assert_conserved(state)


@pytest.mark.parametrize("held", [6, 7])
def test_nothing_is_returned_at_ten_tokens_or_fewer(held: int) -> None:
    state = deal(4)
    give_tokens(state, 0, f"{held} white")
    assert not any(words.startswith("return") for words in legal(state))
    play(state, "take blue, green, red")
    assert (state.phase, state.seat) == (ACT, 1)


def test_returned_tokens_go_back_to_the_bank() -> None:
    state = deal(2)
    give_tokens(state, 0, "4 white 4 blue 2 green")
    play(state, "take red, red")
    assert bank(state) == "2 green 2 red 4 black 5 gold"
    play(state, "return white", "return white")
    assert bank(state) == "2 white 2 green 2 red 4 black 5 gold"
    assert_conserved(state)


def test_only_a_return_can_follow_while_there_are_too_many() -> None:
    state = deal(2)
    give_tokens(state, 0, "4 white 4 blue 2 green")
    play(state, "take red, red")
    assert all(words.startswith("return") for words in legal(state))
