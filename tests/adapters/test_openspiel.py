"""OpenSpiel's own tests, a golden playthrough, and what they leave out."""

from __future__ import annotations

import pickle
import random
import unittest
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pyspiel  # type: ignore[import-not-found]
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough  # type: ignore[import-untyped]
from open_spiel.python.observation import make_observation  # type: ignore[import-untyped]

import splendor.adapters.openspiel  # noqa: F401  # registers the game
from splendor import View

pytestmark = pytest.mark.compiled_only

PLAYERS = (2, 3, 4)


def load(players: int = 2) -> Any:
    return pyspiel.load_game(f"splendor(players={players})")


def play(state: Any, seed: int, steps: int = 10_000) -> Any:
    """A random course from here on."""
    chance = random.Random(seed)
    while not state.is_terminal() and steps:
        state.apply_action(chance.choice(state.legal_actions()))
        steps -= 1
    return state


def decision_after(players: int, seed: int, steps: int) -> Any:
    """A node at which a player decides, after so many steps or a few more."""
    state = play(load(players).new_initial_state(), seed, steps)
    while state.is_chance_node():
        play(state, seed, 1)
    return state


@pytest.mark.parametrize("players", PLAYERS)
def test_the_random_simulation_test_passes(players: int) -> None:
    pyspiel.random_sim_test(load(players), num_sims=1, serialize=True, verbose=False)


# Importing the test imports every game that OpenSpiel has in Python; some of them use what NumPy and others retire.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_api_test_passes() -> None:
    from open_spiel.integration_tests import api_test  # type: ignore[import-untyped]

    flags.FLAGS(["api_test", "--test_only_games=splendor$"])
    result = unittest.TestResult()
    api_test.load_tests(unittest.TestLoader(), None, None).run(result)
    assert result.testsRun >= 5
    assert not result.failures + result.errors, result.failures + result.errors


def test_the_playthrough_is_as_it_was(golden: Callable[[str, str], None]) -> None:
    text = generate_playthrough.playthrough("splendor(players=2,round_cap=4)", None, seed=1)
    golden("openspiel/splendor.txt", text)


# ------------------------------------------------------------------------------------ what they leave out


@pytest.mark.parametrize("players", PLAYERS)
def test_chance_deals_twelve_cards_and_the_nobles(players: int) -> None:
    state = load(players).new_initial_state()
    sizes = []
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert abs(sum(chance for _, chance in outcomes) - 1) < 1e-9
        sizes.append(len(outcomes))
        play(state, 1, 1)
    assert sizes[:12] == [40, 39, 38, 37, 30, 29, 28, 27, 20, 19, 18, 17]
    assert sizes[12:] == list(range(10, 9 - players, -1))


def test_every_card_that_is_drawn_is_a_chance_node() -> None:
    state = play(load().new_initial_state(), 3)
    steps = state.full_history()
    chances = [step for step in steps if step.player == pyspiel.PlayerId.CHANCE]
    assert len({step.action for step in chances}) == len(chances)
    for before, after in pairwise(steps[15:]):
        if 30 <= before.action < 57 and before.player >= 0 and state.course.state.deck_size.min() > 0:
            assert after.player == pyspiel.PlayerId.CHANCE


@pytest.mark.parametrize("players", PLAYERS)
def test_returns_sum_to_zero_and_a_tie_is_shared(players: int) -> None:
    state = play(load(players).new_initial_state(), players)
    assert abs(sum(state.returns())) < 1e-9
    assert max(state.returns()) == players - 1
    capped = play(pyspiel.load_game(f"splendor(players={players},round_cap=1)").new_initial_state(), 1)
    assert capped.returns() == [0.0] * players  # after one round nobody has bought anything


