"""Luck: what the cards that came from the decks have changed.

A *reveal* is a card that came from a deck, into the market or unseen by the others into a hand; a turn has one at most.
Its luck is V after it, less the mean of V over all cards that could have come, each in equal parts. So the mean of luck
is zero, whatever V is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from splendor.analysis.model import Kind, Outcome, RevealedCard
from splendor.analysis.value import Floats, PositionValue
from splendor.core import rules
from splendor.core.components import CARD_LEVEL, FIRST_CARD, LEVELS
from splendor.core.hidden import gather_unseen
from splendor.core.state import State, States, copy_state, new_states
from splendor.game.game import Game
from splendor.game.moves import action_of_move, begin_turn

PLACES = ("market", "reserved", "deck")  # where a card can lie that nobody has bought

Cards = NDArray[np.uint8]


class Draw(NamedTuple):
    """A card came from a deck."""

    turn: int
    seat: int
    card: int
    after: State  # the position with this card, before tokens are returned or a noble is chosen

    @property
    def kind(self) -> Kind:
        """Where it went."""
        return "market" if self.card in self.after.market else "hand"


def draws_of(game: Game) -> Iterator[Draw]:
    """The cards that came from the decks, turn by turn."""
    for turn, (before, move) in enumerate(zip(game.states, game.moves, strict=False)):
        action = action_of_move(before, move)
        level = LEVELS if action is None else rules.drawn_level(before, action)
        if level < LEVELS:
            after = copy_state(before)
            begin_turn(after, move)
            yield Draw(turn, int(before.seat), int(rules.top_card(before, level)), after)


def alternatives(after: State, card: int) -> tuple[Cards, States]:
    """The cards that could have come in a reveal, and the position with each; the first is the one that came."""
    level = CARD_LEVEL[card]
    scratch = copy_state(after)
    left = int(gather_unseen(scratch, level))
    cards = np.array([card, *scratch.deck[FIRST_CARD[level] : FIRST_CARD[level] + left]], np.uint8)
    states = np.repeat(np.atleast_1d(after), len(cards))
    for name in PLACES:
        lying = states[name]
        other = cards.reshape(-1, *[1] * (lying.ndim - 1))
        states[name] = np.where(lying == card, other, np.where(lying == other, card, lying))
    return cards, states


def rated(draws: Sequence[Draw], value: PositionValue) -> list[tuple[Cards, Floats]]:
    """For each draw the cards that could have come, and V with each  [card, seat]; all positions are rated together."""
    if not draws:
        return []
    cards, states = zip(*(alternatives(draw.after, draw.card) for draw in draws), strict=True)
    ends = np.cumsum([len(possible) for possible in cards])
    together = new_states(int(ends[-1]))
    for end, possible in zip(ends, states, strict=True):
        together[end - len(possible) : end] = possible  # faster than `concatenate`
    return list(zip(cards, np.split(value.shares(together), ends[:-1]), strict=True))


def gain(shares: Floats) -> Floats:
    """The luck of a draw: V with the card that came, which is the first, less the mean over all  [seat]."""
    luck: Floats = shares[0] - shares.mean(axis=0)
    return luck


def reveals(draws: Sequence[Draw], value: PositionValue) -> list[RevealedCard]:
    """The luck of each draw."""
    found = zip(draws, rated(draws, value), strict=True)
    return [reveal(draw, cards, shares) for draw, (cards, shares) in found]


def luck_of(game: Game, value: PositionValue) -> tuple[float, ...]:
    """The luck of all reveals of a game together  [seat]."""
    revealed = reveals(list(draws_of(game)), value)
    return tuple(sum(reveal.luck[seat] for reveal in revealed) for seat in range(game.players))


def reveal(draw: Draw, cards: Cards, shares: Floats) -> RevealedCard:
    """One draw, by the cards that could have come and the shares with each  [card, seat]."""
    players = int(draw.after.players)
    luck = gain(shares)[:players]

    def outcome(place: int) -> Outcome:
        return Outcome(card=int(cards[place]) + 1, share=float(shares[place, draw.seat]))

    own = shares[:, draw.seat]
    return RevealedCard(
        seat=draw.seat,
        kind=draw.kind,
        level=int(CARD_LEVEL[draw.card]) + 1,
        card=draw.card + 1,
        luck=tuple(luck.tolist()),
        best=outcome(int(own.argmax())),
        worst=outcome(int(own.argmin())),
    )
