"""Choosing a move bit by bit: tokens, a card or a deck, and what is returned."""

from __future__ import annotations

import pytest

from games import random_game
from positions import deal, give_tokens, show
from splendor import Game
from splendor.core.components import GOLD
from splendor.terminal.choice import PartialMove, Returning
from terminal.pilot import (
    position_of,
)

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


def test_tokens_are_picked_one_by_one_and_put_back() -> None:
    choice = PartialMove(Game(players=2, seed=1).legal_moves)
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
        choice = PartialMove(legal)
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
        PartialMove(legal).pick_card(card) for card in set(range(1, 91)) - cards - {m.card for m in legal if m.card}
    )


def test_a_card_is_picked_to_buy_if_that_is_possible_and_else_to_reserve() -> None:
    state = deal()
    show(state, 0, 6)  # 3 blue
    give_tokens(state, 0, "3 blue")
    choice = PartialMove(position_of(state).legal_moves)
    assert choice.pick_card(6)
    assert choice.kind == "buy"
    assert choice.pick_card(6, "reserve")
    assert [str(move) for move in choice.moves] == ["r6"]
    assert not choice.pick_card(90, "buy")
    assert choice.card == 6
