"""What a client sends about a table, by the socket or as a request."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from splendor.server.messages.basics import Hex256, Key, LevelName, Message, MoveText, SeatNumber
from splendor.server.messages.chat import AllowChat, Write


class Play(Message):
    """Play a move of the list, a completion of one, or the rest of a turn.

    With `turn`, the number of turns the sender has seen completed, a move that comes too late is refused as
    `stale` instead of being tried on another position.
    """

    type: Literal["play"] = "play"
    key: Key
    move: MoveText
    turn: Annotated[int, Field(ge=0, le=1_000_000)] | None = None


class Consider(Message):
    """Which whole moves begin with this one? Changes nothing."""

    type: Literal["consider"] = "consider"
    key: Key
    move: MoveText


class Commit(Message):
    """The SHA-256 of a nonce, from a player who has not given one; after somebody left, all give new ones."""

    type: Literal["commit"] = "commit"
    key: Key
    commit: Hex256


class Reveal(Message):
    """The nonce that was committed to."""

    type: Literal["reveal"] = "reveal"
    key: Key
    nonce: Hex256


class Resign(Message):
    """Give up; `seat` is needed only by who has several."""

    type: Literal["resign"] = "resign"
    key: Key
    seat: SeatNumber | None = None


class Abort(Message):
    """End a game that has hardly begun, without a result."""

    type: Literal["abort"] = "abort"
    key: Key


class AskTakeback(Message):
    """Ask to take back one's last turn."""

    type: Literal["ask_takeback"] = "ask_takeback"
    key: Key


class AnswerTakeback(Message):
    """Agree to a take-back, or not. Whoever asked may withdraw with `accept` false."""

    type: Literal["answer_takeback"] = "answer_takeback"
    key: Key
    accept: bool


class Vote(Message):
    """What shall happen about an absent player: wait on, let a computer play, end the game."""

    type: Literal["vote"] = "vote"
    key: Key
    absent: SeatNumber
    choice: Literal["wait", "computer", "end"]


class Decline(Message):
    """Turn down an invitation; the seat becomes open."""

    type: Literal["decline"] = "decline"
    key: Key


class Leave(Message):
    """Free one's seat before the game begins."""

    type: Literal["leave"] = "leave"
    key: Key


class Fill(Message):
    """From the host before the game: a computer for an open seat, or another one for a computer's seat."""

    type: Literal["fill"] = "fill"
    key: Key
    seat: SeatNumber
    level: LevelName


class Empty(Message):
    """From the host before the game: no computer in this seat, or the invitation withdrawn; the seat is open then."""

    type: Literal["empty"] = "empty"
    key: Key
    seat: SeatNumber


class Rematch(Message):
    """Another game with the same players; the first who asks makes the table."""

    type: Literal["rematch"] = "rematch"
    key: Key
    commit: Hex256 | None = None


Saying = Literal[
    "smile",
    "laugh",
    "wow",
    "think",
    "sad",
    "cheer",
    "hello",
    "good_luck",
    "good_move",
    "well_played",
    "thanks",
    "oops",
    "one_moment",
    "good_game",
]  # six faces, and phrases; for free text there is `Write`


class Say(Message):
    """From a player, to all who look on: a face or a phrase, which everybody reads in their own language. It is not
    stored.
    """

    type: Literal["say"] = "say"
    key: Key
    what: Saying


class Ping(Message):
    """Answered with a `beat`."""

    type: Literal["ping"] = "ping"


Command = (
    Play
    | Commit
    | Reveal
    | Resign
    | Abort
    | AskTakeback
    | AnswerTakeback
    | Vote
    | Decline
    | Leave
    | Fill
    | Empty
    | Rematch
)

Talk = Say | AllowChat | Write  # what passes between people, and is no part of the game

Deed = Command | Consider | Talk

AnyCommand = Annotated[Deed, Field(discriminator="type")]

ClientMessage = Annotated[Deed | Ping, Field(discriminator="type")]

client_message: TypeAdapter[Deed | Ping] = TypeAdapter(ClientMessage)
