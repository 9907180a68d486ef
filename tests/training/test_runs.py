"""Training runs: their files, their parts, and how they are resumed."""

import json
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch

from splendor.network.network import Network, load_network
from splendor.training.command import plan
from splendor.training.config import Config, make_config, make_parts, read_settings
from splendor.training.curves import draw_curves, read_log
from splendor.training.export import export_onnx
from splendor.training.judge import Judge
from splendor.training.ladder import ActionValuesOnly, RandomDecider, match
from splendor.training.learner import Learner, network_of, read_checkpoint
from splendor.training.machine import Cpu, machine
from splendor.training.model import Model
from splendor.training.run import Run, start
from training.games import NEEDS_GPU, TINY, TOY, silence, some_games

pytestmark = pytest.mark.compiled_only


def test_a_run_can_learn_from_searches(tmp_path: Path) -> None:
    run = start([replace(TINY, simulations=4)], Cpu(), tmp_path, say=silence)
    assert run.decisions >= TINY.decisions


def test_the_same_seed_gives_the_same_network(tmp_path: Path) -> None:
    runs = [start([TINY], Cpu(), tmp_path / name, say=silence) for name in ("one", "two")]
    for one, two in zip(*(run.learner.model.parameters() for run in runs), strict=True):
        assert torch.equal(one, two)


def test_parts_follow_each_other(tmp_path: Path) -> None:
    """Each with its own settings, for its own time, and with what the one before it has learned."""
    one = replace(TINY, decisions=2 * TINY.games * TINY.window, epochs=1)
    two = replace(one, games=12, window=16, epochs=3, simulations=2, blocks=2)
    first = start([one], Cpu(), tmp_path / "one", say=silence)
    run = start([one, two], Cpu(), tmp_path / "both", say=silence)
    assert run.decisions == 2 * first.decisions
    assert run.learner.steps > 3 * first.learner.steps
    assert len(run.learner.model.look) == 2
    resumed = start([one, two], Cpu(), tmp_path / "two", part=1, checkpoint=read(tmp_path / "one"), say=silence)
    assert (resumed.decisions, resumed.learner.steps) == (run.decisions, run.learner.steps)
    for found, expected in zip(resumed.learner.model.parameters(), run.learner.model.parameters(), strict=True):
        assert torch.equal(found, expected)
    about = Network(tmp_path / "both" / "network.onnx").about
    assert make_config(json.loads(about["config"])) == two
    assert make_parts({"part": json.loads(about["before"])}) == [one]


def read(folder: Path) -> dict[str, Any]:
    """The checkpoint of a run."""
    return read_checkpoint(folder / "checkpoint.pt")


def test_a_run_that_is_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    lines: list[str] = []
    parts = [TINY, replace(TINY, epochs=1)]
    first = start(parts, Cpu(), tmp_path, stop_after=1e-9, say=lines.append)
    assert first.decisions < TINY.decisions
    assert read(tmp_path)["part"] == 0
    second = start(parts, Cpu(), tmp_path, checkpoint=read(tmp_path), say=lines.append)
    assert 2 * TINY.decisions <= second.decisions < 3 * TINY.decisions
    assert second.learner.steps > first.learner.steps
    assert read(tmp_path)["part"] == 1
    with pytest.raises(ValueError, match="this run is done; to train on, say for how long"):
        start(parts, Cpu(), tmp_path, part=1, checkpoint=read(tmp_path), say=lines.append)
    assert ET.fromstring((tmp_path / "curves.svg").read_text()).tag.endswith("svg")
    assert {"checkpoint.pt", "network.onnx", "log.csv", "curves.svg", "snapshot-1.onnx"} == {
        path.name for path in tmp_path.iterdir()
    }


def test_a_checkpoint_holds_the_network_that_plays(tmp_path: Path) -> None:
    run = start([TINY], Cpu(), tmp_path, say=silence)
    network, expected = network_of(read_checkpoint(tmp_path / "checkpoint.pt")), run.learner.average
    for found, parameter in zip(network.parameters(), expected.parameters(), strict=True):
        assert torch.allclose(found, parameter, atol=1e-3)
    fresh = Learner(TINY, Cpu())
    fresh.load(read_checkpoint(tmp_path / "checkpoint.pt"))
    for found, parameter in zip(fresh.model.parameters(), run.learner.model.parameters(), strict=True):
        assert torch.equal(found, parameter)


