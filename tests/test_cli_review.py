"""`splendor review`: in the terminal, as JSON, comments, page and tables; of one game and of many; of bad input."""

from __future__ import annotations

import csv
import json
import re
import warnings
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from games import random_game
from splendor import Game
from splendor.analysis.model import schema
from test_cli import Answer, misused, refused, splendor

pytestmark = pytest.mark.compiled_only


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A few turns of a game, with a name that a page must not take for a tag and a comment that must stay."""
    played = random_game(2, 5, turns=7)
    played.tag("Seat0", "Ann <b>")
    played.annotate(2, comment="why not?")
    path = tmp_path / "game.txt"
    path.write_text(played.record(), encoding="utf-8")
    return path


@pytest.fixture
def games(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "games"
    folder.mkdir()
    paths = [folder / f"{seed}.txt" for seed in range(3)]
    for seed, path in enumerate(paths):
        path.write_text(random_game(2 + seed % 2, seed, turns=5).record(), encoding="utf-8")
    return paths


def reviewed(*arguments: Any, given: str = "") -> Answer:
    answer = splendor("review", *map(str, arguments), given=given)
    assert answer.code == 0, answer.problem
    return answer


def test_json_has_the_names_that_others_rely_on(game: Path) -> None:
    found = reviewed(game, "--effort", "quick", "--json").json
    jsonschema.validate(found, schema())
    assert found["players"] == 2
    assert len(found["turns"]) == 7
    for turn in found["turns"]:
        assert {"seat", "move", "best", "loss", "error", "grade", "luck", "shares"} <= set(turn)
        assert len(turn["luck"]) == len(turn["shares"]) == 2
    for seat in found["summary"]:
        parts = sum(seat[name] for name in ("deal", "luck", "own_errors", "others_errors", "rest"))
        assert parts == pytest.approx(seat["result"] - seat["average"], abs=1e-6)
        assert {"accuracy", "performance"} <= set(seat)


def test_the_terminal_shows_curve_turns_and_sums(game: Path) -> None:
    said = reviewed(game, "--effort", "quick").out
    for words in ("Ann <b>", "seat 1", "accuracy", "own errors", "played", "The game is not over"):
        assert words in said
    assert len(re.findall(r"^ +\d+ +(?:Ann|seat 1)", said, re.MULTILINE)) == 7


def test_a_name_is_shown_as_it_is(tmp_path: Path) -> None:
    played = random_game(2, 5, turns=3)
    played.tag("Seat1", "[red]Ben")
    path = tmp_path / "[bold]game.txt"
    path.write_text(played.record(), encoding="utf-8")
    said = reviewed(path, "--effort", "curve").out
    assert "[red]" in said
    assert "[red]Ben" in said.split("player")[-1]
    many = reviewed(path, path, "--effort", "curve", "--workers", 0).out
    assert "[bold]game.txt" in many
    assert "[red]Ben" in many


def test_one_seat_can_be_graded_alone(game: Path) -> None:
    found = reviewed(game, "--seat", "1", "--json").json
    assert {turn["seat"] for turn in found["turns"] if turn["grade"]} == {1}


def test_the_annotated_record_is_read_by_every_reader_and_keeps_comments(game: Path, tmp_path: Path) -> None:
    target = tmp_path / "annotated.txt"
    reviewed(game, "-o", target)
    again = Game.from_record(target.read_text(encoding="utf-8"))
    assert again.moves == Game.from_record(game.read_text(encoding="utf-8")).moves
    assert again.turns[2].comment.startswith("why not? ")
    for turn in again.turns:
        assert turn.evaluation is not None
        assert turn.comment
    reviewed(target, "-o", tmp_path / "twice.txt")
    assert (tmp_path / "twice.txt").read_text(encoding="utf-8") == target.read_text(encoding="utf-8")


class Tags(HTMLParser):
    """The elements of a page, and everything that it would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href", "action")]


