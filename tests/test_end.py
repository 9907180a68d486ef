"""The end of the game: fifteen points and equal turns, passing, stalemate, the cap."""

from typing import Any

import pytest

from positions import (
    assert_conserved,
    bank,
    deal,
    give_bonuses,
    give_cards,
    give_points,
    give_reserve,
    give_tokens,
    hand,
    lay_nobles,
    leave_in_bank,
    legal,
    legal_numbers,
    nobles_of,
    play,
    reserves,
    row,
    show,
    show_row,
    stack_deck,
)
from splendor.core.rules import cards_bought, is_over, place_of
from splendor.core.state import ACT, ENDED_BY_CAP, ENDED_BY_POINTS, ENDED_BY_STALEMATE


def quiet_deal(players: int, first: int = 0, round_cap: int = 0) -> Any:
    """A deal whose nobles ask for no white, so that white cards from `give_points` attract none."""
    state = deal(players, first=first, round_cap=round_cap)
    lay_nobles(state, *(1, 3, 5, 2, 4)[: players + 1])
    return state


def stuck(players: int, first: int = 0) -> Any:
    """Nobody can do anything: no gems in the bank, three reserves each, and nothing that anyone can pay."""
    state = quiet_deal(players, first)
    show_row(state, 1, 8, 16, 24, 32)
    show_row(state, 2, 46, 52, 58, 64)
    show_row(state, 3, 72, 77, 80, 84)
    kept = iter((88, 90, 86, 82, 78, 74, 73, 76, 81, 85, 89, 70))
    for seat in range(players):
        for _ in range(3):
            give_reserve(state, seat, next(kept))
    hands = {
        2: ["2 white 2 blue 2 green 2 red 2 black"] * 2,
        3: [
            "2 white 2 blue 2 green 1 red 1 black",
            "2 white 2 blue 2 green 2 red 2 black",
            "1 white 1 blue 1 green 2 red 2 black",
        ],
        4: [
            "2 white 2 blue 2 green 2 red 1 black",
            "2 white 2 blue 2 green 2 red 1 black",
            "2 white 2 blue 2 green 1 red 2 black",
            "1 white 1 blue 1 green 2 red 3 black",
        ],
    }[players]
    for seat, tokens in enumerate(hands):
        give_tokens(state, seat, tokens)
    assert state.bank[:5].tolist() == [0] * 5
    assert_conserved(state)
    return state


# ------------------------------------------------------------------------------------- fifteen points


@pytest.mark.parametrize("players", [2, 3, 4])
def test_fifteen_points_in_the_last_seat_end_the_game_at_once(players: int) -> None:
    state = quiet_deal(players)
    give_points(state, players - 1, 15)
    for seat in range(players):
        assert state.phase == ACT
        assert state.seat == seat
        play(state, f"reserve level {seat % 3 + 1} card 1")
    assert state.phase == ENDED_BY_POINTS
    assert legal_numbers(state) == []


def test_fourteen_points_do_not_end_the_game() -> None:
    state = quiet_deal(2)
    give_points(state, 0, 14)
    play(state, "reserve from deck 1", "reserve from deck 1")
    assert (state.phase, state.seat, state.round_number) == (ACT, 0, 2)


def test_after_the_second_of_four_reaches_fifteen_the_third_and_fourth_still_play() -> None:
    state = quiet_deal(4)
    give_points(state, 1, 14)
    show(state, 0, 8)  # one point for 4 green
    give_tokens(state, 1, "4 green")
    play(state, "reserve from deck 1", "buy level 1 card 1")
    assert state.points[1] == 15
    for seat in (2, 3):
        assert (state.phase, state.seat) == (ACT, seat)
        play(state, "reserve from deck 2")
    assert state.phase == ENDED_BY_POINTS
    assert len(reserves(state, 0)) == 1  # seat 0 did not play again
    assert_conserved(state)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_round_ends_with_the_seat_before_the_first_one(first: int) -> None:
    state = quiet_deal(3, first=first)
    give_points(state, first, 15)
    turns = []
    while not is_over(state):
        turns.append(int(state.seat))
        play(state, "reserve from deck 1")
    assert turns == [first, (first + 1) % 3, (first + 2) % 3]
    assert state.phase == ENDED_BY_POINTS


