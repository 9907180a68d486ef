"""The rules run the same in every mode: plain, compiled, and compiled with index checks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from digests import game_digest
from splendor.core.jit import MODE, MODES

PROGRAM = Path(__file__).parent / "digests.py"
GAMES = 1500  # of each number of players, compiled
PLAIN_GAMES = {2: 300, 3: 150, 4: 100}  # plain Python is some hundred times slower


def start(mode: str, players: int, games: int) -> subprocess.Popen[str]:
    """Play in another process; the rules are compiled, or not, at import."""
    command = [sys.executable, str(PROGRAM), str(players), str(games)]
    return subprocess.Popen(command, env=os.environ | {"SPLENDOR_MODE": mode}, stdout=subprocess.PIPE, text=True)


@pytest.mark.compiled_only  # it runs all modes itself
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_are_the_same_plain_compiled_and_bounds_checked(players: int) -> None:
    games = {"plain": PLAIN_GAMES[players], "compiled": GAMES, "bounds": GAMES}
    running = {mode: start(mode, players, count) for mode, count in games.items()}
    digests = {mode: process.communicate()[0].split() for mode, process in running.items()}
    assert all(process.returncode == 0 for process in running.values())
    assert {mode: len(lines) for mode, lines in digests.items()} == games
    assert len(set(digests["compiled"])) == GAMES  # all games differ
    assert digests["bounds"] == digests["compiled"]
    assert digests["plain"] == digests["compiled"][: PLAIN_GAMES[players]]


def test_this_process_plays_the_same_games_as_another_mode() -> None:
    other = MODES[(MODES.index(MODE) + 1) % len(MODES)]
    lines, _ = start(other, 3, 2).communicate()
    assert lines.split() == [game_digest(3, seed) for seed in range(2)]


def test_an_unknown_mode_is_refused_with_the_known_ones() -> None:
    command = [sys.executable, "-c", "import splendor.core.jit"]
    result = subprocess.run(
        command, env=os.environ | {"SPLENDOR_MODE": "fast"}, capture_output=True, text=True, check=False
    )
    assert result.returncode != 0
    assert "SPLENDOR_MODE is 'fast'; it must be one of compiled, bounds, plain" in result.stderr


@pytest.mark.compiled_only  # it chooses the mode itself
def test_code_stored_by_one_process_answers_the_same_in_the_next(tmp_path: Path) -> None:
    """Rules that called each other in a circle once ran when compiled and crashed when loaded again."""
    program = "from positions import deal, legal; print(legal(deal(2, 1)))"
    env = os.environ | {"SPLENDOR_MODE": "compiled", "SPLENDOR_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", program]
    runs = [
        subprocess.run(command, env=env, cwd=PROGRAM.parent, capture_output=True, text=True, check=False)
        for _ in range(2)
    ]
    assert [run.returncode for run in runs] == [0, 0]
    assert runs[0].stdout == runs[1].stdout != ""
