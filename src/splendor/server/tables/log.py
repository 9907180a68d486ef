"""The entries of a table's log: what is stored, and what every table is folded from.

Most entries are events that everyone is shown as they are. The others are here: they hold what viewers may not know,
the server's secret and the whole deal included, and never leave the server; `viewers` says what is shown of them.
An entry and the event that is shown of it have the same name; code that has both calls the events `m.Name`.
Entries are only ever added: an old log must stay readable for ever.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from splendor.server.messages.people import Person
from splendor.server.messages.public_events import *  # noqa: F403 - these are entries too
from splendor.server.messages.public_events import Event, PublicEvent
from splendor.server.messages.tables import Clock, Speed
from splendor.server.tables.fairness import FIRST_PROCEDURE


class Entry(BaseModel):
    """One thing that happened, of which more is stored than shown."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Patience(BaseModel):
    """For how long somebody waits for people; then computers of a level shall come. None: for ever."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seconds: float | None
    level: str


class SeatPlan(BaseModel):
    """A seat as it was when the table was made; whoever sits there by then is named."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["open", "invited", "person", "device", "computer"]
    person: Person | None = None
    label: str | None = None
    commit: str | None = None
    invited: str | None = None  # the id of the person for whom the seat is kept
    patience: Patience | None = None


class Created(Entry):
    """A table was made."""

    type: Literal["created"] = "created"
    seats: list[SeatPlan]
    public: bool
    spectators: bool
    clock: Clock
    order: Literal["random", "chosen"]
    secret: str
    procedure: str = FIRST_PROCEDURE  # by which the cards are dealt; at first there was one
    position: str | None = None  # the game begins from here, and not with a deal; its decks are unseen
    pairing: Speed | None = None  # the server brings its players together


class SatDown(Entry):
    """A person took a seat, with the hash of a nonce."""

    type: Literal["sat_down"] = "sat_down"
    seat: int
    person: Person
    commit: str | None = None
    patience: Patience | None = None


class Committed(Entry):
    """The hash of a nonce was given after sitting down."""

    type: Literal["committed"] = "committed"
    seat: int
    commit: str


class Revealed(Entry):
    """A nonce was given."""

    type: Literal["revealed"] = "revealed"
    seat: int
    nonce: str


class Started(Entry):
    """The game began from this whole position; `order` names for each seat of the game the seat sat down in."""

    type: Literal["started"] = "started"
    position: str
    order: list[int]


class Played(Entry):
    """A move; a step is the action of a turn that asks for more."""

    type: Literal["played"] = "played"
    seat: int
    move: str
    is_step: bool = False


class ClocksResumed(Entry):
    """The server is up again. The running clock had used so many seconds of its turn when it went down."""

    type: Literal["clocks_resumed"] = "clocks_resumed"
    used: float


AnyEntry = Created | SatDown | Committed | Revealed | Started | Played | ClocksResumed | PublicEvent

_entry: TypeAdapter[AnyEntry] = TypeAdapter(Annotated[AnyEntry, Field(discriminator="type")])


def format_entry(entry: AnyEntry) -> str:
    """An entry as JSON, without its place in the log."""
    return entry.model_dump_json(exclude=PLACE)


PLACE = set(Event.model_fields)


def parse_entry(text: str) -> AnyEntry:
    """Read an entry back from its JSON. At first logs called the type `kind`."""
    fields = json.loads(text)
    if "kind" in fields:
        fields["type"] = fields.pop("kind")
    return _entry.validate_python(fields)


class Stored(NamedTuple):
    """An entry with its place in the log of one table. A key is there if a command of a person led to it."""

    version: int
    at: float
    entry: AnyEntry
    key: str | None = None
