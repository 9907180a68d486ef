"""Whole games as text and as JSON: they replay to the same position, and broken ones are refused with the place."""

import json
import random

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import random_game
from splendor import Game, IllegalRecord, NotationError
from splendor.notation import format_record, parse_json_record, parse_record, record_to_json
from splendor.notation.json import schema

GAME = random_game(2, seed=4)
TEXT = GAME.record()


def replaced(old: str, new: str, text: str = TEXT) -> str:
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("turns", [0, 1, 30, 10_000])
def test_a_record_replays_to_the_same_game(players: int, turns: int) -> None:
    game = random_game(players, seed=turns + players, first=players - 1, turns=turns, cap=200)
    for text in (game.record(), game.record(as_json=True)):
        again = Game.from_record(text)
        assert again.position == game.position
        assert again.turns == game.turns
        assert again.record() == game.record()
        assert again.winners == game.winners


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_printed_record_reads_back_the_same(players: int) -> None:
    record = parse_record(random_game(players, seed=9).record())
    assert parse_record(format_record(record)) == record
    assert parse_json_record(json.dumps(record_to_json(record))) == record


def test_json_games_follow_the_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    annotated = random_game(4, seed=2)
    annotated.annotate(3, comment="a {brace} and a \\ and\na new line", evaluation=(0.25, 0.25, 0.5, 0), clock=61.5)
    for game in (Game(seed=1), GAME, annotated):
        jsonschema.validate(json.loads(game.record(as_json=True)), schema())


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"), max_size=30)
shares = st.floats(0, 1)


@given(texts, st.none() | st.tuples(shares, shares), st.none() | st.floats(0, 1e9), texts)
def test_comments_evaluations_clocks_and_tags_read_back_the_same(
    comment: str, evaluation: tuple[float, ...] | None, clock: float | None, name: str
) -> None:
    game = random_game(2, seed=1, turns=3)
    game.annotate(1, comment=comment, evaluation=evaluation, clock=clock)
    game.tag("Seat0", name)
    for text in (game.record(), game.record(as_json=True)):
        again = Game.from_record(text)
        assert again.turns == game.turns
        assert again.tags == game.tags


def test_a_record_without_the_decks_replays_by_the_drawn_cards() -> None:
    line = next(line for line in TEXT.splitlines() if line.startswith("[Position"))
    words = line.split(" ")
    words[9] = "?36/?26/?16"
    game = Game.from_record(replaced(line, " ".join(words)))
    assert game.view(None).position == GAME.view(None).position
    assert game.turns == GAME.turns


def test_cards_drawn_in_a_record_without_decks_must_be_there() -> None:
    line = next(line for line in TEXT.splitlines() if line.startswith("[Position"))
    words = line.split(" ")
    words[9] = "?36/?26/?16"
    text = replaced(line, " ".join(words))
    drawn = next(turn.drawn for turn in GAME.turns if turn.drawn)
    on_market = words[8].split(",")[0]
    with pytest.raises(IllegalRecord, match="the record says"):
        Game.from_record(replaced(f">{drawn}", f">{on_market}", text))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "this is no game file"),
        ("\n", "this is no game file"),
        ("hello", "expected a tag"),
        ('[Event "x"]\n\n1. e4 e5', "this is no game file"),
        (replaced("splendor 1", "splendor 2"), "this is no game file"),
        (replaced('[Seed "4"]', "[Seed 4]"), r"line 2, column 1: a tag is written \[Name"),
        (replaced('[Seed "4"]', '[Seed "4"]\n[Seed "4"]'), "line 3, column 2: the tag Seed is there twice"),
        (replaced('[Position "2 0', '[Position "2 7'), "line 6, column 14: '7' is no first seat|line 6"),
        (replaced("[Position ", "[Opening "), "the tag Position is missing"),
        (replaced("\n1. ", "\n1. >5 "), "a drawn card stands directly behind"),
        (replaced("\n1. ", "\n1. {x} "), "a comment stands behind a move"),
        (replaced("\n1. ", "\n1. }"), "does not end, or no comment began"),
        (replaced("\n1. ", "\n1. +wzg "), "line 8, column 6: 'z' is no token"),
        (replaced("\n2. ", " >91\n2. "), "cards are numbered 1 to 90|drawn card"),
        (replaced("\n2. ", " {[%eval x]}\n2. "), "'x' is not a list of numbers"),
        (replaced("\n2. ", " {[%foo 1]}\n2. "), "unknown note %foo"),
        (replaced("\n2. ", " {[%clk -1]}\n2. "), "seconds from 0 on"),
        (replaced("\n2. ", " {[%eval 2,0]}\n2. "), "a share from 0 to 1"),
        (replaced("\n2. ", " {a}{b}\n2. "), "at most one"),
        (replaced("\n2. ", " \x07\n2. "), "control character"),
        (replaced("\n2. ", "\n123456789. "), "too large"),
    ],
)
def test_a_badly_written_record_is_refused_with_the_place(text: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        Game.from_record(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (replaced("\n2. ", "\n3. "), "this is round 2, not 3"),
        (replaced("\n1. ", "\n1. +www "), r"line 8, column 4: \+www is illegal in round 1: take one token each"),
        (replaced("\n1. ", "\n1. pass "), "passing is allowed only"),
        (replaced("\n2. ", " {[%eval 0.5]}\n2. "), "each of the 2 seats"),
        (replaced('[Result "', '[Result "9'), "the tag Result says '9"),
        (replaced('[Points "', '[Points "9'), "the tag Points says '9"),
        (replaced('[End "points"]', '[End "cap"]'), "the tag End says 'cap', but by the moves it is points"),
        (TEXT + "99. +wug\n", "the game is over"),
        (Game(seed=1).record().replace('"*"', '"0"'), "the tag Result says '0', but by the moves it is *"),
    ],
)
def test_an_illegal_game_is_refused_with_the_rule(text: str, problem: str) -> None:
    with pytest.raises(IllegalRecord, match=problem.replace("*", r"\*") if problem.endswith("*") else problem):
        Game.from_record(text)


