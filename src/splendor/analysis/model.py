"""What a review says, as plain values: they can be printed as JSON, read back, and checked against a schema.

Shares, losses and luck are shares of the win, from 0 to 1, not per cent; lists are by seat. `docs/review.md` explains
what each number means.

>>> RevealedCard(seat=0, kind="market", level=1, card=17, luck=(0.02, -0.02))
RevealedCard(seat=0, kind='market', level=1, card=17, luck=(0.02, -0.02), best=None, worst=None)
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from splendor.notation.json import Json, JsonObject

VERSION: Literal[1] = 1  # of this form
FORMULA = 3  # of V, the thresholds, accuracy and performance: another number, other results

Shares = tuple[float, ...]  # a share of the win, or a change of it, for each seat

Grade = Literal["best", "great", "excellent", "good", "inaccuracy", "mistake", "blunder", "forced"]
Effort = Literal["curve", "quick", "normal", "deep"]
EFFORTS: tuple[Effort, ...] = get_args(Effort)
Kind = Literal["market", "hand"]
Cause = Literal["errors", "deck", "deal", "open"]


class Value(BaseModel):
    """What all parts share: unknown fields are refused, and they do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class Candidate(Value):
    """A decision that was looked at: a whole turn."""

    move: str
    worth: float  # the share of the win that the seat which decides can expect
    shares: Shares  # that of every seat
    error: float  # standard error of `worth`
    prior: float  # how likely it seemed the best before the search
    visits: int
    line: tuple[str, ...]  # the turns that are expected from here on, this one first


class Evaluation(Value):
    """A position, as the seat that decides sees it: what all can expect, and what could be played, best first."""

    seat: int
    shares: Shares
    simulations: int
    candidates: tuple[Candidate, ...]


class Outcome(Value):
    """A card that could have come, and what it would have been worth to the seat that revealed it."""

    card: int
    share: float


class RevealedCard(Value):
    """A card that came from a deck: into the market, or unseen by the others into a hand."""

    seat: int  # whose turn it was
    kind: Kind
    level: int  # 1 to 3
    card: int
    luck: Shares  # the shares after it, less their mean over all cards that could have come
    best: Outcome | None = None  # for the seat whose turn it was
    worst: Outcome | None = None


class Reason(Value):
    """Why the best decision was better: a fact that a program has checked, with the words for it in English."""

    code: str
    params: dict[str, Any] = Field(default_factory=dict)
    text: str


class TurnReview(Value):
    """A turn: what was decided, what it cost, and what came from the decks."""

    number: int  # from 0
    round_number: int
    seat: int
    move: str
    effort: Effort | None = None  # with which it was looked at
    best: str | None = None  # None: nobody has looked yet, or it cannot be known
    loss: float = 0.0  # worth of the best decision less that of the played one, as the seat saw the game
    error: float = 0.0  # standard error of `loss`
    grade: Grade | None = None
    is_certain: bool = True  # False: the search could not tell this grade from a milder or a sterner one
    cost: Shares = ()  # what the decision cost each seat: the shares of the best less those of the played one
    expected_loss: dict[str, float] = Field(default_factory=dict)  # of each level in this position
    simulations: int = 0  # spent on this decision
    candidates: tuple[Candidate, ...] = ()
    reasons: tuple[Reason, ...] = ()
    reveals: tuple[RevealedCard, ...] = ()
    luck: Shares  # of all reveals of this turn
    shares: Shares  # after the turn and its reveals


class Performance(Value):
    """Between which of the graded levels somebody decided, by the likelihood of the losses."""

    scale: float  # the place on the scale of levels: 0 is the first of them, 1 the second
    low: float  # the interval that holds it with 90 % confidence
    high: float
    below: str | None  # the level below; None: weaker than all of them
    above: str | None  # the level above; None: at least as strong as all of them
    decisions: int  # that it is based on


class SeatReview(Value):
    """The sums of one seat. Deal, luck, errors and rest add up to what it got beyond an average deal."""

    seat: int
    name: str | None
    average: float  # the share that this seat has of an average deal
    result: float  # what it got; in a game that goes on, what it can expect
    deal: float
    luck: float
    own_errors: float
    own_errors_error: float  # standard error
    others_errors: float
    others_errors_error: float
    rest: float
    decisions: int  # that were graded, forced ones left out
    grades: dict[Grade, int]
    mean_loss: float | None
    accuracy: float | None  # 0 to 100; None: no decision counts
    performance: Performance | None


class KeyMoment(Value):
    """A turn worth looking at again."""

    turn: int
    seat: int
    kind: Literal["error", "great", "luck"]
    swing: float  # of the win share of this seat


class Note(Value):
    """What a reader should know about the whole: cards that nobody recorded, a game that goes on."""

    code: str
    params: dict[str, Any] = Field(default_factory=dict)
    text: str


class Review(Value):
    """A reviewed game, or as much of it as has been looked at."""

    version: Literal[1] = VERSION
    formula: int = FORMULA
    network: str  # which one: the first digits of its SHA-256
    effort: Effort
    seed: int
    players: int
    names: tuple[str | None, ...]
    position: str  # where the game starts
    is_over: bool
    start: Shares  # before the first turn
    turns: tuple[TurnReview, ...]
    summary: tuple[SeatReview, ...]
    key_moments: tuple[KeyMoment, ...] = ()
    decided_by: Cause = "open"  # what decided who won, where that is certain
    notes: tuple[Note, ...] = ()
    done: int = 0  # decisions that were looked at with the whole effort
    total: int = 0

    @property
    def is_complete(self) -> bool:
        """Has every decision got the effort that was asked for?"""
        return self.done == self.total

    def to_json(self) -> JsonObject:
        """Plain dicts and lists."""
        return self.model_dump(mode="json")

    @classmethod
    def from_json(cls, data: Json) -> Self:
        """Read what `to_json` has written, also as text; raises ValueError with a sentence."""
        try:
            return cls.model_validate_json(data) if isinstance(data, str | bytes) else cls.model_validate(data)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise ValueError(f"this is no review: {place}: {first['msg']}" if place else first["msg"]) from None


def schema() -> JsonObject:
    """The JSON Schema of a review, also kept as `data/review.schema.json`."""
    text = resources.files("splendor").joinpath("data", "review.schema.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def make_schema() -> JsonObject:
    """The same from the types; a test keeps the file up to date."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:splendor:review:{VERSION}",
        **Review.model_json_schema(mode="serialization"),
    }
