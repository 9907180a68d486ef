"""Positions as text: they read back the same, and what cannot exist is refused with a sentence and a place."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import positions_of, random_game
from splendor import Game, NotationError, View
from splendor.core.state import STATE
from splendor.notation import format_position, parse_position

DEALT = Game(players=2, seed=1).position
VIEWED = Game(players=2, seed=1).view(0).position
FIELDS = ["players", "first", "round", "seat", "phase", "passes", "bank", "market", "decks", "nobles", "seat0", "seat1"]


def changed(text: str, **fields: str) -> str:
    """The position with some fields replaced."""
    words = text.split(" ")
    for name, value in fields.items():
        words[FIELDS.index(name)] = value
    return " ".join(words)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_position_reads_back_the_same(players: int) -> None:
    for game in positions_of(players, seed=players, every=3):
        again = parse_position(game.position)
        assert format_position(again) == game.position
        for name in STATE.names or ():
            if name != "deck":  # above the top card a deck keeps what was drawn, which no text shows
                assert (again[name] == game.state[name]).all(), name


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_position_of_a_viewer_reads_back_as_the_same_view(players: int) -> None:
    for game in positions_of(players, seed=10 + players, every=5):
        for viewer in (None, *range(players)):
            view = game.view(viewer)
            assert View.from_position(view.position, viewer) == view
            assert eval(repr(view)) == view


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_goes_on_from_its_position(players: int) -> None:
    game = random_game(players, seed=3, turns=20)
    other = Game.from_position(game.position)
    chance = random.Random(1)
    while not game.is_over:
        assert other.legal_moves == game.legal_moves
        move = chance.choice(game.legal_moves)
        game.play(move)
        other.play(move)
        assert other.position == game.position
    assert other.winners == game.winners


@pytest.mark.parametrize(
    ("fields", "place", "problem"),
    [
        ({"players": "5"}, "players", "number of players"),
        ({"players": "1"}, "players", "from 2 to 4"),
        ({"players": "x"}, "players", "number of players"),
        ({"first": "2"}, "first", "first seat"),
        ({"round": "0"}, "round", "round"),
        ({"round": "01"}, "round", "round"),
        ({"round": "4/3"}, "round", "beyond the cap of 3"),
        ({"seat": "2"}, "seat", "no seat"),
        ({"phase": "think"}, "phase", "the phases are act, return, noble"),
        ({"passes": "3"}, "passes", "number of passes"),
        ({"passes": "2"}, "passes", "every player has passed"),
        ({"bank": "44444"}, "bank", "six digits"),
        ({"bank": "544445"}, "bank", "with 2 players there are 4 white tokens; here are 5"),
        ({"bank": "444444"}, "bank", "there are 5 gold tokens; here are 4"),
        ({"bank": "000005", "seat0": "443000:-:-", "seat1": "001440:-:-"}, "seat0", "holds 11 tokens"),
        ({"market": "23,30,37/61,65,60,47/82,73,89,84"}, "market", "4 places"),
        ({"market": "23,30,37,17/61,65,60,47"}, "market", "3 rows"),
        ({"market": "23,30,37,-/61,65,60,47/82,73,89,84"}, "decks", "cards are missing: 17"),
        ({"seat0": "000000:-:17"}, "seat0", "card 17 is in two places"),
        ({"seat0": "000000:61,61:-"}, "seat0", "rising order"),
        ({"seat0": "000000:91:-"}, "seat0", "'91' is no card"),
        ({"seat0": "000000:-:1,2,3,4"}, "seat0", "at most 3 cards"),
        ({"seat0": "000000:-"}, "seat0", "tokens:bought:reserved"),
        ({"seat0": "000000:-:d4"}, "seat0", "decks are numbered 1 to 3"),
        ({"nobles": "2,8"}, "nobles", "has 3 nobles; here are 2"),
        ({"nobles": "2,8,8"}, "nobles", "noble 8 is there twice"),
        ({"nobles": "2,8,11"}, "nobles", "nobles are numbered"),
        ({"nobles": "2,8@0,4"}, "nobles", "seat 0 cannot have received noble 8"),
        ({"nobles": "2,8@2,4"}, "nobles", "no seat"),
        ({"phase": "return"}, "seat0", "is to return tokens but holds 0"),
        ({"phase": "noble"}, "phase", "no choice between nobles"),
        ({"phase": "points"}, "phase", "the game is not over"),
        ({"phase": "stalemate"}, "passes", "a stalemate needs a pass by every player"),
        ({"phase": "cap"}, "phase", "cap on rounds has not been reached"),
        ({"decks": "?36/?26"}, "decks", "3 decks"),
        ({"decks": "?35/?26/?16"}, "decks", "cards are missing"),
        ({"decks": "?37/?26/?16"}, "decks", "level 1 has 40 cards; here are 41"),
        ({"decks": "?41/?26/?16"}, "decks", "number of cards"),
        ({"decks": "41/?26/?16"}, "decks", "card 41 is of level 2, not 1"),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(fields: dict[str, str], place: str, problem: str) -> None:
    text = changed(VIEWED if "decks" in fields else DEALT, **fields)
    with pytest.raises(NotationError, match=problem) as refusal:
        parse_position(text)
    words = text.split(" ")
    start = len(" ".join(words[: FIELDS.index(place)])) + 2 if FIELDS.index(place) else 1
    assert start <= refusal.value.column <= start + len(words[FIELDS.index(place)])


def test_a_position_with_too_few_or_too_many_fields_is_refused() -> None:
    with pytest.raises(NotationError, match="10 fields and one for each seat; here are 3"):
        parse_position("2 0 1")
    with pytest.raises(NotationError, match="for 2 players has 12 fields; here are 13"):
        parse_position(DEALT + " 000000:-:-")
    with pytest.raises(NotationError, match="has 12 fields; here are 11"):
        parse_position(DEALT.rsplit(" ", 1)[0])


def test_with_fifteen_points_a_new_round_cannot_have_begun() -> None:
    five_cards_of_three_points = "46,52,58,64,70"
    text = changed(VIEWED, decks="?36/?21/?16", seat0=f"000000:{five_cards_of_three_points}:-")
    with pytest.raises(NotationError, match="had 15 points when the last round ended; the game would be over"):
        parse_position(text)
    assert format_position(parse_position(changed(text, seat="1"))).split(" ")[3] == "1"


def test_a_position_that_hides_cards_cannot_be_played() -> None:
    with pytest.raises(NotationError, match="hides cards"):
        Game.from_position(VIEWED)


@given(st.data())
def test_a_damaged_position_is_refused_or_means_what_it_says(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([DEALT, VIEWED, random_game(3, 5, turns=40).position]))
    place = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 3))
    patch = data.draw(st.text(alphabet="0123456789 ,/:@?-d", max_size=3) | st.text(max_size=2))
    damaged = text[:place] + patch + text[place + length :]
    try:
        state = parse_position(damaged)
    except NotationError as error:
        assert 1 <= error.column <= len(damaged) + 1
        return
    assert format_position(state) == damaged
