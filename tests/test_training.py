"""Training at toy size on the CPU: the targets, the parts, and a run that learns to play."""

import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch
from torch import Tensor

from splendor.afterstates import Afterstates
from splendor.chance import new_rng
from splendor.features import columns
from splendor.first_sight import FirstSight
from splendor.hidden import redeal
from splendor.network import POLICY_TEMPERATURE, Network
from splendor.rotation import COLUMNS, DECISIONS, ROTATIONS
from splendor.training.config import Config, make_config
from splendor.training.export import export_onnx
from splendor.training.games import (
    NOTHING,
    Games,
    Opinion,
    Tried,
    absolute,
    first_sight,
    noisy_best,
    opinion,
    relative,
    try_decisions,
)
from splendor.training.grove import Grove
from splendor.training.judge import Judge
from splendor.training.ladder import AtFirstSight, Finisher, GreedyDecider, PolicyOnly, RandomDecider, match
from splendor.training.learner import Learner, in_parts
from splendor.training.machine import Cpu
from splendor.training.model import ORDER, THINGS, Crowds, Model, card_columns, crowds_of, players_of, things_of
from splendor.training.muon import orthogonal
from splendor.training.selfplay import Lesson, SelfPlay, mixed_players, pick_siblings, soft_policy, td_targets
from splendor.training.smoke import compare_ratings, compare_searches, compare_with_cpu
from training_games import TINY, silence, some_games

pytestmark = pytest.mark.compiled_only


# ------------------------------------------------------------------------------------------- targets


def shares(*rows: list[float]) -> torch.Tensor:
    """One game, a row for each decision."""
    return torch.tensor([[*row, 0.0, 0.0] for row in rows]).unsqueeze(1)


def test_with_a_full_trace_the_target_is_the_result() -> None:
    chosen = shares([0.5, 0.5], [0.3, 0.7], [0.4, 0.6])
    result = shares([0, 0], [0, 0], [1.0, 0.0])
    done = torch.tensor([[False], [False], [True]])
    after, before = td_targets(chosen, chosen, result, done, trace=1.0)
    assert after[:, 0, 0].tolist() == pytest.approx([1, 1, 1])
    assert before[:, 0, 0].tolist() == pytest.approx([1, 1, 1])


def test_without_a_trace_the_target_is_the_best_next_afterstate() -> None:
    chosen = shares([0.5, 0.5], [0.3, 0.7], [0.4, 0.6])
    best = shares([0.6, 0.4], [0.2, 0.8], [0.4, 0.6])
    done = torch.zeros((3, 1), dtype=torch.bool)
    after, before = td_targets(chosen, best, torch.zeros_like(chosen), done, trace=0.0)
    assert after[:2, 0, 0].tolist() == pytest.approx([0.2, 0.4])
    assert before[:, 0, 0].tolist() == pytest.approx([0.6, 0.2, 0.4])


def test_what_the_noise_cost_is_not_blamed_on_the_decision_before() -> None:
    """Seat 1 throws away 0.3 at the second decision and loses; before that it stood at 0.8, as far as one can tell."""
    chosen, best = shares([0.2, 0.8], [0.5, 0.5]), shares([0.2, 0.8], [0.2, 0.8])
    done = torch.tensor([[False], [True]])
    after, _ = td_targets(chosen, best, shares([0, 0], [0.5, 0.5]), done, trace=1.0)
    assert after[0, 0, :2].tolist() == pytest.approx([0.2, 0.8])


def test_nothing_flows_from_one_game_into_the_one_before() -> None:
    chosen = shares([0.5, 0.5], [0.9, 0.1])
    done = torch.tensor([[True], [False]])
    after, _ = td_targets(chosen, chosen, shares([0.0, 1.0], [0, 0]), done, trace=0.5)
    assert after[0, 0, :2].tolist() == [0.0, 1.0]


def test_seats_are_counted_from_the_decider_and_back() -> None:
    seats, players = torch.tensor([1, 2, 3, 0]), torch.tensor([2, 3, 4, 2])
    by_seat = torch.rand(4, 4)
    seen = by_seat.gather(1, absolute(seats, players))
    assert torch.equal(seen[:, 0], by_seat[torch.arange(4), seats])
    assert torch.equal(seen.gather(1, relative(seats, players)), by_seat)


# --------------------------------------------------------------------------------- playing and rating


def test_the_judge_says_what_the_model_says() -> None:
    compare_ratings(Model(64, 2), Cpu(), silence)


def test_the_loops_agree_with_themselves() -> None:
    compare_with_cpu(Cpu(), 12, 12)


