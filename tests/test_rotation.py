"""Rotated positions: the same table in other colors."""

import numpy as np
import pytest
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS, RESERVE_MARKET, RETURN_TOKEN, TAKE_PAIR, TAKEN
from splendor.core.components import CARD_BONUS, CARD_COST, CARD_LEVEL, CARD_POINTS, CARDS, GOLD
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.rules import PAIR_PILE
from splendor.many.batch import Batch
from splendor.network.rotation import COLUMNS, DECISIONS, ROTATIONS, cards_before

UnderWay = tuple[NDArray[np.int8], NDArray[np.bool_]]


@pytest.fixture(scope="module", params=[2, 4])
def under_way(request: pytest.FixtureRequest) -> UnderWay:
    """Observations and legal decisions of random games."""
    batch = Batch(40, request.param, seed=3)
    for _ in range(45):
        batch.step(batch.random_actions())
    return batch.observe().copy(), batch.legal_mask().copy()


def test_after_five_steps_everything_is_where_it_was() -> None:
    for table in (COLUMNS, DECISIONS):
        rotated = np.arange(table.shape[1])
        for _ in range(ROTATIONS):
            rotated = rotated[table[1]]
        assert rotated.tolist() == list(range(table.shape[1]))
        for steps in range(ROTATIONS):
            assert sorted(table[steps]) == list(range(table.shape[1]))
            assert (table[steps][table[-steps % ROTATIONS]] == np.arange(table.shape[1])).all()


def test_the_counterpart_of_a_card_is_in_the_color_before_and_costs_as_much() -> None:
    before = cards_before(1)
    assert sorted(before) == list(range(CARDS))
    for card in range(CARDS):
        assert CARD_BONUS[before[card]] == (CARD_BONUS[card] - 1) % GOLD
        assert CARD_LEVEL[before[card]] == CARD_LEVEL[card]
        assert CARD_POINTS[before[card]] == CARD_POINTS[card]
        assert sorted(CARD_COST[before[card]]) == sorted(CARD_COST[card])
    assert (np.roll(CARD_COST[before], 1, axis=1) == CARD_COST[:CARDS]).all(axis=1).sum() == 64


@pytest.mark.parametrize("steps", range(ROTATIONS))
def test_what_players_lack_is_the_same_in_other_colors(under_way: UnderWay, steps: int) -> None:
    seen, _ = under_way
    assert seen.shape[1] == OBSERVATION_SIZE
    rotated = named(np.ascontiguousarray(seen[:, COLUMNS[steps]]))
    for seat in range(int(rotated.players[0].argmax()) + 2):
        has = rotated.tokens[:, seat, :GOLD] + rotated.bonuses[:, seat]
        missing = np.maximum(rotated.market_cost - has[:, None], 0).sum(axis=2)
        shortfall = np.maximum(missing - rotated.tokens[:, seat, GOLD, None], 0)
        assert (shortfall == rotated.market_shortfall[:, :, seat]).all()
        lacking = np.maximum(rotated.noble_cost - rotated.bonuses[:, seat, None], 0).sum(axis=2)
        assert (lacking == rotated.noble_lacking[:, :, seat]).all()
    assert (rotated.tokens.sum(axis=2) == rotated.held).all()
    assert (rotated.unseen.sum(axis=1) == named(seen).unseen.sum(axis=1)).all()


@pytest.mark.parametrize("steps", range(ROTATIONS))
def test_decisions_are_about_the_rotated_colors(under_way: UnderWay, steps: int) -> None:
    seen, legal = under_way
    rotated, may = named(np.ascontiguousarray(seen[:, COLUMNS[steps]])), legal[:, DECISIONS[steps]]
    acts = rotated.phase[:, 0] == 1
    assert acts.any()
    assert (may[acts, TAKE_PAIR:RESERVE_MARKET] == (rotated.bank[acts, :GOLD] >= PAIR_PILE)).all()
    returns = rotated.phase[:, 1] == 1
    assert (may[returns, RETURN_TOKEN : RETURN_TOKEN + GOLD + 1] == (rotated.tokens[returns, 0] > 0)).all()
    assert (np.roll(TAKEN[DECISIONS[steps][:RESERVE_MARKET]], steps, axis=1) == TAKEN).all()
    assert (DECISIONS[steps][RESERVE_MARKET:RETURN_TOKEN] == np.arange(RESERVE_MARKET, RETURN_TOKEN)).all()
    assert len(DECISIONS[steps]) == ACTIONS
