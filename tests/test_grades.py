"""Grades: the thresholds, what is certain and what is not, and decisions that no one could have got wrong."""

from __future__ import annotations

from itertools import pairwise

import pytest

from splendor.analysis.grades import COUNTED, grade_of_loss, judge
from splendor.analysis.model import Candidate, Grade

pytestmark = pytest.mark.compiled_only


def candidate(move: str, worth: float, *, error: float = 0.001, prior: float = 0.3, players: int = 2) -> Candidate:
    shares = (worth, *((1 - worth) / (players - 1),) * (players - 1))
    return Candidate(move=move, worth=worth, shares=shares, error=error, prior=prior, visits=9, line=(move,))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    ("loss", "grade"),
    [
        (0.0, "best"),
        (0.0001, "excellent"),
        (0.0099, "excellent"),
        (0.0101, "good"),
        (0.0249, "good"),
        (0.0251, "inaccuracy"),
        (0.0499, "inaccuracy"),
        (0.0501, "mistake"),
        (0.0999, "mistake"),
        (0.1001, "blunder"),
        (0.9, "blunder"),
    ],
)
def test_the_thresholds_shrink_with_the_number_of_players(loss: float, grade: Grade, players: int) -> None:
    assert grade_of_loss(loss * 2 / players, players) == grade


def test_a_loss_within_its_error_is_none_and_an_uncertain_one_gets_the_milder_grade() -> None:
    assert grade_of_loss(0.06, 2, error=0.06) == "best"
    assert grade_of_loss(0.06, 2, error=0.04) == "good"
    assert grade_of_loss(0.04, 2, error=0.019) == "inaccuracy"
    assert grade_of_loss(0.04, 2, error=0.021) == "good"


def test_a_mistake_or_a_blunder_reaches_its_threshold_even_less_three_errors() -> None:
    assert grade_of_loss(0.06, 2, error=0.003) == "mistake"
    assert grade_of_loss(0.06, 2, error=0.004) == "inaccuracy"
    assert grade_of_loss(0.16, 2, error=0.019) == "blunder"
    assert grade_of_loss(0.16, 2, error=0.021) == "mistake"
    assert grade_of_loss(0.16, 2, error=0.04) == "inaccuracy"
    assert grade_of_loss(0.08, 4, error=0.009) == "blunder"
    assert grade_of_loss(0.08, 4, error=0.011) == "mistake"


@pytest.mark.parametrize("loss", [0.004, 0.03, 0.07, 0.2])
def test_more_error_never_makes_a_grade_sterner(loss: float) -> None:
    grades = [COUNTED.index(grade_of_loss(loss, 2, error / 200)) for error in range(80)]
    assert all(after <= before for before, after in pairwise(grades))


def test_what_a_decision_cost_each_seat_adds_up_to_nothing() -> None:
    verdict = judge([candidate("a", 0.5, players=3), candidate("b", 0.41, players=3)], "b")
    assert verdict.loss == pytest.approx(0.09)
    assert verdict.cost == pytest.approx((0.09, -0.045, -0.045))
    assert (verdict.grade, verdict.is_certain) == ("blunder", True)


def test_a_grade_near_a_threshold_is_not_certain() -> None:
    near = judge([candidate("a", 0.5, error=0.004), candidate("b", 0.445, error=0.004)], "b")
    assert (near.grade, near.is_certain) == ("inaccuracy", False)
    clear = judge([candidate("a", 0.5, error=0.004), candidate("b", 0.425, error=0.004)], "b")
    assert (clear.grade, clear.is_certain) == ("mistake", True)
    barely = judge([candidate("a", 0.5, error=0.002), candidate("b", 0.442, error=0.002)], "b")
    assert (barely.grade, barely.is_certain) == ("inaccuracy", False)


def test_the_only_decision_is_forced_and_so_is_one_that_everybody_sees() -> None:
    assert judge([candidate("a", 0.5)], "a").grade == "forced"
    obvious = [candidate("a", 0.8, prior=0.95), candidate("b", 0.6, prior=0.05)]
    assert judge(obvious, "a").grade == "forced"
    assert judge(obvious, "b").grade == "blunder"


def test_a_great_move_is_the_best_by_far_and_was_not_expected() -> None:
    hidden = [candidate("a", 0.6, prior=0.1), candidate("b", 0.45, prior=0.8)]
    assert judge(hidden, "a").grade == "great"
    expected = [candidate("a", 0.6, prior=0.6), candidate("b", 0.45, prior=0.3)]
    assert judge(expected, "a").grade == "best"
    close = [candidate("a", 0.6, prior=0.1), candidate("b", 0.55, prior=0.8)]
    assert judge(close, "a").grade == "best"
    unsure = [candidate("a", 0.6, prior=0.1, error=0.06), candidate("b", 0.45, prior=0.8, error=0.06)]
    assert judge(unsure, "a").grade == "best"


def test_equals_are_both_the_best() -> None:
    equal = [candidate("a", 0.6, error=0.005), candidate("b", 0.596, error=0.005)]
    assert judge(equal, "b").grade == "best"
