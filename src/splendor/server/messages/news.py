"""What the server sends: answers to commands, what goes on at a table, and a person's own stream."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from splendor.game.shown import MoveForm, Result
from splendor.server.messages.basics import Message, Problem, Time
from splendor.server.messages.chat import Chat, Written
from splendor.server.messages.commands import Saying
from splendor.server.messages.events import AnyEvent
from splendor.server.messages.tables import Table


class Update(Message):
    """The table as it is now, with what happened since the last message.

    `resync` says that this does not continue what the receiver had: draw anew, without animation.
    """

    type: Literal["update"] = "update"
    version: int
    resync: bool
    events: list[AnyEvent]
    table: Table


class Done(Message):
    """A command was carried out, and is stored. `version` is the event it led to."""

    type: Literal["done"] = "done"
    key: str
    version: int


class Refused(Message):
    """A message was refused; nothing changed."""

    type: Literal["refused"] = "refused"
    key: str | None
    error: Problem


class Continuations(Message):
    """The answer to `consider`: every whole move that begins so."""

    type: Literal["continuations"] = "continuations"
    key: str
    moves: list[MoveForm]


class RematchReady(Message):
    """The answer to `rematch`: where it is."""

    type: Literal["rematch_ready"] = "rematch_ready"
    key: str
    table: str


class Presence(Message):
    """Who is connected."""

    type: Literal["presence"] = "presence"
    online: list[int] = Field(description="seats whose player is there")
    spectators: int


class Said(Message):
    """A player says something. It is told only to who looks on now."""

    type: Literal["said"] = "said"
    seat: int
    what: Saying


class Beat(Message):
    """The server is there. Also the answer to `ping`. `build` changes when the client should reload."""

    type: Literal["beat"] = "beat"
    at: Time
    build: str


class Bye(Message):
    """The last message before the server closes: `shutdown`, `slow`, `revoked` or `flood`. Connect again, but for the
    last two.
    """

    type: Literal["bye"] = "bye"
    code: Literal["shutdown", "slow", "revoked", "flood"]


ServerMessage = Annotated[
    Update | Done | Refused | Continuations | RematchReady | Presence | Said | Chat | Written | Beat | Bye,
    Field(discriminator="type"),
]

Answer = Annotated[Done | Continuations | RematchReady, Field(discriminator="type")]


# ----------------------------------------------------------------------------------------------- a person's own stream


class YourTurn(Message):
    """It is the caller's turn at a table."""

    type: Literal["your_turn"] = "your_turn"
    table: str
    seat: int
    turn: int


class TableStarted(Message):
    """A game of the caller began, or goes on."""

    type: Literal["table_started"] = "table_started"
    table: str


class TableEnded(Message):
    """A game of the caller ended."""

    type: Literal["table_ended"] = "table_ended"
    table: str
    result: Result | None


class Invited(Message):
    """Somebody keeps a seat for the caller."""

    type: Literal["invited"] = "invited"
    table: str
    seat: int


PersonalMessage = Annotated[YourTurn | TableStarted | TableEnded | Invited | Beat | Bye, Field(discriminator="type")]
