"""The entries of a table's log: what is stored, and what every table is folded from.

They hold everything, the server's secret and the whole deal included, and never leave the server; `messages`
has what viewers are told of them. Entries are only ever added: an old log must stay readable for ever.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from splendor.server.messages import Clock, Person


class Entry(BaseModel):
    """One thing that happened."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SeatPlan(BaseModel):
    """A seat as it was when the table was made; whoever sits there by then is named."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["open", "invited", "person", "device", "computer"]
    person: Person | None = None
    label: str | None = None
    commit: str | None = None
    invited: str | None = None  # the id of the person for whom the seat is kept


class Created(Entry):
    """A table was made."""

    kind: Literal["created"] = "created"
    seats: list[SeatPlan]
    public: bool
    spectators: bool
    clock: Clock
    order: Literal["random", "chosen"]
    secret: str


class SatDown(Entry):
    """A person took a seat, with the hash of a nonce."""

    kind: Literal["sat_down"] = "sat_down"
    seat: int
    person: Person
    commit: str | None = None


class Left(Entry):
    """A seat became free again, before the game."""

    kind: Literal["left"] = "left"
    seat: int
    reason: Literal["left", "no_nonce"] = "left"


class Committed(Entry):
    """The hash of a nonce was given after sitting down."""

    kind: Literal["committed"] = "committed"
    seat: int
    commit: str


class Revealed(Entry):
    """A nonce was given."""

    kind: Literal["revealed"] = "revealed"
    seat: int
    nonce: str


class Started(Entry):
    """The game began from this whole position; `order` names for each seat of the game the seat sat down in."""

    kind: Literal["started"] = "started"
    position: str
    order: list[int]


class Played(Entry):
    """A move; a step is the action of a turn that asks for more."""

    kind: Literal["played"] = "played"
    seat: int
    move: str
    is_step: bool = False


class TakebackOffered(Entry):
    """A seat asks to undo its last turn."""

    kind: Literal["takeback_offered"] = "takeback_offered"
    seat: int


class TakebackAgreed(Entry):
    """Another seat agrees."""

    kind: Literal["takeback_agreed"] = "takeback_agreed"
    seat: int


class TakebackDeclined(Entry):
    """Another seat does not, or the asker thought again."""

    kind: Literal["takeback_declined"] = "takeback_declined"
    seat: int


class TookBack(Entry):
    """So many turns were undone."""

    kind: Literal["took_back"] = "took_back"
    turns: int


class Forfeited(Entry):
    """A player is out of the game."""

    kind: Literal["forfeited"] = "forfeited"
    seat: int
    reason: Literal["resigned", "time", "absent"]


class Replaced(Entry):
    """A computer took a seat."""

    kind: Literal["replaced"] = "replaced"
    seat: int
    level: str


class WentAbsent(Entry):
    """A player has no connection."""

    kind: Literal["went_absent"] = "went_absent"
    seat: int
    until: float


class CameBack(Entry):
    """A player is connected again."""

    kind: Literal["came_back"] = "came_back"
    seat: int


class Voted(Entry):
    """What a player wants to happen about an absent one."""

    kind: Literal["voted"] = "voted"
    seat: int
    absent: int
    choice: Literal["wait", "computer", "end"]


class EngineTrouble(Entry):
    """A computer failed, and another one plays its move."""

    kind: Literal["engine_trouble"] = "engine_trouble"
    seat: int
    level: str
    instead: str


class Aborted(Entry):
    """The game does not count."""

    kind: Literal["aborted"] = "aborted"
    seat: int | None
    reason: Literal["abort", "swept"]


class Ended(Entry):
    """The others ended the game, an absent player being out."""

    kind: Literal["ended"] = "ended"
    absent: int


class ClocksResumed(Entry):
    """The server is up again. The running clock had used so many seconds of its turn when it went down."""

    kind: Literal["clocks_resumed"] = "clocks_resumed"
    used: float


class Rematched(Entry):
    """A new table was made for the same players."""

    kind: Literal["rematched"] = "rematched"
    seat: int
    table: str


AnyEntry = Annotated[
    Created
    | SatDown
    | Left
    | Committed
    | Revealed
    | Started
    | Played
    | TakebackOffered
    | TakebackAgreed
    | TakebackDeclined
    | TookBack
    | Forfeited
    | Replaced
    | WentAbsent
    | CameBack
    | Voted
    | EngineTrouble
    | Aborted
    | Ended
    | ClocksResumed
    | Rematched,
    Field(discriminator="kind"),
]

_entry: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)


def parse_entry(text: str) -> AnyEntry:
    """Read an entry back from its JSON."""
    return _entry.validate_json(text)


class Stored(NamedTuple):
    """An entry with its place in the log of one table. A key is there if a command of a person led to it."""

    version: int
    at: float
    entry: AnyEntry
    key: str | None = None
