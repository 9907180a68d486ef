"""What one viewer is shown, as plain data: the board, the moves on it, and what moved.

Colors are named, cards and nobles have their printed ids, `None` stands for what there is not or what the viewer may
not know. `showing` makes these from a state. As JSON they are what the server sends, and what any other host of the
web client has to answer with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from splendor.notation.moves import Kind

ColorName = Literal["white", "blue", "green", "red", "black", "gold"]
Phase = Literal["act", "return", "noble", "points", "stalemate", "cap"]  # what is decided; or how the game ended
Reason = Literal["points", "stalemate", "cap", "resignation", "time", "abandoned"]  # why the game is over
Asked = Literal["return", "noble"]  # what a turn asks for after its action
Area = Literal["bank", "market", "deck", "tokens", "reserved", "bought", "nobles"]

SomeTokens = dict[ColorName, int]  # only the colors that there are any of


def note(description: str) -> dict[str, str]:
    """What a schema of these types says of a field."""
    return {"description": description}


# -------------------------------------------------------------------------------------------------- what is in the box


@dataclass(frozen=True, slots=True)
class Gems:
    """A count for each color but gold."""

    white: int
    blue: int
    green: int
    red: int
    black: int


@dataclass(frozen=True, slots=True)
class Tokens(Gems):
    """A count for each color."""

    gold: int


@dataclass(frozen=True, slots=True)
class CardFace:
    """A development card as it is printed."""

    id: int
    level: int
    points: int
    bonus: ColorName
    cost: Gems


@dataclass(frozen=True, slots=True)
class NobleTile:
    """A noble tile as it is printed."""

    id: int
    points: int
    cost: Gems


# ----------------------------------------------------------------------------------------------------------- the board


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card on the market or in a hand, as one viewer sees it. Of an unseen card only the level is known."""

    id: int | None
    level: int
    points: int | None
    bonus: ColorName | None
    cost: Gems | None
    missing: Gems | None = field(metadata=note("what the viewer's seat lacks, before gold; null without a seat"))
    gold: int | None = field(metadata=note("how many gold the viewer's seat would have to pay; null if it cannot buy"))
    affordable: bool


@dataclass(frozen=True, slots=True)
class ReservedCard(ShownCard):
    """A reserved card; one drawn from a deck is hidden from the others."""

    from_deck: bool


@dataclass(frozen=True, slots=True)
class ShownNoble(NobleTile):
    """A noble of this game, and the seat it went to."""

    seat: int | None
    missing: Gems | None = field(metadata=note("the bonuses that the viewer's seat still lacks; null without a seat"))


@dataclass(frozen=True, slots=True)
class Hand:
    """What lies before one seat."""

    tokens: Tokens
    bonuses: Gems
    points: int
    bought: list[CardFace]
    reserved: list[ReservedCard]
    nobles: list[int]


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board as one viewer sees it."""

    position: str = field(metadata=note("the same as one line of notation"))
    viewer: int | None = field(metadata=note("whose view this is; null for a spectator"))
    players: int
    seat: int = field(metadata=note("whose turn it is"))
    round: int
    turn: int = field(metadata=note("how many turns have been completed"))
    phase: Phase
    is_last_round: bool
    is_over: bool
    bank: Tokens
    market: list[list[ShownCard | None]] = field(
        metadata=note("levels 1 to 3, each from the left; null is an empty slot")
    )
    decks: list[int] = field(metadata=note("cards left in the decks of levels 1 to 3"))
    nobles: list[ShownNoble]
    hands: list[Hand]


@dataclass(frozen=True, slots=True)
class Result:
    """How it ended. `decided_by` says what the first place rests on."""

    reason: Reason
    winners: list[int]
    places: list[int] = field(metadata=note("1 is the best; players who are level share a place"))
    points: list[int]
    cards: list[int] = field(metadata=note("bought cards: fewer win when points are level"))
    decided_by: Literal["points", "cards", "shared", "forfeit"]


# ----------------------------------------------------------------------------------------------------------- the moves


@dataclass(frozen=True, slots=True)
class MoveForm:
    """A move, as notation and taken apart.

    `then` says what the turn still asks for when only this is played: the return of tokens, or a noble. Such a
    move may be sent as it is, and the rest when the table shows it; or completed first, see `consider`.
    """

    text: str = field(metadata={"examples": ["+wug"]})
    kind: Kind
    taken: SomeTokens | None = None
    card: int | None = None
    level: int | None = None
    payment: SomeTokens | None = None
    returned: SomeTokens | None = None
    noble: int | None = None
    then: Asked | None = None


# ------------------------------------------------------------------------------------------- what moved, and where


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere on the table. `slot` counts from the left or in the order of reserving, from 0."""

    area: Area
    seat: int | None = None
    level: int | None = None
    slot: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokensMoved:
    """Tokens went from one place to another."""

    what: Literal["tokens"] = "tokens"
    tokens: SomeTokens
    origin: Place
    target: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class CardMoved:
    """A card went; the viewer may know only its level."""

    what: Literal["card"] = "card"
    card: int | None
    level: int
    origin: Place
    target: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class NobleMoved:
    """A noble went to a seat."""

    what: Literal["noble"] = "noble"
    noble: int
    origin: Place
    target: Place


Moved = TokensMoved | CardMoved | NobleMoved
