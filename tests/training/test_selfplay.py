"""Games that a network plays against itself, and the lesson from them."""

import copy
from dataclasses import replace

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch

from splendor.training.games import (
    Games,
)
from splendor.training.judge import Judge
from splendor.training.learner import Learner
from splendor.training.machine import Cpu
from splendor.training.model import Model, crowds_of, players_of
from splendor.training.selfplay import SelfPlay
from training.games import TINY

pytestmark = pytest.mark.compiled_only


def test_games_are_mixed_as_asked() -> None:
    config = replace(TINY, games=100, players=(0.5, 0.3, 0.2))
    assert SelfPlay(config, Cpu(), seed=1).games.players.bincount().tolist() == [0, 0, 50, 30, 20]


def test_games_come_in_the_order_of_their_number_of_players() -> None:
    with pytest.raises(ValueError, match="in the order of their number of players"):
        Games(Cpu(), torch.tensor([2, 4, 3]), torch.arange(3), 100)


def test_games_are_spread_over_rounds() -> None:
    selfplay = SelfPlay(replace(TINY, spread=40), Cpu(), seed=1)
    selfplay.spread(Judge(Model(32, 1), Cpu()), 0.05)
    selfplay.games.look()
    assert selfplay.games.rounds.unique().numel() > 1


def test_a_lesson_is_about_shares_of_one_win() -> None:
    torch.manual_seed(1)
    lesson, played = SelfPlay(TINY, Cpu(), seed=1).play(Judge(Model(32, 1), Cpu()), 0.05, 0.9)
    assert played.decisions == 24 * 8
    assert len(lesson.after) == len(lesson.policy) == 24 * 7
    for target in (lesson.after_shares, lesson.before_shares):
        assert target.sum(dim=1).tolist() == pytest.approx([1.0] * len(target))
        two_players = lesson.before[:, 0] == 1
        assert (target[two_players, 2:] == 0).all()


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
