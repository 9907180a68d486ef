"""Who plays whom on the ladder."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch

from splendor.training.games import (
    NOTHING,
    try_decisions,
)
from splendor.training.judge import Judge
from splendor.training.ladder import ActionValuesOnly, Finisher, GreedyDecider, PolicyOnly, RandomDecider, match
from splendor.training.machine import Cpu
from splendor.training.model import Model
from training.games import some_games

pytestmark = pytest.mark.compiled_only


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_player_against_itself_gets_its_fair_share(players: int) -> None:
    """Every deal is played from each seat, so this holds exactly for players without chance."""
    judge = Judge(Model(32, 1), Cpu())
    score = match(ActionValuesOnly(judge), ActionValuesOnly(judge), judge, players, 12, seed=1)
    assert score.share == pytest.approx(1 / players)
    assert score.error == pytest.approx(0.0, abs=1e-6)


def test_greedy_beats_random_in_the_ladder() -> None:
    judge = Judge(Model(32, 1), Cpu())
    assert match(GreedyDecider(), RandomDecider(), judge, 2, 24, seed=1).share > 0.9
    assert match(PolicyOnly(judge), GreedyDecider(), judge, 2, 24, seed=1).share < 0.3


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
