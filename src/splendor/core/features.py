"""A position as network input: what one seat knows, as one flat row of small numbers with names on it.

Everything is told from the side of the seat that looks: it is seat 0 here, and the others follow in turn order.
The layout is the same for 2, 3 and 4 players; seats that nobody sits in are zero. It is complete: whatever
the viewer may know and can still matter is there, and what follows from it but is hard to see (tokens
still missing for a card, bonuses still lacking for a noble) is there as well. What the viewer may not know
is not read: a hidden card shows its level and nothing else.

`OBSERVATION` is the layout, a record of `int8` fields. `named` puts its names on a flat array:

>>> rows = np.zeros((100, OBSERVATION_SIZE), np.int8)
>>> named(rows).market_cost.shape
(100, 12, 5)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splendor.core.bits import bits_in_bytes, count_bits
from splendor.core.components import (
    CARD_BONUS,
    CARD_COST_BITS,
    CARD_LEVEL,
    CARD_POINTS,
    CARDS,
    GOLD,
    LEVELS,
    MAX_PLAYERS,
    NO_CARD,
    NOBLE_COST_BITS,
)
from splendor.core.hidden import reserved_as_seen
from splendor.core.jit import rule
from splendor.core.rules import (
    HAND_LIMIT,
    bonus_bits,
    cards_bought,
    has_trigger,
    is_over,
    is_waiting,
    means,
    missing,
    tokens_held,
)
from splendor.core.state import ACT, MARKET, NOBLE, RESERVE_LIMIT, RETURN, TABLE_NOBLES, State
from splendor.core.types import Bits, ByColor, Card, Count, Seat, Seen

LARGEST = 127  # rounds beyond the range of int8 are shown as this

OBSERVATION = np.dtype(
    [
        ("players", np.int8, 3),  # one-hot: 2, 3 or 4
        ("phase", np.int8, 4),  # one-hot: act, return, noble, over
        ("turn", np.int8, MAX_PLAYERS),  # one-hot: who decides                                  [seat]
        ("first", np.int8, MAX_PLAYERS),  # one-hot: who begins every round                      [seat]
        ("last_round", np.int8),  # 1: somebody has 15 points
        ("round_number", np.int8),
        ("rounds_left", np.int8),  # with this one, up to the cap of a bot match; 0: no cap
        ("passes", np.int8),  # turns in succession that were passed
        ("returns", np.int8),  # tokens that whoever decides has to give back
        ("bank", np.int8, GOLD + 1),  # tokens on the table                                     [color]
        ("deck_size", np.int8, LEVELS),  #                                                      [level]
        ("tokens", np.int8, (MAX_PLAYERS, GOLD + 1)),  # tokens in hand                   [seat, color]
        ("held", np.int8, MAX_PLAYERS),  # how many tokens that is                               [seat]
        ("bonuses", np.int8, (MAX_PLAYERS, GOLD)),  # from bought cards                   [seat, color]
        ("points", np.int8, MAX_PLAYERS),  # prestige                                            [seat]
        ("bought", np.int8, MAX_PLAYERS),  # how many cards: fewer win a tie                     [seat]
        ("visits", np.int8, MAX_PLAYERS),  # nobles received                                     [seat]
        ("noble_present", np.int8, TABLE_NOBLES),  # 1: still on the table                      [place]
        ("noble_cost", np.int8, (TABLE_NOBLES, GOLD)),  # bonuses it asks for            [place, color]
        ("noble_lacking", np.int8, (TABLE_NOBLES, MAX_PLAYERS)),  # bonuses short of it   [place, seat]
        ("market_present", np.int8, MARKET),  # 1: a card, be it unknown                         [slot]
        ("market_points", np.int8, MARKET),  #                                                   [slot]
        ("market_bonus", np.int8, (MARKET, GOLD)),  # one-hot                             [slot, color]
        ("market_cost", np.int8, (MARKET, GOLD)),  # printed; none: the card is unknown   [slot, color]
        ("market_missing", np.int8, (MARKET, GOLD)),  # tokens the viewer lacks           [slot, color]
        ("market_shortfall", np.int8, (MARKET, MAX_PLAYERS)),  # beyond gold; 0: can buy   [slot, seat]
        ("reserved_level", np.int8, (MAX_PLAYERS, RESERVE_LIMIT, LEVELS)),  # one-hot  [seat, place, level]
        ("reserved_from_deck", np.int8, (MAX_PLAYERS, RESERVE_LIMIT)),  # 1: only the owner knows it
        ("reserved_points", np.int8, (MAX_PLAYERS, RESERVE_LIMIT)),  #                    [seat, place]
        ("reserved_bonus", np.int8, (MAX_PLAYERS, RESERVE_LIMIT, GOLD)),  # one-hot  [seat, place, color]
        ("reserved_cost", np.int8, (MAX_PLAYERS, RESERVE_LIMIT, GOLD)),  # none: the card is unknown
        ("reserved_missing", np.int8, (RESERVE_LIMIT, GOLD)),  # of the viewer's own     [place, color]
        ("reserved_shortfall", np.int8, (MAX_PLAYERS, RESERVE_LIMIT)),  # of its owner, beyond gold
        ("unseen", np.int8, CARDS),  # 1: in a deck or a hand, the viewer cannot know which      [card]
    ]
)
OBSERVATION_SIZE = OBSERVATION.itemsize


# What is printed on a card, for all colors at once: byte = color. Of a card that is unknown or absent, nothing.
SHOWN_COST_BITS = np.where(np.arange(NO_CARD + 1) < CARDS, CARD_COST_BITS, 0)  # [card]
SHOWN_BONUS = np.where(np.arange(NO_CARD + 1) < CARDS, 1 << (8 * CARD_BONUS.astype(np.int64)), 0)  # one-hot  [card]
EVERYTHING = -1  # bits that cover any cost: an empty seat lacks nothing
# Bit n of a byte moved to byte n of a word  [byte]
BITS_APART = np.array([sum((byte >> bit & 1) << (8 * bit) for bit in range(8)) for byte in range(256)], np.int64)
for _table in (SHOWN_COST_BITS, SHOWN_BONUS, BITS_APART):
    _table.flags.writeable = False


def named(observations: NDArray[np.int8]) -> np.recarray:
    """The same memory with names: `named(rows).tokens` has the axes of `rows` but the last, and [seat, color].

    The last axis must be contiguous and hold `OBSERVATION_SIZE` numbers.
    """
    rows: Any = observations.view(OBSERVATION).view(np.recarray)
    return rows[..., 0]


def columns(name: str) -> NDArray[np.int64]:
    """Which numbers of an observation a field is, in its shape."""
    dtype, offset = OBSERVATION.fields[name][:2]  # type: ignore[index]
    return offset + np.arange(dtype.itemsize).reshape(dtype.shape or (1,))


@rule
def observe(state: State, viewer: Seat, seen: Seen) -> None:
    """Write all that `viewer` knows into `seen`, an `OBSERVATION` record; every number of it is written."""
    observe_turn(state, viewer, seen)
    observe_seats(state, viewer, seen)
    observe_nobles(state, viewer, seen)
    observe_market(state, viewer, seen)
    observe_unbought(state, seen)
    observe_shown(state, seen)
    for distance in range(MAX_PLAYERS):
        observe_reserved(state, viewer, distance, seen)


@rule
def seat_at(state: State, viewer: Seat, distance: Count) -> Seat:
    """The seat so many places after the viewer's in turn order; from `players` on an empty one, which is all zero."""
    if distance >= state.players:
        return distance
    seat = viewer + distance
    return seat - state.players if seat >= state.players else seat


