"""The network at work: the package's own one, alone and at the leaves of the search."""

from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from splendor import Game
from splendor.core.actions import ACTIONS
from splendor.core.afterstates import Afterstates
from splendor.core.chance import new_rng
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.hidden import redeal
from splendor.core.rules import legal_mask
from splendor.core.state import State, copy_state, new_states
from splendor.game.moves import legal_actions
from splendor.game.position import View
from splendor.many.batch import Batch

pytest.importorskip("onnxruntime")

from splendor.network.action_values import ActionValues
from splendor.network.evaluator import NetworkEvaluator
from splendor.network.kernel.action_values import (
    FINAL,
    LIKELY,
    NOT_LEGAL,
    NOT_TRIED,
    POLICY_PART,
    TRIED,
    TRIED_OUT,
    UNLIKELY,
    combine,
    mark_likely,
    write_chances,
)
from splendor.network.network import AllRotations, Network, load_network, rotated
from splendor.network.rotation import DECISIONS, ROTATIONS
from splendor.players import load
from splendor.players.network import NetworkPlayer
from splendor.search.kernel.judgement import observe_deciders
from splendor.search.kernel.leaves import Leaves, new_leaves

pytestmark = pytest.mark.compiled_only

MOST_BYTES = 10_000_000
MANY_ROUNDS = 100


def some_views(players: int, seed: int, count: int) -> list[View]:
    """Views from a game in which the players choose at random, so that decks are drawn from and cards are hidden."""
    game, chance = Game(players=players, seed=seed), np.random.default_rng(seed)
    views: list[View] = []
    while not game.is_over and len(views) < count:
        views.append(game.view(game.seat))
        draws = [move for move in game.legal_moves if move.kind == "draw"]
        moves = draws if draws and chance.random() < 0.3 else game.legal_moves
        game.play(moves[chance.integers(len(moves))])
    return views


def alone(state: State) -> tuple[Any, NDArray[np.int64]]:
    """A state as the only one of an array, and its number for each decision."""
    states = new_states(1)
    states[0] = state
    return states, np.zeros(ACTIONS, np.int64)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_shares_make_one_win_and_empty_seats_have_none(players: int) -> None:
    shares, ratings = load_network().rate(Batch(games=5, players=players, seed=3).observe())
    assert shares.sum(axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    assert (shares[:, players:] < 1e-6).all()
    assert np.isfinite(ratings).all()


def test_of_nothing_nothing_is_said() -> None:
    shares, ratings = load_network().rate(Batch(games=3, players=2).observe()[:0])
    assert shares.shape == (0, 4)
    assert ratings.shape == (0, 72)


@pytest.mark.parametrize("players", [2, 4])
def test_it_makes_no_difference_how_a_position_is_turned_if_all_rotations_are_looked_at(players: int) -> None:
    batch = Batch(games=30, players=players, seed=3)
    for _ in range(40):
        batch.step(batch.random_actions())
    network, seen = load_network(), batch.observe()
    shares, ratings = AllRotations(network).rate(seen)
    assert AllRotations(network).shares(seen) == pytest.approx(shares, abs=1e-5)
    assert not np.allclose(network.shares(seen), network.shares(seen, 2), atol=1e-3)
    for steps in range(ROTATIONS):
        turned = rotated(seen, steps)
        turned_shares, turned_ratings = AllRotations(network).rate(turned)
        assert turned_shares == pytest.approx(shares, abs=1e-5)
        assert turned_ratings == pytest.approx(ratings[:, DECISIONS[steps]], abs=1e-3)
        one_shares, one_ratings = network.rate(seen, steps)
        assert one_shares == pytest.approx(network.rate(turned)[0])
        assert one_ratings[:, DECISIONS[steps]] == pytest.approx(network.rate(turned)[1])


@pytest.mark.parametrize("batch", [1, 7])
def test_the_leaves_of_each_deal_are_looked_at_in_a_rotation_of_their_own(batch: int) -> None:
    network, leaves = load_network(), new_leaves(7)
    views = some_views(2, seed=9, count=20)[-7:]
    for number, view in enumerate(views):
        leaves.states[number], leaves.deal[number] = view.state, number
    seen = np.zeros((7, OBSERVATION_SIZE), np.int8)
    observe_deciders(leaves.states, 7, named(seen))
    for first in range(0, 7, batch):
        part: Any = [array[first : first + batch] for array in leaves]
        NetworkEvaluator(network).judge(Leaves(*part), batch)
    for number, view in enumerate(views):
        shares, ratings = network.rate(seen[number : number + 1], number % ROTATIONS)
        assert leaves.shares[number, [view.seat, 1 - view.seat]] == pytest.approx(shares[0, :2], abs=1e-6)
        legal = legal_actions(view.state)
        priors = np.exp(ratings[0, legal] - ratings[0, legal].max())
        assert leaves.priors[number, legal] == pytest.approx(priors / priors.sum(), abs=1e-6)


def test_the_line_of_a_search_begins_with_the_best_move() -> None:
    """Visits and worth disagree here: with seed 3, the decision visited most was once another than the best."""
    disagreements = 0
    for view in some_views(2, seed=14, count=60)[::4]:
        result = NetworkPlayer(seed=3).prepare(view).run(simulations=100)
        assert result.principal_variation[0] == result.best
        assert [choice.worth for choice in result.choices] == sorted((c.worth for c in result.choices), reverse=True)
        assert all(choice.line[0] == choice.move for choice in result.choices)
        disagreements += result.choices[0].visits < max(choice.visits for choice in result.choices)
    assert disagreements > 0


def test_a_player_can_have_a_network_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.onnx"
    file.write_bytes(resources.files("splendor").joinpath("data", "network.onnx").read_bytes())
    player, usual = load(f"network:file={file},simulations=8", seed=1), load("network:simulations=8", seed=1)
    assert isinstance(player, NetworkPlayer)
    assert player.network is load_network(file)
    assert player.network is not load_network()
    for view in some_views(2, seed=9, count=3):
        assert player.choose(view) == usual.choose(view)


def test_a_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"there is no network .*nowhere.onnx"):
        load_network(tmp_path / "nowhere.onnx")
    (tmp_path / "letter.onnx").write_text("Dear reader,")
    with pytest.raises(ValueError, match=r"letter.onnx is not a network that splendor train has made"):
        load_network(tmp_path / "letter.onnx")


