"""V, luck and the ledger: exact at the end, fair, and closed for every seat."""

from __future__ import annotations

import threading
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from games import random_game
from splendor import Game
from splendor.analysis import ledger
from splendor.analysis.averages import DEALS, FIRST_SEED, average, average_by_seat, stored
from splendor.analysis.luck import Draw, alternatives, draws_of, reveals
from splendor.analysis.value import PositionValue, observe_openly, powers_of
from splendor.core import rules
from splendor.core.actions import RESERVE_MARKET
from splendor.core.components import CARD_LEVEL, CARDS
from splendor.core.features import OBSERVATION_SIZE, named, observe
from splendor.core.state import State, copy_state
from splendor.game.moves import begin_turn
from splendor.many.batch import Batch
from splendor.network import load_network

pytestmark = pytest.mark.compiled_only


class Opinionated:
    """A stub in place of a network: any function of a position will do, as long as it is the same each time."""

    policy_temperature = np.full(3, 0.02)

    def __init__(self) -> None:
        self.rows = 0
        self._weights = np.random.default_rng(5).normal(size=(OBSERVATION_SIZE, 4), scale=0.1).astype(np.float32)

    def shares(self, observations: NDArray[np.int8]) -> NDArray[np.float32]:
        self.rows += len(observations)
        ratings = np.einsum("rn,ns->rs", observations.astype(np.float32), self._weights)  # without threads
        players = named(observations).players.argmax(axis=1) + 2
        ratings[np.arange(4) >= players[:, None]] = -np.inf
        shares: NDArray[np.float32] = np.exp(ratings - ratings.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def rate(self, observations: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        raise NotImplementedError


@pytest.fixture(scope="module")
def stub() -> PositionValue:
    return PositionValue(Opinionated())


def present(game: Game) -> State:
    return game.states[-1]


# ------------------------------------------------------------------------------------------------ V


def test_v_is_exact_when_the_game_is_over() -> None:
    for seed in range(30):
        game = random_game(2 + seed % 3, seed)
        assert PositionValue().shares(present(game))[0, : game.players].tolist() == list(game.win_shares)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_shares_of_all_seats_make_one_win_and_empty_seats_have_none(players: int) -> None:
    shares = PositionValue().shares(Batch(20, players, first=1).states)
    assert np.abs(shares.sum(axis=1) - 1).max() < 1e-12
    assert (shares[:, :players] > 0).all()
    assert (shares[:, players:] == 0).all()


def test_v_is_what_the_network_says_to_the_seat_that_decides() -> None:
    game = random_game(3, 8, turns=13)
    network = load_network()
    assert not present(game).from_deck.any()
    seen = Batch(1, 3).observe()
    rules_seen = named(seen)
    observe(present(game), game.seat, rules_seen[0])
    said = np.roll(network.shares(seen)[0, :3], game.seat)
    assert np.allclose(PositionValue(network, powers={}).shares(present(game))[0, :3], said, atol=1e-6)
    power = powers_of(network)[3]
    expected = said**power / (said**power).sum()
    assert np.allclose(PositionValue(network).shares(present(game))[0, :3], expected, atol=1e-6)


def test_calibration_belongs_to_the_network_of_the_package(stub: PositionValue) -> None:
    """After a new network: `python benchmarks/review_proof.py calibration --write`."""
    assert set(powers_of(load_network())) == {2, 3, 4}
    assert not powers_of(stub.critic)


def test_v_knows_all_hands_and_no_deck() -> None:
    game = Game(2, seed=4)
    game.play("rd2")
    state = present(game)
    other_hand, other_deck = copy_state(state), copy_state(state)
    size = int(state.deck_size[1])
    drawn = int(state.reserved[0, 0])
    other_hand.reserved[0, 0], other_hand.deck[40] = state.deck[40], drawn
    other_deck.deck[40 : 40 + size] = state.deck[40 : 40 + size][::-1]
    seen = observe_openly(np.array([state, other_hand, other_deck]))
    assert (seen[0] == seen[2]).all()
    assert (seen[0] != seen[1]).any()


def test_a_position_is_rated_once(stub: PositionValue) -> None:
    critic = Opinionated()
    value = PositionValue(critic, remembered=10)
    states = Batch(8, 2).states
    first = value.shares(np.concatenate([states, states]))
    assert critic.rows == 8
    assert (value.shares(states) == first[:8]).all()
    assert critic.rows == 8
    value.shares(Batch(8, 2, seed=100).states)
    value.shares(states[:1])
    assert critic.rows == 17  # the oldest have been forgotten
    assert (stub.shares(states) == first[:8]).all()


def test_threads_may_share_v() -> None:
    states = Batch(200, 3).states
    expected = PositionValue(Opinionated()).shares(states)
    value, wrong = PositionValue(Opinionated(), remembered=50), []

    def ask(start: int) -> None:
        for first in range(start, 200, 8):
            shares = value.shares(states[first : first + 20])
            if not np.allclose(shares, expected[first : first + 20], atol=1e-6):
                wrong.append(first)

    threads = [threading.Thread(target=ask, args=(start,)) for start in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ----------------------------------------------------------------------------------------------- luck


def test_the_draws_of_a_game_are_those_of_its_record() -> None:
    for seed in range(40):
        game = random_game(2 + seed % 3, seed)
        drawn = {turn: recorded.drawn for turn, recorded in enumerate(game.turns) if recorded.drawn}
        assert {draw.turn: draw.card + 1 for draw in draws_of(game)} == drawn


def test_a_refill_goes_to_the_market_and_a_blind_reserve_to_a_hand() -> None:
    game = Game(2, seed=4)
    game.decide(RESERVE_MARKET)
    game.play("rd3")
    assert [(draw.kind, draw.seat) for draw in draws_of(game)] == [("market", 0), ("hand", 1)]


def test_every_card_that_is_left_could_have_come() -> None:
    """The positions differ in nothing else, and the card that came is back in the deck."""
    for seed in range(20):
        game = random_game(2 + seed % 3, seed)
        for draw in draws_of(game):
            level = CARD_LEVEL[draw.card]
            cards, states = alternatives(draw.after, draw.card)
            left = draw.after.deck[CARD_LEVEL[:CARDS].searchsorted(level) :][: draw.after.deck_size[level]]
            assert sorted(cards[1:]) == sorted(left)
            assert cards[0] == draw.card
            assert (states[0] == draw.after).all()
            for card, state in zip(cards, states, strict=True):
                assert (state["bank"] == draw.after.bank).all()
                moved = (state["market"] != draw.after.market).sum() + (state["reserved"] != draw.after.reserved).sum()
                assert moved == (card != draw.card)


def test_alternatives_are_what_another_deck_would_have_brought(stub: PositionValue) -> None:
    game = random_game(2, 11)
    for before, draw in ((game.states[draw.turn], draw) for draw in draws_of(game)):
        cards, states = alternatives(draw.after, draw.card)
        move = game.moves[draw.turn]
        for card, state in list(zip(cards, states, strict=True))[1:3]:
            other = copy_state(before)
            top = np.flatnonzero(other.deck == draw.card)[0]
            other.deck[other.deck == card] = draw.card
            other.deck[top] = card
            begin_turn(other, move)
            assert (stub.shares(other) == stub.shares(state)).all()


def test_the_mean_luck_of_all_cards_that_could_have_come_is_zero(stub: PositionValue) -> None:
    game = random_game(3, 5)
    for draw in list(draws_of(game))[::4]:
        cards, states = alternatives(draw.after, draw.card)
        lucks = [
            reveals([Draw(draw.turn, draw.seat, int(card), state)], stub)[0]
            for card, state in zip(cards, states.view(np.recarray), strict=True)
        ]
        assert np.abs(np.mean([reveal.luck for reveal in lucks], axis=0)).max() < 1e-12
        by_card = {reveal.card: reveal.luck[draw.seat] for reveal in lucks}
        best, worst = lucks[0].best, lucks[0].worst
        assert best is not None
        assert worst is not None
        assert by_card[best.card] == pytest.approx(max(by_card.values()))
        assert by_card[worst.card] == pytest.approx(min(by_card.values()))
        assert best.share - worst.share == pytest.approx(max(by_card.values()) - min(by_card.values()))


def test_a_card_that_ends_nothing_more_is_no_luck(stub: PositionValue) -> None:
    game = next(game for game in (random_game(2, seed) for seed in range(50)) if game.turns[-1].drawn)
    last = list(draws_of(game))[-1]
    assert rules.is_over(last.after)
    assert reveals([last], stub)[0].luck == (0.0, 0.0)


# --------------------------------------------------------------------------------------------- ledger


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_ledger_closes(players: int, stub: PositionValue) -> None:
    """In every game, for every seat, with any errors at all; and the rest is what it should be."""
    chance = np.random.default_rng(players)
    for seed in range(700):
        game = random_game(players, seed, first=seed % players, turns=1000 if seed % 7 == 0 else 20)
        errors = {
            int(turn): (change - change.mean()).tolist()
            for turn in chance.choice(len(game.moves), 5, replace=False)
            for change in [chance.normal(size=players)]
        }
        ledgers = ledger(game, errors, value=stub)
        if game.is_over:
            assert [of_seat.result for of_seat in ledgers] == list(game.win_shares)
        for entry in ledgers:
            total = entry.deal + entry.luck + entry.own_errors + entry.others_errors + entry.rest
            assert abs(total - (entry.result - entry.average)) < 1e-9
        assert abs(sum(entry.rest for entry in ledgers)) < 1e-9
        if seed % 50 == 0:
            unforeseen = changes_without_luck(game, stub)
            for seat, entry in enumerate(ledgers):
                assert abs(entry.rest + entry.own_errors + entry.others_errors - unforeseen[seat]) < 1e-9


def changes_without_luck(game: Game, value: PositionValue) -> NDArray[np.float64]:
    """How V changed from turn to turn, less the luck of the turn."""
    luck = {draw.turn: np.array(reveals([draw], value)[0].luck) for draw in draws_of(game)}
    shares = value.shares(np.array(game.states))[:, : game.players]
    changes: NDArray[np.float64] = sum(
        after - before - luck.get(turn, 0.0) for turn, (before, after) in enumerate(pairwise(shares))
    )
    return changes


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_ledger_closes_with_the_network(players: int) -> None:
    for seed in range(4):
        game = random_game(players, seed)
        for entry in ledger(game):
            total = entry.deal + entry.luck + entry.own_errors + entry.others_errors + entry.rest
            assert abs(total - (entry.result - entry.average)) < 1e-9
            assert entry.own_errors == entry.others_errors == 0


def test_own_errors_are_those_of_the_own_turns(stub: PositionValue) -> None:
    game = random_game(2, 3)
    first, second = ledger(game, {0: (-0.1, 0.1), 1: (0.25, -0.25), 2: (-0.05, 0.05)}, value=stub)
    assert (first.own_errors, first.others_errors) == pytest.approx((-0.15, 0.25))
    assert (second.own_errors, second.others_errors) == pytest.approx((-0.25, 0.15))


def test_the_ledger_of_a_game_that_goes_on_ends_with_what_can_be_expected() -> None:
    game = random_game(3, 4, turns=20)
    ledgers = ledger(game)
    assert sum(account.result for account in ledgers) == pytest.approx(1)
    assert all(0 < account.result < 1 for account in ledgers)


def test_a_record_that_hides_its_decks_has_the_same_ledger() -> None:
    """The drawn cards are all that matters of a deck."""
    game = random_game(2, 6, turns=30)
    again = Game.from_record(game.record())
    assert ledger(again) == ledger(game)


# ------------------------------------------------------------------------------------- average deals


def test_the_averages_belong_to_the_network_of_the_package() -> None:
    """After a new network: `python benchmarks/first_positions.py --write`."""
    assert stored()["network"] == load_network().fingerprint


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_averages_are_means_of_v_over_deals(players: int) -> None:
    kept = average(PositionValue(), players)
    assert len(kept.shares) == players
    assert sum(kept.shares) == pytest.approx(1)
    sample = PositionValue().shares(Batch(300, players, seed=FIRST_SEED + 10**6).states)[:, :players]
    errors = sample.std(axis=0) / 300**0.5
    assert (np.abs(sample.mean(axis=0) - kept.shares) < 5 * errors).all()


def test_the_averages_go_with_the_seat_that_begins() -> None:
    value = PositionValue()
    kept = average(value, 3).shares
    assert average_by_seat(value, 3, 1) == (kept[2], kept[0], kept[1])


def test_another_network_gets_averages_of_its_own(stub: PositionValue) -> None:
    assert average(stub, 2).deals == DEALS
    assert average(stub, 2).shares != average(PositionValue(), 2).shares
