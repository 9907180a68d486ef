"""The board as one viewer sees it, the moves on it, and what moved."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from splendor.notation.moves import LETTERS
from splendor.server.messages.basics import Color, Message


class Tokens(Message):
    """A count for each color."""

    white: int
    blue: int
    green: int
    red: int
    black: int
    gold: int


SomeTokens = dict[Color, int]  # only the colors that there are any of


class Gems(Message):
    """A count for each color but gold."""

    white: int
    blue: int
    green: int
    red: int
    black: int


class CardFace(Message):
    """A development card as it is printed."""

    id: int
    level: int
    points: int
    bonus: Color
    cost: Gems


class NobleTile(Message):
    """A noble tile as it is printed."""

    id: int
    points: int
    cost: Gems


class Catalogue(Message):
    """Everything in the box."""

    cards: list[CardFace]
    nobles: list[NobleTile]
    letters: dict[Color, str] = Field(description="the letter of each color in the notation")


COLOR_LETTERS: dict[Color, str] = dict(zip(("white", "blue", "green", "red", "black", "gold"), LETTERS, strict=True))


class ShownCard(Message):
    """A card on the market or in a hand, as one viewer sees it. Of an unseen card only the level is known."""

    id: int | None
    level: int
    points: int | None
    bonus: Color | None
    cost: Gems | None
    missing: Gems | None = Field(description="what the viewer's seat lacks, before gold; null without a seat")
    gold: int | None = Field(description="how many gold the viewer's seat would have to pay; null if it cannot buy")
    affordable: bool


class ReservedCard(ShownCard):
    """A reserved card; one drawn from a deck is hidden from the others."""

    from_deck: bool


class ShownNoble(NobleTile):
    """A noble of this game, and the seat it went to."""

    seat: int | None
    missing: Gems | None = Field(description="the bonuses that the viewer's seat still lacks; null without a seat")


class Hand(Message):
    """What lies before one seat."""

    tokens: Tokens
    bonuses: Gems
    points: int
    bought: list[CardFace]
    reserved: list[ReservedCard]
    nobles: list[int]


class BoardView(Message):
    """The board as one viewer sees it."""

    position: str = Field(description="the same as one line of notation")
    viewer: int | None = Field(description="whose view this is; null for a spectator")
    players: int
    seat: int = Field(description="whose turn it is")
    round: int
    turn: int = Field(description="how many turns have been completed")
    phase: Literal["act", "return", "noble", "points", "stalemate", "cap"]
    is_last_round: bool
    is_over: bool
    bank: Tokens
    market: list[list[ShownCard | None]] = Field(description="levels 1 to 3, each from the left; null is an empty slot")
    decks: list[int] = Field(description="cards left in the decks of levels 1 to 3")
    nobles: list[ShownNoble]
    hands: list[Hand]


class MoveForm(Message):
    """A move, as notation and taken apart.

    `then` says what the turn still asks for when only this is played: the return of tokens, or a noble. Such a
    move may be sent as it is, and the rest when the table shows it; or completed first, see `consider`.
    """

    text: str = Field(examples=["+wug"])
    kind: Literal["take", "reserve", "draw", "buy", "pass", "finish"]
    taken: SomeTokens | None = None
    card: int | None = None
    level: int | None = None
    payment: SomeTokens | None = None
    returned: SomeTokens | None = None
    noble: int | None = None
    then: Literal["return", "noble"] | None = None


# ----------------------------------------------------------------------------------------------- what moved, and where


class Place(Message):
    """Somewhere on the table. `slot` counts from the left or in the order of reserving, from 0."""

    area: Literal["bank", "market", "deck", "tokens", "reserved", "bought", "nobles"]
    seat: int | None = None
    level: int | None = None
    slot: int | None = None


class TokensMoved(Message):
    """Tokens went from one place to another."""

    what: Literal["tokens"] = "tokens"
    tokens: SomeTokens
    origin: Place
    target: Place


class CardMoved(Message):
    """A card went; the viewer may know only its level."""

    what: Literal["card"] = "card"
    card: int | None
    level: int
    origin: Place
    target: Place


class NobleMoved(Message):
    """A noble went to a seat."""

    what: Literal["noble"] = "noble"
    noble: int
    origin: Place
    target: Place


Movement = Annotated[TokensMoved | CardMoved | NobleMoved, Field(discriminator="what")]
