"""Choosing a move bit by bit: tokens one after another, or a card and then what to do with it.

A choice knows only the list of legal moves. Whatever can still grow into one of them can be picked, and
everything picked can be put back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from splendor.notation.moves import NO_TOKENS, Move, Tokens


class PartialMove:
    """What has been picked so far of one move.

    >>> from splendor import Game
    >>> choice = PartialMove(Game(players=2, seed=1).legal_moves)
    >>> choice.add(0), choice.add(1), choice.is_ready
    (True, True, False)
    >>> choice.add(1), choice.add(2), [str(move) for move in choice.moves]
    (False, True, ['+wug'])
    """

    def __init__(self, legal: Sequence[Move]) -> None:
        """Nothing is picked yet, unless passing is all there is."""
        self.legal = legal
        self.clear()

    def clear(self) -> None:
        """Put everything back."""
        self.taken: Tokens = NO_TOKENS
        self.card: int | None = None
        self.level: int | None = None
        self.kind: str | None = "pass" if [move.kind for move in self.legal] == ["pass"] else None

    @property
    def moves(self) -> list[Move]:
        """The legal moves that are exactly what is picked; they differ in payment, returns or noble."""
        if self.kind is None:
            return []
        return [
            move
            for move in self.legal
            if (move.kind, move.taken, move.card, move.level) == (self.kind, self.taken, self.card, self.level)
        ]

    @property
    def is_ready(self) -> bool:
        """Is a whole move picked?"""
        return bool(self.moves)

    @property
    def is_empty(self) -> bool:
        """Is nothing picked?"""
        return self.kind in (None, "pass")

    # ---------------------------------------------------------------------------------------- tokens

    def can_add(self, color: int) -> bool:
        """Does a legal take hold one more token of this color than is picked?"""
        wanted = (self.taken if self.kind == "take" else NO_TOKENS).plus(color)
        return any(move.kind == "take" and includes(move.taken, wanted) for move in self.legal)

    def add(self, color: int) -> bool:
        """Pick a token; False, and nothing changes, if no legal take has it."""
        if not self.can_add(color):
            return False
        taken = self.taken if self.kind == "take" else NO_TOKENS
        self.clear()
        self.kind, self.taken = "take", taken.plus(color)
        return True

    def put_back(self, color: int) -> bool:
        """Put back one token of a color."""
        if not self.taken[color]:
            return False
        self.taken = self.taken.plus(color, -1)
        if not any(self.taken):
            self.clear()
        return True

    # ----------------------------------------------------------------------------------------- cards

    def kinds_for(self, card: int) -> list[str]:
        """What can be done with a card: buy it, reserve it."""
        return sorted({move.kind for move in self.legal if move.card == card})

    def pick_card(self, card: int, kind: str | None = None) -> bool:
        """Pick a card to buy, or if that is impossible to reserve; or for exactly the kind that is named."""
        kinds = self.kinds_for(card)
        if not kinds or kind not in (None, *kinds):
            return False
        self.clear()
        self.kind, self.card = kind or kinds[0], card
        return True

    def pick_deck(self, level: int) -> bool:
        """Pick the top card of a deck to reserve."""
        if not any(move.level == level for move in self.legal):
            return False
        self.clear()
        self.kind, self.level = "draw", level
        return True


class Returning:
    """Choosing which tokens to give back, among the legal ways to do so."""

    def __init__(self, ways: Sequence[Tokens]) -> None:
        """Nothing is given back yet."""
        self.ways = ways
        self.returned: Tokens = NO_TOKENS

    @property
    def is_ready(self) -> bool:
        """Is this enough?"""
        return self.returned in self.ways

    @property
    def left(self) -> int:
        """How many tokens are still to be picked."""
        return sum(self.ways[0]) - sum(self.returned)

    def add(self, color: int) -> bool:
        """Give back one token of a color; False if no legal way has it."""
        wanted = self.returned.plus(color)
        if not any(includes(way, wanted) for way in self.ways):
            return False
        self.returned = wanted
        return True

    def put_back(self, color: int) -> bool:
        """Keep a token after all."""
        if not self.returned[color]:
            return False
        self.returned = self.returned.plus(color, -1)
        return True


def agrees(legal: Move, typed: Move) -> bool:
    """Is this legal move the typed one, as far as that goes? Returns and the noble may be left open."""
    return (
        replace(legal, returned=typed.returned, noble=typed.noble) == typed
        and (legal.returned == typed.returned or not any(typed.returned))
        and typed.noble in (None, legal.noble)
    )


def includes(tokens: Tokens, wanted: Tokens) -> bool:
    """Is there at least as much of every color?"""
    return all(have >= want for have, want in zip(tokens, wanted, strict=True))
