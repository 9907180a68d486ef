"""The box, and what moved. What a viewer is shown is plain data, which needs no pydantic: `splendor.game.shown`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from splendor.game.shown import CardFace, ColorName, Moved, NobleTile
from splendor.notation.moves import LETTERS
from splendor.server.messages.basics import Message

Movement = Annotated[Moved, Field(discriminator="what")]


class Catalogue(Message):
    """Everything in the box."""

    cards: list[CardFace]
    nobles: list[NobleTile]
    letters: dict[ColorName, str] = Field(description="the letter of each color in the notation")


COLOR_LETTERS: dict[ColorName, str] = dict(
    zip(("white", "blue", "green", "red", "black", "gold"), LETTERS, strict=True)
)
