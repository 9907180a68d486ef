"""Random games for tests: played through `Game`, so that every test sees positions that occur in play."""

from __future__ import annotations

import random
from collections.abc import Iterator

from splendor import Game


def random_game(players: int, seed: int, *, first: int = 0, turns: int = 10_000, cap: int | None = None) -> Game:
    """A game of uniformly random decisions, over or of the given number of turns."""
    game = Game(players=players, seed=seed, first=first, round_cap=cap)
    chance = random.Random(seed)
    while not game.is_over and len(game.moves) < turns:
        game.decide(chance.choice(game.legal_actions))
    return game


def positions_of(players: int, seed: int, every: int = 1) -> Iterator[Game]:
    """The same game object after every so many decisions, until it is over."""
    game = Game(players=players, seed=seed)
    chance = random.Random(seed)
    decisions = 0
    while not game.is_over:
        if decisions % every == 0:
            yield game
        game.decide(chance.choice(game.legal_actions))
        decisions += 1
    yield game
