"""Grades: what a decision cost, in one word, and only as far as the search can tell.

    best         the top decision, or as good within the error
    excellent    a loss below 1 % of the win
    good         below 2.5 %
    inaccuracy   below 5 %
    mistake      below 10 %
    blunder      10 % and more
    great        the best, where the second best is 10 % worse and the network without search preferred another one
    forced       there was no other sensible decision; it counts nowhere

That is for two players; with more the thresholds are multiplied by 2 / players, since the win is shared by more. A loss
that is not twice its error gets the milder grade of what is left of it after its error. A mistake or blunder is called
so only as far as the loss less three errors goes; else it is an inaccuracy.

>>> grade_of_loss(0.06, 2), grade_of_loss(0.06, 4)
('mistake', 'blunder')
>>> grade_of_loss(0.06, 2, error=0.01), grade_of_loss(0.06, 2, error=0.032), grade_of_loss(0.06, 2, error=0.07)
('inaccuracy', 'inaccuracy', 'best')
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from splendor.analysis.model import Candidate, Grade, Shares

THRESHOLDS: dict[Grade, float] = {"excellent": 0.01, "good": 0.025, "inaccuracy": 0.05, "mistake": 0.10}  # upper ends
CERTAINTY = 2.0  # a loss of so many standard errors is certain
SERIOUS_CERTAINTY = 3.0  # a mistake or blunder is a loss that reaches its threshold even less so many errors
GREAT_GAP = 0.10  # how much worse the second best must be
UNLIKELY = 0.2  # a decision that the network without search gives less than this is a find, if it is the best
OBVIOUS = 0.9  # a decision that it gives more than this, and that has the gap of a great one, is the only sensible one
COUNTED: tuple[Grade, ...] = ("best", "great", "excellent", "good", "inaccuracy", "mistake", "blunder")
ERRORS: tuple[Grade, ...] = ("inaccuracy", "mistake", "blunder")  # what one can learn from, the mildest first
SERIOUS: tuple[Grade, ...] = ("mistake", "blunder")


class Grading(NamedTuple):
    """What is said about a decision."""

    grade: Grade
    best: Candidate
    played: Candidate
    loss: float
    error: float  # standard error of the loss; of the best decision, of its lead
    cost: Shares  # what the decision cost each seat
    is_certain: bool  # False: with more search the grade could change


def judge(candidates: Sequence[Candidate], move: str) -> Grading:
    """The grade of a move among candidates that are ranked by their worth, and count as all that could be played."""
    best, played = candidates[0], next(candidate for candidate in candidates if candidate.move == move)
    players = len(best.shares)
    others = [candidate for candidate in candidates if candidate is not played]
    if not others:
        return Grading("forced", best, played, 0.0, 0.0, (0.0,) * players, True)
    rival = others[0] if played is best else best
    loss, error = best.worth - played.worth, math.hypot(rival.error, played.error)
    cost = tuple(better - share for better, share in zip(best.shares, played.shares, strict=True))
    grade = grade_of_loss(loss, players, error)
    ends = (max(loss - CERTAINTY * error, 0.0), loss + CERTAINTY * error)
    is_certain = all(grade_of_loss(end, players) == grade for end in ends)
    if played is best:
        grade, is_certain = _grade_of_best(played, rival, others, error, players)
    return Grading(grade, best, played, loss, error, cost, is_certain)


def grade_of_loss(loss: float, players: int, error: float = 0.0) -> Grade:
    """The grade for a loss, as far as it exceeds its error."""
    if loss <= error:
        return "best"
    grade = _word(loss if loss > CERTAINTY * error else loss - error, players)
    if grade in SERIOUS:
        sure = _word(max(loss - SERIOUS_CERTAINTY * error, 0.0), players)
        return sure if sure in SERIOUS else ERRORS[0]
    return grade


def _word(loss: float, players: int) -> Grade:
    """The grade of a loss without error."""
    return next((grade for grade, end in THRESHOLDS.items() if loss < end * 2 / players), "blunder")


def _grade_of_best(
    played: Candidate, second: Candidate, others: Sequence[Candidate], error: float, players: int
) -> tuple[Grade, bool]:
    """The grade of the top decision: forced, great or just the best; and whether its lead is beyond doubt."""
    lead = played.worth - second.worth
    is_ahead = lead - CERTAINTY * error > 0
    has_gap = lead >= GREAT_GAP * 2 / players and is_ahead
    if has_gap and played.prior > OBVIOUS:
        return "forced", True
    was_overlooked = played.prior < UNLIKELY or any(other.prior > played.prior for other in others)
    if has_gap and was_overlooked:
        return "great", True
    return "best", is_ahead
