"""Checks for those who add something: `check_player` for a player, `check_adapter` for a translation of the game.

Both play games and compare with `Game`; what is not as it should be raises AssertionError with a sentence. They need
no test framework:

>>> from splendor.testing import check_player
>>> check_player("random", games=1)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from splendor.core import features
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE
from splendor.game.game import Game
from splendor.notation.moves import Move
from splendor.players import Player, load

ROUND_CAP = 60  # of the games that are played; a player that dawdles must not stop the check


def check_player(player: str | Callable[[int], Player], *, games: int = 2) -> None:
    """Let a player play all seats of some games for 2, 3 and 4: it must move legally, and leave its view alone.

    It is given by its name, or as a function that makes one from a seed; the same seed must give the same moves.
    """
    make = (lambda seed: load(player, seed=seed)) if isinstance(player, str) else player
    for players in range(2, MAX_PLAYERS + 1):
        for seed in range(games):
            moves = _moves_of(make, players, seed)
            assert moves == _moves_of(make, players, seed), f"with seed {seed} the player did not repeat its moves"


def _moves_of(make: Callable[[int], Player], players: int, seed: int) -> list[Move]:
    game = Game(players, seed=seed, round_cap=ROUND_CAP)
    seated = [make(seed + seat) for seat in range(players)]
    while not game.is_over:
        view = game.view(game.seat)
        position = view.position
        move = seated[game.seat].choose(view)
        assert isinstance(move, Move), f"choose returned {move!r}, which is no Move"
        assert view.position == position, "choose changed the view that it was given"
        assert move in view.legal_moves, f"{move} is illegal in {position}"
        game.play(move)
    return game.moves


class AdaptedGame(Protocol):
    """One game as an adapter shows it; write these few lines around the interface under test."""

    @property
    def seat(self) -> int:
        """Who decides."""
        ...

    @property
    def legal_actions(self) -> Sequence[int]:
        """What may be decided, rising."""
        ...

    @property
    def observation(self) -> NDArray[np.int8] | None:
        """What the seat that decides knows, as `features` writes it; None if the interface shows it otherwise."""
        ...

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        ...

    @property
    def shares(self) -> Sequence[float]:
        """The share of the win of each seat, when it is over."""
        ...

    def decide(self, action: int) -> None:
        """Play one decision."""
        ...


def check_adapter(deal: Callable[[int, int], AdaptedGame], *, games: int = 2) -> None:
    """Play random games for 2, 3 and 4 through an adapter and through `Game`, and compare them after every decision.

    `deal(players, seed)` is to return the adapter's game of that number of players and that seed.
    """
    for players in range(2, MAX_PLAYERS + 1):
        for seed in range(games):
            game, adapted = Game(players, seed=seed), deal(players, seed)
            chance = random.Random(seed)
            where = f"players {players}, seed {seed}, decision"
            decisions = 0
            while not game.is_over:
                _compare(game, adapted, f"{where} {decisions}")
                action = chance.choice(game.legal_actions)
                game.decide(action)
                adapted.decide(action)
                decisions += 1
            assert adapted.is_over, f"{where} {decisions}: the game goes on, but it is over"
            shares = list(game.win_shares)
            assert np.allclose(adapted.shares, shares), f"{where} {decisions}: shares {adapted.shares}, not {shares}"


def _compare(game: Game, adapted: AdaptedGame, where: str) -> None:
    assert not adapted.is_over, f"{where}: the game is over, but it goes on"
    assert adapted.seat == game.seat, f"{where}: seat {adapted.seat} decides, not {game.seat}"
    legal = list(adapted.legal_actions)
    assert legal == game.legal_actions, f"{where}: legal are {legal}, not {game.legal_actions}"
    if adapted.observation is not None:
        seen = np.empty((1, OBSERVATION_SIZE), np.int8)
        features.observe(game.state, game.seat, features.named(seen)[0])
        assert np.array_equal(adapted.observation, seen[0]), f"{where}: the observation is another one"