def test_more_players_may_pass_fifteen_in_the_last_round_and_the_trigger_gives_no_advantage() -> None:
    state = quiet_deal(2)
    give_points(state, 0, 15)
    give_points(state, 1, 15)
    show(state, 0, 8)
    give_tokens(state, 1, "4 green")
    play(state, "reserve from deck 1", "buy level 1 card 1")
    assert state.phase == ENDED_BY_POINTS
    assert state.points[:2].tolist() == [15, 16]
    assert [place_of(state, seat) for seat in range(2)] == [2, 1]


def test_points_are_looked_at_after_the_noble() -> None:
    state = deal(2)
    lay_nobles(state, 8, 1, 2)
    give_points(state, 1, 12)
    show(state, 0, 17)  # a green card for 3 red
    give_bonuses(state, 1, f"{max(3, state.bonuses[1, 0])} white {max(3, state.bonuses[1, 1])} blue 2 green")
    give_tokens(state, 1, "3 red")
    play(state, "take white, blue, green", "buy level 1 card 1")
    assert nobles_of(state, 1) == [8]
    assert state.points[1] == 15
    assert state.phase == ENDED_BY_POINTS


def test_points_never_fall_and_cards_are_never_lost_when_the_display_runs_out() -> None:
    state = quiet_deal(4)
    for card in range(1, 91):
        give_cards(state, card % 4, card)
    assert_conserved(state)
    assert row(state, 1) + row(state, 2) + row(state, 3) == [0] * 12
    assert legal(state) == [words for words in legal(deal(4)) if words.startswith("take")]
    before = state.points.copy()
    play(state, "take white, blue, green", "choose noble 1", "take white, blue, green")
    assert (state.points >= before).all()
    assert_conserved(state)


# ---------------------------------------------------------------------------------- pass and stalemate


@pytest.mark.parametrize("players", [2, 3, 4])
def test_passing_is_the_only_decision_when_nothing_else_is_possible(players: int) -> None:
    state = stuck(players)
    assert legal(state) == ["pass"]
    play(state, "pass")
    assert (state.phase, state.seat, state.passes) == (ACT, 1, 1)


@pytest.mark.parametrize("color", ["white", "blue", "green", "red", "black"])
def test_passing_is_not_allowed_while_a_token_can_be_taken(color: str) -> None:
    state = stuck(2)
    give_tokens(state, 1, f"-1 {color}")
    assert legal(state) == [f"take {color}"]


def test_passing_is_not_allowed_while_a_card_can_be_bought() -> None:
    state = stuck(2)
    give_bonuses(state, 0, "2 green")
    assert legal(state) == ["buy level 1 card 1"]  # card 8 costs 4 green


def test_room_for_a_reserve_means_that_one_may_not_pass() -> None:
    state = quiet_deal(3)
    give_tokens(state, 0, "5 white 5 blue")
    leave_in_bank(state, "")
    moves = legal(state)
    assert "pass" not in moves
    assert "reserve from deck 1" in moves


@pytest.mark.parametrize(("players", "first"), [(2, 0), (2, 1), (3, 0), (3, 2), (4, 0), (4, 3)])
def test_the_game_ends_as_a_stalemate_when_all_have_passed_in_succession(players: int, first: int) -> None:
    state = stuck(players, first)
    state.seat = 1  # the first to pass need not be the first of the round
    for turn in range(players):
        assert (state.phase, state.passes) == (ACT, turn)
        play(state, "pass")
    assert state.phase == ENDED_BY_STALEMATE
    assert legal_numbers(state) == []
    assert [place_of(state, seat) for seat in range(players)] == [1] * players


