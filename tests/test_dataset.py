"""A dataset is what it says it is, whole, and the same however often it was interrupted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from splendor import Game
from splendor.cli import app
from splendor.tools.dataset import (
    DatasetProblem,
    DatasetSettings,
    check_files,
    load_decisions,
    read_manifest,
    write_dataset,
)

pytestmark = pytest.mark.compiled_only

SETTINGS = DatasetSettings(("greedy:noise=1", "random", "random"), games=7, seed=3, part_games=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset")
    write_dataset(folder, SETTINGS)
    return folder


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]


def test_every_game_is_there_once_and_replays(folder: Path) -> None:
    rows = lines_of(folder)
    assert [row["number"] for row in rows] == list(range(7))
    for row in rows:
        game = Game.from_record(json.dumps(row["game"]))
        assert game.is_over
        assert list(game.points) == row["points"]
        assert row["shares"] == [(seat in game.winners) / len(game.winners) for seat in range(3)]
        assert game.position.split()[0] == "3"
        assert Game(3, seed=row["seed"]).position == row["game"]["position"]


def test_decisions_are_those_of_the_games(folder: Path) -> None:
    columns = load_decisions(folder)
    for row in lines_of(folder):
        mine = np.flatnonzero(columns["game"] == row["number"])
        game = Game(3, seed=row["seed"])
        for index in mine:
            assert columns["seat"][index] == game.seat
            assert np.flatnonzero(columns["action_mask"][index]).tolist() == game.legal_actions
            assert columns["share"][index] == pytest.approx(row["shares"][game.seat])
            game.decide(int(columns["action"][index]))
        assert game.is_over
        assert list(game.points) == row["points"]


def test_the_manifest_lists_files_rows_and_columns(folder: Path) -> None:
    manifest = read_manifest(folder)
    assert [part["games"] for part in manifest["parts"]] == [3, 3, 1]
    assert check_files(folder, manifest) == 9
    assert {path.name for path in folder.iterdir()} == {
        "manifest.json",
        *(name for part in manifest["parts"] for name in part["files"]),
    }
    rows = sum(file["rows"] for part in manifest["parts"] for name, file in part["files"].items() if "decis" in name)
    assert rows == len(load_decisions(folder)["game"])
    assert [column["name"] for column in manifest["columns"]["decisions"]] == list(load_decisions(folder))


def test_an_interrupted_dataset_goes_on_and_becomes_the_same(folder: Path, tmp_path: Path) -> None:
    def stop(done: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(tmp_path, SETTINGS, watch=stop)
    assert [part["part"] for part in read_manifest(tmp_path)["parts"]] == [0]
    counts: list[int] = []
    write_dataset(tmp_path, SETTINGS, watch=counts.append)
    assert counts == [3, 4, 5, 6, 7]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        path.name: path.read_bytes() for path in folder.iterdir()
    }


def test_a_damaged_part_is_found_and_made_anew(folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        tmp_path.joinpath(path.name).write_bytes(path.read_bytes())
    tmp_path.joinpath("games-00001.jsonl").write_text("{}\n")
    with pytest.raises(DatasetProblem, match=r"games-00001\.jsonl is damaged"):
        check_files(tmp_path, read_manifest(tmp_path))
    write_dataset(tmp_path, SETTINGS)
    assert check_files(tmp_path, read_manifest(tmp_path)) == 9


def test_other_settings_need_another_folder(folder: Path) -> None:
    with pytest.raises(DatasetProblem, match="was begun with seed 3, not 4"):
        write_dataset(folder, DatasetSettings(SETTINGS.players, games=7, seed=4, part_games=3))


def test_the_command_writes_and_checks(tmp_path: Path) -> None:
    run = CliRunner().invoke
    arguments = ["dataset", str(tmp_path), "random", "random", "--games", "3", "--workers", "0", "--format", "jsonl"]
    result = run(app, arguments)
    assert result.exit_code == 0, result.output
    assert "3 games in 1 parts" in result.output
    assert "1 files" in run(app, ["dataset", str(tmp_path), "--check"]).output
    tmp_path.joinpath("games-00000.jsonl").unlink()
    assert run(app, ["dataset", str(tmp_path), "--check"]).exit_code == 1
    assert run(app, arguments).exit_code == 0
    assert run(app, ["dataset", str(tmp_path), "nobody", "random"]).exit_code == 2
    assert run(app, ["dataset", str(tmp_path)]).exit_code == 2
    assert run(app, ["dataset", str(tmp_path), "random", "random", "--format", "csv"]).exit_code == 2
