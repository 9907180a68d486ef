"""Taking tokens."""

import pytest

from positions import assert_conserved, bank, deal, give_tokens, hand, leave_in_bank, legal, play, takes

GEMS = ["white", "blue", "green", "red", "black"]


def test_three_different_tokens_move_from_the_bank_to_the_hand() -> None:
    state = deal(3)
    play(state, "take white, green, black")
    assert hand(state, 0) == "1 white 1 green 1 black"
    assert bank(state) == "4 white 5 blue 4 green 5 red 4 black 5 gold"
    assert_conserved(state)


def test_any_three_of_five_colors_can_be_taken() -> None:
    state = deal(3)
    threes = [words for words in takes(state) if words.count(",") == 2]
    assert len(threes) == 10
    assert all(len(set(words.removeprefix("take ").split(", "))) == 3 for words in threes)


def test_one_or_two_different_tokens_cannot_be_taken_while_there_are_three_colors() -> None:
    state = deal(3)
    leave_in_bank(state, "2 white 2 blue 2 green")
    assert takes(state) == ["take white, blue, green"]


def test_with_two_colors_left_one_of_each_is_taken() -> None:
    state = deal(3)
    leave_in_bank(state, "2 blue 1 black 5 red")
    give_tokens(state, 0, "5 red")
    assert takes(state) == ["take blue, black"]


def test_with_one_color_left_one_token_is_taken() -> None:
    state = deal(3)
    give_tokens(state, 0, "5 white")
    leave_in_bank(state, "3 green")
    assert takes(state) == ["take green"]
    play(state, "take green")
    assert hand(state, 0) == "5 white 1 green"


def test_with_white_and_blue_left_both_are_taken_and_neither_alone() -> None:
    state = deal(3)
    give_tokens(state, 0, "4 white 4 blue")
    leave_in_bank(state, "1 white 1 blue")
    assert takes(state) == ["take white, blue"]
    assert "take white" not in legal(state)
    assert "take blue" not in legal(state)


def test_with_no_color_left_nothing_can_be_taken() -> None:
    state = deal(3)
    give_tokens(state, 0, "5 white 5 blue")
    leave_in_bank(state, "")
    assert takes(state) == []


def test_two_tokens_need_a_pile_of_four() -> None:
    state = deal(4)
    give_tokens(state, 1, "3 white 4 blue 3 green")
    give_tokens(state, 2, "2 green 6 red")
    pairs = [words for words in takes(state) if words.count(",") == 1]
    assert bank(state) == "4 white 3 blue 2 green 1 red 7 black 5 gold"
    assert pairs == ["take white, white", "take black, black"]


def test_two_tokens_of_a_pile_of_four_leave_two() -> None:
    state = deal(2)
    play(state, "take red, red")
    assert hand(state, 0) == "2 red"
    assert bank(state) == "4 white 4 blue 4 green 2 red 4 black 5 gold"
    assert "take red, red" not in legal(state)


def test_two_of_a_pile_of_three_cannot_be_taken() -> None:
    state = deal(2)
    give_tokens(state, 1, "1 red")
    assert "take red, red" not in legal(state)
    assert "take blue, blue" in legal(state)


def test_with_two_colors_and_a_high_pile_both_kinds_of_taking_are_open() -> None:
    state = deal(3)
    give_tokens(state, 0, "1 black")
    leave_in_bank(state, "4 black 1 white")
    assert takes(state) == ["take white, black", "take black, black"]


def test_gold_is_never_taken() -> None:
    state = deal(3)
    assert not any("gold" in words for words in takes(state))
    give_tokens(state, 0, "5 white 5 blue")
    leave_in_bank(state, "")
    assert takes(state) == []  # five gold lie there


@pytest.mark.parametrize("held", [8, 9, 10])
def test_a_full_hand_does_not_forbid_taking(held: int) -> None:
    state = deal(4)
    give_tokens(state, 0, f"{held - 5} white 5 blue")
    assert len(takes(state)) >= 10
    play(state, "take green, red, black")
    assert state.tokens[0].sum() == held + 3
    assert all(words.startswith("return") for words in legal(state))


def test_every_take_is_one_turn() -> None:
    for words in takes(deal(4)):
        state = deal(4)
        play(state, words)
        assert state.seat == 1
        assert_conserved(state)
