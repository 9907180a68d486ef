"""Finished games, ratings, and games and positions to look at."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from splendor.server.messages.basics import LevelName, Message, MoveText, Problem, SeatNumber, Seconds, Time
from splendor.server.messages.board import BoardView, MoveForm, Movement
from splendor.server.messages.people import Person
from splendor.server.messages.tables import Result


class ArchivedSeat(Message):
    """A player of a finished game."""

    person: Person
    label: str | None
    place: int
    points: int


class ArchivedGame(Message):
    """A finished game."""

    id: str
    players: int
    finished: Time
    turns: int
    reason: str
    is_rated: bool
    seats: list[ArchivedSeat]


class Archive(Message):
    """A page of finished games, newest first; `before` of the next page."""

    games: list[ArchivedGame]
    before: str | None


class Ranked(Message):
    """A line of the leaderboard. `rating` is the cautious estimate, three deviations below the mean."""

    place: int
    person: Person
    rating: float
    mu: float
    sigma: float
    games: int


class Leaderboard(Message):
    """The best players at tables of one size."""

    players: int
    lines: list[Ranked]


class RatingInfo(Message):
    """A player's rating at tables of one size."""

    players: int
    mu: float
    sigma: float
    games: int


class Profile(Message):
    """A player."""

    person: Person
    ratings: list[RatingInfo]


class LevelInfo(Message):
    """A computer that can be played against, weakest first."""

    level: str
    ratings: list[RatingInfo]


# ---------------------------------------------------------------------------------------------------------- game files


class Frame(Message):
    """One step of a replay: what happened, and the board after it. The first frame has no move."""

    turn: int
    seat: int | None
    move: MoveForm | None
    movements: list[Movement]
    comment: str
    clock: Seconds | None
    evaluation: list[float] | None
    board: BoardView


class Replay(Message):
    """A whole game, step by step."""

    tags: dict[str, str]
    names: list[str | None]
    viewer: int | None
    reveals: bool = Field(description="are the cards in all hands shown?")
    frames: list[Frame]
    result: Result | None
    record: str


class RecordText(Message):
    """A game file, text or JSON."""

    record: Annotated[str, Field(max_length=1_000_000)]


class Verdict(Message):
    """Does the deal of a record follow from its secrets?"""

    is_fair: bool
    problem: Problem | None
    contributors: list[int] = Field(description="seats, as people sat down, whose nonce went into the deal")


# ----------------------------------------------------------------------------------------------------------- positions


class PositionQuestion(Message):
    """A position as notation, and moves to play on it first. With `viewer` it is shown as that seat sees it."""

    position: Annotated[str, Field(max_length=2000)]
    moves: Annotated[list[MoveText], Field(max_length=200)] = []  # noqa: RUF012 - pydantic copies it
    viewer: SeatNumber | None = None


class PositionAnswer(Message):
    """The position after the moves, with what happened and what is legal for the seat whose turn it is."""

    board: BoardView
    moves: list[MoveForm]
    played: list[Frame]
    result: Result | None


class HintQuestion(Message):
    """What would a computer play here? The position may be a viewer's."""

    position: Annotated[str, Field(max_length=2000)]
    level: LevelName = "journeyman"


class Hint(Message):
    """The move, for the seat whose turn it is."""

    level: str
    move: MoveForm


# ----------------------------------------------------------------------------------------------------------- operating


class Health(Message):
    """Is the server well?"""

    status: Literal["ok", "failing"]
    build: str
    tables: int
