"""Setting up: the tokens, the decks, the face-up cards, the nobles, the first seat."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import oracle
from positions import GEMS, assert_conserved, bank, deal, hand, nobles_of, play, row, snapshot
from splendor.core.rules import GEM_TOKENS, setup
from splendor.core.state import ACT, NOBODY

PLAYERS = [2, 3, 4]


def test_the_box_has_seven_tokens_of_each_color_and_five_gold() -> None:
    assert bank(deal(4)) == "7 white 7 blue 7 green 7 red 7 black 5 gold"


@pytest.mark.parametrize("players", PLAYERS)
def test_fewer_players_use_fewer_tokens_of_each_color(players: int) -> None:
    assert deal(players).bank[:5].tolist() == [{2: 4, 3: 5, 4: 7}[players]] * 5


@pytest.mark.parametrize("players", PLAYERS)
def test_there_are_always_five_gold(players: int) -> None:
    assert deal(players).bank[5] == 5


def test_two_to_four_can_play() -> None:
    assert np.flatnonzero(GEM_TOKENS).tolist() == [2, 3, 4]
    for players in PLAYERS:
        state = deal(players)
        assert state.players == players
        assert_conserved(state)


def test_nothing_but_tokens_and_nobles_depends_on_the_number_of_players() -> None:
    tables = [snapshot(deal(players, seed=5)) for players in PLAYERS]
    for key in ("rows", "decks", "round", "step"):
        assert tables[0][key] == tables[1][key] == tables[2][key]


@pytest.mark.parametrize("players", PLAYERS)
def test_four_cards_of_each_level_lie_face_up_and_the_rest_is_in_three_decks(players: int) -> None:
    state = deal(players, seed=7)
    for level, first, last in ((1, 1, 40), (2, 41, 70), (3, 71, 90)):
        cards = row(state, level)
        assert len(set(cards)) == 4
        assert all(first <= card <= last for card in cards)
    assert state.deck_size.tolist() == [36, 26, 16]
    assert_conserved(state)


def test_each_level_is_shuffled_on_its_own() -> None:
    first: list[Counter[int]] = [Counter() for _ in range(3)]
    for seed in range(300):
        state = deal(seed=seed)
        for level in range(3):
            first[level][row(state, level + 1)[0]] += 1
    assert set(first[0]) == set(range(1, 41))  # every card of a level comes first in some deal
    assert set(first[1]) == set(range(41, 71))
    assert set(first[2]) == set(range(71, 91))


@pytest.mark.parametrize("players", PLAYERS)
def test_one_noble_more_than_players_is_revealed_and_the_rest_is_out_of_the_game(players: int) -> None:
    state = deal(players, seed=9)
    on_table = nobles_of(state, NOBODY)
    assert len(on_table) == len(set(on_table)) == players + 1
    assert_conserved(state)


def test_every_noble_can_be_revealed() -> None:
    seen = Counter(noble for seed in range(200) for noble in nobles_of(deal(seed=seed), NOBODY))
    assert set(seen) == set(range(1, 11))
    assert min(seen.values()) > 30  # 60 are expected of each


def test_nobody_has_anything_at_the_start() -> None:
    state = deal(4)
    assert [hand(state, seat) for seat in range(4)] == [""] * 4
    assert not state.bonuses.any()
    assert not state.points.any()
    assert (state.phase, state.round_number, state.passes) == (ACT, 1, 0)


@pytest.mark.parametrize(("players", "first"), [(n, seat) for n in PLAYERS for seat in range(n)])
def test_any_seat_may_begin_and_turns_go_around_the_table(players: int, first: int) -> None:
    state = deal(players, first=first)
    for turn in range(2 * players):
        assert state.seat == (first + turn) % players
        assert state.round_number == 1 + turn // players
        play(state, f"reserve from deck {turn % 3 + 1}")


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", [0, 1, 2, 12345, (1 << 64) - 1])
def test_a_deal_follows_from_its_seed_by_the_documented_algorithm(players: int, seed: int) -> None:
    assert snapshot(deal(players, seed, first=1, round_cap=9)) == oracle.deal(players, seed, first=1, cap=9)


def test_setup_leaves_no_trace_of_an_earlier_game() -> None:
    used: Any = deal(4, seed=3, first=2)
    for seat in (2, 3, 0, 1):
        play(used, f"reserve from deck {seat % 3 + 1}")
    used.bought[:] = 255
    used.bonuses[:] = 1
    used.points[:] = 20
    used.noble_seat[:] = 1
    setup(used, 2, 0, 0, np.array([1], np.uint64))
    assert used.tobytes() == deal(2, 1).tobytes()


def test_the_bank_sizes_are_those_of_the_rulebook() -> None:
    assert {players: int(GEM_TOKENS[players]) for players in PLAYERS} == GEMS
