"""The `splendor` command: good and bad input for every command, exit codes, JSON shapes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from games import random_game
from splendor import Game, __version__
from splendor.cli import app
from splendor.cli.sources import LARGEST_FILE

pytestmark = pytest.mark.compiled_only  # commands are about files and words

COMMANDS = ["new", "show", "moves", "replay", "check", "perft", "bench", "tui"]
ONE_SENTENCE = 1


class Answer:
    """What a command said."""

    def __init__(self, code: int, out: str, problem: str) -> None:
        self.code, self.out, self.problem = code, out, problem

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def splendor(*arguments: str, given: str | bytes = "") -> Answer:
    """Run the command in this process."""
    result = CliRunner().invoke(app, list(arguments), input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return Answer(result.exit_code, result.stdout, result.stderr)


def refused(answer: Answer, code: int, *words: str) -> None:
    """One sentence on stderr, nothing else, and the exit code."""
    assert answer.code == code, answer.out + answer.problem
    assert answer.out == ""
    assert answer.problem.startswith("splendor: ")
    assert answer.problem.count("\n") == ONE_SENTENCE
    for word in words:
        assert word in answer.problem


def misused(answer: Answer, *words: str) -> None:
    """Options or arguments that do not fit: exit code 2 and a hint."""
    assert answer.code == 2
    assert "Traceback" not in answer.problem
    for word in words:
        assert word in answer.problem


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A finished game."""
    file = tmp_path / "game.txt"
    file.write_text(random_game(2, 4).record(), encoding="utf-8")
    return file