@rule
def observe_turn(state: State, viewer: Seat, seen: Seen) -> None:
    """The table as a whole: whose turn, which round, what lies in the bank and in the decks."""
    for players in range(2, MAX_PLAYERS + 1):
        seen.players[players - 2] = state.players == players
    for phase in range(ACT, NOBLE + 2):
        seen.phase[phase] = min(state.phase, NOBLE + 1) == phase
    for distance in range(MAX_PLAYERS):
        seat = seat_at(state, viewer, distance)
        seen.turn[distance] = state.seat == seat and not is_over(state)
        seen.first[distance] = state.first == seat
    seen.last_round = has_trigger(state)
    seen.round_number = min(state.round_number, LARGEST)
    seen.rounds_left = min(state.round_cap - state.round_number + 1, LARGEST) if state.round_cap > 0 else 0
    seen.passes = state.passes
    seen.returns = tokens_held(state, state.seat) - HAND_LIMIT if state.phase == RETURN else 0
    for color in range(GOLD + 1):
        seen.bank[color] = state.bank[color]
    for level in range(LEVELS):
        seen.deck_size[level] = state.deck_size[level]


@rule
def observe_seats(state: State, viewer: Seat, seen: Seen) -> None:
    """What lies open before each player."""
    for distance in range(MAX_PLAYERS):
        seat = seat_at(state, viewer, distance)
        for color in range(GOLD + 1):
            seen.tokens[distance, color] = state.tokens[seat, color]
        seen.held[distance] = tokens_held(state, seat)
        for color in range(GOLD):
            seen.bonuses[distance, color] = state.bonuses[seat, color]
        seen.points[distance] = state.points[seat]
        seen.bought[distance] = cards_bought(state, seat)
        visits = 0
        for place in range(TABLE_NOBLES):
            visits += state.noble_seat[place] == seat
        seen.visits[distance] = visits


