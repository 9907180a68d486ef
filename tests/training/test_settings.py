"""Settings of a training run: from files and options to parts, and what is refused."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")


from splendor.training.command import plan, settings_of
from splendor.training.config import Config, between, lasting, make_config, make_parts, read_settings
from splendor.training.machine import machine
from training.games import TINY, TOY

pytestmark = pytest.mark.compiled_only


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
