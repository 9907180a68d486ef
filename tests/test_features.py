"""The observation: complete for what a seat may know, and nothing beyond it."""

from typing import Any

import numpy as np
import pytest

from splendor.core.chance import new_rng
from splendor.core.components import (
    CARD_BONUS,
    CARD_COST,
    CARD_LEVEL,
    CARD_POINTS,
    CARDS,
    CARDS_IN_LEVEL,
    FIRST_CARD,
    GOLD,
    NOBLE_COST,
)
from splendor.core.features import OBSERVATION, OBSERVATION_SIZE, named, observe
from splendor.core.hidden import hide, redeal
from splendor.core.jit import MODE
from splendor.core.rules import apply, can_buy, is_over, place_of
from splendor.core.state import NOBODY, RETURN, copy_state
from splendor.many.batch import Batch

GAMES = 3 if MODE == "plain" else 60
PLAYERS = (2, 3, 4)


def observation(state: Any, viewer: int) -> Any:
    """One observation, from a buffer full of rubbish: every number must be written."""
    row = np.full((1, OBSERVATION_SIZE), 77, np.int8)
    observe(state, viewer, named(row)[0])
    return named(row)[0]


def positions(players: int, steps: int = 90) -> list[Any]:
    """States from all parts of random games, finished ones included."""
    batch = Batch(GAMES, players, seed=50)
    found = []
    for step in range(steps):
        if step % 9 == 0:
            found += [copy_state(state) for state in batch.states]
        batch.step(batch.random_actions())
    batch.playout()
    return found + [copy_state(state) for state in batch.states]


def test_the_named_fields_cover_the_flat_row_without_overlap() -> None:
    covered = np.zeros(OBSERVATION_SIZE, np.int64)
    assert OBSERVATION.fields is not None
    for dtype, offset, *_ in OBSERVATION.fields.values():
        assert dtype.base == np.int8
        covered[offset : offset + dtype.itemsize] += 1
    assert (covered == 1).all()


def test_names_share_the_memory_of_the_flat_rows() -> None:
    rows = np.zeros((5, 2, OBSERVATION_SIZE), np.int8)
    named(rows).tokens[3, 1, 0, GOLD] = 9
    assert named(rows).tokens.shape == (5, 2, 4, 6)
    assert rows[3, 1].sum() == 9


@pytest.mark.parametrize("players", PLAYERS)
def test_what_differs_only_in_hidden_cards_looks_the_same(players: int) -> None:
    rng = new_rng(3)
    for state in positions(players):
        for viewer in range(players):
            seen = observation(state, viewer).tobytes()
            hidden = copy_state(state)
            hide(hidden, viewer)
            assert observation(hidden, viewer).tobytes() == seen
            redeal(hidden, rng)
            assert observation(hidden, viewer).tobytes() == seen


@pytest.mark.parametrize("players", PLAYERS)
def test_every_field_says_what_it_promises(players: int) -> None:
    for state in positions(players):
        viewer = int(state.seat)
        seats = [(viewer + distance) % players for distance in range(players)]
        seen = observation(state, viewer)
        assert seen.players.tolist() == [players == 2, players == 3, players == 4]
        assert seen.phase.tolist() == [min(int(state.phase), 3) == phase for phase in range(4)]
        assert seen.turn.tolist() == [not is_over(state), 0, 0, 0]
        assert seen.first.tolist() == [distance < players and seats[distance] == state.first for distance in range(4)]
        assert seen.last_round == any(state.points >= 15)
        assert seen.round_number == state.round_number
        assert seen.rounds_left == 0
        assert seen.passes == state.passes
        assert seen.returns == (state.tokens[viewer].sum() - 10 if state.phase == RETURN else 0)
        assert (seen.bank == state.bank).all()
        assert (seen.deck_size == state.deck_size).all()
        for distance, seat in enumerate(seats):
            assert (seen.tokens[distance] == state.tokens[seat]).all()
            assert seen.held[distance] == state.tokens[seat].sum()
            assert (seen.bonuses[distance] == state.bonuses[seat]).all()
            assert seen.points[distance] == state.points[seat]
            assert seen.bought[distance] == state.bonuses[seat].sum()
            assert seen.visits[distance] == (state.noble_seat == seat).sum()
        for place in range(5):
            is_present = state.nobles[place] >= 0 and state.noble_seat[place] == NOBODY
            cost = NOBLE_COST[state.nobles[place]] if is_present else np.zeros(GOLD, np.int8)
            assert seen.noble_present[place] == is_present
            assert (seen.noble_cost[place] == cost).all()
            for distance, seat in enumerate(seats):
                assert seen.noble_lacking[place, distance] == np.maximum(cost - state.bonuses[seat], 0).sum()


