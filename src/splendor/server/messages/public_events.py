"""What happened at a table and is no secret: these events are stored in the log of a table as they are shown."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict

from splendor.notation.json import JsonObject
from splendor.server.messages.basics import Message, Time
from splendor.server.messages.people import Person


def _with_place(schema: JsonObject) -> None:
    """Version and time are always there in what is sent."""
    for name in ("version", "at"):
        del schema["properties"][name]["default"]
    schema["required"] = ["version", "at", *schema.get("required", ())]


class Event(Message):
    """Something happened at a table. Versions count them from 1 without a gap."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_with_place)

    version: int = 0  # these two follow from the place in the log, and are filled in when it is shown
    at: Time = 0.0


class Introduced(Event):
    """A player goes by another name or picture."""

    type: Literal["introduced"] = "introduced"
    person: Person


class Filled(Event):
    """The host had a computer sit down, or another one."""

    type: Literal["filled"] = "filled"
    seat: int
    level: str


class Emptied(Event):
    """The host sent a computer away, or withdrew an invitation; the seat is open now."""

    type: Literal["emptied"] = "emptied"
    seat: int


class Left(Event):
    """A seat became free before the game began."""

    type: Literal["left"] = "left"
    seat: int
    reason: Literal["left", "no_nonce"]


class Declined(Event):
    """Who was invited does not want to play; the seat is open now."""

    type: Literal["declined"] = "declined"
    seat: int


class TookBack(Event):
    """So many turns were undone, an unfinished one included."""

    type: Literal["took_back"] = "took_back"
    turns: int


class TakebackOffered(Event):
    """A player asks to take back."""

    type: Literal["takeback_offered"] = "takeback_offered"
    seat: int


class TakebackAgreed(Event):
    """A player agrees; when all have, `took_back` follows."""

    type: Literal["takeback_agreed"] = "takeback_agreed"
    seat: int


class TakebackDeclined(Event):
    """A player does not agree."""

    type: Literal["takeback_declined"] = "takeback_declined"
    seat: int


class Forfeited(Event):
    """A player is out: resigned, out of time, or absent."""

    type: Literal["forfeited"] = "forfeited"
    seat: int
    reason: Literal["resigned", "time", "absent"]


class Replaced(Event):
    """A computer plays on in this seat."""

    type: Literal["replaced"] = "replaced"
    seat: int
    level: str


class WentAbsent(Event):
    """A player is away; from `until` on the others may vote."""

    type: Literal["went_absent"] = "went_absent"
    seat: int
    until: Time


class CameBack(Event):
    """A player is there again."""

    type: Literal["came_back"] = "came_back"
    seat: int


class Voted(Event):
    """A player voted about an absent one."""

    type: Literal["voted"] = "voted"
    seat: int
    absent: int
    choice: Literal["wait", "computer", "end"]


class EngineTrouble(Event):
    """A computer failed; another one plays this move."""

    type: Literal["engine_trouble"] = "engine_trouble"
    seat: int
    level: str
    instead: str


class Aborted(Event):
    """The game does not count."""

    type: Literal["aborted"] = "aborted"
    seat: int | None
    reason: Literal["abort", "swept", "endless"]


class Ended(Event):
    """The others ended the game without the absent player."""

    type: Literal["ended"] = "ended"
    absent: int


class Rematched(Event):
    """A new table for the same players."""

    type: Literal["rematched"] = "rematched"
    seat: int
    table: str


PublicEvent = (
    Introduced
    | Filled
    | Emptied
    | Left
    | Declined
    | TookBack
    | TakebackOffered
    | TakebackAgreed
    | TakebackDeclined
    | Forfeited
    | Replaced
    | WentAbsent
    | CameBack
    | Voted
    | EngineTrouble
    | Aborted
    | Ended
    | Rematched
)
