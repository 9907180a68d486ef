"""Many games at once behave as Gymnasium's vector environments do, and as the single games that they are."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.utils.passive_env_checker import data_shares_objects
from gymnasium.utils.performance import benchmark_vector_step
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import splendor.adapters.gymnasium as adapter

pytestmark = pytest.mark.compiled_only

MODES = list(AutoresetMode)


def legal(observation: Any, rng: np.random.Generator) -> Any:
    """A random legal action for each game; 0 where there is none."""
    mask = observation["action_mask"]
    return (rng.random(mask.shape) * mask).argmax(axis=1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_comes_back_is_in_the_spaces_and_has_the_shapes(players: int, mode: AutoresetMode) -> None:
    envs = adapter.make_vec(16, players, autoreset_mode=mode, round_cap=6)
    assert envs.observation_space == batch_space(envs.single_observation_space, 16)
    assert envs.metadata["autoreset_mode"] == mode
    observation, info = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(150):
        assert observation in envs.observation_space
        actions = legal(observation, rng)
        assert actions in envs.action_space
        observation, rewards, terminated, truncated, info = envs.step(actions)
        assert rewards.shape == terminated.shape == truncated.shape == info["seat"].shape == (16,)
        assert rewards.dtype == np.float64
        assert terminated.dtype == truncated.dtype == np.bool_
        assert not (terminated & truncated).any()
        if mode == AutoresetMode.DISABLED and (terminated | truncated).any():
            observation, _ = envs.reset(options={"reset_mask": terminated | truncated})


def test_the_same_seed_gives_the_same_numbers() -> None:
    runs = []
    for _ in range(2):
        envs = adapter.make_vec(8, 3)
        observation, _ = envs.reset(seed=3)
        rng = np.random.default_rng(3)
        steps = []
        for _ in range(60):
            steps.append(envs.step(legal(observation, rng)))
            observation = steps[-1][0]
        runs.append(steps)
    assert data_equivalence(runs[0], runs[1], exact=True)


def test_a_list_of_seeds_deals_those_games() -> None:
    one, other = adapter.make_vec(3), adapter.make_vec(3)
    assert data_equivalence(one.reset(seed=7), other.reset(seed=[7, 8, 9]))


def test_arrays_are_new_with_every_step_unless_asked_otherwise() -> None:
    envs, saving = adapter.make_vec(4), adapter.make_vec(4, copy=False)
    first, _ = envs.reset(seed=1)
    second, _, _, _, _ = envs.step(np.zeros(4, int))
    assert not data_shares_objects(first, second)
    first, _ = saving.reset(seed=1)
    second, _, _, _, _ = saving.step(np.zeros(4, int))
    assert first["observation"] is second["observation"]


def test_a_changed_mask_cannot_make_an_action_legal() -> None:
    envs = adapter.make_vec(4, copy=False)
    observation, _ = envs.reset(seed=1)
    observation["action_mask"][:] = 1
    before = envs.batch.states.tobytes()
    _, rewards, _, _, info = envs.step(np.full(4, 60))
    assert envs.batch.states.tobytes() == before
    assert rewards.tolist() == [-1.0] * 4
    assert info["illegal"].all()


def test_illegal_actions_leave_their_games_alone_and_the_others_go_on() -> None:
    envs, rng = adapter.make_vec(32, 2), np.random.default_rng(1)
    observation, _ = envs.reset(seed=1)
    for _ in range(200):
        actions = rng.integers(72, size=32)
        before, was_over = envs.batch.states.copy(), envs._is_over.copy()
        is_legal = observation["action_mask"][np.arange(32), actions] == 1
        observation, rewards, terminated, _, info = envs.step(actions)
        wrong = ~is_legal & ~was_over
        assert (rewards[wrong] == -1).all()
        assert not terminated[wrong].any()
        assert (envs.batch.states[wrong] == before[wrong]).all()
        assert (envs.batch.states[is_legal] != before[is_legal]).all()
        assert np.array_equal(info.get("illegal", np.zeros(32, bool)), wrong)


@pytest.mark.parametrize(
    "actions", [np.zeros(3, int), np.zeros((4, 1), int), np.full(4, 72), np.full(4, -1), np.zeros(4), [0, 0, 0, "x"]]
)
def test_what_are_no_actions_is_refused_and_nothing_is_played(actions: Any) -> None:
    envs = adapter.make_vec(4)
    envs.reset(seed=1)
    before = envs.batch.states.tobytes()
    with pytest.raises(InvalidAction):
        envs.step(actions)
    assert envs.batch.states.tobytes() == before


def test_before_the_first_deal_nothing_is_legal() -> None:
    envs = adapter.make_vec(4)
    assert envs.step(np.zeros(4, int))[1].tolist() == [-1.0] * 4


def test_the_next_step_after_the_end_deals_and_ignores_its_action() -> None:
    envs = adapter.make_vec(8, round_cap=1)
    envs.reset(seed=1)
    envs.step(np.zeros(8, int))
    observation, _, _, truncated, info = envs.step(np.ones(8, int))
    assert truncated.all()
    assert not observation["action_mask"].any()
    assert (info["shares"][:, :2].sum(axis=1) == 1).all()
    observation, rewards, terminated, truncated, _ = envs.step(np.full(8, 70))
    assert not truncated.any()
    assert not terminated.any()
    assert (rewards == 0).all()
    assert (envs.batch.states.round_number == 1).all()
    assert observation["action_mask"].any(axis=1).all()


def test_the_same_step_deals_and_keeps_what_was_seen_last() -> None:
    same, following = (adapter.make_vec(8, round_cap=1, autoreset_mode=mode) for mode in ("SameStep", "NextStep"))
    for envs in (same, following):
        envs.reset(seed=1)
        envs.step(np.zeros(8, int))
    observation, _, _, truncated, info = same.step(np.ones(8, int))
    last, *_ = following.step(np.ones(8, int))
    assert truncated.all()
    assert info["_final_obs"].all()
    assert np.array_equal(np.stack([seen["observation"] for seen in info["final_obs"]]), last["observation"])
    assert observation["action_mask"].any(axis=1).all()


def test_without_autoreset_a_finished_game_must_be_dealt() -> None:
    envs = adapter.make_vec(4, round_cap=1, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=1)
    envs.step(np.zeros(4, int))
    envs.step(np.ones(4, int))
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros(4, int))
    with pytest.raises(ValueError, match="4 booleans"):
        envs.reset(options={"reset_mask": [True] * 4})
    envs.reset(options={"reset_mask": np.ones(4, bool)})
    envs.step(np.zeros(4, int))


def test_the_reward_is_that_of_the_seat_that_decided() -> None:
    envs, rng = adapter.make_vec(64, 3, autoreset_mode="SameStep"), np.random.default_rng(2)
    observation, info = envs.reset(seed=2)
    ended = 0
    for _ in range(200):
        seats = info["seat"]
        observation, rewards, terminated, _, info = envs.step(legal(observation, rng))
        for game in np.flatnonzero(terminated):
            assert rewards[game] == info["shares"][game, seats[game]]
            ended += 1
        assert (rewards[~terminated] == 0).all()
    assert ended > 20


def test_points_differences_add_up() -> None:
    envs, rng = adapter.make_vec(16, 3, reward="points_difference", autoreset_mode="Disabled"), np.random.default_rng(4)
    observation, info = envs.reset(seed=4)
    total = 0.0
    for _ in range(60):
        points = envs.batch.states.points[:, :3].astype(int)
        seats = info["seat"]
        observation, rewards, _, _, info = envs.step(legal(observation, rng))
        after = envs.batch.states.points[:, :3].astype(int)
        for game, seat in enumerate(seats):
            others = [s for s in range(3) if s != seat]
            lead = after[game, seat] - after[game, others].max() - points[game, seat] + points[game, others].max()
            assert rewards[game] == lead
            total += abs(lead)
    assert total > 0


def test_gymnasium_makes_both_kinds_by_id() -> None:
    assert isinstance(gymnasium.make_vec("SplendorSelfPlay-v0", num_envs=4).unwrapped, adapter.SplendorVectorEnv)
    envs = gymnasium.make_vec("Splendor-v0", num_envs=2, opponents="random")
    observation, _ = envs.reset(seed=1)
    assert observation["action_mask"].shape == (2, 72)


def test_wrappers_and_the_benchmark_of_gymnasium_work() -> None:
    envs = DictInfoToList(RecordEpisodeStatistics(adapter.make_vec(4, round_cap=2)))
    observation, _ = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(20):
        observation, *_ = envs.step(legal(observation, rng))
    assert benchmark_vector_step(adapter.make_vec(64), target_duration=1, seed=1) > 1000


def test_threads_change_nothing() -> None:
    one, many = adapter.make_vec(256), adapter.make_vec(256, threads=2)
    first, second = one.reset(seed=1)[0], many.reset(seed=1)[0]
    rng = np.random.default_rng(1)
    for _ in range(30):
        actions = legal(first, rng)
        first, second = one.step(actions)[0], many.step(actions)[0]
        assert data_equivalence(first, second, exact=True)


def test_pictures_of_all_games() -> None:
    envs = adapter.make_vec(2, 4, render_mode="rgb_array")
    envs.reset(seed=1)
    pictures = envs.render()
    assert pictures is not None
    assert [picture.dtype for picture in pictures] == [np.uint8] * 2
