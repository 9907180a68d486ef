"""Training on a GPU does what it does on the CPU. Run on a machine with a GPU by `make test-gpu`."""

import copy
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

import torch

from splendor.training.config import Config
from splendor.training.machine import machine
from splendor.training.model import Model, things_of
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
    compare_ratings(Model(128, 2), machine("gpu"), silence)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_gradient_is_that_of_the_cpu(players: int) -> None:
    torch.manual_seed(players)
    model, things = Model(128, 2), torch.randn(1001, things_of(players), 128)
    model.requires_grad_(True)
    with torch.no_grad():
        for layer in (*model.hear, *model.outer):
            layer.weight.mul_(5)  # new blocks change nearly nothing
        for layer in model.inner:
            layer.bias.normal_()
    slope = torch.randn_like(things)
    found = []
    for where in (model, copy.deepcopy(model).to("cuda")):
        given = things.detach().to(where.place.device).requires_grad_(True)
        after = where.through_blocks(given)
        (after * slope.to(after.device)).sum().backward()
        weights = [*where.matrices(), *(layer.bias for layer in where.inner)]
        found.append([after.detach().cpu(), given.grad.cpu(), *(weight.grad.cpu() for weight in weights)])
    for here, there in zip(*found, strict=True):
        assert (there - here).norm() < 0.1 * here.norm()  # numbers of 16 bits


def test_searches_find_what_they_find_on_the_cpu() -> None:
    compare_searches(Model(128, 2), machine("gpu"), 96, 24, silence)


def test_a_short_run_with_searches_ends_with_a_network(tmp_path: Path) -> None:
    config = replace(Config(), minutes=0.0, width=128, blocks=1, games=96, window=8, batch=128, decisions=4000)
    parts = [replace(config, simulations=simulations, ladder_games=24) for simulations in (0, 8)]
    assert start(parts, machine("gpu"), tmp_path, say=silence).decisions >= 8000
    assert (tmp_path / "network.onnx").exists()