def test_decisions_tried_in_a_batch_are_those_of_single_games() -> None:
    games = some_games(12)
    tried = try_decisions(games, Judge(Model(32, 1), Cpu()), games.legal)
    assert torch.equal(tried.worth != NOTHING, games.legal)
    single = Afterstates()
    for game in range(games.count):
        actions = games.legal[game].nonzero().view(-1).numpy()
        count = single.play(games.views, np.full(len(actions), game), actions)
        rows = tried.rows[game, actions]
        assert (tried.seen[rows].numpy() == single.seen[:count]).all()


def test_first_sight_is_that_of_the_player(tmp_path: Path) -> None:
    """What training tries, and what it thinks of it, is what `splendor.first_sight` says about the same positions."""
    torch.manual_seed(5)
    model, games = Model(32, 1), some_games(60, 60)
    torch.nn.init.normal_(model.rate_table.weight, std=1.0)
    export_onnx(model, tmp_path / "network.onnx", "float32")
    policy = opinion(games, Judge(model, Cpu()), POLICY_TEMPERATURE)
    mask = policy.likely()
    assert not (mask & ~games.legal).any()
    assert (mask.sum(dim=1) < games.legal.sum(dim=1)).any()
    worth = first_sight(games, Judge(model, Cpu()), policy, mask).worth.numpy()
    player = FirstSight(Network(tmp_path / "network.onnx")).worth(games.views, games.legal.numpy())
    assert np.abs(np.where(mask, worth - player, 0.0)).max() < 1e-4
    assert (worth[~mask.numpy()] == NOTHING).all()


def test_the_policy_keeps_its_opinion_of_what_was_not_tried() -> None:
    chances = torch.log(torch.tensor([[0.6, 0.3, 0.1, 0.0]]))
    worth = Opinion(chances, torch.tensor(0.02)).worth(torch.tensor([[0.5, 0.5, NOTHING, NOTHING]]))
    assert worth[0, 0] - worth[0, 2] == pytest.approx(0.02 * np.log(6), rel=1e-3)
    assert float((chances.exp() * worth).sum()) == pytest.approx(0.5, abs=1e-3)


def test_the_policy_is_sharper_where_more_players_share_the_win(tmp_path: Path) -> None:
    games = some_games(60, 60)
    policy = opinion(games, Judge(Model(32, 1), Cpu()), (0.04, 0.03, 0.02))
    for players, temperature in ((2, 0.04), (3, 0.03), (4, 0.02)):
        assert policy.temperature[games.players == players].unique().tolist() == [pytest.approx(temperature)]
    path = tmp_path / "network.onnx"
    export_onnx(Model(32, 1), path, about={"config": {"policy_temperature": [0.04, 0.03, 0.02]}})
    assert Network(path).policy_temperature.tolist() == [0.04, 0.03, 0.02]
    # Earlier networks knew but one temperature.
    export_onnx(Model(32, 1), path, about={"config": {"policy_temperature": 0.04}})
    assert Network(path).policy_temperature.tolist() == [0.04] * 3
    assert make_config({"policy_temperature": 0.04}).policy_temperature == (0.04,) * 3


def test_what_is_as_good_as_won_is_finished_as_greedy_would() -> None:
    games = some_games(12)
    everybody = torch.ones(games.count, dtype=torch.bool)
    greedy = GreedyDecider().decide(games, everybody)
    tried = try_decisions(games, Judge(Model(32, 1), Cpu()), games.legal)
    won = tried._replace(worth=torch.where(games.legal, 0.99, NOTHING))
    other = games.legal.float().scatter(1, greedy.unsqueeze(1), 0.0).argmax(dim=1)
    assert torch.equal(Finisher().finish(games, won, other), greedy)
    assert torch.equal(Finisher().finish(games, tried, other), other)  # nobody has won
    costly = won._replace(worth=won.worth.scatter(1, greedy.unsqueeze(1), 0.9))
    assert torch.equal(Finisher().finish(games, costly, other), other)


def test_noise_chooses_among_those_that_were_tried() -> None:
    worth = torch.tensor([[NOTHING, 0.2, 0.9, NOTHING]]).repeat(500, 1)
    assert noisy_best(worth, torch.zeros(1)).unique().tolist() == [2]
    assert noisy_best(worth, torch.tensor(0.5)).unique().tolist() == [1, 2]


def test_the_policy_to_learn_is_a_distribution_over_what_was_tried() -> None:
    policy = soft_policy(torch.tensor([[NOTHING, 0.5, 0.52, 0.1]]), torch.tensor(0.02))[0]
    assert policy[0] == NOTHING
    assert policy[1:].sum() == pytest.approx(1.0)
    assert policy[2] / policy[1] == pytest.approx(np.e, rel=1e-3)


