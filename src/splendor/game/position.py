"""The table as people read it: `Board`, what a position shows, and `View`, what one viewer may know of it.

Both wrap one state and answer in plain Python values with printed ids. Neither can be played on; `Game`
adds that. A view has been through `hide`: it holds no hidden card, so nothing that is given a view can
look at one.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from splendor.core import hidden, rules
from splendor.core.chance import new_rng
from splendor.core.components import (
    CARD_BONUS,
    CARD_COST,
    CARD_LEVEL,
    CARD_POINTS,
    COLORS,
    GOLD,
    LEVELS,
    NO_CARD,
    NOBLE_COST,
    NOBLE_POINTS,
    UNSEEN,
)
from splendor.core.overview import write_missing
from splendor.core.state import NOBODY, PHASES, SLOTS, State, bought_cards
from splendor.game.board import format_board
from splendor.game.copies import copied
from splendor.game.moves import legal_actions, legal_moves
from splendor.notation.moves import Move, Tokens
from splendor.notation.positions import format_position, parse_position


class Card(NamedTuple):
    """A development card. A card that the viewer has not seen has the id 0, and only its level is known."""

    id: int
    level: int
    bonus: str
    points: int
    cost: Tokens

    @property
    def is_unseen(self) -> bool:
        """Is this the back of a card?"""
        return self.id == 0


class Noble(NamedTuple):
    """A noble tile, with the bonuses it asks for and the seat it went to."""

    id: int
    points: int
    cost: Tokens
    seat: int | None


def card_of(number: int) -> Card | None:
    """The card with a number of the state; None for an empty slot."""
    if number == NO_CARD:
        return None
    level = int(CARD_LEVEL[number]) + 1
    if number >= UNSEEN:
        return Card(0, level, "", 0, Tokens())
    cost = Tokens(*(int(n) for n in CARD_COST[number]))
    return Card(int(number) + 1, level, COLORS[CARD_BONUS[number]], int(CARD_POINTS[number]), cost)


def lacking(state: State, seat: int, cards: list[int]) -> list[list[int]]:
    """What a seat lacks to buy each of these known cards, by color, before gold; and last, whether it can buy it."""
    answers = np.zeros((len(cards), GOLD + 1), np.int64)
    write_missing(state, seat, np.array(cards, np.int64), answers[:, :GOLD], answers[:, GOLD])
    lists: list[list[int]] = answers.tolist()
    return lists


class Board:
    """A position, read-only."""

    def __init__(self, state: State) -> None:
        """Read a state, which is not copied."""
        self._state = state

    @property
    def players(self) -> int:
        """How many play."""
        return int(self._state.players)

    @property
    def first(self) -> int:
        """The seat that begins every round."""
        return int(self._state.first)

    @property
    def seat(self) -> int:
        """The seat that decides; after the end, the one that decided last."""
        return int(self._state.seat)

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(self._state.round_number)

    @property
    def round_cap(self) -> int | None:
        """The last round of a bot match, if there is a cap."""
        return int(self._state.round_cap) or None

    @property
    def phase(self) -> str:
        """What is decided, "act", "return" or "noble"; or how the game ended: "points", "stalemate", "cap"."""
        return PHASES[self._state.phase]

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        return bool(rules.is_over(self._state))

    @property
    def is_last_round(self) -> bool:
        """Has a player reached the winning points, so that this round is the last?"""
        return bool(rules.has_trigger(self._state))

    @property
    def points(self) -> tuple[int, ...]:
        """Prestige points of each seat."""
        return tuple(int(n) for n in self._state.points[: self.players])

    @property
    def placement(self) -> tuple[int, ...]:
        """The place of each seat by points, then fewest cards; level seats share a place."""
        return tuple(int(rules.place_of(self._state, seat)) for seat in range(self.players))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, several if they are level; empty while the game goes on."""
        return tuple(s for s, place in enumerate(self.placement) if place == 1) if self.is_over else ()

    @property
    def win_shares(self) -> tuple[float, ...]:
        """What each seat has won: 1 for the winner, 1/n for each of n who win together; 0 while the game goes on."""
        return tuple(float(rules.win_share(self._state, s)) if self.is_over else 0.0 for s in range(self.players))

    @property
    def bank(self) -> Tokens:
        """The tokens on the table."""
        return Tokens(*(int(n) for n in self._state.bank))

    @property
    def market(self) -> tuple[tuple[Card | None, ...], ...]:
        """The face-up cards of levels 1, 2 and 3, from the left; None for an empty slot."""
        cards = [card_of(int(card)) for card in self._state.market]
        return tuple(tuple(cards[SLOTS * level : SLOTS * (level + 1)]) for level in range(LEVELS))

    @property
    def deck_sizes(self) -> tuple[int, ...]:
        """The cards left in the decks of levels 1, 2 and 3."""
        return tuple(int(n) for n in self._state.deck_size)

    @property
    def nobles(self) -> tuple[Noble, ...]:
        """The nobles of this game, those on the table and those that have gone to a seat."""
        return tuple(
            Noble(
                int(noble) + 1,
                NOBLE_POINTS,
                Tokens(*(int(n) for n in NOBLE_COST[noble])),
                None if seat == NOBODY else int(seat),
            )
            for noble, seat in zip(self._state.nobles, self._state.noble_seat, strict=True)
            if noble >= 0
        )

    def tokens(self, seat: int) -> Tokens:
        """The tokens in the hand of a seat."""
        return Tokens(*(int(n) for n in self._state.tokens[self._checked(seat)]))

    def bonuses(self, seat: int) -> Tokens:
        """The bonuses of the cards a seat has bought; gold is always 0."""
        return Tokens(*(int(n) for n in self._state.bonuses[self._checked(seat)]))

    def bought(self, seat: int) -> tuple[Card, ...]:
        """The cards a seat has bought, by id."""
        return tuple(card for card in map(card_of, bought_cards(self._state, self._checked(seat))) if card)

    def reserved(self, seat: int) -> tuple[Card, ...]:
        """The cards a seat has reserved, oldest first; those the viewer has not seen show their level."""
        numbers = (int(n) for n in self._state.reserved[self._checked(seat)])
        return tuple(card for card in map(card_of, numbers) if card)

    def missing(self, seat: int, card: Card) -> Tokens:
        """What a seat lacks to buy a card, after its bonuses and colored tokens; gold can stand in for each."""
        if card.is_unseen:
            return Tokens()
        return Tokens(*lacking(self._state, self._checked(seat), [card.id - 1])[0][:GOLD])

    def _checked(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {seat}; the seats are 0 to {self.players - 1}")
        return seat

    @property
    def legal_moves(self) -> list[Move]:
        """Every legal move of the seat that decides: each action, payment, return and choice of a noble."""
        return legal_moves(self._state)

    @property
    def legal_actions(self) -> list[int]:
        """The numbers of the decisions that are legal now, for programs that decide step by step."""
        return legal_actions(self._state)

    @property
    def position(self) -> str:
        """The position as one line of text."""
        return format_position(self._state)

    @property
    def state(self) -> State:
        """A copy of the record behind this position, for the rules and for arrays."""
        return copied(self._state)

    def __str__(self) -> str:
        """The board, for reading."""
        return format_board(self._state)


class View(Board):
    """What one viewer may know of a game: the whole input of a player.

    >>> from splendor import Game
    >>> view = Game(players=2, seed=1).view(0)
    >>> view.seat, view.viewer, len(view.legal_moves)
    (0, 0, 30)
    """

    def __init__(self, state: State, viewer: int | None) -> None:
        """The view of a seat, or with None of a spectator, on the full state of a game."""
        hidden_state = copied(state)
        hidden.hide(hidden_state, hidden.SPECTATOR if viewer is None else viewer)
        super().__init__(hidden_state)
        self.viewer = None if viewer is None else self._checked(viewer)

    @classmethod
    def from_position(cls, text: str, viewer: int | None) -> View:
        """A view from its text."""
        return cls(parse_position(text), viewer)

    @cached_property
    def legal_moves(self) -> list[Move]:
        """Every legal move, if it is the viewer's turn to decide; otherwise none."""
        return super().legal_moves if self.viewer == self.seat else []

    def redeal(self, seed: int) -> State:
        """A full state that agrees with this view, drawn uniformly from all of them."""
        state = copied(self._state)
        hidden.redeal(state, new_rng(seed))
        return state

    def __repr__(self) -> str:
        return f"View.from_position({self.position!r}, {self.viewer})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self.viewer == other.viewer and self._state.tobytes() == other._state.tobytes()

    def __hash__(self) -> int:
        return hash((self.viewer, self._state.tobytes()))