def test_the_real_command_answers_and_sets_its_exit_code(record: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        code = "from splendor.cli import main; main()"
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    legal, missing, wrong = run("check", str(record)), run("check", "nowhere.txt"), run("nonsense")
    assert (legal.returncode, missing.returncode, wrong.returncode) == (0, 2, 2)
    assert "a legal game" in legal.stdout
    assert missing.stderr == "splendor: there is no file nowhere.txt\n"
    assert "Traceback" not in wrong.stderr


def test_help_does_not_load_the_compiler() -> None:
    code = (
        "import sys; sys.argv = ['splendor', '--help']\n"
        "from splendor.cli import main\n"
        "try: main()\n"
        "finally: print([name for name in ('numba', 'numpy', 'textual') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.stdout.endswith("[]\n")
    for command in COMMANDS:
        assert f"  {command} " in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    answer = splendor(command, "--help")
    assert answer.code == 0
    assert "Usage:" in answer.out
    assert len(answer.out.splitlines()) > 6


def test_the_version() -> None:
    assert splendor("--version").out == f"splendor {__version__}\n"


# ---------------------------------------------------------------------------------------------------- new


def test_new_prints_a_record_that_can_be_read_back() -> None:
    answer = splendor("new", "--players", "3", "--seed", "7", "--first", "2", "--cap", "40")
    game = Game.from_record(answer.out)
    assert (game.players, game.first, game.round_cap, game.tags["Seed"]) == (3, 2, 40, "7")
    assert game.position == Game(3, seed=7, first=2, round_cap=40).position
    twin = splendor("new", "--players", "3", "--seed", "7", "--first", "2", "--cap", "40", "--json")
    assert Game.from_record(twin.out).position == game.position
    assert twin.json["game"] == "splendor 1"


def test_new_without_a_seed_deals_by_chance() -> None:
    assert splendor("new").out != splendor("new").out


def test_new_writes_a_file_but_never_over_another(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    assert splendor("new", "--seed", "1", "-o", str(file)).code == 0
    text = file.read_text(encoding="utf-8")
    refused(splendor("new", "--seed", "2", "-o", str(file)), 2, "is there already")
    assert file.read_text(encoding="utf-8") == text
    refused(splendor("new", "-o", str(tmp_path / "no" / "game.txt")), 2, "cannot be written")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--players", "5"], "2 to 4 players"),
        (["--players", "1"], "2 to 4 players"),
        (["--seed", "-1"], "a seed must be"),
        (["--seed", str(2**64)], "a seed must be"),
        (["--first", "2"], "the first seat must be 0 to 1"),
        (["--cap", "0"], "a cap on rounds"),
    ],
)
def test_new_refuses_what_cannot_be_dealt(arguments: list[str], words: str) -> None:
    refused(splendor("new", *arguments), 2, words)


def test_new_refuses_what_is_no_number() -> None:
    misused(splendor("new", "--players", "two"), "--players")


# --------------------------------------------------------------------------------------------- show, moves


def test_show_prints_the_board_at_any_turn(record: Path) -> None:
    game = Game.from_record(record.read_text(encoding="utf-8"))
    assert splendor("show", str(record)).out == f"{game}\n"
    while len(game.moves) > 7:
        game.undo()
    assert splendor("show", str(record), "--turn", "7").out == f"{game}\n"
    assert splendor("show", game.position).out == f"{game}\n"
    assert splendor("show", "-", given=game.position + "\n").out == f"{game}\n"


def test_show_hides_what_a_viewer_does_not_know() -> None:
    game = Game(players=2, seed=3)
    game.play("rd2")
    drawn = game.reserved(0)[0].id
    own, other, spectator = (
        splendor("show", game.position, *viewer, "--json").json
        for viewer in (["--seat", "0"], ["--seat", "1"], ["--spectator"])
    )
    assert own["seats"][0]["reserved"][0]["id"] == drawn
    assert other["seats"][0]["reserved"] == spectator["seats"][0]["reserved"] == [{"id": None, "level": 2}]
    assert other["position"] == game.view(1).position
    for hidden in (other["position"], str(splendor("show", game.position, "--seat", "1").out)):
        assert f"{drawn}d" not in hidden


def test_show_takes_a_position_that_hides_cards_already() -> None:
    view = Game(players=3, seed=3).view(0)
    assert splendor("show", view.position).out == f"{view}\n"
    assert splendor("moves", view.position, "--json").json["moves"] == [str(move) for move in view.legal_moves]


def test_show_as_json_names_everything(record: Path) -> None:
    shown = splendor("show", str(record), "--json").json
    game = Game.from_record(record.read_text(encoding="utf-8"))
    assert shown["turn"] == len(game.moves)
    assert shown["winners"] == list(game.winners)
    assert [seat["points"] for seat in shown["seats"]] == list(game.points)
    assert shown["bank"] == game.bank._asdict()
    assert Game.from_position(shown["position"]).position == game.position
    assert [len(row) for row in shown["market"]] == [4, 4, 4]


def test_moves_lists_the_legal_moves(record: Path) -> None:
    answer = splendor("moves", str(record), "--turn", "0", "--json").json
    assert len(answer["moves"]) == len(answer["actions"]) == 30
    text = splendor("moves", str(record), "--turn", "0").out
    assert "30 legal moves" in text
    for move in answer["moves"]:
        assert move in text.split()
    assert "over" in splendor("moves", str(record)).out


@pytest.mark.parametrize("command", ["show", "moves"])
def test_what_is_neither_a_game_nor_a_position_is_refused(command: str, record: Path, tmp_path: Path) -> None:
    refused(splendor(command, "nowhere"), 2, "there is no file nowhere")
    refused(splendor(command, str(tmp_path)), 2, "is a folder")
    refused(splendor(command, "2 0 1"), 1, "the position", "column 1")
    refused(splendor(command, str(record), "--turn", "9999"), 2, "there is no turn 9999")
    refused(splendor(command, Game(seed=1).position, "--turn", "1"), 2, "a position has no turns")
    refused(splendor(command, "-", given=""), 1, "empty")
    refused(splendor(command, "-", given=b"\xff\xfe\x00"), 1, "UTF-8")
    refused(splendor(command, "x" * 5000), 2)
    refused(splendor(command, "bad\0name"), 2)
    misused(splendor(command, str(record), "--turn", "-1"), "--turn")
    misused(splendor(command))


def test_show_refuses_a_seat_that_is_not_there(record: Path) -> None:
    refused(splendor("show", str(record), "--seat", "2"), 2, "there is no seat 2")
    refused(splendor("show", str(record), "--seat", "0", "--spectator"), 2, "exclude each other")


def test_an_impossible_position_is_refused_with_its_place() -> None:
    position = Game(seed=1).position.replace("444445", "944445")
    refused(splendor("show", position), 1, "column 15", "white tokens")


# -------------------------------------------------------------------------------------------------- replay


def test_replay_prints_every_turn_when_there_is_no_terminal(record: Path) -> None:
    answer = splendor("replay", str(record))
    game = Game.from_record(record.read_text(encoding="utf-8"))
    assert answer.out.count("\nturn ") == len(game.moves)
    assert answer.out.endswith(f"{game}\n")
    assert str(game.moves[0]) in answer.out
    refused(splendor("replay", "nowhere"), 2)
    refused(splendor("replay", "-", given="hello"), 1, "line 1")


# --------------------------------------------------------------------------------------------------- check


def test_check_says_who_won(record: Path, tmp_path: Path) -> None:
    game = Game.from_record(record.read_text(encoding="utf-8"))
    answer = splendor("check", str(record))
    assert answer.code == 0
    assert f"a legal game of {len(game.moves)} turns, won by seat {game.winners[0]}" in answer.out
    unfinished = tmp_path / "unfinished.json"
    unfinished.write_text(random_game(3, 1, turns=5).record(as_json=True), encoding="utf-8")
    assert "5 turns, not finished" in splendor("check", str(unfinished)).out


def test_check_names_the_place_of_the_first_illegal_move(tmp_path: Path) -> None:
    game = Game(players=2, seed=1)
    game.play("+wug")
    file = tmp_path / "bad.txt"
    file.write_text(game.record().replace("+wug", "+wwu"), encoding="utf-8")
    refused(splendor("check", str(file)), 1, str(file), "line 6, column 4", "+wwu is illegal in round 1")


def test_check_goes_through_all_files_and_keeps_the_worst_exit_code(record: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "program.bin"
    foreign.write_bytes(bytes(range(256)))
    answer = splendor("check", str(record), str(foreign))
    assert (answer.code, answer.out.count("\n"), answer.problem.count("\n")) == (1, 1, 1)
    answer = splendor("check", str(foreign), "nowhere", str(record))
    assert (answer.code, answer.out.count("\n"), answer.problem.count("\n")) == (2, 1, 2)


def test_check_gives_verdicts_as_json(record: Path) -> None:
    answer = splendor("check", "--json", str(record), "nowhere")
    assert answer.code == 2
    good, bad = answer.json["files"]
    game = Game.from_record(record.read_text(encoding="utf-8"))
    assert good == {
        "file": str(record),
        "legal": True,
        "turns": len(game.moves),
        "winners": list(game.winners),
        "end": "points",
    }
    assert (bad["legal"], bad["problem"]) == (False, "there is no file nowhere")


def test_check_refuses_huge_empty_and_truncated_files(record: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * (LARGEST_FILE + 1))
    refused(splendor("check", str(file)), 1, "larger than 4 MB")
    file.write_bytes(b"")
    refused(splendor("check", str(file)), 1, "empty")
    text = record.read_bytes()
    for end in range(1, len(text) - 1, max(1, len(text) // 50)):
        file.write_bytes(text[:end])
        refused(splendor("check", str(file)), 1, str(file))
    file.write_text('{"game": "splendor 1", "turns": ' + "[" * 100_000, encoding="utf-8")
    refused(splendor("check", str(file)), 1)
    file.write_text('{"game": ' + "9" * 5_000 + "}", encoding="utf-8")
    refused(splendor("check", str(file)), 1)


GAMES = [random_game(2, 8).record().encode(), random_game(3, 9, turns=12).record(as_json=True).encode()]


@given(data=st.data())
@settings(max_examples=150, suppress_health_check=list(HealthCheck))
def test_check_has_a_verdict_for_every_damaged_record(data: st.DataObject) -> None:
    text = bytearray(data.draw(st.sampled_from(GAMES)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        kind = data.draw(st.sampled_from(["change", "remove", "insert", "copy"]))
        length = data.draw(st.integers(1, 30))
        if kind == "change":
            text[place] = data.draw(st.integers(0, 255))
        elif kind == "remove":
            del text[place : place + length]
        elif kind == "insert":
            text[place:place] = data.draw(st.binary(min_size=1, max_size=8))
        else:
            text[place:place] = text[place : place + length]
        if not text:
            break
    answer = splendor("check", "-", given=bytes(text))
    if answer.code == 0:
        assert answer.out.startswith("standard input: a legal game")
    else:
        refused(answer, 1, "standard input")


# --------------------------------------------------------------------------------------------------- perft


def test_perft_counts_from_a_deal_and_from_a_position() -> None:
    counted = splendor("perft", "--players", "2", "--seed", "1", "--depth", "2", "--json")
    assert counted.json == {"counts": [30, 865]}
    position = Game(players=2, seed=1).position
    assert splendor("perft", "--position", position, "--depth", "2", "--json").json == {"counts": [30, 865]}
    table = splendor("perft", "--depth", "2", "--divide").out
    assert "865" in table
    assert "take white, blue, green" in table
    divided = splendor("perft", "--depth", "2", "--divide", "--json").json
    assert sum(counts[1] for counts in divided["divide"].values()) == 865


def test_perft_refuses_what_it_cannot_count() -> None:
    refused(splendor("perft", "--players", "9"), 2, "2 to 4 players")
    refused(splendor("perft", "--position", "nonsense"), 1, "column 1")
    refused(splendor("perft", "--position", Game(seed=1).view(0).position), 1, "hides cards")
    misused(splendor("perft", "--depth", "0"), "--depth")


# ----------------------------------------------------------------------------------------------------- tui


def test_tui_needs_a_terminal(record: Path) -> None:
    for options in ([], ["--hotseat"], ["--watch", "--players", "3"], ["--replay", str(record)]):
        refused(splendor("tui", *options), 2, "needs a terminal")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--players", "5"], "2 to 4 players"),
        (["--against", "nobody"], "there is no player 'nobody'"),
        (["--against", "random", "--seat", "2"], "there is no seat 2"),
        (["--against", "random,random,random", "--players", "2"], "3 computer players for 1 seat"),
        (["--hotseat", "--watch"], "choose one"),
        (["--hotseat", "--seed", "-1"], "a seed must be"),
        (["--replay", "nowhere"], "there is no file nowhere"),
    ],
)
def test_tui_refuses_what_cannot_be_played(options: list[str], words: str) -> None:
    refused(splendor("tui", *options), 2, words)
