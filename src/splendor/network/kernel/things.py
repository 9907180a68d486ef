"""A position as the network takes it: as things, each told by some numbers of an observation.

The things are the 12 cards of the market, the nobles, the seats with 3 places for reserved cards each, and the rest of
the table. With every player five things come to the table: a seat, a noble and three places for cards. Where nobody
sits there is nothing to see, so a game of two has 24 things and one of four has 34.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import BUY_MARKET, CHOOSE_NOBLE, PASS, RESERVE_DECK, RESERVE_MARKET
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE, columns
from splendor.core.state import MARKET, RESERVE_LIMIT, TABLE_NOBLES

HEAD = 32  # numbers of a thing that are compared together
ABSENT = -10000.0  # the rating of a seat that nobody sits in
WIDER = 3  # a thing is thought about with so many times its width

# All things as they are told, kind by kind: cards on the market and in hands, nobles, seats, the table.
CARD_PLACES = MARKET + MAX_PLAYERS * RESERVE_LIMIT
THINGS = CARD_PLACES + TABLE_NOBLES + MAX_PLAYERS + 1
# And as they are thought about: what every game has, then what comes with each player.
TABLE = MARKET
FIRST_NOBLE = TABLE + 1
SEAT, NOBLE, RESERVED = FIRST_NOBLE + 1, FIRST_NOBLE + 2, FIRST_NOBLE + 3  # of the player who looks
EACH = 2 + RESERVE_LIMIT  # from there to the same of the next player
ORDER = np.array(
    [
        *range(MARKET),
        THINGS - 1,
        CARD_PLACES,
        *(
            thing
            for seat in range(MAX_PLAYERS)
            for thing in (
                CARD_PLACES + TABLE_NOBLES + seat,
                CARD_PLACES + 1 + seat,
                *range(MARKET + seat * RESERVE_LIMIT, MARKET + (seat + 1) * RESERVE_LIMIT),
            )
        ),
    ]
)
# The actions that belong to no card and no noble, in the order of all: takes; from a deck; passing and returns.
TABLE_PARTS = [RESERVE_MARKET, BUY_MARKET - RESERVE_DECK, CHOOSE_NOBLE - PASS]

# Fields are divided by about their largest usual value; one that is not named is a flag or a one-hot.
SIZES = {
    "round_number": 30,
    "passes": 2,
    "returns": 3,
    "bank": 4,
    "deck_size": 20,
    "tokens": 3,
    "held": 10,
    "bonuses": 4,
    "points": 8,
    "bought": 10,
    "visits": 2,
    "noble_cost": 4,
    "noble_lacking": 6,
    "market_points": 3,
    "market_cost": 4,
    "market_shortfall": 6,
    "reserved_points": 3,
    "reserved_cost": 4,
    "reserved_shortfall": 6,
}
MISSING = 4  # and tokens that are missing for a card, which are worked out here for every seat, by this

# What the network is told about the table as a whole. The end of bot matches is not learned.
TABLE_FIELDS = (
    *("players", "phase", "turn", "first", "last_round", "round_number", "passes", "returns", "bank", "deck_size"),
    "unseen",
)
SEAT_FIELDS = ("turn", "first", "tokens", "held", "bonuses", "points", "bought", "visits")
NOTHING_THERE = OBSERVATION_SIZE  # the column of a number that is always 0

Columns = NDArray[np.int64]


def card_columns() -> Columns:
    """What is told about each card: level, from deck, present, points, bonus, shortfall of each seat, and its cost."""
    market = [
        [
            *([NOTHING_THERE] * 4),
            columns("market_present")[slot],
            columns("market_points")[slot],
            *columns("market_bonus")[slot],
            *columns("market_shortfall")[slot],
            *columns("market_cost")[slot],
        ]
        for slot in range(MARKET)
    ]
    reserved = [
        [
            *columns("reserved_level")[seat, place],
            columns("reserved_from_deck")[seat, place],
            NOTHING_THERE,
            columns("reserved_points")[seat, place],
            *columns("reserved_bonus")[seat, place],
            *(
                columns("reserved_shortfall")[seat, place] if other == seat else NOTHING_THERE
                for other in range(MAX_PLAYERS)
            ),
            *columns("reserved_cost")[seat, place],
        ]
        for seat in range(MAX_PLAYERS)
        for place in range(RESERVE_LIMIT)
    ]
    return np.array(market + reserved)


def noble_columns() -> Columns:
    """What is told about each noble: present, its cost, the bonuses that each seat lacks."""
    present = columns("noble_present").reshape(TABLE_NOBLES, 1)
    return np.concatenate([present, columns("noble_cost"), columns("noble_lacking")], axis=1)


def seat_columns() -> Columns:
    """What is told about each seat."""
    return np.concatenate([columns(name).reshape(MAX_PLAYERS, -1) for name in SEAT_FIELDS], axis=1)


def table_columns() -> Columns:
    """What is told about the table."""
    return np.concatenate([columns(name).ravel() for name in TABLE_FIELDS]).reshape(1, -1)


def input_scale() -> NDArray[np.float32]:
    """What each number of an observation is multiplied with  [number]."""
    scale = np.ones(OBSERVATION_SIZE, np.float32)
    for name, size in SIZES.items():
        scale[columns(name).ravel()] = 1.0 / size
    return scale


def things_of(players: int) -> int:
    """How many things there are in a game."""
    return SEAT + players * EACH