def test_games_are_mixed_as_asked() -> None:
    players = mixed_players(replace(Config(), games=100, players=(0.5, 0.3, 0.2)))
    assert players.bincount().tolist() == [0, 0, 50, 30, 20]


def test_a_lesson_is_about_shares_of_one_win() -> None:
    torch.manual_seed(1)
    lesson, played = SelfPlay(TINY, Cpu(), seed=1).play(Judge(Model(32, 1), Cpu()), 0.05, 0.9)
    assert played.decisions == 24 * 8
    assert len(lesson.after) == len(lesson.policy) == 24 * 7
    for target in (lesson.after_shares, lesson.before_shares):
        assert target.sum(dim=1).tolist() == pytest.approx([1.0] * len(target))
        two_players = lesson.before[:, 0] == 1
        assert (target[two_players, 2:] == 0).all()


def search_in(games: Games, simulations: int = 20) -> tuple[Grove, torch.Tensor, torch.Tensor]:
    """A search in each game; what the decisions seemed to be worth before, and after."""
    torch.manual_seed(5)
    judge = Judge(Model(32, 1), Cpu())
    grove = Grove(games, judge, simulations=simulations, exploration=1.0, doubt=POLICY_TEMPERATURE, seed=7)
    tried = try_decisions(games, judge, games.legal)
    return grove, tried.worth, grove.refine(tried).worth


def test_searches_in_many_games_spend_their_simulations_on_legal_decisions() -> None:
    games = some_games(12)
    grove, before, after = search_in(games, 20)
    assert grove.visits.sum(dim=1).tolist() == [20] * 12
    assert not (grove.visits[~games.legal]).any()
    assert torch.equal(after != NOTHING, games.legal)
    assert ((after >= 0) & (after <= 1))[games.legal].all()
    unvisited = games.legal & (grove.visits == 0)
    assert torch.equal(after[unvisited], before[unvisited])


def test_searches_do_not_know_what_is_hidden() -> None:
    """The same views over other hidden cards: the same searches."""
    games, others = some_games(12), some_games(12)
    for game in range(others.count):
        others.states[game] = others.views[game]
        redeal(others.states[game], new_rng(99 + game))
    assert games.states.tobytes() != others.states.tobytes()
    assert torch.equal(search_in(games)[2], search_in(others)[2])


class Remembering(Judge):
    """A judge who knows in which rotations it has looked, call by call."""

    def rate_rotated(self, seen: Tensor, crowds: Crowds, steps: Tensor) -> tuple[Tensor, Tensor]:
        self.steps = [*getattr(self, "steps", []), steps.clone()]
        return super().rate_rotated(seen, crowds, steps)


def test_each_visit_of_a_decision_is_looked_at_in_the_next_rotation() -> None:
    games = some_games(12)
    judge = Remembering(Model(32, 1), Cpu())
    grove = Grove(games, judge, simulations=40, exploration=1.0, doubt=POLICY_TEMPERATURE, seed=1)
    grove.refine(try_decisions(games, judge, games.legal))
    looks = torch.stack(judge.steps)  # [simulation, game]
    for game, visits in enumerate(grove.visits):
        for steps in range(ROTATIONS):
            expected = sum(len(range(steps, int(count), ROTATIONS)) for count in visits)
            assert int((looks[:, game] == steps).sum()) == expected


def test_every_search_has_deals_of_its_own() -> None:
    games = some_games(12)
    judge = Judge(Model(32, 1), Cpu())
    tried = try_decisions(games, judge, games.legal)
    grove = Grove(games, judge, simulations=8, exploration=1.0, doubt=POLICY_TEMPERATURE, seed=1)
    assert not torch.equal(grove.refine(tried).worth, grove.refine(tried).worth)


def test_a_search_takes_the_win_that_is_there() -> None:
    """A decision that ends the game as a win is worth the whole win, however often it was visited."""
    games = Games(Cpu(), torch.full((60,), 2), torch.arange(60), 100)
    everybody = torch.ones(games.count, dtype=torch.bool)
    for _ in range(54):
        games.look()
        games.step(GreedyDecider().decide(games, everybody), restart=True)
    games.look()
    tried = try_decisions(games, Judge(Model(32, 1), Cpu()), games.legal)
    final = tried.worth == 1.0
    assert final.any()
    _, _, after = search_in(games, 30)
    assert (after[final] == 1.0).all()


