"""The messages of the engine protocol: small types, one JSON object on one line each.

`parse_request` and `parse_reply` read a line, `format_message` writes one; nothing else in the project
looks at the JSON. A line that is not exactly one known message, with an unknown field or a wrong type, is
refused with a sentence. `docs/protocol.md` explains what the messages mean and when they are sent.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

PROTOCOL = 1  # the version that this module speaks
MAX_LINE = 256 * 1024  # bytes of one message, the end of the line included
MAX_MOVES = 100_000  # more legal moves than any position has
MAX_TEXT = 4096  # characters of a name, a position or a reason

Id = Annotated[int, Field(ge=0, le=2**53 - 1)]
Text = Annotated[str, Field(max_length=MAX_TEXT)]
MoveText = Annotated[str, Field(min_length=1, max_length=64)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Shares = Annotated[tuple[Share, ...], Field(min_length=2, max_length=4)]
OptionValue = bool | int | Annotated[float, Field(allow_inf_nan=False)] | Text
Simulations = Annotated[int, Field(ge=1, le=2**53 - 1)]
Seconds = Annotated[float, Field(gt=0, le=86400, allow_inf_nan=False)]


class ProtocolError(ValueError):
    """A line that is no message; `id` is that of the request, where it could be read."""

    def __init__(self, reason: str, id: int | None = None) -> None:
        """A reason, in a sentence."""
        super().__init__(reason)
        self.id = id


class Message(BaseModel):
    """What all messages share: they are strict about types, refuse unknown fields and do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


# -------------------------------------------------------------------------------------- from host to engine


class Hello(Message):
    """The first line: who is there, and do we play the same game?"""

    type: Literal["hello"] = "hello"
    id: Id
    protocol: int
    rules: Text


class SetOptions(Message):
    """Set options that the engine offered in its welcome."""

    type: Literal["options"] = "options"
    id: Id
    values: dict[Text, OptionValue]


class Position(Message):
    """The view of a seat, for the next `go` or `analyse`; `moves` are the legal ones, for engines without rules."""

    type: Literal["position"] = "position"
    id: Id
    position: Text
    viewer: Annotated[int, Field(ge=0, le=3)]
    moves: Annotated[tuple[MoveText, ...], Field(max_length=MAX_MOVES)] | None = None


class Limited(Message):
    """Limits of thinking; whichever is reached first ends it. None of them: the engine decides."""

    simulations: Simulations | None = None
    time: Seconds | None = None
    infinite: bool = False

    @model_validator(mode="after")
    def _infinite_stands_alone(self) -> Limited:
        if self.infinite and (self.simulations is not None or self.time is not None):
            raise ValueError("infinite thinking has no other limit")
        return self


class Go(Limited):
    """Think about the position and answer with the best move."""

    type: Literal["go"] = "go"
    id: Id


class Analyse(Limited):
    """Think about the position and answer with all moves worth a look."""

    type: Literal["analyse"] = "analyse"
    id: Id


class Stop(Message):
    """End the thinking of the request with this id now; it still gets its answer."""

    type: Literal["stop"] = "stop"
    id: Id


class Ping(Message):
    """Are you there? Answered at once, also while thinking."""

    type: Literal["ping"] = "ping"
    id: Id


class Quit(Message):
    """The engine ends. So it does when its input ends."""

    type: Literal["quit"] = "quit"
    id: Id


# -------------------------------------------------------------------------------------- from engine to host


class Option(Message):
    """Something that can be set, with its default; its kind is that of the default."""

    name: Text
    default: OptionValue
    help: Text = ""


class Welcome(Message):
    """The answer to hello."""

    type: Literal["welcome"] = "welcome"
    id: Id
    protocol: int
    name: Text
    author: Text = ""
    rules: Text
    options: tuple[Option, ...] = ()


class Candidate(Message):
    """One move of an analysis: what it is worth to the seat that decides, how sure that is, and the line it begins."""

    move: MoveText
    visits: Annotated[int, Field(ge=0)] = 0
    shares: Shares | None = None
    worth: Share | None = None
    error: Share | None = None
    prior: Share | None = None
    line: tuple[MoveText, ...] = ()


class Info(Message):
    """What the engine thinks so far: each seat's share of the win, visits, the line, and in an analysis the moves."""

    type: Literal["info"] = "info"
    id: Id
    visits: Annotated[int, Field(ge=0)]
    shares: Shares | None = None
    line: tuple[MoveText, ...] = ()
    moves: tuple[Candidate, ...] = ()


class Best(Message):
    """The answer to go."""

    type: Literal["best"] = "best"
    id: Id
    move: MoveText


class Analysis(Message):
    """The answer to analyse: moves, the best first."""

    type: Literal["analysis"] = "analysis"
    id: Id
    moves: Annotated[tuple[Candidate, ...], Field(min_length=1)]


class Pong(Message):
    """The answer to ping."""

    type: Literal["pong"] = "pong"
    id: Id


class Error(Message):
    """A request that was refused, or with no id a line that was no request."""

    type: Literal["error"] = "error"
    id: Id | None = None
    reason: Text


Request = Hello | SetOptions | Position | Go | Analyse | Stop | Ping | Quit
Reply = Welcome | Info | Best | Analysis | Pong | Error

M = TypeVar("M")
_REQUEST: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="type")])
_REPLY: TypeAdapter[Reply] = TypeAdapter(Annotated[Reply, Field(discriminator="type")])


def parse_request(line: str | bytes) -> Request:
    """Read what a host sends; raises ProtocolError.

    >>> parse_request('{"type": "ping", "id": 3}')
    Ping(type='ping', id=3)
    """
    return _parse(_REQUEST, line)


def parse_reply(line: str | bytes) -> Reply:
    """Read what an engine sends; raises ProtocolError."""
    return _parse(_REPLY, line)


def format_message(message: Message) -> str:
    """One line without its end; what has its default value is left out.

    >>> format_message(Go(id=4, time=0.5))
    '{"type":"go","id":4,"time":0.5}'
    """
    kind = getattr(message, "type", None)
    head = {} if kind is None else {"type": kind, "id": getattr(message, "id", None)}
    fields = {**head, **message.model_dump(mode="json", exclude_defaults=True)}
    if fields.get("id", 0) is None:
        del fields["id"]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _parse(adapter: TypeAdapter[M], line: str | bytes) -> M:
    if len(line) > MAX_LINE:
        raise ProtocolError(f"a message has at most {MAX_LINE} bytes")
    try:
        return adapter.validate_json(line)
    except ValidationError as error:
        raise ProtocolError(_sentence(error), _id_of(line)) from None


def _sentence(error: ValidationError) -> str:
    """The first problem, and where it is."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    problem = {
        "extra_forbidden": "unknown field",
        "union_tag_not_found": 'a message is an object with a "type"',
        "union_tag_invalid": "unknown type of message",
        "missing": "this field is missing",
        "dict_type": "a message is a JSON object",
    }.get(first["type"], first["msg"])
    return f"{place}: {problem}"[:MAX_TEXT] if place else problem[:MAX_TEXT]


class _WithId(BaseModel):
    id: Id


def _id_of(line: str | bytes) -> int | None:
    try:
        return _WithId.model_validate_json(line, strict=True).id
    except ValidationError:
        return None
