"""Training runs from their settings to their files: parts, checkpoints, what is resumed and what is refused."""

import json
import subprocess
import sys
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

from splendor.network import Network, load_network
from splendor.training.command import plan, settings_of
from splendor.training.config import Config, between, lasting, make_config, make_parts, read_settings
from splendor.training.curves import draw_curves, read_log
from splendor.training.export import export_onnx
from splendor.training.judge import Judge
from splendor.training.ladder import AtFirstSight, RandomDecider, match
from splendor.training.learner import Learner, network_of, read_checkpoint
from splendor.training.machine import Cpu, machine
from splendor.training.model import Model
from splendor.training.run import Run, start
from training_games import TINY, TOY, silence, some_games

pytestmark = pytest.mark.compiled_only


# ------------------------------------------------------------------------------------------ settings


def test_a_setting_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ValueError, match="there is no setting 'gmaes'; there are seed, minutes"):
        make_config({"gmaes": 3})


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"games": 1.5}, "games is 1.5; it must be a whole number"),
        ({"games": "many"}, "games is 'many'; it must be a number"),
        ({"games": 0}, "games is 0; it must be at least 1"),
        ({"players": [1, 1]}, "players is .* it must be 3 numbers"),
        ({"players": [0, 0, 0]}, "three shares"),
        ({"ladder_games": 100}, "12 must"),
        ({"window": 1}, "at least 2"),
        ({"average": 1}, "less than 1"),
        ({"minutes": 0}, "never ends"),
        ({"simulations": -1}, "at least 0"),
        ({"siblings": 72}, "less than 72"),
        ({"width": 48}, "one of 32, 64, 128"),
        ({"policy_temperature": [0.02, 0.01, 0]}, "above 0"),
        ({"explore": 1.5}, "explore is 1.5; it must be a part of the decisions"),
        ({"rotated": -0.1}, "rotated is -0.1; it must be a part of the decisions"),
    ],
)
def test_settings_that_cannot_work_are_refused(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_config(settings)


def test_settings_on_the_command_line_come_on_top_of_the_file() -> None:
    given = settings_of(["games=48", "trace=[0.5, 0.6]"])
    (config,), part = plan(TOY, given, 2.0, None)
    assert (config.games, config.trace, config.minutes, config.width, part) == (48, (0.5, 0.6), 2.0, 32, 0)
    with pytest.raises(ValueError, match="is not a setting; one looks like games=4096"):
        settings_of(["games"])


def test_a_run_has_the_parts_of_its_file() -> None:
    settings = {"seed": 7, "games": 12, "part": [{"minutes": 5, "simulations": 0}, {"minutes": 15, "games": 24}]}
    one, two = make_parts(settings)
    assert (one.seed, one.games, one.minutes, one.simulations) == (7, 12, 5, 0)
    assert (two.seed, two.games, two.minutes, two.simulations) == (7, 24, 15, Config().simulations)
    assert [part.games for part in make_parts(settings, {"games": 36})] == [36, 36]
    assert [part.minutes for part in lasting([one, two], 2.0)] == [0.5, 1.5]
    assert [part.minutes for part in lasting([TINY, TINY], 2.0)] == [1.0, 1.0]
    for parts in (3, [], [3]):
        with pytest.raises(ValueError, match=r"a part is a table, which begins with \[\[part\]\]"):
            make_parts({"part": parts})


@pytest.mark.parametrize("after", [{"width": 32}, {"blocks": 2}])
def test_a_part_that_cannot_begin_with_the_network_before_it_is_refused(tmp_path: Path, after: dict[str, int]) -> None:
    """Before the first one is trained."""
    settings = "".join(f"{name} = {value}\n" for name, value in after.items())
    (tmp_path / "two.toml").write_text(f"width = 64\n[[part]]\nminutes = 1\n[[part]]\nminutes = 1\n{settings}")
    with pytest.raises(ValueError, match="in the part after it the width must be the same"):
        plan(tmp_path / "two.toml", {}, None, None)


def test_without_a_file_half_an_hour_is_trained() -> None:
    parts, part = plan(None, {"seed": 3}, None, None)
    assert part == 0
    assert [config.seed for config in parts] == [3, 3]
    assert [config.simulations > 0 for config in parts] == [False, True]
    assert sum(config.minutes for config in parts) < 30


def test_settings_of_a_resumed_run_begin_another_part(tmp_path: Path) -> None:
    parts = [TINY, replace(TINY, seed=2), replace(TINY, seed=3)]
    checkpoint = {"config": parts[1].to_dict(), "parts": [part.to_dict() for part in parts], "part": 1}
    assert plan(None, {}, None, checkpoint) == (parts, 1)
    assert plan(None, {"blocks": 2}, None, checkpoint) == ([*parts[:2], replace(parts[1], blocks=2)], 2)
    (tmp_path / "two.toml").write_text("siblings = 1\n[[part]]\nminutes = 1\n[[part]]\nminutes = 3\n")
    _, _, *more = plan(tmp_path / "two.toml", {}, 2.0, checkpoint)[0]
    assert more == [replace(parts[1], siblings=1, minutes=minutes) for minutes in (0.5, 1.5)]


def test_a_file_that_is_not_of_settings_is_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("games = = 3\n")
    with pytest.raises(ValueError, match=r"broken.toml is not a file of settings: .*line 1"):
        read_settings(tmp_path / "broken.toml")


def test_a_config_survives_a_checkpoint() -> None:
    assert make_config(TINY.to_dict()) == TINY


def test_a_schedule_falls_evenly_on_a_log_scale() -> None:
    assert between((1e-3, 1e-5), 0.5) == pytest.approx(1e-4)


def test_a_machine_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no machine 'tpu'"):
        machine("tpu")


def test_the_command_says_what_is_wrong_in_one_sentence() -> None:
    command = [sys.executable, "-m", "splendor.training", "--set", "gmaes=3"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("splendor: there is no setting 'gmaes'")


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


def test_two_minutes_of_training_beats_random_and_its_own_beginning(tmp_path: Path) -> None:
    config = replace(make_parts(read_settings(TOY))[0], players=(1.0, 0.0, 0.0), trace=(1.0, 1.0))
    run = Run([replace(config, ladder_seconds=1e9, ladder_games=24)], Cpu(), tmp_path, silence)
    beginning = Judge(run.learner.average, Cpu())
    run.train()
    assert match(AtFirstSight(run.judge), RandomDecider(), run.judge, 2, 120, seed=1).share > 0.75
    assert match(AtFirstSight(run.judge), AtFirstSight(beginning), run.judge, 2, 120, seed=1).share > 0.75
