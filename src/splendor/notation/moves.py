"""Moves: whole turns as people make them, each written as one token. Specified in `docs/notation.md`.

A `Move` names cards and nobles by their printed ids and stands on its own, without a position: whether it
is legal is not asked here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from splendor.core.components import CARDS, NOBLES
from splendor.notation.errors import NotationError

Kind = Literal["take", "reserve", "draw", "buy", "pass", "finish"]


class Tokens(NamedTuple):
    """A count of tokens for each color."""

    white: int = 0
    blue: int = 0
    green: int = 0
    red: int = 0
    black: int = 0
    gold: int = 0

    def plus(self, color: int, count: int = 1) -> Tokens:
        """The same with `count` more of one color.

        >>> Tokens(white=1).plus(5, 2)
        Tokens(white=1, blue=0, green=0, red=0, black=0, gold=2)
        """
        return Tokens(*(n + count * (i == color) for i, n in enumerate(self)))


NO_TOKENS = Tokens()


@dataclass(frozen=True, slots=True)
class Move:
    """One turn: an action, with the tokens returned and the noble chosen where the rules ask for that.

    `str(move)` is its notation and `parse_move` reads it back. A move of the kind
    "finish" is the rest of a turn whose action has been played already: returns, a noble, or both.
    """

    kind: Kind
    taken: Tokens = NO_TOKENS  # take
    card: int | None = None  # reserve, buy: the printed id
    level: int | None = None  # draw: reserve the top card of this deck
    payment: Tokens | None = None  # buy: None pays with as little gold as possible
    returned: Tokens = NO_TOKENS
    noble: int | None = None  # the printed id, where the player had a choice

    def __str__(self) -> str:
        return format_move(self)

    def __repr__(self) -> str:
        return f"parse_move({str(self)!r})"


LETTERS = "wugrko"  # white, blue, green, red, black (k), gold (o)

_PARTS = re.compile(
    r"""(?P<action> \+(?P<taken>\w*) | rd(?P<level>\w*) | r(?P<reserved>\d*) | b(?P<bought>\d*)(=(?P<payment>\w*))?
        | pass )?
        (-(?P<returned>\w*))?
        (@(?P<noble>\w*))?""",
    re.VERBOSE | re.ASCII,
)


def format_tokens(tokens: Tokens) -> str:
    """A letter for each token, in the order of the colors.

    >>> format_tokens(Tokens(white=2, gold=1))
    'wwo'
    """
    return "".join(letter * number for letter, number in zip(LETTERS, tokens, strict=True))


def parse_tokens(text: str, column: int = 1) -> Tokens:
    """Read letters back; they must stand in the order of the colors, and there must be one."""
    if not text:
        raise NotationError(f"expected tokens, letters of {LETTERS}", column)
    tokens = NO_TOKENS
    for offset, letter in enumerate(text):
        if letter not in LETTERS:
            raise NotationError(f"{letter!r} is no token; the letters are {LETTERS}", column + offset)
        tokens = tokens.plus(LETTERS.index(letter))
    expected = format_tokens(tokens)
    if text != expected:
        raise NotationError(f"tokens are written in the order {LETTERS}: {expected}", column)
    return tokens


def format_move(move: Move) -> str:
    """The token for a move."""
    if move.kind == "take":
        action = "+" + format_tokens(move.taken)
    elif move.kind == "reserve":
        action = f"r{move.card}"
    elif move.kind == "draw":
        action = f"rd{move.level}"
    elif move.kind == "buy":
        action = f"b{move.card}" + ("" if move.payment is None else f"={format_tokens(move.payment)}")
    else:
        action = "pass" if move.kind == "pass" else ""
    returned = "-" + format_tokens(move.returned) if any(move.returned) else ""
    noble = f"@{move.noble}" if move.noble is not None else ""
    return action + returned + noble


@lru_cache(maxsize=10_000)
def parse_move(text: str) -> Move:
    """Read a move back.

    >>> parse_move("+wug-k").returned
    Tokens(white=0, blue=0, green=0, red=0, black=1, gold=0)
    """
    found = _PARTS.match(text)
    assert found is not None  # every part is optional
    if found.end() != len(text) or not text:
        raise NotationError(
            f"{text!r} is no move; moves look like +wug, +rr, r62, rd2, b62, b62=wwo, pass", found.end() + 1
        )
    returned = NO_TOKENS
    if found["returned"] is not None:
        returned = parse_tokens(found["returned"], found.start("returned") + 1)
    noble = None
    if found["noble"] is not None:
        noble = parse_number(found["noble"], NOBLES, "noble", found.start("noble") + 1)
    if found["action"] is None:
        return Move("finish", returned=returned, noble=noble)
    if found["taken"] is not None:
        taken = parse_tokens(found["taken"], found.start("taken") + 1)
        return Move("take", taken=taken, returned=returned, noble=noble)
    if found["level"] is not None:
        level = parse_number(found["level"], 3, "deck", found.start("level") + 1)
        return Move("draw", level=level, returned=returned, noble=noble)
    if found["reserved"] is not None:
        card = parse_number(found["reserved"], CARDS, "card", found.start("reserved") + 1)
        return Move("reserve", card=card, returned=returned, noble=noble)
    if found["bought"] is not None:
        card = parse_number(found["bought"], CARDS, "card", found.start("bought") + 1)
        payment = None
        if found["payment"] is not None:
            # A card that bonuses pay for in full can be bought with nothing: `b62=`
            payment = parse_tokens(found["payment"], found.start("payment") + 1) if found["payment"] else NO_TOKENS
        return Move("buy", card=card, payment=payment, returned=returned, noble=noble)
    return Move("pass", returned=returned, noble=noble)


def parse_number(text: str, largest: int, what: str, column: int) -> int:
    """A number from 1 to `largest`, without leading zeros."""
    if not re.fullmatch(r"[1-9][0-9]{0,2}", text) or int(text) > largest:
        raise NotationError(f"{text!r} is no {what}; {what}s are numbered 1 to {largest}", column)
    return int(text)
