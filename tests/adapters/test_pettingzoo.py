"""PettingZoo's own tests, and what they leave out."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]
from pettingzoo.test import (  # type: ignore[import-untyped]
    api_test,
    bombardment_test,
    max_cycles_test,
    render_test,
    seed_test,
    state_test,
    test_save_obs,
)
from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # type: ignore[import-untyped]
from pettingzoo.utils.wrappers import BaseWrapper  # type: ignore[import-untyped]

from splendor import IllegalMove
from splendor.adapters.pettingzoo import env, raw_env
from splendor.adapters.turns import TURNS, turn_mask

pytestmark = [
    pytest.mark.compiled_only,
    # The tests of PettingZoo advise plain arrays; a dictionary with a mask is how its own board games do it, and in a
    # finished game the mask is empty.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]
test_save_obs.__test__ = False  # it is called below; pytest would take it for a test of this file

PLAYERS = (2, 3, 4)
FORMS: tuple[dict[str, Any], ...] = ({}, {"whole_turns": True}, {"max_cycles": 5, "reward": "points_difference"})


class LegalSpace(Discrete):
    """An action space that samples legal actions: some of PettingZoo's tests know nothing of masks."""

    def __init__(self, environment: Any, agent: str) -> None:
        super().__init__(environment.action_space(agent).n)
        self._environment, self._agent = environment, agent

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        mask = self._environment.observe(self._agent)["action_mask"] if mask is None else mask
        return super().sample(mask, probability)


class LegalSamples(BaseWrapper[str, Any, Any]):  # type: ignore[misc]
    """The environment with such action spaces."""

    def action_space(self, agent: str) -> LegalSpace:
        return LegalSpace(self.env, agent)


class PlainObservations(LegalSamples):
    """Besides, observations are plain arrays and `step` returns the next one: so `bombardment_test` wants it.

    As of PettingZoo 1.27 it fails for every environment of several agents, since `step` returns nothing; their pull
    request 1464 mends it.
    """

    def observation_space(self, agent: str) -> Any:
        return self.env.observation_space(agent)["observation"]

    def observe(self, agent: str) -> Any:
        return self.env.observe(agent)["observation"]

    def step(self, action: Any) -> Any:
        self.env.step(action)
        return self.observe(self.agent_selection) if self.agents else None


