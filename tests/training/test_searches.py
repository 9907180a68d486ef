"""Searches in many games at once."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch
from torch import Tensor

from splendor.core.chance import new_rng
from splendor.core.hidden import redeal
from splendor.network.network import POLICY_TEMPERATURE
from splendor.network.rotation import ROTATIONS
from splendor.training.games import (
    NOTHING,
    Games,
    try_decisions,
)
from splendor.training.grove import Grove
from splendor.training.judge import Judge
from splendor.training.ladder import GreedyDecider
from splendor.training.machine import Cpu
from splendor.training.model import Crowds, Model
from training.games import some_games

pytestmark = pytest.mark.compiled_only


def search_in(games: Games, simulations: int = 20) -> tuple[Grove, torch.Tensor, torch.Tensor]:
    """A search in each game; what the decisions seemed to be worth before, and after."""
    torch.manual_seed(5)
    judge = Judge(Model(32, 1), Cpu())
    grove = Grove(games, judge, simulations=simulations, exploration=1.0, policy_temperature=POLICY_TEMPERATURE, seed=7)
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
    grove = Grove(games, judge, simulations=40, exploration=1.0, policy_temperature=POLICY_TEMPERATURE, seed=1)
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
    grove = Grove(games, judge, simulations=8, exploration=1.0, policy_temperature=POLICY_TEMPERATURE, seed=1)
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
