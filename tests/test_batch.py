"""A batch of games gives the numbers of single games, whatever the number of threads."""

from typing import Any

import numpy as np
import pytest

from splendor.core.actions import ACTIONS
from splendor.core.chance import below, new_rng
from splendor.core.features import OBSERVATION_SIZE, named, observe
from splendor.core.jit import MODE
from splendor.core.playout import playout, random_action
from splendor.core.rules import apply, is_legal, is_over, legal_actions, place_of, setup
from splendor.core.state import STATE, new_state
from splendor.many.batch import Batch

GAMES = 8 if MODE == "plain" else 300
PLAYERS = (2, 3, 4)


def single_game(seed: int, players: int, first: int = 0, round_cap: int = 0) -> tuple[Any, Any]:
    state, rng = new_state(), new_rng(seed)
    setup(state, players, first, round_cap, rng)
    return state, rng


def as_dict(state: Any) -> dict[str, Any]:
    """The fields of a state; copies may differ in the bytes between them."""
    return {name: state[name].tolist() for name in STATE.names or ()}


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("threads", [1, 3])
def test_playouts_are_those_of_single_games(players: int, threads: int) -> None:
    batch = Batch(GAMES, players, seed=100, threads=threads)
    decisions = batch.playout()
    for game in range(GAMES):
        state, rng = single_game(100 + game, players)
        assert decisions[game] == playout(state, rng)
        assert batch.states[game].tobytes() == state.tobytes()
        assert batch.rng[game] == rng[0]
        places = [int(place_of(state, seat)) for seat in range(players)]
        assert batch.places[game, :players].tolist() == places
        assert batch.shares[game, :players].tolist() == [
            np.float32(place == 1) / np.float32(places.count(1)) for place in places
        ]
    assert batch.done.all()
    assert not batch.places[:, players:].any()
    assert not batch.shares[:, players:].any()


@pytest.mark.parametrize("players", PLAYERS)
def test_steps_masks_and_observations_are_those_of_single_games(players: int) -> None:
    games = 4 if MODE == "plain" else 40
    batch = Batch(games, players, seed=7, first=1, threads=2)
    singles = [single_game(7 + game, players, first=1) for game in range(games)]
    seen = np.zeros((1, OBSERVATION_SIZE), np.int8)
    for _ in range(60):
        masks, observations, actions = batch.legal_mask(), batch.observe(), batch.random_actions()
        for game, (state, rng) in enumerate(singles):
            buffer = np.zeros(ACTIONS + 1, np.int64)
            legal = set(buffer[: legal_actions(state, buffer)].tolist())
            assert set(np.flatnonzero(masks[game]).tolist()) == legal
            assert legal == {action for action in range(ACTIONS) if is_legal(state, action)}
            observe(state, state.seat, named(seen)[0])
            assert (observations[game] == seen[0]).all()
            if not is_over(state):
                action = random_action(state, rng)
                assert action == actions[game]
                apply(state, action)
        done = batch.step(actions)
        for game, (state, _) in enumerate(singles):
            assert batch.states[game].tobytes() == state.tobytes()
            assert done[game] == is_over(state)


def test_random_choice_takes_the_legal_action_that_the_generator_names() -> None:
    state, rng = single_game(5, 3)
    buffer = np.zeros(ACTIONS + 1, np.int64)
    while not is_over(state):
        again = rng.copy()
        count = legal_actions(state, buffer)
        action = buffer[below(again, count)]
        assert random_action(state, rng) == action
        assert rng[0] == again[0]
        apply(state, action)


def test_a_finished_game_restarts_on_request_and_leaves_its_result() -> None:
    games = 2 if MODE == "plain" else 50
    batch = Batch(games, 2, seed=1)
    ended = np.zeros(games, np.int64)
    for _ in range(400):
        actions = batch.random_actions()
        rng, before = batch.rng.copy(), batch.states.copy()
        done = batch.step(actions, restart=True)
        assert not np.any(batch.states.phase > 2)
        for game in np.flatnonzero(done):
            state, own_rng = before[game], rng[game : game + 1]
            apply(state, actions[game])
            assert is_over(state)
            assert batch.places[game, :2].tolist() == [place_of(state, 0), place_of(state, 1)]
            setup(state, 2, 0, 0, own_rng)
            assert as_dict(batch.states[game]) == as_dict(state)
            assert batch.rng[game] == own_rng[0]
        ended += done
    assert (ended > 1).all()


def test_without_restart_a_finished_game_stays_as_it_is() -> None:
    batch = Batch(3, 2, seed=1, round_cap=2)
    batch.playout()
    before = batch.states.tobytes()
    assert not batch.legal_mask().any()
    assert batch.step(np.zeros(3, np.int8)).all()
    assert batch.states.tobytes() == before
    assert (batch.random_actions() == 0).all()
    assert (batch.playout() == 0).all()


def test_a_reset_takes_seeds_or_goes_on_with_the_generators() -> None:
    batch = Batch(4, 2, seed=9)
    deals = batch.states.tobytes()
    batch.reset()
    assert batch.states.tobytes() != deals
    batch.reset([9, 10, 11, 12])
    assert batch.states.tobytes() == deals


def test_seeds_wrap_around() -> None:
    assert Batch(2, 2, seed=-1).rng[1] == Batch(1, 2, seed=0).rng[0]


def test_arrays_that_are_given_are_filled() -> None:
    batch = Batch(3, 2)
    mask = np.zeros((3, ACTIONS), np.bool_)
    observations = np.zeros((3, OBSERVATION_SIZE), np.int8)
    actions, decisions = np.zeros(3, np.int8), np.zeros(3, np.int32)
    assert batch.legal_mask(out=mask) is mask
    assert batch.observe(out=observations) is observations
    assert batch.random_actions(out=actions) is actions
    assert batch.playout(out=decisions) is decisions
    assert mask.any()
    assert observations.any()
    assert decisions.all()


def test_any_seat_can_be_asked_what_it_sees() -> None:
    batch = Batch(2, 3, seed=4)
    rows = named(batch.observe(viewers=np.array([1, 2])))
    assert rows.turn.tolist() == [[0, 0, 1, 0], [0, 1, 0, 0]]


@pytest.mark.parametrize(("players", "first"), [(1, 0), (5, 0), (2, 2), (3, -1)])
def test_impossible_tables_are_refused(players: int, first: int) -> None:
    with pytest.raises(ValueError, match="not"):
        Batch(1, players, first=first)