def test_the_network_is_read_once() -> None:
    assert load_network() is load_network()
    assert isinstance(load_network(), Network)


def test_the_file_is_small_and_says_how_it_was_made() -> None:
    file = resources.files("splendor").joinpath("data", "network.onnx")
    assert len(file.read_bytes()) <= MOST_BYTES
    assert {"machine", "minutes", "games", "decisions", "config"} <= set(load_network().about)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("simulations", [0, 24])
def test_whole_games_are_played_with_legal_moves(players: int, simulations: int) -> None:
    game = Game(players=players, seed=players)
    seats = [NetworkPlayer(simulations=simulations, seed=seat) for seat in range(players)]
    for _ in range(20 if simulations else 1000):
        if game.is_over:
            break
        game.play(seats[game.seat].choose(game.view(game.seat)))  # raises if it is not legal
    assert simulations or game.is_over


@pytest.mark.parametrize("simulations", [0, 24])
def test_the_choice_does_not_depend_on_hidden_cards(simulations: int) -> None:
    for number, view in enumerate(some_views(3, seed=5, count=24)):
        other = view.redeal(number)
        again = View(other, view.viewer)
        assert again == view
        choices = {str(NetworkPlayer(simulations=simulations, seed=7).choose(v)) for v in (view, again)}
        assert len(choices) == 1


def test_an_afterstate_is_the_same_whatever_lies_in_the_decks() -> None:
    first, second = Afterstates(), Afterstates()
    for number, view in enumerate(some_views(2, seed=8, count=30)):
        actions = np.array(legal_actions(view.state))
        full = copy_state(view.state)
        redeal(full, new_rng(number))
        hidden_again = View(full, view.viewer).state
        played = [after.play(*alone(state), actions) for after, state in ((first, view.state), (second, hidden_again))]
        assert played == [len(actions)] * 2
        assert (first.seen == second.seen).all()


@pytest.mark.parametrize("options", [{}, {"temperature": 0.05}, {"simulations": 40}])
def test_the_same_seed_gives_the_same_choices(options: dict[str, float]) -> None:
    views = some_views(2, seed=11, count=12)
    players = [NetworkPlayer(seed=4, **options), NetworkPlayer(seed=4, **options)]  # type: ignore[arg-type]
    runs = [[str(player.choose(view)) for view in views] for player in players]
    assert runs[0] == runs[1]


def test_with_a_temperature_choices_differ_between_seeds() -> None:
    views = some_views(2, seed=11, count=12)
    runs = {tuple(str(NetworkPlayer(seed=seed, temperature=0.5).choose(view)) for view in views) for seed in range(4)}
    assert len(runs) == 4


def test_a_temperature_is_a_share_of_the_win_of_two() -> None:
    player, chance = NetworkPlayer(seed=3, temperature=0.2), np.random.default_rng(3)
    for view in some_views(4, seed=6, count=20):
        noise = chance.gumbel(size=ACTIONS)
        worth = player.action_values(view.state)
        actions = legal_actions(view.state)
        assert player.decide(view.state) == max(actions, key=lambda action: worth[action] + 0.1 * noise[action])


