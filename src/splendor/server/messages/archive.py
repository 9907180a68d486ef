"""Finished games, ratings, and games and positions to look at."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from splendor.game.shown import BoardView, MoveForm, Result
from splendor.server.messages.basics import (
    CardNumber,
    LevelName,
    Message,
    MoveText,
    Pool,
    PositionText,
    Problem,
    SeatNumber,
    Seconds,
    Time,
)
from splendor.server.messages.board import Movement
from splendor.server.messages.people import Person


class ArchivedSeat(Message):
    """A player of a finished game."""

    person: Person
    label: str | None
    place: int
    points: int
    rated_before: float | None = Field(default=None, description="the cautious rating, if the game counted")
    rated_after: float | None = None


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
    aborted: int = Field(description="games that this player ended after the deal, at tables of any size")


class Leaderboard(Message):
    """The best players at tables of one size, among people or against computers; and how strong the levels are."""

    players: int
    against: Pool
    lines: list[Ranked]
    strength: list[Strength] = Field(description="of the levels, as it was measured, weakest first")


class Strength(Message):
    """A level in one seat against another in all others, and the rating that follows from all such matches.

    The lowest level has 1000. See `docs/ladder.md`.
    """

    players: int
    level: str
    rating: int
    against: str
    share: float = Field(description="of the win")
    games: int


class RatingInfo(Message):
    """A player's rating at tables of one size, among people or against computers."""

    players: int
    against: Pool
    mu: float
    sigma: float
    games: int


class Profile(Message):
    """A player."""

    person: Person
    ratings: list[RatingInfo]
    games: int = Field(description="finished games, and those that this player aborted after the deal")
    aborted: int = Field(description="how many of them this player aborted after the deal")


class SizeTally(Message):
    """Games at tables of one size. A victory that is shared counts in parts."""

    players: int
    games: int
    won: float


class LevelTally(Message):
    """Games against a level, if all others were of that one; otherwise against `people` or `computers`."""

    against: str
    games: int
    won: float


class Favourite(Message):
    """A card or noble, and in how many of the latest games a player had it."""

    id: int
    games: int


class RatingStep(Message):
    """A rating after a game, cautiously estimated as on the leaderboard."""

    at: Time
    players: int
    against: Pool
    rating: float


class Statistics(Message):
    """What the games of a player come to in which every person had one seat and played to the end."""

    games: int
    won: float
    sizes: list[SizeTally]
    levels: list[LevelTally]
    streak: int = Field(description="games won in a row, up to the latest")
    longest_streak: int
    rounds: float | None = Field(description="on average; None without a game")
    cards: list[Favourite]
    nobles: list[Favourite]
    ratings: list[RatingStep] = Field(description="oldest first")


class LevelInfo(Message):
    """A computer that can be played against, weakest first."""

    level: str
    ratings: list[RatingInfo]
    strength: list[Strength] = Field(description="as it was measured, by the number of players; empty if it was not")


class Embedding(Message):
    """An oEmbed answer: how to show a finished game inside of another page."""

    version: Literal["1.0"] = "1.0"
    type: Literal["rich"] = "rich"
    title: str
    provider_name: Literal["Splendor"] = "Splendor"
    provider_url: str
    html: str
    width: int
    height: int
    thumbnail_url: str
    thumbnail_width: int
    thumbnail_height: int


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


MOST_IMPORTED = 50_000  # signs of a game file that an account keeps: many times a real game


class RecordToKeep(Message):
    """A finished game from elsewhere as a game file, text or JSON, to be kept in the caller's account."""

    record: Annotated[str, Field(max_length=MOST_IMPORTED)]


class ImportedSeat(Message):
    """A player of a game from elsewhere, as its record says."""

    name: str | None
    points: int
    has_won: bool


class ImportedGame(Message):
    """A game that was not played on this server. Nobody vouches for it: it is unrated, and shown to its owner alone."""

    id: str
    at: Time = Field(description="when it came here")
    origin: str | None = Field(description="the id of the table where it was played, as the record says")
    date: str | None = Field(description="when it was played, as the record says")
    turns: int
    reason: str
    seats: list[ImportedSeat]


class Verdict(Message):
    """Does the deal of a record follow from the secrets in the record?

    That these are the secrets which were promised, only those can tell who kept the promises; see `docs/fairness.md`.
    """

    follows: bool
    procedure: str | None = Field(description="by which the record says that it was dealt")
    problem: Problem | None
    contributors: list[int] = Field(description="seats, as people sat down, whose nonce went into the deal")
    seating: Literal["random", "chosen"] | None = Field(description="None: the record does not say")


# ----------------------------------------------------------------------------------------------------------- positions


class PositionQuestion(Message):
    """A position as notation, and moves to play on it first. With `viewer` it is shown as that seat sees it.

    For whoever tries out moves for all seats: with `cards` the decks are taken as unseen, and each move brings the
    card named for it, or, for null, one at random of those that are left. `open_hands` turns the board to the seat
    that decides and hides nothing in any hand.
    """

    position: PositionText
    moves: Annotated[list[MoveText], Field(max_length=200)] = []  # noqa: RUF012 - pydantic copies it
    viewer: SeatNumber | None = None
    open_hands: bool = False
    cards: Annotated[list[CardNumber | None], Field(max_length=200)] | None = None


class PositionAnswer(Message):
    """The position after the moves, with what happened and what is legal for the seat whose turn it is."""

    board: BoardView
    moves: list[MoveForm]
    played: list[Frame]
    result: Result | None


class HintQuestion(Message):
    """What would a computer play here? The position may be a viewer's."""

    position: PositionText
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


Leaderboard.model_rebuild()
