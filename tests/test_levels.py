"""The levels have names, an order, and weaknesses like those of people."""

from __future__ import annotations

import pytest

from splendor import Game
from splendor.players import KINDS, LEVELS, load

pytestmark = pytest.mark.compiled_only


def test_the_levels_are_in_rising_order() -> None:
    assert list(LEVELS) == ["apprentice", "journeyman", "artisan", "master", "grandmaster"]


def test_no_level_is_the_name_of_a_kind_of_player() -> None:
    assert not set(LEVELS) & set(KINDS)


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_plays_for_any_number_of_players_and_repeats_itself(level: str) -> None:
    for players in (2, 3, 4):
        game = Game(players=players, seed=3)
        moves = [load(level, seed=5).choose(game.view(0)) for _ in range(2)]
        if "time=" not in LEVELS[level]:  # what a clock ends cannot be repeated
            assert moves[0] == moves[1]
        assert set(moves) <= set(game.legal_moves)


@pytest.mark.parametrize(("stronger", "weaker"), [("apprentice", "random"), ("journeyman", "apprentice")])
def test_a_level_beats_the_one_before(stronger: str, weaker: str) -> None:
    games, wins = 40, 0.0
    for seed in range(games):
        game = Game(players=2, seed=seed // 2)
        hero = seed % 2
        players = [load(stronger if seat == hero else weaker, seed=seed) for seat in range(2)]
        while not game.is_over:
            game.play(players[game.seat].choose(game.view(game.seat)))
        wins += (hero in game.winners) / len(game.winners)
    assert wins >= 0.65 * games