def test_a_won_game_is_taken() -> None:
    """The result of a decision that ends the game is known, not guessed."""
    player = NetworkPlayer(seed=1)
    views = [view for seed in range(3) for view in some_views(2, seed=seed, count=400)]
    seen = 0
    for view in views[-200:]:
        actions = np.array(legal_actions(view.state))
        after = Afterstates()
        count = after.play(*alone(view.state), actions)
        is_final = after.is_final[:count]
        assert (player.action_values(view.state)[actions[is_final]] == after.shares[:count][is_final, 0]).all()
        seen += int(is_final.sum())
    assert seen > 0


def test_action_values_are_the_same_alone_and_among_others() -> None:
    views = some_views(3, seed=4, count=40)
    states, legal = new_states(len(views)), np.zeros((len(views), ACTIONS), np.bool_)
    for number, view in enumerate(views):
        states[number] = view.state
        legal_mask(states[number], legal[number])
    together = ActionValues(load_network()).of_many(states, legal)
    assert (together[~legal] == NOT_LEGAL).all()
    assert ((together[legal] >= 0) & (together[legal] <= 1)).all()
    player = NetworkPlayer(seed=1)
    for number, view in enumerate(views):
        assert player.action_values(view.state) == pytest.approx(together[number], abs=1e-3)


def chances_of(ratings: dict[int, float]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Legal decisions with the logits of a policy: which they are, and the logarithms of their chances."""
    legal, logits, chances = np.zeros(ACTIONS, np.bool_), np.zeros(ACTIONS), np.zeros(ACTIONS)
    for action, rating in ratings.items():
        legal[action], logits[action] = True, rating
    write_chances(logits, legal, chances)
    return legal, chances


def likely(ratings: dict[int, float]) -> list[int]:
    _, chances = chances_of(ratings)
    known = np.zeros(ACTIONS, np.int8)
    mark_likely(chances, known)
    return np.flatnonzero(known == LIKELY).tolist()


def test_chances_are_the_softmax_of_the_ratings() -> None:
    _, chances = chances_of({3: 0.0, 5: 1.0})
    assert np.exp(chances).sum() == pytest.approx(1)
    assert chances[5] - chances[3] == pytest.approx(1)
    assert chances[4] == -np.inf


def test_both_opinions_count_at_first_sight() -> None:
    """Of four decisions two were tried; the policy thinks the second e times as likely the best as the first."""
    legal, chances = chances_of({0: 0.0, 1: 1.0, 2: -9.0, 4: -9.0})
    known, worth = np.full(ACTIONS, NOT_TRIED, np.int8), np.zeros(ACTIONS)
    known[[0, 1, 4]] = TRIED_OUT, TRIED_OUT, FINAL
    tried = np.zeros(ACTIONS)
    tried[[0, 1, 4]] = 0.5, 0.5, 1.0
    combine(tried, known, chances, legal, 0.02, worth)
    assert worth[1] - worth[0] == pytest.approx(POLICY_PART * 0.02)
    assert worth[2] < worth[0] - 0.1
    assert worth[3] == NOT_LEGAL
    assert worth[4] == 1.0


def test_the_likeliest_decisions_are_tried() -> None:
    """Only those that are not much less likely than the first, and of many alike no more than a few."""
    assert likely({5: 2.0, 6: 2.0 - UNLIKELY + 0.01, 7: 2.0 - UNLIKELY - 0.01, 8: 0.0}) == [5, 6]
    many = likely({action: 0.01 * action for action in range(20)})
    assert many == list(range(20 - TRIED, 20))


def test_nothing_is_worth_anything_when_the_game_is_over() -> None:
    game = Game(players=2, seed=1)
    player = NetworkPlayer(seed=1)
    while not game.is_over:
        game.play(player.choose(game.view(game.seat)))
    states, legal = new_states(1), np.zeros((1, ACTIONS), np.bool_)
    states[0] = game.view(0).state
    assert (ActionValues(load_network()).of_many(states, legal) == NOT_LEGAL).all()


def test_a_won_game_is_brought_to_its_end() -> None:
    """The network sees no difference between ways to win, and once took and returned tokens for ever in this game."""
    game = Game(players=2, seed=176)
    players = [NetworkPlayer(seed=1760), NetworkPlayer(temperature=0.015, seed=1761)]
    while not game.is_over and len(game.turns) < 2 * MANY_ROUNDS:
        game.play(players[game.seat].choose(game.view(game.seat)))
    assert game.is_over


def test_patience_ends() -> None:
    """Late in a game the choice is no longer always the same, and there is no search."""
    view = some_views(2, seed=11, count=9)[-1]
    state = copy_state(view.state)
    state.round_number = MANY_ROUNDS
    late = View(state, view.viewer)
    runs = {tuple(str(NetworkPlayer(seed=seed, simulations=n).choose(late)) for seed in range(20)) for n in (None, 8)}
    assert len(runs) == 1
    assert len(set(runs.pop())) > 1