@rule
def observe_nobles(state: State, viewer: Seat, seen: Seen) -> None:
    """The nobles still on the table, and how far each player is from them."""
    for place in range(TABLE_NOBLES):
        is_present = is_waiting(state, place)
        seen.noble_present[place] = is_present
        write_bytes(seen.noble_cost[place], bits_in_bytes(NOBLE_COST_BITS[state.nobles[place]] if is_present else 0))
    for distance in range(MAX_PLAYERS):
        has = bonus_bits(state, seat_at(state, viewer, distance)) if distance < state.players else EVERYTHING
        for place in range(TABLE_NOBLES):
            asks = NOBLE_COST_BITS[state.nobles[place]] if seen.noble_present[place] else 0
            seen.noble_lacking[place, distance] = count_bits(missing(asks, has))


@rule
def observe_market(state: State, viewer: Seat, seen: Seen) -> None:
    """The face-up cards, and how far each player is from buying them."""
    has = means(state, viewer)
    for slot in range(MARKET):
        card = state.market[slot]
        seen.market_present[slot] = card != NO_CARD
        seen.market_points[slot] = CARD_POINTS[card]
        write_bytes(seen.market_bonus[slot], SHOWN_BONUS[card])
        write_bytes(seen.market_cost[slot], bits_in_bytes(SHOWN_COST_BITS[card]))
        write_bytes(seen.market_missing[slot], bits_in_bytes(missing(SHOWN_COST_BITS[card], has)))
    for distance in range(MAX_PLAYERS):
        seat = seat_at(state, viewer, distance)
        gold = state.tokens[seat, GOLD]
        has = means(state, seat) if distance < state.players else EVERYTHING
        for slot in range(MARKET):
            seen.market_shortfall[slot, distance] = shortfall(has, gold, state.market[slot])


@rule
def observe_reserved(state: State, viewer: Seat, distance: Count, seen: Seen) -> None:
    """The cards in one hand, as far as the viewer knows them, and how far their owner is from buying them."""
    seat = seat_at(state, viewer, distance)
    gold = state.tokens[seat, GOLD]
    has = means(state, seat)
    for place in range(RESERVE_LIMIT):
        card = reserved_as_seen(state, viewer, seat, place)
        for level in range(LEVELS):
            seen.reserved_level[distance, place, level] = (card != NO_CARD) & (CARD_LEVEL[card] == level)
        seen.reserved_from_deck[distance, place] = state.from_deck[seat, place]
        seen.reserved_points[distance, place] = CARD_POINTS[card]
        write_bytes(seen.reserved_bonus[distance, place], SHOWN_BONUS[card])
        write_bytes(seen.reserved_cost[distance, place], bits_in_bytes(SHOWN_COST_BITS[card]))
        if distance == 0:
            write_bytes(seen.reserved_missing[place], bits_in_bytes(missing(SHOWN_COST_BITS[card], has)))
        seen.reserved_shortfall[distance, place] = shortfall(has, gold, card)
        if card < CARDS:
            seen.unseen[card] = 0


@rule
def observe_unbought(state: State, seen: Seen) -> None:
    """Mark every card as unseen that lies before no player; whoever shows another card takes its mark away."""
    for byte in range(CARDS // 8 + 1):
        bought = 0
        for seat in range(MAX_PLAYERS):
            bought |= state.bought[seat, byte]
        unbought = BITS_APART[~bought & 0xFF]
        for bit in range(min(8, CARDS - 8 * byte)):
            seen.unseen[8 * byte + bit] = unbought >> (8 * bit) & 1


@rule
def observe_shown(state: State, seen: Seen) -> None:
    """Take the mark away from the cards on the market."""
    for slot in range(MARKET):
        if state.market[slot] < CARDS:
            seen.unseen[state.market[slot]] = 0


@rule
def shortfall(has: Bits, gold: Count, card: Card) -> Count:
    """How many tokens of any color a player lacks for a card, with all gold spent; 0: can buy it, or it is unknown."""
    return max(count_bits(missing(SHOWN_COST_BITS[card], has)) - gold, 0)


@rule
def write_bytes(row: ByColor, packed: Bits) -> None:
    """Five numbers, one for each color, that were worked out together in the bytes of one."""
    for color in range(GOLD):
        row[color] = packed >> (8 * color) & 0xFF