@pytest.mark.parametrize("players", PLAYERS)
def test_cards_are_shown_with_what_each_player_lacks(players: int) -> None:
    for state in positions(players):
        viewer = int(state.first)
        seats = [(viewer + distance) % players for distance in range(players)]
        seen = observation(state, viewer)
        known = set()
        for slot, card in enumerate(state.market.tolist()):
            is_card = card < CARDS
            known.add(card)
            assert seen.market_present[slot] == is_card
            assert seen.market_points[slot] == (CARD_POINTS[card] if is_card else 0)
            check_card(card, seen.market_bonus[slot], seen.market_cost[slot])
            assert (seen.market_missing[slot] == lacking(state, viewer, card)).all()
            for distance, seat in enumerate(seats):
                assert seen.market_shortfall[slot, distance] == shortfall(state, seat, card)
        for distance, seat in enumerate(seats):
            for place, card in enumerate(state.reserved[seat].tolist()):
                is_seen = card < CARDS and (seat == viewer or not state.from_deck[seat, place] or is_over(state))
                level = [int(card < CARDS and CARD_LEVEL[card] == level) for level in range(3)]
                assert seen.reserved_level[distance, place].tolist() == level
                assert seen.reserved_from_deck[distance, place] == state.from_deck[seat, place]
                if is_seen:
                    known.add(card)
                shown = card if is_seen else CARDS
                assert seen.reserved_points[distance, place] == (CARD_POINTS[card] if is_seen else 0)
                check_card(shown, seen.reserved_bonus[distance, place], seen.reserved_cost[distance, place])
                assert seen.reserved_shortfall[distance, place] == shortfall(state, seat, shown)
                if distance == 0:
                    assert (seen.reserved_missing[place] == lacking(state, viewer, shown)).all()
        for card in range(CARDS):
            is_bought = any(state.bought[seat, card // 8] >> (card % 8) & 1 for seat in range(4))
            assert seen.unseen[card] == (card not in known and not is_bought)


def check_card(card: int, bonus: Any, cost: Any) -> None:
    assert bonus.tolist() == [int(card < CARDS and CARD_BONUS[card] == color) for color in range(GOLD)]
    assert cost.tolist() == (CARD_COST[card].tolist() if card < CARDS else [0] * GOLD)


def lacking(state: Any, seat: int, card: int) -> Any:
    """Tokens of each color that are missing for a card; nothing for an unknown one."""
    if card >= CARDS:
        return np.zeros(GOLD, np.int8)
    return np.maximum(CARD_COST[card] - state.bonuses[seat] - state.tokens[seat, :GOLD], 0)


def shortfall(state: Any, seat: int, card: int) -> int:
    return max(int(lacking(state, seat, card).sum()) - int(state.tokens[seat, GOLD]), 0) if card < CARDS else 0


def test_no_shortfall_means_that_the_card_can_be_bought() -> None:
    for state in positions(2):
        seen = observation(state, state.seat)
        for slot, card in enumerate(state.market.tolist()):
            if card < CARDS:
                assert (seen.market_shortfall[slot, 0] == 0) == can_buy(state, state.seat, card)


@pytest.mark.parametrize("players", PLAYERS)
def test_seats_that_nobody_sits_in_are_zero(players: int) -> None:
    for state in positions(players):
        seen = observation(state, 0)
        for field in ("turn", "first", "tokens", "held", "bonuses", "points", "bought", "visits"):
            assert not seen[field][players:].any()
        for field in ("reserved_level", "reserved_from_deck", "reserved_points", "reserved_cost", "reserved_shortfall"):
            assert not seen[field][players:].any()
        assert not seen.noble_lacking[:, players:].any()
        assert not seen.market_shortfall[:, players:].any()


def test_an_unknown_card_on_the_market_is_present_and_blank() -> None:
    state = copy_state(Batch(1, 2, seed=2).states[0])
    hide(state, 0)
    apply(state, 30)  # reserve the first card; an unseen one takes its place
    seen = observation(state, 0)
    assert seen.market_present[0] == 1
    assert not seen.market_cost[0].any()
    assert not seen.market_shortfall[0].any()
    assert seen.unseen.sum() == CARDS_IN_LEVEL.sum() - 12
    assert seen.unseen[: FIRST_CARD[1]].sum() == CARDS_IN_LEVEL[0] - 4


def test_rounds_are_counted_towards_the_cap() -> None:
    batch = Batch(1, 2, round_cap=3)
    assert named(batch.observe()).rounds_left[0] == 3
    batch.playout()
    assert batch.states[0].round_number == 3
    assert named(batch.observe()).rounds_left[0] == 1
    assert place_of(batch.states[0], 0) in (1, 2)
