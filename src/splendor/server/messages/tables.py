"""Tables: what they are to be like, who sits there, and how the game stands; and lists of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from splendor.game.shown import BoardView, MoveForm, Result
from splendor.server.messages.basics import (
    Hex256,
    LevelName,
    Message,
    NameText,
    PositionText,
    SeatNumber,
    Seconds,
    TableId,
    Time,
)
from splendor.server.messages.people import Person


class NoClock(Message):
    """Take all the time you want."""

    kind: Literal["none"] = "none"


class LiveClock(Message):
    """So many seconds for the whole game, and some more for each turn."""

    kind: Literal["live"] = "live"
    seconds: Annotated[int, Field(ge=10, le=10800)]
    increment: Annotated[int, Field(ge=0, le=180)] = 0


class DaysClock(Message):
    """So many days for each turn."""

    kind: Literal["days"] = "days"
    days: Annotated[int, Field(ge=1, le=14)]


Clock = Annotated[NoClock | LiveClock | DaysClock, Field(discriminator="kind")]


# -------------------------------------------------------------------------------------------------- making and joining


class SeatWish(Message):
    """Who shall sit here: `me`, anybody with the link (`open`), a person by `name` (`invited`), someone at this
    same screen under a `name` (`device`), or a computer of a `level`.
    """

    kind: Literal["me", "open", "invited", "device", "computer"]
    name: NameText | None = None
    level: LevelName | None = None


class NewTable(Message):
    """A table as its creator wants it. A `commit` is the SHA-256 of a nonce, see `docs/fairness.md`.

    With a `position` the game begins from there: the seats are those of the position, the cards that it does not show
    and all decks are dealt anew, nothing is promised about them, and the game is not rated.
    """

    seats: Annotated[list[SeatWish], Field(min_length=2, max_length=4)]
    public: bool = False
    spectators: bool = True
    clock: Clock = NoClock()
    order: Literal["random", "chosen"] = "random"
    commit: Hex256 | None = None
    position: PositionText | None = None

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={
            "examples": [
                {"seats": [{"kind": "me"}, {"kind": "computer", "level": "journeyman"}]},
                {
                    "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}],
                    "public": True,
                    "clock": {"kind": "live", "seconds": 900, "increment": 10},
                },
            ]
        },
    )


Speed = Literal["blitz", "live", "slow"]

SPEEDS: dict[Speed, LiveClock] = {
    "blitz": LiveClock(kind="live", seconds=300, increment=5),
    "live": LiveClock(kind="live", seconds=900, increment=10),
    "slow": LiveClock(kind="live", seconds=1800, increment=20),
}


class Seek(Message):
    """A game with whoever else looks for one of this kind. After `fill` seconds computers take the seats that are
    left; without it one waits. Who waits already says where (`waiting`), and is moved to where more people are.
    """

    speed: Speed
    players: Annotated[int, Field(ge=2, le=4)] = 2
    fill: Annotated[int, Field(ge=5, le=600)] | None = None
    level: LevelName = "journeyman"
    commit: Hex256 | None = None
    waiting: TableId | None = None


class Pairing(Message):
    """What people at a table look for, and when computers take the seats that are left."""

    speed: Speed
    fills: Time | None


class Join(Message):
    """Take an open seat, or the one one is invited to; without a number the first that is free."""

    seat: SeatNumber | None = None
    commit: Hex256 | None = None


# ------------------------------------------------------------------------------------------------------------- a table


class Absence(Message):
    """A player is away. From `until` on, the others may vote what happens."""

    since: Time
    until: Time
    votes: dict[int, Literal["computer", "end"]] = Field(description="by seat")


class Seat(Message):
    """One place at the table and who has it."""

    seat: int
    kind: Literal["open", "invited", "person", "device", "computer"]
    person: Person | None
    player: Person | None = Field(description="who sat here when the game began, whoever plays on")
    label: str | None = Field(description="the name given to someone at the same screen, or of who is invited")
    clock: Seconds | None = Field(description="seconds left, at `now`")
    forfeit: Literal["resigned", "time", "absent"] | None
    absence: Absence | None
    has_committed: bool
    has_revealed: bool
    owes_promise: bool = Field(description="the deal waits for a new promise, since somebody left after a reveal")


class Fairness(Message):
    """What the deal follows from. The secret and the nonces are shown when the game is over."""

    procedure: str
    commit: Hex256
    secret: Hex256 | None
    commits: list[Hex256 | None] = Field(description="by seat as it was when people sat down")
    nonces: list[Hex256 | None]
    order: list[int] | None = Field(description="for each seat of the game, the seat in which that player sat down")


class Offer(Message):
    """A take-back that was asked for."""

    seat: int
    turns: int = Field(description="how many turns it would undo")
    agreed: list[int]


class Table(Message):
    """All that one viewer may know about a table."""

    id: str
    version: int
    status: Literal["open", "dealing", "live", "over", "aborted"]
    public: bool
    spectators: bool
    clock: Clock
    order: Literal["random", "chosen"]
    created: Time
    now: Time
    seats: list[Seat]
    you: list[int] = Field(description="the seats of the caller")
    viewer: int | None
    board: BoardView | None
    moves: list[MoveForm] = Field(description="what the viewer may play now; empty if it is not their turn")
    can_undo: bool = Field(description="may the caller ask for a take-back now?")
    can_abort: bool
    offer: Offer | None
    result: Result | None
    fairness: Fairness | None = Field(description="None if the game begins from a given position")
    rematch: str | None = Field(description="the table of the rematch")
    pairing: Pairing | None = Field(default=None, description="if its players were brought together by the server")
    is_host: bool = Field(description="may the caller say who else sits here, before the game?")


# --------------------------------------------------------------------------------------------------------------- lists


class LobbyTable(Message):
    """A public table with an open seat, or one to watch."""

    id: str
    status: Literal["open", "live"]
    seats: list[Person | None]
    clock: Clock
    created: Time
    pairing: Speed | None = Field(default=None, description="what people there look for, who came by `Seek`")


class Lobby(Message):
    """Public tables."""

    open: list[LobbyTable]
    live: list[LobbyTable]


class CalendarEntry(Message):
    """A running game by days, and until when its next move is due."""

    table: str
    until: Time
    seats: list[Person | None]
    to_move: int
    your_turn: bool


class Calendar(Message):
    """One's running games by days, what is due first before the others."""

    entries: list[CalendarEntry]
    has_address: bool = Field(description="is there an address for calendars?")


class CalendarAddress(Message):
    """Where a calendar finds this. It is shown this once."""

    address: str


class OwnTable(Message):
    """A table of the caller that is not over, or one to which the caller is invited."""

    id: str
    status: Literal["open", "dealing", "live"]
    seats: list[Person | None]
    your_turn: bool
    invited_by: Person | None = Field(description="whose table it is; None if the caller sits there")