def test_a_missing_or_wrong_drawn_card_is_refused() -> None:
    drawn = next(turn.drawn for turn in GAME.turns if turn.drawn)
    with pytest.raises(IllegalRecord, match=f"the card drawn is {drawn}, but the record says none"):
        Game.from_record(replaced(f" >{drawn}", ""))
    with pytest.raises(IllegalRecord, match="no card is drawn"):
        Game.from_record(replaced("\n2. ", "\n2. +wug >5 ", replaced("\n1. ", "\n1. ")))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"game": "chess"}, '"game": "splendor 1"'),
        ({"extra": 1}, "unknown field 'extra'"),
        ({"position": 5}, "position must be a text"),
        ({"position": "2 0"}, "position: column 1"),
        ({"turns": {}}, "turns must be a list"),
        ({"turns": [{"move": 1}]}, r"turns\[0\] must have a move"),
        ({"turns": [{"move": "+wug", "luck": 1}]}, "unknown field 'luck'"),
        ({"turns": [{"move": "+wug", "drawn": 0}]}, "drawn is a card"),
        ({"turns": [{"move": "+wug", "drawn": True}]}, "drawn is a card"),
        ({"turns": [{"move": "+wug", "comment": 1}]}, "a comment is a text"),
        ({"turns": [{"move": "+wug", "comment": "\x00"}]}, "control characters"),
        ({"turns": [{"move": "+wug", "evaluation": [2]}]}, "shares from 0 to 1"),
        ({"turns": [{"move": "+wug", "clock": -1}]}, "seconds from 0 on"),
        ({"turns": [{"move": "+wu g"}]}, r"turns\[0\]: column"),
        ({"tags": {"seat0": "x"}}, "cannot be a tag"),
        ({"tags": {"Position": "x"}}, "cannot be a tag"),
        ({"tags": {"Seat0": 1}}, "tags must be texts"),
    ],
)
def test_json_that_breaks_the_schema_is_refused(change: dict[str, object], problem: str) -> None:
    data = {**json.loads(TEXT_JSON), **change}
    with pytest.raises(NotationError, match=problem):
        Game.from_record(json.dumps(data))


TEXT_JSON = random_game(2, seed=4, turns=5).record(as_json=True)


@pytest.mark.parametrize("text", ["{", "{}", "{]", '{"game": "splendor 1"}', "[" * 100_000])
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Game.from_record(text)


@given(st.data())
def test_a_damaged_record_is_refused_or_is_a_legal_game(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([random_game(2, seed=8, turns=12).record(), TEXT_JSON]))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 6))
        patch = data.draw(st.text(alphabet='0123456789 ,/:@?-d>{}[]"\\wugrko+=\n', max_size=4) | st.text(max_size=2))
        text = text[:place] + patch + text[place + length :]
    try:
        game = Game.from_record(text)
    except (NotationError, IllegalRecord) as error:
        assert "\n" not in str(error)[:-1]
        return
    assert Game.from_record(game.record()).position == game.position


def test_every_prefix_of_a_game_file_is_refused_or_a_legal_beginning() -> None:
    chance = random.Random(3)
    for _ in range(60):
        try:
            game = Game.from_record(TEXT[: chance.randrange(len(TEXT))])
        except (NotationError, IllegalRecord):
            continue
        assert game.moves == GAME.moves[: len(game.moves)]
