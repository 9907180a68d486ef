"""The numbering of the decisions: 72 actions, the same for every position and player count.

A turn is one action up to PASS, then, where the rules ask for it, returns of one token at a time and the
choice of a noble. A buy by number pays with as little gold as possible. `docs/notation.md` lists them all.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from splendor.components import COLORS, GOLD, LEVELS
from splendor.state import MARKET, RESERVE_LIMIT, TABLE_NOBLES

_takes = [
    *combinations(range(GOLD), 3),  # three different colors
    *combinations(range(GOLD), 2),  # two, when the bank has only two colors left
    *combinations(range(GOLD), 1),  # one, when it has only one
    *((color, color) for color in range(GOLD)),  # two of one color
]

TAKE_THREE = 0
TAKE_TWO_DIFFERENT = 10
TAKE_ONE = 20
TAKE_PAIR = 25
RESERVE_MARKET = TAKE_PAIR + GOLD  # + market slot
RESERVE_DECK = RESERVE_MARKET + MARKET  # + level
BUY_MARKET = RESERVE_DECK + LEVELS  # + market slot
BUY_RESERVED = BUY_MARKET + MARKET  # + place among the reserved cards
PASS = BUY_RESERVED + RESERVE_LIMIT
RETURN_TOKEN = PASS + 1  # + color, gold included
CHOOSE_NOBLE = RETURN_TOKEN + GOLD + 1  # + place on the table
ACTIONS = CHOOSE_NOBLE + TABLE_NOBLES

TAKEN = np.zeros((RESERVE_MARKET, GOLD), np.int8)  # tokens taken of each color  [action, color]
TAKEN_COLORS = np.zeros(RESERVE_MARKET, np.int8)  # the same as a set, bit = color  [action]
for _action, _colors in enumerate(_takes):
    for _color in _colors:
        TAKEN[_action, _color] += 1
        TAKEN_COLORS[_action] |= 1 << _color

# Takes of different colors, by the number of colors they take: the first action, and how many there are.
TAKE_DIFFERENT = np.array([0, TAKE_ONE, TAKE_TWO_DIFFERENT, TAKE_THREE], np.int8)
TAKE_DIFFERENT_COUNT = np.array([0, 5, 10, 10], np.int8)

# The actions of each phase: the first, and how many there are.   [phase]
PHASE_ACTION = np.array([0, RETURN_TOKEN, CHOOSE_NOBLE], np.int8)
PHASE_ACTIONS = np.array([RETURN_TOKEN, GOLD + 1, TABLE_NOBLES], np.int8)

for _table in (TAKEN, TAKEN_COLORS, TAKE_DIFFERENT, TAKE_DIFFERENT_COUNT, PHASE_ACTION, PHASE_ACTIONS):
    _table.flags.writeable = False


def describe_action(action: int) -> str:
    """An action in words, for lists and messages.

    >>> describe_action(0), describe_action(43), describe_action(66)
    ('take white, blue, green', 'reserve from deck 2', 'return gold')
    """
    if action < RESERVE_MARKET:
        return "take " + ", ".join(COLORS[color] for color in _takes[action])
    if action < RESERVE_DECK:
        return "reserve " + _slot(action - RESERVE_MARKET)
    if action < BUY_MARKET:
        return f"reserve from deck {action - RESERVE_DECK + 1}"
    if action < BUY_RESERVED:
        return "buy " + _slot(action - BUY_MARKET)
    if action < PASS:
        return f"buy reserved card {action - BUY_RESERVED + 1}"
    if action == PASS:
        return "pass"
    if action < CHOOSE_NOBLE:
        return f"return {COLORS[action - RETURN_TOKEN]}"
    return f"choose noble {action - CHOOSE_NOBLE + 1}"


def _slot(slot: int) -> str:
    return f"level {slot // 4 + 1} card {slot % 4 + 1}"