def test_the_page_needs_nothing_else_and_takes_no_name_for_a_tag(game: Path, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    reviewed(game, "--html", target)
    text = target.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    assert tags.fetched == []
    assert "url(" not in text
    assert "script" not in tags.names
    assert {"svg", "table", "h1"} <= set(tags.names)
    assert "Ann &lt;b&gt;" in text
    assert "Ann <b>" not in text


def test_many_games_give_tables_and_are_gone_on_with(games: list[Path], tmp_path: Path) -> None:
    keep, table, typed = tmp_path / "kept", tmp_path / "all.csv", tmp_path / "all.parquet"
    arguments = [*games, "--effort", "curve", "--workers", 0, "--keep", keep, "--csv", table, "--parquet", typed]
    said = reviewed(*arguments).out
    assert "0.txt" in said
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(Path(row["file"]).name, row["seat"]) for row in rows] == [
        *(("0.txt", str(seat)) for seat in range(2)),
        *(("1.txt", str(seat)) for seat in range(3)),
        *(("2.txt", str(seat)) for seat in range(2)),
    ]
    parquet = pytest.importorskip("pyarrow.parquet", reason="an extra")
    assert parquet.read_table(typed).num_rows == len(rows)
    for row in rows:
        parts = sum(float(row[name]) for name in ("deal", "luck", "own_errors", "others_errors", "rest"))
        assert parts == pytest.approx(float(row["result"]) - float(row["average"]))
    kept = sorted(keep.iterdir())
    assert [path.name for path in kept] == [f"{seed}.txt.review.json" for seed in range(3)]
    marked = json.loads(kept[0].read_text(encoding="utf-8")) | {"names": ["kept", None]}
    kept[0].write_text(json.dumps(marked), encoding="utf-8")
    lines = reviewed(*arguments, "--json").out.splitlines()
    assert [json.loads(line)["names"][0] for line in lines] == ["kept", None, None]


def test_a_game_goes_on_from_a_kept_review_with_more_effort(game: Path, tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    reviewed(game, "--effort", "curve", "--keep", keep, "--json")
    assert reviewed(game, "--effort", "quick", "--keep", keep, "--json").json["effort"] == "quick"
    fresh = reviewed(game, "--effort", "quick", "--json").json
    assert json.loads((keep / "game.txt.review.json").read_text(encoding="utf-8")) == fresh


@pytest.mark.filterwarnings("ignore")  # Ray leaves sockets and files to the garbage collector
def test_a_cluster_finds_the_same(games: list[Path]) -> None:
    pytest.importorskip("ray", reason="Ray is an extra")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shared = reviewed(*games, "--effort", "curve", "--json", "--ray", "local", "--workers", 1).out
    assert shared == reviewed(*games, "--effort", "curve", "--json", "--workers", 0).out


def test_bad_input_gets_a_sentence(game: Path, tmp_path: Path) -> None:
    text = game.read_text(encoding="utf-8")
    refused(splendor("review", "nowhere.txt"), 2, "there is no file nowhere.txt")
    refused(splendor("review", "-", given=""), 1, "empty")
    refused(splendor("review", "-", given="1. e4 e5"), 1, "line 1")
    refused(splendor("review", "-", given=text[: len(text) * 2 // 3]), 1)
    whole = random_game(2, 6).record()
    cut = whole[: whole.rindex("\n", 0, -1)]  # without its last round
    refused(splendor("review", "-", given=cut), 1, "the game goes on", "is the rest of the record missing?")
    refused(splendor("review", "-", given=text + "99. b90\n"), 1, "line")
    refused(splendor("review", "-", given=Game(2, seed=1).record()), 1, "no turn has been played")
    refused(splendor("review", str(game), "--seat", "3"), 1, "there is no seat 3")
    refused(splendor("review", str(game), "--effort", "hard"), 2, "quick, normal, deep")
    refused(splendor("review", str(game), str(game), "--html", "x.html"), 2, "for one game")
    refused(splendor("review", str(game), "--html", str(tmp_path / "no" / "x.html")), 2, "there is no folder")
    refused(splendor("review", str(game), str(game), "--keep", str(tmp_path)), 2, "different names")
    misused(splendor("review"), "FILE")


def test_among_many_games_a_bad_one_is_named_and_the_others_are_reviewed(games: list[Path], tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("1. e4 e5", encoding="utf-8")
    answer = splendor("review", str(games[0]), str(bad), "--effort", "curve", "--workers", "0", "--json")
    assert answer.code == 1
    assert "bad.txt: line 1" in answer.problem
    assert len(answer.out.splitlines()) == 1
