"""Training on a GPU does what it does on the CPU. Run on a machine with a GPU by `make test-gpu`."""

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

import torch

from splendor.training.config import Config
from splendor.training.machine import machine
from splendor.training.model import Model
from splendor.training.run import start
from splendor.training.smoke import compare_ratings, compare_searches, compare_with_cpu

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.compiled_only,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch finds no GPU on this machine"),
]


def silence(line: str) -> None:
    """Nobody reads along."""


def test_games_are_those_of_the_cpu_bit_by_bit() -> None:
    compare_with_cpu(machine("gpu"), 96, 30)


def test_ratings_are_those_of_the_cpu() -> None:
    compare_ratings(Model(96, 2), machine("gpu"), silence)


def test_searches_find_what_they_find_on_the_cpu() -> None:
    compare_searches(Model(96, 2), machine("gpu"), 96, 24, silence)


def test_a_short_run_with_searches_ends_with_a_network(tmp_path: Path) -> None:
    config = replace(Config(), minutes=0.0, width=64, blocks=1, games=96, window=8, batch=128, decisions=4000)
    config = replace(config, simulations=8, search_from=0.5, ladder_games=24, snapshots=1)
    assert start(config, machine("gpu"), tmp_path, say=silence).decisions >= 4000
    assert (tmp_path / "network.onnx").exists()
