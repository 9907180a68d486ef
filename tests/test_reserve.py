"""Reserving cards."""

import pytest

from positions import (
    assert_conserved,
    bank,
    deal,
    give_cards,
    give_reserve,
    give_tokens,
    hand,
    legal,
    play,
    reserves,
    row,
    sell_out,
    show,
    top_card,
)
from splendor.core.state import ACT, RETURN, copy_state


def reserving(words: list[str]) -> list[str]:
    return [decision for decision in words if decision.startswith("reserve")]


def test_any_face_up_card_and_the_top_of_any_deck_can_be_reserved() -> None:
    assert len(reserving(legal(deal()))) == 12 + 3


def test_a_face_up_card_goes_to_the_hand_with_one_gold() -> None:
    state = deal()
    card = row(state, 2)[2]
    play(state, "reserve level 2 card 3")
    assert reserves(state, 0) == [card]
    assert state.from_deck[0].tolist() == [0, 0, 0]
    assert hand(state, 0) == "1 gold"
    assert state.bank[5] == 4
    assert_conserved(state)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_top_card_of_a_deck_goes_to_the_hand_and_the_row_stays(level: int) -> None:
    state = deal()
    card, before, size = top_card(state, level), row(state, level), state.deck_size[level - 1]
    play(state, f"reserve from deck {level}")
    assert reserves(state, 0) == [card]
    assert state.from_deck[0].tolist() == [1, 0, 0]
    assert row(state, level) == before
    assert state.deck_size[level - 1] == size - 1
    assert hand(state, 0) == "1 gold"


def test_without_gold_in_the_bank_a_reserve_is_still_allowed() -> None:
    state = deal()
    give_tokens(state, 1, "5 gold")
    play(state, "reserve level 1 card 1")
    assert len(reserves(state, 0)) == 1
    assert hand(state, 0) == ""
    assert_conserved(state)


def test_nothing_but_reserving_brings_gold() -> None:
    start = deal(seed=4)
    give_tokens(start, 0, "1 white 1 blue 1 green 1 red 1 black 1 gold")
    give_reserve(start, 0, 6)
    for words in legal(start):
        state = copy_state(start)
        play(state, words)
        gained = int(state.tokens[0, 5]) - 1
        assert gained == 1 if words.startswith("reserve") else gained <= 0


def test_a_fourth_card_cannot_be_reserved() -> None:
    state = deal()
    for card in (41, 42):
        give_reserve(state, 0, card)
    assert len(reserving(legal(state))) == 15
    give_reserve(state, 0, 43, from_deck=1)
    assert reserving(legal(state)) == []


def test_reserved_cards_leave_the_hand_only_by_being_bought() -> None:
    state = deal(3)
    for card in (6, 41, 71):
        give_reserve(state, 0, card)
    give_tokens(state, 0, "3 blue")
    for words in legal(state):
        after = copy_state(state)
        play(after, words)
        assert reserves(after, 0) == ([41, 71] if words == "buy reserved card 1" else [6, 41, 71])


def test_a_hand_with_a_bought_reserve_has_room_again() -> None:
    state = deal(3)
    for card in (41, 6, 71):
        give_reserve(state, 0, card, from_deck=int(card == 71))
    give_tokens(state, 0, "3 blue")
    play(state, "buy reserved card 2")
    assert reserves(state, 0) == [41, 71]
    assert state.from_deck[0].tolist() == [0, 1, 0]
    state.seat = 0
    assert len(reserving(legal(state))) == 15
    assert_conserved(state)


def test_reserving_with_ten_tokens_takes_the_gold_and_returns_one() -> None:
    state = deal(4)
    give_tokens(state, 0, "5 white 5 blue")
    play(state, "reserve level 3 card 1")
    assert hand(state, 0) == "5 white 5 blue 1 gold"
    assert state.phase == RETURN
    assert legal(state) == ["return white", "return blue", "return gold"]
    play(state, "return white")
    assert hand(state, 0) == "4 white 5 blue 1 gold"
    assert (state.phase, state.seat) == (ACT, 1)


def test_the_gold_of_a_reserve_may_be_the_token_that_is_returned() -> None:
    state = deal(4)
    give_tokens(state, 0, "5 white 5 blue")
    play(state, "reserve from deck 1", "return gold")
    assert hand(state, 0) == "5 white 5 blue"
    assert state.bank[5] == 5
    assert state.seat == 1


def test_reserving_with_ten_tokens_and_no_gold_in_the_bank_returns_nothing() -> None:
    state = deal(4)
    give_tokens(state, 0, "5 white 5 blue")
    give_tokens(state, 1, "5 gold")
    before = bank(state)
    play(state, "reserve level 1 card 1")
    assert (state.phase, state.seat) == (ACT, 1)
    assert bank(state) == before


def test_an_empty_deck_cannot_be_drawn_from() -> None:
    state = deal()
    sell_out(state, 1, seat=1)
    assert_conserved(state)
    assert "reserve from deck 1" not in legal(state)
    assert "reserve from deck 2" in legal(state)


def test_with_an_empty_deck_a_face_up_card_can_be_reserved_and_leaves_a_gap() -> None:
    state = deal()
    sell_out(state, 1, seat=1)
    cards = row(state, 1)
    play(state, "reserve level 1 card 2")
    assert row(state, 1) == [cards[0], 0, cards[2], cards[3]]
    state.seat = 0
    assert "reserve level 1 card 2" not in legal(state)
    assert "reserve level 1 card 3" in legal(state)
    assert_conserved(state)


def test_the_last_card_of_a_deck_can_be_reserved() -> None:
    state = deal()
    give_cards(state, 1, *(int(card) + 1 for card in state.deck[1 : state.deck_size[0]]))
    card = top_card(state, 1)
    play(state, "reserve from deck 1")
    assert reserves(state, 0) == [card]
    assert state.deck_size[0] == 0
    assert_conserved(state)


def test_a_reserved_face_up_card_is_replaced_in_the_same_slot_at_once() -> None:
    state = deal()
    cards, fresh = row(state, 3), top_card(state, 3)
    play(state, "reserve level 3 card 2")
    assert row(state, 3) == [cards[0], fresh, cards[2], cards[3]]


def test_the_refill_is_there_before_tokens_are_returned() -> None:
    state = deal(4)
    give_tokens(state, 0, "5 white 5 blue")
    fresh = top_card(state, 1)
    play(state, "reserve level 1 card 4")
    assert state.phase == RETURN
    assert row(state, 1)[3] == fresh
    assert all(words.startswith("return") for words in legal(state))  # and cannot be used this turn


def test_a_card_reserved_this_turn_cannot_be_bought_this_turn() -> None:
    state = deal()
    show(state, 0, 6)
    give_tokens(state, 0, "3 blue")
    play(state, "reserve level 1 card 1")
    assert state.seat == 1
    play(state, "reserve from deck 3")
    assert "buy reserved card 1" in legal(state)  # but in any later turn it can
