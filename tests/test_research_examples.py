"""The examples for research run, here with as little as they can do with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from splendor.tools.dataset import DatasetSettings, write_dataset

pytestmark = pytest.mark.compiled_only

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: object) -> str:
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout


def test_ppo_learns_and_is_measured(tmp_path: Path) -> None:
    printed = run("ppo.py", "--decisions", 16_384, "--test-games", 2, "--save", tmp_path / "network.pt")
    assert printed.count("of the wins") == 4
    assert tmp_path.joinpath("network.pt").exists()


def test_ismcts_of_openspiel_plays_against_ours() -> None:
    printed = run("ismcts.py", "--games", 1, "--simulations", 2, "--opponent", "search:simulations=10")
    assert "of 1 against search:simulations=10" in printed


def test_the_analysis_prints_and_draws(tmp_path: Path) -> None:
    printed = run("analysis.py", "--games", 3, "--player", "random", "--output", tmp_path)
    assert "4 players:" in printed
    assert tmp_path.joinpath("analysis.png").exists()


def test_a_dataset_is_read_by_numpy_and_torch(tmp_path: Path) -> None:
    write_dataset(tmp_path, DatasetSettings(("random", "random"), games=4, seed=1))
    printed = run("load_dataset.py", tmp_path)
    assert "legal actions in a decision" in printed
    assert "pass 3:" in printed
