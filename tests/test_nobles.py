"""Nobles: who is visited, when, and by how many."""

import pytest

from positions import (
    assert_conserved,
    deal,
    give_bonuses,
    give_cards,
    give_reserve,
    give_tokens,
    lay_nobles,
    leave_in_bank,
    legal,
    nobles_of,
    play,
    show,
    show_row,
)
from splendor.core.state import ACT, ENDED_BY_POINTS, NOBLE, NOBODY, RETURN

THREE_COLORS = "3 white 3 blue 3 green"  # what noble 8 asks for


def test_a_noble_comes_at_the_end_of_the_turn_without_being_asked() -> None:
    state = deal()
    lay_nobles(state, 1, 8, 2)
    show(state, 0, 1)  # a white card for 2 red 1 black
    give_bonuses(state, 0, "2 white 3 blue 3 green")
    give_tokens(state, 0, "2 red 1 black")
    play(state, "buy level 1 card 1")
    assert nobles_of(state, 0) == [8]
    assert state.points[0] == 3
    assert (state.phase, state.seat) == (ACT, 1)  # it was no action, and could not be refused
    assert_conserved(state)


@pytest.mark.parametrize("bonuses", [THREE_COLORS, "4 white 5 blue 3 green", "3 white 3 blue 4 green"])
def test_at_least_the_shown_bonuses_are_needed_and_more_do_not_hurt(bonuses: str) -> None:
    state = deal()
    lay_nobles(state, 1, 8, 2)
    give_bonuses(state, 0, bonuses)
    play(state, "take white, blue, green")
    assert nobles_of(state, 0) == [8]


@pytest.mark.parametrize("bonuses", ["2 white 3 blue 3 green", "3 white 2 blue 3 green", "5 white 5 blue 2 green"])
def test_one_bonus_too_few_in_any_color_keeps_the_noble_away(bonuses: str) -> None:
    state = deal()
    lay_nobles(state, 1, 8, 2)
    give_bonuses(state, 0, bonuses)
    play(state, "take white, blue, green")
    assert nobles_of(state, 0) == []


def test_tokens_do_not_count_for_nobles() -> None:
    state = deal(4)
    lay_nobles(state, 1, 8, 2, 3, 4)
    give_bonuses(state, 0, "2 white 2 blue 2 green")
    give_tokens(state, 0, "2 white 2 blue 2 green 2 gold")
    play(state, "reserve level 1 card 1")
    assert nobles_of(state, 0) == []


def test_reserved_cards_do_not_count_for_nobles() -> None:
    state = deal()
    lay_nobles(state, 1, 8, 2)
    give_bonuses(state, 0, "2 white 3 blue 3 green")
    for card in (41, 42, 43):  # white cards
        give_reserve(state, 0, card)
    play(state, "take white, blue, green")
    assert nobles_of(state, 0) == []


def test_a_noble_visits_only_on_the_own_turn() -> None:
    state = deal()
    lay_nobles(state, 1, 8, 2)
    give_bonuses(state, 1, THREE_COLORS)
    play(state, "take white, blue, green")
    assert nobles_of(state, 1) == []
    play(state, "take white, blue, red")
    assert nobles_of(state, 1) == [8]


def test_with_several_willing_nobles_the_player_chooses_one() -> None:
    state = deal()
    lay_nobles(state, 8, 10, 1)
    give_bonuses(state, 0, "4 white 4 blue 3 green")
    play(state, "take white, blue, green")
    assert (state.phase, state.seat) == (NOBLE, 0)
    assert legal(state) == ["choose noble 1", "choose noble 2"]
    play(state, "choose noble 2")
    assert nobles_of(state, 0) == [10]
    assert nobles_of(state, NOBODY) == [8, 1]
    assert (state.points[0], state.phase, state.seat) == (3, ACT, 1)
    assert_conserved(state)


def test_at_most_one_noble_comes_in_a_turn() -> None:
    state = deal(4)
    lay_nobles(state, 8, 10, 1, 4, 5)
    give_bonuses(state, 0, "4 white 4 blue 4 green 4 red 4 black")
    play(state, "take white, blue, green")
    assert legal(state) == [f"choose noble {place}" for place in range(1, 6)]
    play(state, "choose noble 5")
    assert nobles_of(state, 0) == [5]


def test_the_second_noble_comes_at_the_end_of_the_next_turn_whatever_the_action() -> None:
    for action in ("take white, blue, green", "reserve from deck 2", "take red, red"):
        state = deal()
        lay_nobles(state, 8, 10, 1)
        give_bonuses(state, 0, "4 white 4 blue 3 green")
        play(state, "take white, blue, black", "choose noble 1", "reserve level 3 card 1")
        state.bank[:5] += state.tokens[0, :5]
        state.tokens[0, :5] = 0
        play(state, action)
        assert nobles_of(state, 0) == [8, 10]
        assert state.points[0] == 6


def test_another_player_may_get_the_second_noble_first() -> None:
    state = deal()
    lay_nobles(state, 8, 10, 1)
    give_bonuses(state, 0, "4 white 4 blue 3 green")
    give_cards(state, 1, 8, 41, 42, 45, 16, 47, 48, 50)  # four white and four blue cards
    play(state, "take white, blue, green", "choose noble 1", "take white, blue, green")
    assert nobles_of(state, 1) == [10]
    play(state, "take red, red")
    assert nobles_of(state, 0) == [8]


def test_a_noble_that_has_left_is_not_replaced() -> None:
    state = deal()
    lay_nobles(state, 8, 10, 1)
    give_bonuses(state, 0, THREE_COLORS)
    play(state, "take white, blue, green")
    assert nobles_of(state, NOBODY) == [10, 1]
    assert nobles_of(state, 0) == [8]
    give_cards(state, 1, 41, 42, 45, 47, 48, 50, 53, 54, 57)  # three white, three blue, three green
    play(state, "take red, red")
    assert nobles_of(state, 1) == []  # it stays with whom it visited


def test_tokens_are_returned_before_the_noble_comes() -> None:
    state = deal(4)
    lay_nobles(state, 8, 10, 1, 2, 3)
    give_bonuses(state, 0, "4 white 4 blue 3 green")
    give_tokens(state, 0, "5 red 4 black")
    play(state, "take white, blue, green")
    assert state.phase == RETURN
    assert nobles_of(state, 0) == []
    play(state, "return red")
    assert state.phase == RETURN
    play(state, "return red")
    assert state.phase == NOBLE
    play(state, "choose noble 1")
    assert nobles_of(state, 0) == [8]


def test_a_noble_comes_after_a_pass_too() -> None:
    state = deal(2, seed=0)
    lay_nobles(state, 8, 1, 9)
    show_row(state, 1, 9, 16, 17, 24)  # all ask for red or black
    show_row(state, 2, 61, 63, 64, 70)
    show_row(state, 3, 72, 73, 74, 88)
    give_bonuses(state, 0, THREE_COLORS)
    for card in (90, 89, 43):
        give_reserve(state, 0, card)
    give_tokens(state, 0, "4 white 4 blue 2 green")
    leave_in_bank(state, "")
    assert legal(state) == ["pass"]
    play(state, "pass")
    assert nobles_of(state, 0) == [8]
    assert_conserved(state)


def test_a_noble_comes_in_the_last_round_too_and_counts() -> None:
    state = deal()
    lay_nobles(state, 8, 1, 9)
    give_bonuses(state, 1, THREE_COLORS)
    state.points[0] = 15
    play(state, "take white, blue, green", "take white, blue, green")
    assert state.phase == ENDED_BY_POINTS
    assert nobles_of(state, 1) == [8]
    assert state.points[1] == 3
