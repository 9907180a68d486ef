"""The checks find what they are for, and pass what is right."""

from __future__ import annotations

import pytest

from splendor import Game, Move, View, parse_move
from splendor.players import Greedy, Random
from splendor.testing import check_adapter, check_player

pytestmark = pytest.mark.compiled_only


def test_our_players_pass() -> None:
    check_player("random")
    check_player(lambda seed: Greedy(noise=0.5, seed=seed), games=1)


def test_an_illegal_move_is_found() -> None:
    class Taker:
        def choose(self, view: View) -> Move:  # noqa: ARG002
            return parse_move("+ww")

    with pytest.raises(AssertionError, match=r"\+ww is illegal in"):
        check_player(lambda _: Taker())


def test_chance_without_a_seed_is_found() -> None:
    with pytest.raises(AssertionError, match="did not repeat its moves"):
        check_player(lambda _: Random())


class Direct:
    """A game as it is, or with one thing wrong."""

    def __init__(self, players: int, seed: int) -> None:
        self.game = Game(players, seed=seed)
        self.observation = None

    @property
    def seat(self) -> int:
        return self.game.seat

    @property
    def legal_actions(self) -> list[int]:
        return self.game.legal_actions

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def shares(self) -> list[float]:
        return [(seat in self.game.winners) / len(self.game.winners) for seat in range(self.game.players)]

    def decide(self, action: int) -> None:
        self.game.decide(action)


def test_a_true_adapter_passes() -> None:
    check_adapter(Direct, games=1)


def test_an_adapter_with_another_deal_is_found() -> None:
    with pytest.raises(AssertionError, match="legal are"):
        check_adapter(lambda players, seed: Direct(players, seed + 1), games=1)


def test_an_adapter_that_pays_the_wrong_seat_is_found() -> None:
    class Reversed(Direct):
        @property
        def shares(self) -> list[float]:
            return super().shares[::-1]

    with pytest.raises(AssertionError, match="shares"):
        check_adapter(Reversed)