def test_a_network_that_grows_goes_on_as_it_was(tmp_path: Path) -> None:
    run = start([TINY], Cpu(), tmp_path, say=silence)
    larger = replace(TINY, blocks=TINY.blocks + 2)
    learner, checkpoint = Learner(larger, Cpu()), read_checkpoint(tmp_path / "checkpoint.pt")
    learner.load(checkpoint)
    games = some_games(20)
    for network, was in ((learner.model, run.learner.model), (learner.average, network_of(checkpoint))):
        for found, expected in zip(*(model(games.seen, games.crowds) for model in (network, was)), strict=True):
            assert torch.equal(found, expected)
    again = start([TINY, larger], Cpu(), tmp_path, part=1, checkpoint=checkpoint, say=silence)
    for layer in (*again.learner.model.hear, *again.learner.model.outer):
        assert float(layer.weight.detach().abs().max()) > 0
    with pytest.raises(ValueError, match=r"with 3 blocks; .* not 1$"):
        start([TINY], Cpu(), tmp_path, checkpoint=read(tmp_path), say=silence)


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    torch.save({"weights": 1}, tmp_path / "other.pt")
    with pytest.raises(ValueError, match="is not a checkpoint"):
        read_checkpoint(tmp_path / "other.pt")
    (tmp_path / "letter.pt").write_text("Dear reader,")
    with pytest.raises(ValueError, match=r"letter.pt is not a checkpoint"):
        read_checkpoint(tmp_path / "letter.pt")
    export_onnx(Model(32, 1), tmp_path / "silent.onnx", about={"config": TINY.to_dict()})
    with pytest.raises(ValueError, match=r"silent.onnx does not say how it was trained"):
        read_checkpoint(tmp_path / "silent.onnx")
    torch.save({"average": {"enter.weight": torch.zeros(1)}}, tmp_path / "earlier.pt")
    with pytest.raises(ValueError, match="is a checkpoint of an earlier kind"):
        read_checkpoint(tmp_path / "earlier.pt")
    (tmp_path / "letter.onnx").write_text("Dear reader,")
    with pytest.raises(ValueError, match=r"letter.onnx is not a network that splendor train has made"):
        read_checkpoint(tmp_path / "letter.onnx")


def test_a_network_can_be_trained_on(tmp_path: Path) -> None:
    """Without the checkpoint that was written beside it."""
    parts = [TINY, replace(TINY, blocks=2)]
    run = start(parts, Cpu(), tmp_path, say=silence)
    begun = read_checkpoint(tmp_path / "network.onnx")
    assert plan(None, {}, None, begun) == (parts, 1)
    games = some_games(20)
    for found, expected in zip(
        network_of(begun)(games.seen, games.crowds), run.learner.average(games.seen, games.crowds), strict=True
    ):
        assert torch.allclose(found, expected, atol=2e-3)
    parts, part = plan(None, {"siblings": 1}, None, begun)
    assert part == 2
    again = start(parts, Cpu(), tmp_path, part=part, checkpoint=begun, say=silence)
    assert again.decisions >= run.decisions + TINY.decisions
    assert again.learner.steps > run.learner.steps
    with pytest.raises(ValueError, match="this run is done"):
        start(parts, Cpu(), tmp_path, part=2, checkpoint=read_checkpoint(tmp_path / "network.onnx"), say=silence)


def test_the_network_in_the_package_can_be_trained_on() -> None:
    """What it says must not depend on where it runs, and its settings are those that there still are."""
    with resources.as_file(resources.files("splendor").joinpath("data", "network.onnx")) as path:
        checkpoint = read_checkpoint(path)
    games = some_games(60)
    logits, ratings = network_of(checkpoint)(games.seen, games.crowds)
    found_shares, found_ratings = load_network().rate(games.seen.numpy())
    assert np.abs(found_shares - torch.softmax(logits, dim=1).numpy()).max() < 1e-4
    assert np.abs(found_ratings - ratings.numpy())[games.legal.numpy()].max() < 1e-2
    assert plan(None, {}, 5.0, checkpoint)[0][-1].minutes == 5.0


def test_a_network_counts_as_done_however_long_it_took(tmp_path: Path) -> None:
    run = Run([TINY], Cpu(), tmp_path, silence)
    config = replace(TINY, minutes=4.81, decisions=0)
    export_onnx(
        run.learner.average, tmp_path / "a.onnx", about=run.about() | {"config": config.to_dict(), "minutes": 23.56}
    )
    checkpoint = read_checkpoint(tmp_path / "a.onnx")
    with pytest.raises(ValueError, match="this run is done"):
        start([config], Cpu(), tmp_path, checkpoint=checkpoint, say=silence)


def test_curves_can_be_drawn_from_a_log_with_gaps(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("minutes,elo,random\n1,10,0.5\n2,20,\n", encoding="utf-8")
    rows = read_log(tmp_path / "log.csv")
    assert rows == [{"minutes": 1, "elo": 10, "random": 0.5}, {"minutes": 2, "elo": 20}]
    assert ET.fromstring(draw_curves(rows)).tag.endswith("svg")
    assert ET.fromstring(draw_curves([])).tag.endswith("svg")
    assert ET.fromstring(draw_curves([{"minutes": 1, "elo": 0}])).tag.endswith("svg")


def test_a_minute_of_training_beats_random_and_its_own_beginning(tmp_path: Path) -> None:
    config = replace(make_parts(read_settings(TOY))[0], players=(1.0, 0.0, 0.0), trace=(1.0, 1.0), decisions=60_000)
    run = Run([replace(config, ladder_seconds=1e9, ladder_games=24)], Cpu(), tmp_path, silence)
    beginning = Judge(run.learner.average, Cpu())
    run.train()
    assert match(ActionValuesOnly(run.judge), RandomDecider(), run.judge, 2, 120, seed=1).share > 0.85
    assert match(ActionValuesOnly(run.judge), ActionValuesOnly(beginning), run.judge, 2, 120, seed=1).share > 0.6


@pytest.mark.gpu
@NEEDS_GPU
def test_a_short_run_with_searches_on_a_gpu_ends_with_a_network(tmp_path: Path) -> None:
    config = replace(Config(), minutes=0.0, width=128, blocks=1, games=96, window=8, batch=128, decisions=4000)
    parts = [replace(config, simulations=simulations, ladder_games=24) for simulations in (0, 8)]
    assert start(parts, machine("gpu"), tmp_path, say=silence).decisions >= 8000
    assert (tmp_path / "network.onnx").exists()
