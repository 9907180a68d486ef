"""What happened at a table, as a viewer is told. Of the events defined here more is stored than shown, see `log`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from splendor.game.shown import MoveForm
from splendor.server.messages.board import Movement
from splendor.server.messages.people import Person
from splendor.server.messages.public_events import Event, PublicEvent


class Created(Event):
    """The table was made."""

    type: Literal["created"] = "created"


class SatDown(Event):
    """Someone took a seat."""

    type: Literal["sat_down"] = "sat_down"
    seat: int
    person: Person


class NonceCommitted(Event):
    """A player's part of the deal was promised."""

    type: Literal["nonce_committed"] = "nonce_committed"
    seat: int


class NonceRevealed(Event):
    """A player's part of the deal was given."""

    type: Literal["nonce_revealed"] = "nonce_revealed"
    seat: int


class Started(Event):
    """The cards were dealt. Seats may have been reordered, see `Fairness.order`."""

    type: Literal["started"] = "started"
    order: list[int]


class Played(Event):
    """A turn, or a part of one."""

    type: Literal["played"] = "played"
    seat: int
    turn: int = Field(description="the number of this turn, from 0")
    move: MoveForm
    movements: list[Movement]
    ends_turn: bool


class ClocksResumed(Event):
    """The server was down; clocks stood still."""

    type: Literal["clocks_resumed"] = "clocks_resumed"


AnyEvent = Annotated[
    Created | SatDown | NonceCommitted | NonceRevealed | Started | Played | ClocksResumed | PublicEvent,
    Field(discriminator="type"),
]
