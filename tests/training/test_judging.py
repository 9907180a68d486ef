"""Action values, in many games at once."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch

from splendor.core.afterstates import Afterstates
from splendor.network.action_values import ActionValues
from splendor.network.kernel.action_values import LIKELY, mark_likely, write_chances
from splendor.network.network import POLICY_TEMPERATURE, Network
from splendor.training.config import make_config
from splendor.training.export import export_onnx
from splendor.training.games import (
    NOTHING,
    Opinion,
    absolute,
    action_values,
    noisy_best,
    opinion,
    relative,
    try_decisions,
)
from splendor.training.judge import Judge
from splendor.training.machine import Cpu
from splendor.training.model import Model
from training.games import some_games

pytestmark = pytest.mark.compiled_only


def test_seats_are_counted_from_the_decider_and_back() -> None:
    seats, players = torch.tensor([1, 2, 3, 0]), torch.tensor([2, 3, 4, 2])
    by_seat = torch.rand(4, 4)
    seen = by_seat.gather(1, absolute(seats, players))
    assert torch.equal(seen[:, 0], by_seat[torch.arange(4), seats])
    assert torch.equal(seen.gather(1, relative(seats, players)), by_seat)


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


def test_action_values_are_those_of_the_player(tmp_path: Path) -> None:
    """What training tries, and what it thinks of it, is what `ActionValues` says about the same 3000 positions.

    With two exceptions. Both round differently, so that now and then a decision at the limit is tried by one of them
    only. And the player counts the result of every decision that ends the game, be it unlikely or not.
    """
    torch.manual_seed(5)
    model, games = Model(32, 1), some_games(3000, 60)
    torch.nn.init.normal_(model.rate_table.weight, std=1.0)
    export_onnx(model, tmp_path / "network.onnx", "float32")
    network, legal = Network(tmp_path / "network.onnx"), games.legal.numpy()
    policy = opinion(games, Judge(model, Cpu()), POLICY_TEMPERATURE)
    mask = policy.likely()
    assert not (mask & ~games.legal).any()
    assert (mask.sum(dim=1) < games.legal.sum(dim=1)).any()
    worth = action_values(games, Judge(model, Cpu()), policy, mask).worth.numpy()
    assert (worth[~mask.numpy()] == NOTHING).all()
    player = ActionValues(network).of_many(games.views, legal)
    known, chances = np.zeros(legal.shape, np.int8), np.zeros(legal.shape)
    for game, ratings in enumerate(network.rate(games.seen.numpy())[1].astype(np.float64)):
        write_chances(ratings, legal[game], chances[game])
        mark_likely(chances[game], known[game])
    tried = known == LIKELY
    rows, actions = np.nonzero(legal & ~tried)
    after = Afterstates(len(rows))
    after.play(games.views, rows, actions)
    is_same = (tried == mask.numpy()).all(axis=1)
    is_same[rows[after.is_final]] = False
    assert is_same.mean() > 0.99
    assert np.abs(np.where(tried, worth - player, 0.0))[is_same].max() < 1e-4


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


def test_noise_chooses_among_those_that_were_tried() -> None:
    worth = torch.tensor([[NOTHING, 0.2, 0.9, NOTHING]]).repeat(500, 1)
    assert noisy_best(worth, torch.zeros(1)).unique().tolist() == [2]
    assert noisy_best(worth, torch.tensor(0.5)).unique().tolist() == [1, 2]