def test_the_searches_agree_with_themselves() -> None:
    compare_searches(Model(32, 1), Cpu(), 12, 8, silence)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_player_against_itself_gets_its_fair_share(players: int) -> None:
    """Every deal is played from each seat, so this holds exactly for players without chance."""
    judge = Judge(Model(32, 1), Cpu())
    score = match(AtFirstSight(judge), AtFirstSight(judge), judge, players, 12, seed=1)
    assert score.share == pytest.approx(1 / players)
    assert score.error == pytest.approx(0.0, abs=1e-6)


def test_greedy_beats_random_in_the_ladder() -> None:
    judge = Judge(Model(32, 1), Cpu())
    assert match(GreedyDecider(), RandomDecider(), judge, 2, 24, seed=1).share > 0.9
    assert match(PolicyOnly(judge), GreedyDecider(), judge, 2, 24, seed=1).share < 0.3


# ------------------------------------------------------------------------------------ files and runs


def test_nothing_is_told_about_things_that_are_left_out() -> None:
    """With fewer players than four nobody sits at the last seats, nothing is reserved there, and nobles are fewer."""
    assert sorted(ORDER) == list(range(THINGS))
    told = [*card_columns(), *columns("noble_present").reshape(-1, 1), *columns("held").reshape(-1, 1)]
    games = some_games(60, 60)
    seen = np.pad(games.seen.numpy(), ((0, 0), (0, 1)))
    for players in (2, 3, 4):
        rows = seen[games.players.numpy() == players]
        assert things_of(players) == 14 + 5 * players
        for thing in ORDER[things_of(players) :]:
            assert not rows[:, told[thing]].any()
        assert rows[:, told[ORDER[things_of(players) - 4]]].any()  # the last noble


def test_a_page_holds_games_of_all_sizes_as_they_are_played() -> None:
    assert in_parts(64, (12, 6, 6)) == (32, 16, 16)
    assert in_parts(64, (5, 0, 0)) == (64, 0, 0)
    assert in_parts(10, (1, 1, 1)) == (3, 3, 4)
    learner = Learner(replace(TINY, siblings=2, rotated=0.0), Cpu())
    lesson = lesson_of(learner)
    learner.learn(lesson, 1e-3)
    assert crowds_of(players_of(learner._seen)) == (128, 64, 64)
    assert crowds_of(players_of(learner._seen[learner._before])) == (32, 16, 16)
    rows = {row.numpy().tobytes(): number for number, row in enumerate(lesson.before)}
    found = torch.tensor([rows[row.numpy().tobytes()] for row in learner._seen[learner._before]])
    assert torch.equal(lesson.policy[found], learner._policy)
    assert torch.equal(lesson.before_shares[found], learner._targets[learner._before])


def test_a_decision_is_learned_in_rotated_colors() -> None:
    learner = Learner(replace(TINY, rotated=1.0), Cpu())
    lesson = lesson_of(learner)
    learner.learn(lesson, 1e-3)
    rows = {
        row.tobytes(): (number, steps)
        for steps in range(len(COLUMNS))
        for number, row in enumerate(np.ascontiguousarray(lesson.before.numpy()[:, COLUMNS[steps]]))
    }
    found, steps = zip(*(rows[row.numpy().tobytes()] for row in learner._seen[learner._before]), strict=True)
    assert set(steps) == {1, 2, 3, 4}
    policy = lesson.policy[list(found)].gather(1, torch.from_numpy(DECISIONS[list(steps)]))
    assert torch.equal(policy, learner._policy)
    assert torch.equal(lesson.before_shares[list(found)], learner._targets[learner._before])


def lesson_of(learner: Learner) -> Lesson:
    """What a window of games teaches that this learner's network has played."""
    selfplay = SelfPlay(learner.config, Cpu(), seed=1)
    return selfplay.play(Judge(learner.model, Cpu()), temperature=0.1, trace=0.9)[0]


def test_games_come_in_the_order_of_their_number_of_players() -> None:
    with pytest.raises(ValueError, match="in the order of their number of players"):
        Games(Cpu(), torch.tensor([2, 4, 3]), torch.arange(3), 100)


