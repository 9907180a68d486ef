"""What all messages share, and the small types that occur in many of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from splendor.core.components import CARDS, MAX_PLAYERS

SeatNumber = Annotated[int, Field(ge=0, le=MAX_PLAYERS - 1)]
CardNumber = Annotated[int, Field(ge=1, le=CARDS)]

TableId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{22}$")]

Hex256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="chosen by the sender; sent twice, done once")]

MoveText = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9+=@-]+$", examples=["+wug"])]

NameText = Annotated[str, Field(min_length=1, max_length=64)]

PositionText = Annotated[str, Field(max_length=2000, description="a position as notation, `docs/notation.md`")]

LevelName = Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[a-z0-9-]+$", examples=["journeyman"])]

Seconds = float

Time = Annotated[float, Field(description="seconds since 1970, by the server's clock")]


Pool = Literal["people", "computers"]  # whose ratings: among people, or of games with a computer at the table


class Message(BaseModel):
    """What all messages share: unknown fields are refused, and they do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(Message):
    """Why something was refused: a code, and what it needs to be said in any language."""

    code: str = Field(examples=["not_your_turn"])
    params: dict[str, Any] = Field(default_factory=dict, examples=[{"seat": 1}])


class Refusal(Message):
    """The body of every HTTP error."""

    error: Problem
