"""The file of a network says what the model says."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch

from splendor.network.network import Network
from splendor.network.rotation import ROTATIONS
from splendor.training.export import export_onnx
from splendor.training.judge import Judge
from splendor.training.machine import Cpu
from splendor.training.model import Model
from training.games import some_games

pytestmark = pytest.mark.compiled_only


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
