"""The same seed and the same decisions are the same game, whichever interface they go through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]
import pytest

import splendor.adapters.openspiel  # noqa: F401  # registers the game
from splendor import Game, Move, View
from splendor.adapters.gymnasium import SplendorEnv, make_vec
from splendor.adapters.pettingzoo import env as pettingzoo_env
from splendor.core.components import FIRST_CARD, LEVELS
from splendor.core.features import named
from splendor.game.moves import action_of_move
from splendor.testing import check_adapter

pytestmark = pytest.mark.compiled_only


class InPettingZoo:
    """One game through the AEC environment."""

    def __init__(self, players: int, seed: int) -> None:
        self.env: Any = pettingzoo_env(players)
        self.env.reset(seed=seed)
        self.totals = dict.fromkeys(self.env.possible_agents, 0.0)

    @property
    def seat(self) -> int:
        return int(self.env.possible_agents.index(self.env.agent_selection))

    @property
    def legal_actions(self) -> list[int]:
        return np.flatnonzero(self.env.last()[0]["action_mask"]).tolist()

    @property
    def observation(self) -> Any:
        return self.env.last()[0]["observation"]

    @property
    def is_over(self) -> bool:
        return all(self.env.terminations.values())

    @property
    def shares(self) -> list[float]:
        return list(self.totals.values())

    def decide(self, action: int) -> None:
        self.env.step(action)
        for agent, reward in self.env.rewards.items():
            self.totals[agent] += reward


class InVector:
    """The last of several games of the vector environment; the others play something else."""

    def __init__(self, players: int, seed: int) -> None:
        self.envs = make_vec(3, players)
        self.seen, self.info = self.envs.reset(seed=seed - 2) if seed >= 2 else self.envs.reset(seed=[91, 92, seed])
        self.is_over = False

    @property
    def seat(self) -> int:
        return int(self.info["seat"][2])

    @property
    def legal_actions(self) -> list[int]:
        return np.flatnonzero(self.seen["action_mask"][2]).tolist()

    @property
    def observation(self) -> Any:
        return self.seen["observation"][2]

    @property
    def shares(self) -> Any:
        return self.info["shares"][2, : self.envs.batch.players]

    def decide(self, action: int) -> None:
        actions = self.seen["action_mask"].argmax(axis=1)
        actions[2] = action
        self.seen, _, terminated, _, self.info = self.envs.step(actions)
        self.is_over = bool(terminated[2])


class InOpenSpiel:
    """One game of OpenSpiel, in which chance brings the cards of the deal with this seed."""

    def __init__(self, players: int, seed: int) -> None:
        dealt = Game(players, seed=seed).state
        self.outcomes = dealt.market.tolist() + [90 + noble for noble in dealt.nobles[: players + 1].tolist()]
        self.decks = [
            dealt.deck[FIRST_CARD[level] : FIRST_CARD[level] + dealt.deck_size[level]].tolist()
            for level in range(LEVELS)
        ]
        self.state = pyspiel.load_game(f"splendor(players={players})").new_initial_state()
        self._let_chance_play()

    def _let_chance_play(self) -> None:
        while self.state.is_chance_node():
            possible = {outcome for outcome, _ in self.state.chance_outcomes()}
            deck: list[int] = next((deck for deck in self.decks if deck and deck[-1] in possible), [])
            outcome = self.outcomes.pop(0) if self.outcomes else deck.pop()
            assert outcome in possible
            self.state.apply_action(outcome)

    @property
    def seat(self) -> int:
        return int(self.state.current_player())

    @property
    def legal_actions(self) -> list[int]:
        return list(self.state.legal_actions())

    @property
    def observation(self) -> Any:
        seen = np.array(self.state.observation_tensor(), np.int8)
        named(seen[None]).rounds_left = 0  # there is a cap on rounds here, and none in the other game
        return seen

    @property
    def is_over(self) -> bool:
        return bool(self.state.is_terminal())

    @property
    def shares(self) -> list[float]:
        returns = self.state.returns()
        return [(value + 1) / len(returns) for value in returns]

    def decide(self, action: int) -> None:
        self.state.apply_action(action)
        self._let_chance_play()


@pytest.mark.parametrize("adapter", [InPettingZoo, InVector, InOpenSpiel])
def test_it_is_the_game_of_the_same_seed(adapter: Any) -> None:
    check_adapter(adapter, games=2)


class Puppet:
    """A player whose next decisions are set from outside, to put a random game through `Splendor-v0`."""

    def __init__(self, moves: list[Move]) -> None:
        self.moves = moves

    def choose(self, view: View) -> Move:
        return self.moves[len(self.played(view))]

    @staticmethod
    def played(view: View) -> range:
        return range((view.round - 1) * view.players + (view.seat - view.first) % view.players)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seat_at_a_table_sees_the_game_of_the_same_seed(players: int) -> None:
    rng = np.random.default_rng(players)
    game = Game(players, seed=9)
    while not game.is_over:
        game.decide(int(rng.choice(game.legal_actions)))
    seat = players - 1
    env = SplendorEnv(players, [Puppet(game.moves)] * (players - 1), seat=seat)
    env.reset(seed=9)
    replay = Game(players, seed=9)
    for move in game.moves:
        if replay.seat == seat:
            actions = [action_of_move(replay.state, move)]
            actions += [61 + color for color, count in enumerate(move.returned) for _ in range(count)]
            if move.noble is not None:
                actions.append(67 + replay.state.nobles.tolist().index(move.noble - 1))
            for action in actions:
                assert action is not None
                env.step(action)
        replay.play(move)
    assert env.game.is_over
    assert env.game.record() == game.record()