def test_what_another_seat_drew_is_hidden_until_it_is_bought() -> None:
    state = decision_after(2, 1, 15)
    state.apply_action(43)
    drawn = 60 if 60 in dict(state.chance_outcomes()) else state.legal_actions()[0]
    state.apply_action(drawn)
    assert state.information_state_string(0).endswith(f"> {drawn + 1}")
    assert state.information_state_string(1).endswith("> ?")
    views = [View.from_position(state.observation_string(seat), seat) for seat in range(2)]
    assert [view.reserved(0)[0].id for view in views] == [drawn + 1, 0]
    other = decision_after(2, 1, 15)
    other.apply_action(43)
    other.apply_action(next(card for card in other.legal_actions() if card != drawn))
    assert other.information_state_tensor(1) == state.information_state_tensor(1)
    assert other.information_state_tensor(0) != state.information_state_tensor(0)
    assert other.observation_tensor(1) == state.observation_tensor(1)


def test_observers_split_what_is_public_and_what_is_not() -> None:
    public, private, recall = (
        make_observation(
            load(), pyspiel.IIGObservationType(public_info=is_public, perfect_recall=recalls, private_info=who)
        )
        for is_public, recalls, who in (
            (True, False, pyspiel.PrivateInfoType.NONE),
            (False, False, pyspiel.PrivateInfoType.SINGLE_PLAYER),
            (True, True, pyspiel.PrivateInfoType.NONE),
        )
    )
    state = decision_after(2, 1, 15)
    state.apply_action(44)
    state.apply_action(state.legal_actions()[3])
    assert public.string_from(state, 0) == public.string_from(state, 1)
    assert recall.string_from(state, 0).endswith("> ?")
    private.set_from(state, 0)
    assert private.tensor.sum() == 1
    private.set_from(state, 1)
    assert private.tensor.sum() == 0
    with pytest.raises(ValueError, match="not those of all"):
        make_observation(
            load(), pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
        )


@pytest.mark.parametrize("steps", [0, 7, 40, 90, 10_000])
def test_states_survive_saving_and_copying(steps: int) -> None:
    game = load(3)
    state = play(game.new_initial_state(), 2, steps)
    saved = pyspiel.serialize_game_and_state(game, state)
    _, back = pyspiel.deserialize_game_and_state(saved)
    for other in (back, state.clone(), pickle.loads(pickle.dumps(state))):
        assert str(other) == str(state)
        assert other.history() == state.history()
        assert other.course.state.tobytes() == state.course.state.tobytes()
        if not state.is_terminal():
            assert other.legal_actions() == state.legal_actions()
    clone = state.clone()
    if not state.is_terminal():
        before = str(state)
        play(clone, 1, 5)
        assert str(state) == before


def test_resampling_changes_only_what_the_player_cannot_know() -> None:
    state = decision_after(2, 1, 15)
    state.apply_action(42)
    state.apply_action(state.legal_actions()[0])
    chance = random.Random(1)
    seen: Counter[int] = Counter()
    for _ in range(60):
        other = state.resample_from_infostate(1, chance.random)
        assert other.information_state_string(1) == state.information_state_string(1)
        assert other.observation_tensor(1) == state.observation_tensor(1)
        seen[int(other.course.state.reserved[0, 0])] += 1
        play(other, 1, 30)
    assert len(seen) > 10
    assert set(seen) <= set(range(40)) - set(state.course.state.market.tolist())
    assert state.resample_from_infostate(0, chance.random).history() == state.history()


@pytest.mark.parametrize("players", [1, 5])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 4 players"):
        load(players)


def test_illegal_actions_raise_and_change_nothing() -> None:
    state = load().new_initial_state()
    with pytest.raises(pyspiel.SpielError, match="chance cannot bring 89"):
        state.apply_action(89)
    state = decision_after(2, 1, 15)
    before, history = str(state), state.history()
    for action in set(range(-1, 73)) - set(state.legal_actions()):
        with pytest.raises(pyspiel.SpielError):
            state.apply_action(action)
    assert (str(state), state.history()) == (before, history)