class RoundByRound(ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A parallel environment, which `max_cycles_test` wants: every agent has one turn in a step, in their order."""

    def __init__(self, max_cycles: int) -> None:
        self.table = LegalSamples(env(max_cycles=max_cycles, whole_turns=True))
        self.possible_agents = self.table.possible_agents

    def action_space(self, agent: str) -> Any:  # noqa: ARG002
        return Discrete(len(TURNS))

    def reset(self, seed: int | None = None, options: Any = None) -> Any:  # noqa: ARG002
        self.table.reset(seed=seed)
        self.agents = list(self.possible_agents)
        return {}, {}

    def step(self, actions: Any) -> Any:  # noqa: ARG002
        for agent in self.agents:
            self.table.step(self.table.action_space(agent).sample())
        return {}, self.table.rewards, self.table.terminations, self.table.truncations, {}


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_api_test_passes(players: int, form: dict[str, Any]) -> None:
    api_test(env(players, **form), num_cycles=300)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_seed_test_passes(players: int) -> None:
    seed_test(lambda: env(players), num_cycles=200)


def test_the_bombardment_test_passes() -> None:
    bombardment_test(PlainObservations(env(3)), cycles=40)


def test_the_render_test_passes() -> None:
    render_test(env)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_state_test_passes(players: int) -> None:
    state_test(LegalSamples(env(players)), turn_based_aec_to_parallel(env(players)), num_cycles=30)


def test_the_max_cycles_test_passes() -> None:
    module = SimpleNamespace(
        env=lambda max_cycles: LegalSamples(env(max_cycles=max_cycles, whole_turns=True)), parallel_env=RoundByRound
    )
    max_cycles_test(module)


def test_the_save_obs_test_passes() -> None:
    test_save_obs(env())


# ------------------------------------------------------------------------------------ what they leave out


def play_at_random(table: Any, seed: int) -> tuple[dict[str, float], dict[str, Any]]:
    """The total reward of each agent in a random game, and their last flags."""
    table.reset(seed=seed)
    totals, flags = dict.fromkeys(table.possible_agents, 0.0), {}
    for agent in table.possible_agents:
        table.action_space(agent).seed(seed)
    for agent in table.agent_iter():
        observation, reward, termination, truncation, _ = table.last()
        totals[agent] += reward
        if termination or truncation:
            flags[agent] = (termination, truncation)
        done = termination or truncation
        table.step(None if done else table.action_space(agent).sample(observation["action_mask"]))
    return totals, flags


@pytest.mark.parametrize("whole_turns", [False, True])
@pytest.mark.parametrize("players", PLAYERS)
def test_the_win_is_shared_out_at_the_end(players: int, whole_turns: bool) -> None:
    table = env(players, whole_turns=whole_turns)
    totals, flags = play_at_random(table, 11)
    winners = table.unwrapped.game.winners
    assert totals == {f"player_{s}": (s in winners) / len(winners) for s in range(players)}
    assert set(flags.values()) == {(True, False)}


def test_points_differences_add_up_to_the_final_lead() -> None:
    table = env(3, reward="points_difference")
    totals, _ = play_at_random(table, 5)
    points = table.unwrapped.game.points
    assert totals["player_1"] == points[1] - max(points[0], points[2])


def test_the_cap_on_rounds_is_a_truncation() -> None:
    table = env(2, max_cycles=3)
    _, flags = play_at_random(table, 1)
    assert set(flags.values()) == {(False, True)}
    assert table.unwrapped.game.round == 3


def test_an_illegal_action_ends_the_game_and_is_the_loss_of_one_agent() -> None:
    table = env(3)
    table.reset(seed=1)
    before = table.unwrapped.game.position
    table.step(70)
    assert all(table.terminations.values())
    assert [table._cumulative_rewards[agent] for agent in table.possible_agents] == [-1, 0, 0]
    assert table.unwrapped.game.position == before
    table.reset(seed=1)
    assert not any(table.terminations.values())


@pytest.mark.parametrize("action", [-1, 72, 1000])
def test_an_action_outside_the_space_is_an_assertion(action: int) -> None:
    table = env()
    table.reset(seed=1)
    with pytest.raises(AssertionError):
        table.step(action)
    assert not table.unwrapped.game.moves


def test_the_raw_environment_refuses_with_a_sentence_and_changes_nothing() -> None:
    table = raw_env()
    table.reset(seed=1)
    with pytest.raises(IllegalMove, match=r"\w+ \w+"):
        table.step(60)
    with pytest.raises(ValueError, match="player_0 has to decide"):
        table.step(None)
    table.step(0)
    assert table.agent_selection == "player_1"


def test_a_whole_turn_that_is_illegal_is_refused_whole() -> None:
    table = raw_env(whole_turns=True)
    table.reset(seed=1)
    before = table.game.position
    for turn in np.flatnonzero(turn_mask(table.game.state) == 0)[::97]:
        with pytest.raises(IllegalMove):
            table.step(int(turn))
    assert table.game.position == before


def test_whole_turns_are_the_legal_moves_without_other_payments() -> None:
    table = raw_env(2, whole_turns=True)
    table.reset(seed=3)
    rng = np.random.default_rng(3)
    while not table.game.is_over:
        mask = turn_mask(table.game.state)
        moves = [move for move in table.game.legal_moves if move.payment is None]
        assert mask.sum() == len(moves)
        table.step(int(rng.choice(np.flatnonzero(mask))))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 5}, "2 to 4 players"),
        ({"reward": "gold"}, "there is no reward 'gold'"),
        ({"render_mode": "svg"}, "there is no render mode 'svg'"),
        ({"max_cycles": 0}, "cap on rounds"),
    ],
)
def test_wrong_settings_are_refused_with_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        env(**options)


def test_pictures_show_nothing_hidden() -> None:
    table = env(2, render_mode="rgb_array")
    table.reset(seed=1)
    table.step(44)
    picture = table.render()
    assert isinstance(picture, np.ndarray)
    table.reset(seed=1)
    game = table.unwrapped.game
    game._state.deck[-1], game._state.deck[-2] = game._state.deck[-2], game._state.deck[-1]  # another card is drawn
    table.step(44)
    assert np.array_equal(table.render(), picture)
