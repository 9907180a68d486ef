"""What the tests of training play with: a tiny run, and games under way."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch

from splendor.training.config import Config, make_parts, read_settings
from splendor.training.games import Games
from splendor.training.ladder import RandomDecider
from splendor.training.machine import Cpu

NEEDS_GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch finds no GPU on this machine")

TOY = Path(sys.modules[Config.__module__].__file__ or "").parent / "toy.toml"
TINY = replace(
    make_parts(read_settings(TOY))[0], blocks=1, games=24, window=8, batch=64, decisions=1000, ladder_games=12
)


def silence(line: str) -> None:
    """Nobody reads along."""


def some_games(count: int = 30, steps: int = 25) -> Games:
    """Games of 2, 3 and 4 players after some random decisions."""
    games = Games(Cpu(), (torch.arange(count) % 3 + 2).sort().values, torch.arange(count), 100)
    for _ in range(steps):
        games.look()
        games.step(RandomDecider().decide(games, games.done), restart=True)
    games.look()
    return games