@pytest.mark.parametrize(("weights", "tolerance"), [("float32", 1e-5), ("float16", 2e-3)])
def test_the_exported_network_says_what_the_model_says(tmp_path: Path, weights: str, tolerance: float) -> None:
    torch.manual_seed(3)
    model, games = Model(64, 2), some_games(60)
    for weight in model.parameters():
        torch.nn.init.normal_(weight, std=0.2)
    export_onnx(model, tmp_path / "network.onnx", weights, {"seed": 3})
    network = Network(tmp_path / "network.onnx")
    found_shares, found_ratings = network.rate(games.seen.numpy())
    with torch.no_grad():
        logits, ratings = model(games.seen, games.crowds)
    assert np.abs(found_shares - torch.softmax(logits, dim=1).numpy()).max() < tolerance
    assert np.abs(found_ratings - ratings.numpy()).max() < 10 * tolerance
    assert network.about == {"seed": "3"}
    shuffled = np.random.default_rng(1).permutation(games.count)
    for found, expected in zip(network.rate(games.seen.numpy()[shuffled]), (found_shares, found_ratings), strict=True):
        assert np.abs(found - expected[shuffled]).max() < 1e-5


def test_training_and_play_rotate_positions_alike(tmp_path: Path) -> None:
    torch.manual_seed(3)
    model, games = Model(32, 1), some_games(30)
    export_onnx(model, tmp_path / "network.onnx", "float32")
    network, judge = Network(tmp_path / "network.onnx"), Judge(model, Cpu())
    steps = torch.arange(games.count) % ROTATIONS
    shares, ratings = judge.rate_rotated(games.seen, games.crowds, steps)
    for each in range(ROTATIONS):
        found_shares, found_ratings = network.rate(games.seen.numpy(), each)
        assert np.abs(found_shares - shares.numpy())[steps == each].max() < 1e-5
        assert np.abs(found_ratings - ratings.numpy())[steps == each].max() < 1e-4


def test_weights_in_an_unknown_form_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be stored as 'int4'"):
        export_onnx(Model(32, 1), tmp_path / "network.onnx", "int4")


def test_siblings_are_the_best_decisions_beside_the_chosen_one() -> None:
    worth = torch.tensor([[0.5, 0.7, NOTHING, 0.6], [NOTHING, 0.2, NOTHING, NOTHING]])
    rows = torch.tensor([[0, 1, 0, 2], [0, 3, 0, 0]])
    tried = Tried(torch.tensor([0, 1, 3, 5]), rows, torch.zeros(4, 1), torch.zeros(4, 4), torch.zeros(4) > 0, worth)
    assert pick_siblings(tried, torch.tensor([1, 1]), 3).tolist() == [[2, 0, 1], [3, 3, 3]]


def test_a_sibling_shares_the_luck_of_the_chosen_afterstate() -> None:
    """Without a search the targets differ by what the network says, wherever no share leaves 0 to 1."""
    config = replace(TINY, siblings=2)
    selfplay, judge = SelfPlay(config, Cpu(), seed=1), Judge(Model(32, 1), Cpu())
    lesson, _ = selfplay.play(judge, temperature=0.1, trace=0.9)
    assert lesson.siblings.shape[:2] == lesson.siblings_shares.shape[:2] == (len(lesson.after), 2)
    assert torch.allclose(lesson.siblings_shares.sum(dim=2), torch.ones(len(lesson.after), 2), atol=1e-5)
    is_final = (lesson.after_shares.max(dim=1).values == 1) | (lesson.siblings_shares.amax(dim=(1, 2)) == 1)
    players, order = players_of(lesson.after).sort()
    crowds = crowds_of(players)
    ahead = judge.shares(lesson.siblings[order, 0], crowds) - judge.shares(lesson.after[order], crowds)
    found = (lesson.siblings_shares[:, 0] - lesson.after_shares)[order]
    assert torch.allclose(found[~is_final[order]], ahead[~is_final[order]], atol=1e-4)
    learner = Learner(config, Cpu())
    before = copy.deepcopy(learner.model)
    learner.learn(lesson, 1e-3)
    assert any(not torch.equal(*pair) for pair in zip(before.parameters(), learner.model.parameters(), strict=True))


@pytest.mark.parametrize("shape", [(2, 24, 24), (1, 96, 32), (3, 32, 96)])
def test_a_step_of_matrices_is_nearly_orthogonal(shape: tuple[int, int, int]) -> None:
    """However different the directions of a gradient are in size, those of the step are not."""
    torch.manual_seed(1)
    gradients = torch.randn(shape) * torch.logspace(0, -1, shape[2])
    sizes = torch.linalg.svdvals(orthogonal(gradients))
    assert sizes.min() > 0.4
    assert sizes.max() < 1.4


def test_games_are_spread_over_rounds() -> None:
    selfplay = SelfPlay(replace(TINY, spread=40), Cpu(), seed=1)
    selfplay.spread(Judge(Model(32, 1), Cpu()), 0.05)
    selfplay.games.look()
    assert selfplay.games.rounds.unique().numel() > 1
