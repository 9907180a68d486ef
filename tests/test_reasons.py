"""Reasons: each says only what its lines show, and a second check that shares nothing with the first agrees."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from positions import deal, give_points, give_reserve, give_tokens, lay_nobles, show_row, view
from reasons_audit import is_true
from splendor import Game
from splendor.analysis import review
from splendor.analysis.evaluation import Analysis
from splendor.analysis.model import Candidate, Reason
from splendor.analysis.reasons import FACTS, SENTENCES, reasons_for
from splendor.core.state import State
from splendor.game.position import View
from splendor.notation.positions import format_position
from splendor.players import load

pytestmark = pytest.mark.compiled_only


def candidate(*line: str, worth: float = 0.5) -> Candidate:
    return Candidate(move=line[0], worth=worth, shares=(worth, 1 - worth), error=0.01, prior=0.2, visits=20, line=line)


def explain(state: State, best: tuple[str, ...], played: tuple[str, ...]) -> dict[str, Reason]:
    """The reasons by their codes; each is true by the second check."""
    hidden = view(state, int(state.seat))
    found = reasons_for(hidden, candidate(*best, worth=0.6), candidate(*played, worth=0.5))
    for reason in found:
        assert is_true(format_position(hidden), best, played, reason.code, reason.params)
    return {reason.code: reason for reason in found}


def table() -> State:
    """Level 1: 8, 1, 2, 3; level 2: 41, 42, 43, 44. Card 8 costs four green and has a point."""
    state = deal(seed=3)
    show_row(state, 1, 8, 1, 2, 3)
    show_row(state, 2, 41, 42, 43, 44)
    return state


def test_a_card_with_points_at_once() -> None:
    state = table()
    give_tokens(state, 0, "4 green")
    found = explain(state, ("b8",), ("+wur",))
    assert found["scores"].params == {"card": 8, "points": 1, "less": 0}
    assert found["scores"].text == (
        "It brings 1 point at once, with the white card 8 of level 1; the played turn brings 0."
    )


def test_the_end_of_the_game() -> None:
    state = table()
    give_points(state, 0, 14)
    give_tokens(state, 0, "4 green")
    found = explain(state, ("b8",), ("+wur",))
    assert "ends" in found
    assert "15 points" in found["ends"].text


def test_a_card_that_the_other_could_have_bought() -> None:
    state = table()
    give_tokens(state, 1, "4 green")
    found = explain(state, ("r8",), ("+wur",))
    assert found["denies"].params == {"card": 8, "seat": 1, "points": 1}
    assert "denies" not in explain(state, ("+wur",), ("+wuk",))


def test_a_card_that_can_be_paid_next() -> None:
    state = table()
    give_tokens(state, 0, "3 green")
    found = explain(state, ("+wug", "+wuk", "b8"), ("+wur", "+wuk", "+wuk"))
    assert found["affords"].params == {"card": 8, "points": 1}


def test_what_comes_later_is_said_only_where_the_other_line_goes_as_far() -> None:
    state = table()
    give_tokens(state, 0, "2 green")
    line = ("+wug", "+wuk", "+wgk", "+wuk", "b8")
    assert "buys" in explain(state, line, ("+wur", "+wuk", "+wrk", "+ugk", "+ugk-k"))
    assert "buys" not in explain(state, line, ("+wur", "+wuk"))


def test_a_noble_and_the_way_to_it() -> None:
    state = table()
    lay_nobles(state, 1, 2, 3)
    give_tokens(state, 0, "4 green")
    found = explain(state, ("b8",), ("+wur",))
    assert set(found) <= {"scores", "noble", "nearer"}


def test_tokens_that_are_given_back_and_a_hand_that_is_full() -> None:
    state = table()
    give_tokens(state, 0, "2 white 2 blue 2 red 2 black")
    assert explain(state, ("r8",), ("+wug-w",))["returns"].params == {"count": 1, "less": 0}
    state = table()
    give_reserve(state, 0, 90)
    give_reserve(state, 0, 89)
    assert "blocked" in explain(state, ("+wug",), ("r8",))
    assert "blocked" not in explain(state, ("+wug",), ("rd1",))


def test_without_a_fact_there_is_the_number() -> None:
    found = explain(table(), ("+wug",), ("+wur",))
    assert list(found) == ["search"]
    assert found["search"].text == "The search expects 10.0 % more of the win."


def test_what_was_great_is_compared_with_the_second_best_and_not_with_itself() -> None:
    position = (
        "4 0 27 3 act 0 311022 -,-,18,-/42,49,59,60/71,87,74,84 -/47,67,54,46,55,64,50,43,66,51,52,70,63,65,69,61,68/"
        "77,83,86,75,80,88 10,5,7@3,9@0,4@1 042000:4,5,7,15,16,21,23,28,32,33,36,38,39,41,76:82,81,58 "
        "012211:2,8,9,11,19,22,27,29,31,37,45,48,53,62:44 211231:14,17,20,25,30,56,85,90:72,73,89 "
        "201311:1,3,6,10,12,13,24,26,34,35,40,78:57,79"
    )
    game = Game.from_position(position)
    game.play("b42")
    [turn] = review(game, "quick", seats=[3]).turns
    assert turn.grade == "great"
    said = " ".join(reason.text for reason in turn.reasons)
    assert "the second best turn brings" in said
    assert "played" not in said


def test_every_code_has_a_sentence() -> None:
    assert set(SENTENCES) == {*FACTS, "search"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_reasons_of_searched_lines_pass_the_second_check(players: int) -> None:
    game, player = Game(players, seed=5), load("greedy:noise=0.5", seed=5)
    codes: Counter[str] = Counter()
    for _ in range(14 * players):
        for _ in range(2):
            if not game.is_over:
                game.play(player.choose(game.view(game.seat)))
        if game.is_over:
            break
        hidden = game.view(game.seat).state
        found = Analysis(View(hidden, game.seat), seed=1).run(40).candidates[:4]
        for best, played in combinations(found, 2):
            for reason in reasons_for(hidden, best, played):
                assert is_true(format_position(hidden), best.line, played.line, reason.code, reason.params), reason
                codes[reason.code] += 1
    assert sum(codes.values()) > 50
    assert len(codes) > 4
