"""Reviews of finished games, and evaluations of positions; what they say is defined in `analysis.model`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from splendor.analysis.model import (
    Candidate,
    Cause,
    Evaluation,
    KeyMoment,
    Note,
    Outcome,
    Performance,
    Reason,
    RevealedCard,
    Review,
    SeatReview,
    TurnReview,
)
from splendor.server.messages.basics import Message, MoveText, PositionText

__all__ = [
    "Candidate",
    "Evaluation",
    "EvaluationQuestion",
    "KeyMoment",
    "Note",
    "Outcome",
    "Performance",
    "PositionToStudy",
    "Reason",
    "RecordToReview",
    "RevealedCard",
    "Review",
    "ReviewEnd",
    "ReviewGrowth",
    "ReviewMessage",
    "ReviewState",
    "ReviewStatus",
    "ReviewWhole",
    "ReviewWish",
    "SeatReview",
    "TurnReview",
    "WishedEffort",
]

WishedEffort = Literal["quick", "normal", "deep"]
ReviewState = Literal["underway", "done", "stopped"]


class ReviewWish(Message):
    """Review a game, or look closer than before."""

    effort: WishedEffort = "quick"


class RecordToReview(Message):
    """A game file from elsewhere, text or JSON, to be reviewed."""

    record: Annotated[str, Field(max_length=1_000_000)]
    effort: WishedEffort = "quick"


class ReviewStatus(Message):
    """How far a review is: decisions that were looked at with this effort. It is read by its id."""

    id: str
    effort: WishedEffort
    done: int
    total: int
    state: ReviewState


class ReviewWhole(Message):
    """The first line of a stream: the review so far."""

    type: Literal["review"] = "review"
    review: Review


class ReviewGrowth(Message):
    """What has become known since: some turns anew, and the sums."""

    type: Literal["growth"] = "growth"
    effort: str
    turns: list[TurnReview]
    summary: list[SeatReview]
    key_moments: list[KeyMoment]
    decided_by: Cause
    done: int
    total: int


class ReviewEnd(Message):
    """The last line of a stream: nothing more comes, since all is done or the work was stopped."""

    type: Literal["end"] = "end"
    state: ReviewState


ReviewMessage = ReviewWhole | ReviewGrowth | ReviewEnd


class PositionToStudy(Message):
    """A position that somebody wants to evaluate elsewhere, as by an engine in the page."""

    position: PositionText


class EvaluationQuestion(Message):
    """What is each decision worth here, for the seat whose turn it is? The position may be a viewer's."""

    position: PositionText
    effort: WishedEffort = "normal"
    include: Annotated[list[MoveText], Field(max_length=4)] = []  # noqa: RUF012 - pydantic copies it
