"""Buying cards: the price, gold, bonuses, and what becomes of the tokens."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from positions import (
    NUMBER,
    assert_conserved,
    bank,
    bought,
    deal,
    give_bonuses,
    give_reserve,
    give_tokens,
    hand,
    leave_in_bank,
    legal,
    play,
    reserves,
    row,
    sell_out,
    show,
    top_card,
)
from splendor.core.components import CARD_COST, GOLD
from splendor.core.rules import (
    apply_paying,
    cards_bought,
    gold_needed,
    is_bought_by,
    is_exact_payment,
    least_gold_payment,
    price,
)
from splendor.core.state import copy_state


def payment(*tokens: int) -> Any:
    return np.array(tokens, np.int8)


def default_payment(state: Any, printed: int) -> list[int]:
    paid = payment(0, 0, 0, 0, 0, 0)
    least_gold_payment(state, state.seat, printed - 1, paid)
    return [int(count) for count in paid]


def exact_payments(state: Any, printed: int) -> set[tuple[int, ...]]:
    """All payments that are accepted, of all that could be put on the table, and some that could not."""
    ranges = [range(-1, int(count) + 3) for count in CARD_COST[printed - 1]]
    return {
        tokens
        for tokens in product(*ranges, range(-1, int(state.tokens[state.seat, GOLD]) + 2))
        if is_exact_payment(state, state.seat, printed - 1, payment(*tokens))
    }


def test_a_card_is_paid_with_the_tokens_it_shows() -> None:
    state = deal(4)
    show(state, 4, 62)
    give_tokens(state, 0, "2 white 4 blue 3 green")
    play(state, "buy level 2 card 1")
    assert hand(state, 0) == "1 white 1 green"
    assert bought(state, 0) == [62]
    assert state.points[0] == 2
    assert state.bonuses[0].tolist() == [0, 0, 0, 1, 0]
    assert_conserved(state)


def test_a_card_that_is_one_token_too_dear_cannot_be_bought() -> None:
    state = deal(4)
    show(state, 4, 62)
    give_tokens(state, 0, "1 white 3 blue 2 green")
    assert "buy level 2 card 1" not in legal(state)
    give_tokens(state, 0, "1 gold")
    assert "buy level 2 card 1" in legal(state)


def test_all_spent_tokens_go_back_to_the_bank() -> None:
    state = deal(2)
    show(state, 0, 14)  # 1 white 1 green 2 red 1 black
    give_tokens(state, 0, "1 white 1 green 1 red 1 black 1 gold")
    play(state, "buy level 1 card 1")
    assert hand(state, 0) == ""
    assert bank(state) == "4 white 4 blue 4 green 4 red 4 black 5 gold"


def test_gold_stands_in_for_any_color_that_is_missing() -> None:
    for printed in (8, 16, 24, 32, 40):  # four tokens of one color
        state = deal(4)
        show(state, 0, printed)
        give_tokens(state, 0, "4 gold")
        assert gold_needed(state, 0, printed - 1) == 4
        play(state, "buy level 1 card 1")
        assert hand(state, 0) == ""
        assert_conserved(state)


def test_each_bonus_saves_one_token_of_its_color() -> None:
    state = deal()
    show(state, 0, 25)
    give_bonuses(state, 0, "2 blue")
    give_tokens(state, 0, "1 green")
    assert [price(state, 0, 24, color) for color in range(5)] == [0, 0, 1, 0, 0]
    play(state, "buy level 1 card 1")
    assert hand(state, 0) == ""
    assert state.bonuses[0].tolist() == [0, 2, 0, 1, 0]


def test_a_bonus_does_not_save_tokens_of_another_color() -> None:
    state = deal()
    show(state, 0, 25)
    give_bonuses(state, 0, "4 white 2 blue 4 red 4 black")
    assert "buy level 1 card 1" not in legal(state)


def test_surplus_bonuses_give_nothing_back() -> None:
    state = deal()
    show(state, 0, 25)
    give_bonuses(state, 0, "5 blue")
    give_tokens(state, 0, "1 green")
    play(state, "buy level 1 card 1")
    assert state.bank[:5].tolist() == [4, 4, 4, 4, 4]
    assert hand(state, 0) == ""


def test_a_card_may_become_free_and_is_still_the_action_and_a_bought_card() -> None:
    state = deal()
    show(state, 0, 6)
    give_bonuses(state, 0, "3 blue")
    play(state, "buy level 1 card 1")
    assert hand(state, 0) == ""
    assert cards_bought(state, 0) == 4
    assert state.seat == 1


def test_a_bought_face_up_card_is_replaced_in_the_same_slot_at_once() -> None:
    state = deal()
    show(state, 2, 6)
    give_tokens(state, 0, "3 blue")
    cards, fresh = row(state, 1), top_card(state, 1)
    play(state, "buy level 1 card 3")
    assert row(state, 1) == [cards[0], cards[1], fresh, cards[3]]
    assert_conserved(state)


def test_with_an_empty_deck_a_bought_card_leaves_a_gap() -> None:
    state = deal()
    show(state, 2, 6)
    sell_out(state, 1, seat=1)
    give_tokens(state, 0, "3 blue")
    play(state, "buy level 1 card 3")
    assert row(state, 1)[2] == 0
    assert np.count_nonzero(row(state, 1) + row(state, 2) + row(state, 3)) == 11  # up to 12 cards lie open
    state.seat = 0
    assert "buy level 1 card 3" not in legal(state)
    assert_conserved(state)


@pytest.mark.parametrize("from_deck", [0, 1])
def test_an_own_reserved_card_can_be_bought_on_a_later_turn(from_deck: int) -> None:
    state = deal()
    give_reserve(state, 0, 41)
    give_reserve(state, 0, 6, from_deck)
    give_tokens(state, 0, "3 blue")
    cards = row(state, 1)
    play(state, "buy reserved card 2")
    assert bought(state, 0) == [6]
    assert reserves(state, 0) == [41]
    assert row(state, 1) == cards
    assert_conserved(state)


def test_the_reserved_card_of_another_player_cannot_be_bought() -> None:
    state = deal()
    give_reserve(state, 1, 6)
    give_tokens(state, 0, "3 blue")
    assert not any(words.startswith("buy reserved") for words in legal(state))


def test_a_refill_cannot_be_used_in_the_same_turn() -> None:
    state = deal()
    show(state, 0, 6)
    give_tokens(state, 0, "4 blue")
    play(state, "buy level 1 card 1")
    assert state.seat == 1


def test_either_two_red_or_one_red_and_one_gold_pay_for_two_red() -> None:
    state = deal()
    show(state, 0, 1)  # 2 red 1 black
    give_bonuses(state, 0, "1 black")
    give_tokens(state, 0, "2 red 1 gold")
    assert exact_payments(state, 1) == {(0, 0, 0, 2, 0, 0), (0, 0, 0, 1, 0, 1)}
    assert default_payment(state, 1) == [0, 0, 0, 2, 0, 0]
    with_gold = copy_state(state)
    apply_paying(with_gold, NUMBER["buy level 1 card 1"], payment(0, 0, 0, 1, 0, 1))
    assert hand(with_gold, 0) == "1 red"
    assert bought(with_gold, 0)[0] == 1
    assert_conserved(with_gold)
    play(state, "buy level 1 card 1")
    assert hand(state, 0) == "1 gold"


def test_gold_may_replace_any_tokens_that_the_player_has() -> None:
    state = deal(4)
    give_tokens(state, 0, "1 white 2 green 1 red 3 gold")
    payments = exact_payments(state, 14)  # 1 white 1 green 2 red 1 black
    assert payments == {
        (white, 0, green, red, 0, 5 - white - green - red)
        for white in (0, 1)
        for green in (0, 1)
        for red in (0, 1)
        if 5 - white - green - red <= 3
    }
    assert default_payment(state, 14) == [1, 0, 1, 1, 0, 2]


def test_the_default_payment_spends_as_little_gold_as_possible() -> None:
    state = deal(4)
    give_tokens(state, 0, "1 white 2 green 1 red 3 gold")
    assert min(paid[GOLD] for paid in exact_payments(state, 14)) == default_payment(state, 14)[GOLD]


def test_one_may_neither_pay_too_much_nor_too_little() -> None:
    state = deal(4)
    give_tokens(state, 0, "5 blue 2 gold")
    assert exact_payments(state, 6) == {(0, 3, 0, 0, 0, 0), (0, 2, 0, 0, 0, 1), (0, 1, 0, 0, 0, 2)}


def test_a_bonus_cannot_be_declined() -> None:
    state = deal(4)
    give_bonuses(state, 0, "2 blue")
    give_tokens(state, 0, "5 blue 2 gold")
    assert exact_payments(state, 6) == {(0, 1, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1)}


def test_every_exact_payment_leads_to_the_same_table_but_for_the_tokens() -> None:
    state = deal(4)
    show(state, 0, 14)
    give_tokens(state, 0, "1 white 2 green 1 red 1 black 3 gold")
    after = []
    for paid in exact_payments(state, 14):
        copy = copy_state(state)
        apply_paying(copy, NUMBER["buy level 1 card 1"], payment(*paid))
        assert_conserved(copy)
        assert (state.tokens[0] - copy.tokens[0]).tolist() == list(paid)
        copy.tokens[0] = 0
        copy.bank[:] = 0
        after.append(copy.tobytes())
    assert len(after) > 3
    assert len(set(after)) == 1


def test_every_bought_card_is_remembered_for_its_buyer_alone() -> None:
    for card in range(90):
        state = deal(2)
        give_reserve(state, 0, card + 1)
        state.bonuses[0] = 7  # enough for any card
        play(state, "buy reserved card 1")
        assert bought(state, 0) == [card + 1]
        assert [other for other in range(90) if is_bought_by(state, 0, other)] == [card]
        assert not is_bought_by(state, 1, card)


def test_nothing_can_be_bought_from_an_empty_table() -> None:
    state = deal(2)
    sell_out(state, 1, seat=1)
    for place in range(4):
        give_reserve(state, place % 2, row(state, 1)[place])
    assert row(state, 1) == [0, 0, 0, 0]
    give_tokens(state, 0, "5 gold 4 white 1 red")
    leave_in_bank(state, "4 black 3 red")
    assert not any(words.startswith(("buy level 1", "reserve level 1")) for words in legal(state))
    assert "reserve from deck 1" not in legal(state)
    assert_conserved(state)