def test_any_other_action_interrupts_the_passes() -> None:
    state = stuck(2)
    give_reserve_back = reserves(state, 1)[2]
    play(state, "pass")
    assert state.passes == 1
    # The other player has one reserve less and one card more: there is room.
    state.reserved[1, 2] = 93
    give_cards_of_hand(state, 1, give_reserve_back)
    play(state, "reserve from deck 1", "return white")
    assert state.passes == 0
    assert state.phase == ACT
    assert_conserved(state)
    assert legal(state) == ["take white"]


def give_cards_of_hand(state: Any, seat: int, printed: int) -> None:
    """A card that has just left a reserve counts as bought."""
    state.deck[70 + state.deck_size[2]] = printed - 1
    state.deck_size[2] += 1
    give_cards(state, seat, printed)


def test_two_players_can_reach_a_stalemate_by_legal_play_in_sixteen_turns() -> None:
    state = deal(2)
    show_row(state, 1, 2, 3, 11, 13)
    show_row(state, 2, 41, 42, 43, 44)
    show_row(state, 3, 71, 72, 73, 74)
    stack_deck(state, 1, 18, 19, 26, 27, 28, 5)
    play(state, "take white, blue, green", "take red, red")
    play(state, "take white, blue, green", "take green, red, black")
    play(state, "take white, blue, black", "take green, red, black")
    play(state, "take white, blue, black", "return black", "return black", "take black")
    play(state, "take black", "return black", "take black")
    assert bank(state) == "5 gold"
    assert hand(state, 0) == "4 white 4 blue 2 green"
    assert hand(state, 1) == "2 green 4 red 4 black"
    for place in (1, 2, 3, 4, 1, 2):
        play(state, f"reserve level 1 card {place}", "return gold")
    assert reserves(state, 0) == [2, 11, 18]
    assert reserves(state, 1) == [3, 13, 19]
    assert row(state, 1) == [28, 5, 26, 27]
    for _ in range(2):
        assert legal(state) == ["pass"]
        play(state, "pass")
    assert state.phase == ENDED_BY_STALEMATE
    assert [place_of(state, seat) for seat in range(2)] == [1, 1]
    assert [int(state.points[seat]) for seat in range(2)] == [0, 0]
    assert [cards_bought(state, seat) for seat in range(2)] == [0, 0]
    assert state.round_number == 9
    assert_conserved(state)


# -------------------------------------------------------------------------------------------- the cap


def test_without_a_cap_tokens_may_be_taken_and_returned_for_ever() -> None:
    state = quiet_deal(2)
    give_tokens(state, 0, "2 white 2 blue 2 green 2 red 2 gold")
    give_tokens(state, 1, "1 white 1 blue 1 green 1 red 3 black 3 gold")
    before = bank(state)
    for turn in range(100):
        play(state, "take white, blue, green", "return white", "return blue", "return green")
        assert (state.phase, state.round_number) == (ACT, 1 + (turn + 1) // 2)
        assert bank(state) == before


@pytest.mark.parametrize(("players", "first"), [(2, 0), (2, 1), (3, 2), (4, 1)])
def test_the_cap_ends_a_bot_match_after_a_whole_round_with_its_own_reason(players: int, first: int) -> None:
    state = quiet_deal(players, first, round_cap=2)
    turns = []
    while not is_over(state):
        turns.append(int(state.seat))
        play(state, "reserve from deck 3")
    assert state.phase == ENDED_BY_CAP
    assert turns == [(first + turn) % players for turn in range(2 * players)]
    assert state.round_number == 2


def test_fifteen_points_come_before_the_cap() -> None:
    state = quiet_deal(2, round_cap=1)
    give_points(state, 0, 15)
    play(state, "reserve from deck 3", "reserve from deck 3")
    assert state.phase == ENDED_BY_POINTS


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seat_without_a_player_stays_in_the_order_with_any_legal_action(players: int) -> None:
    """A host that plays the lowest legal number for an absent player keeps turns equal."""
    state = deal(players, seed=11, round_cap=20)
    turns = [0] * players
    while not is_over(state):
        turns[state.seat] += state.phase == ACT
        play(state, legal(state)[0])
    assert len(set(turns)) == 1
