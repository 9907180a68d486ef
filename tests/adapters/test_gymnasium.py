"""Gymnasium's own checks, and what they leave out; `test_vector.py` is about many games at once."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env

import splendor.adapters.gymnasium  # noqa: F401  # registers the environments
from splendor.players import Random

pytestmark = pytest.mark.compiled_only


def make(**options: Any) -> Any:
    return gymnasium.make("Splendor-v0", **options).unwrapped


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"opponents": "random", "players": 3, "seat": 2},
        {"opponents": ["greedy:noise=1", "random", "greedy"], "players": 4, "seat": None},
        {"opponents": "random", "reward": "points_difference", "round_cap": 10},
    ],
    ids=str,
)
def test_check_env_passes(options: dict[str, Any]) -> None:
    check_env(make(**options))


def play(env: Any, seed: int) -> tuple[float, bool, bool]:
    observation, _ = env.reset(seed=seed)
    env.action_space.seed(seed)
    total, terminated, truncated = 0.0, False, False
    while not terminated and not truncated:
        action = env.action_space.sample(observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        assert info == {}
        total += reward
    return total, terminated, truncated


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_reward_is_the_share_of_the_win(seat: int) -> None:
    env = make(players=3, opponents="random", seat=seat)
    for seed in range(3):
        total, terminated, truncated = play(env, seed)
        winners = env.game.winners
        assert total == (seat in winners) / len(winners)
        assert (terminated, truncated) == (True, False)


def test_the_cap_on_rounds_is_a_truncation() -> None:
    env = make(opponents="random", round_cap=4)
    assert play(env, 1)[1:] == (False, True)


def test_the_same_seed_gives_the_same_game_against_the_same_opponents() -> None:
    env = make(opponents="greedy:noise=0.3", seat=None)
    play(env, 5)
    record = env.game.record()
    play(env, 6)
    play(env, 5)
    assert env.game.record() == record


def test_players_can_be_given_as_objects() -> None:
    assert play(make(opponents=[Random(seed=1)]), 2)[1]


def test_an_illegal_action_costs_and_changes_nothing() -> None:
    env = make(opponents="random")
    observation, _ = env.reset(seed=1)
    before = env.game.position
    same, reward, terminated, truncated, info = env.step(60)
    assert (reward, terminated, truncated) == (-1.0, False, False)
    assert "pass" in info["illegal"]
    assert env.game.position == before
    assert all(np.array_equal(same[name], observation[name]) for name in same)


@pytest.mark.parametrize("action", [-1, 72, 1.5, None, "0"])
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = make(opponents="random")
    env.reset(seed=1)
    with pytest.raises(InvalidAction, match="there is no action"):
        env.step(action)


def test_no_step_before_the_deal_or_after_the_end() -> None:
    env = make(opponents="random", round_cap=1)
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    env.step(0)
    with pytest.raises(ResetNeeded):
        env.step(0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"opponents": ["random", "random"]}, "needs 1 opponents, not 2"),
        ({"seat": 2}, "seat must be 0 to 1"),
        ({"reward": "gold"}, "there is no reward"),
        ({"players": 5}, "2 to 4 players"),
    ],
)
def test_wrong_settings_are_refused_with_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make(**options)
