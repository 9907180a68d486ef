"""The numbering of the decisions: 72 actions, the same for every position and player count.

A turn is one action up to PASS, then, where the rules ask for it, returns of one token at a time and the
choice of a noble. A buy by number pays with as little gold as possible. `docs/notation.md` lists them all.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from splendor.core.components import COLORS, GOLD, LEVELS
from splendor.core.state import ACT, MARKET, NOBLE, RESERVE_LIMIT, RETURN, SLOTS, TABLE_NOBLES
from splendor.core.types import Action, Count, Phase


class ActionGroup(NamedTuple):
    """Actions that do the same with different tokens, cards or nobles."""

    kind: str  # what they do
    thing: str  # what they do it with, numbered from the first action on
    phase: Phase  # in which they are decided
    first: Action
    size: Count

    @property
    def actions(self) -> range:
        """Their numbers."""
        return range(self.first, self.first + self.size)


_takes = [
    *combinations(range(GOLD), 3),  # three different colors
    *combinations(range(GOLD), 2),  # two, when the bank has only two colors left
    *combinations(range(GOLD), 1),  # one, when it has only one
    *((color, color) for color in range(GOLD)),  # two of one color
]


def _groups() -> tuple[ActionGroup, ...]:
    rows = (
        ("take", "three colors", ACT, 10),
        ("take", "two colors", ACT, 10),
        ("take", "one color", ACT, GOLD),
        ("take", "two of one color", ACT, GOLD),
        ("reserve", "market slot", ACT, MARKET),
        ("draw", "level", ACT, LEVELS),  # a reserve from a deck
        ("buy", "market slot", ACT, MARKET),
        ("buy", "reserved card", ACT, RESERVE_LIMIT),
        ("pass", "", ACT, 1),
        ("return", "color", RETURN, GOLD + 1),
        ("noble", "place on the table", NOBLE, TABLE_NOBLES),
    )
    groups, first = [], 0
    for kind, thing, phase, count in rows:
        groups.append(ActionGroup(kind, thing, phase, first, count))
        first += count
    return tuple(groups)


# All actions, in the order of their numbers. Everything else that knows ranges of numbers reads them here.
ACTION_GROUPS = _groups()
(
    TAKE_THREE,
    TAKE_TWO_DIFFERENT,
    TAKE_ONE,
    TAKE_PAIR,  # + color
    RESERVE_MARKET,  # + market slot
    RESERVE_DECK,  # + level
    BUY_MARKET,  # + market slot
    BUY_RESERVED,  # + place among the reserved cards
    PASS,
    RETURN_TOKEN,  # + color, gold included
    CHOOSE_NOBLE,  # + place on the table
) = (group.first for group in ACTION_GROUPS)
ACTIONS = sum(group.size for group in ACTION_GROUPS)
_GROUP_OF = tuple(group for group in ACTION_GROUPS for _ in group.actions)

TAKEN = np.zeros((RESERVE_MARKET, GOLD), np.int8)  # tokens taken of each color  [action, color]
TAKEN_COLORS = np.zeros(RESERVE_MARKET, np.int8)  # the same as a set, bit = color  [action]
for _action, _colors in enumerate(_takes):
    for _color in _colors:
        TAKEN[_action, _color] += 1
        TAKEN_COLORS[_action] |= 1 << _color

# The deck from which an action draws a card, if any is left: to hand, or to the market where a card has left.
DECK_OF_ACTION = np.full(ACTIONS, LEVELS, np.int8)  # LEVELS: from none  [action]
for _level in range(LEVELS):
    DECK_OF_ACTION[RESERVE_DECK + _level] = _level
    DECK_OF_ACTION[RESERVE_MARKET + SLOTS * _level : RESERVE_MARKET + SLOTS * (_level + 1)] = _level
    DECK_OF_ACTION[BUY_MARKET + SLOTS * _level : BUY_MARKET + SLOTS * (_level + 1)] = _level

# The actions of each phase: the first, and how many there are.   [phase]
PHASE_ACTION = np.array([min(g.first for g in ACTION_GROUPS if g.phase == p) for p in (ACT, RETURN, NOBLE)], np.int8)
PHASE_ACTIONS = np.array([sum(g.size for g in ACTION_GROUPS if g.phase == p) for p in (ACT, RETURN, NOBLE)], np.int8)

for _table in (TAKEN, TAKEN_COLORS, DECK_OF_ACTION, PHASE_ACTION, PHASE_ACTIONS):
    _table.flags.writeable = False


def group_of(action: Action) -> ActionGroup:
    """The group that an action belongs to.

    >>> group_of(43).kind, 43 - group_of(43).first
    ('draw', 1)
    """
    return _GROUP_OF[action]


def describe_action(action: Action) -> str:
    """An action in words, for lists and messages.

    >>> describe_action(0), describe_action(43), describe_action(66)
    ('take white, blue, green', 'reserve from deck 2', 'return gold')
    """
    group = group_of(action)
    place = action - group.first
    match group.kind, group.thing:
        case "take", _:
            return "take " + ", ".join(COLORS[color] for color in _takes[action])
        case (("reserve" | "buy"), "market slot"):
            return f"{group.kind} {_slot(place)}"
        case "draw", _:
            return f"reserve from deck {place + 1}"
        case "buy", _:
            return f"buy reserved card {place + 1}"
        case "return", _:
            return f"return {COLORS[place]}"
        case "noble", _:
            return f"choose noble {place + 1}"
    return group.kind


def _slot(slot: int) -> str:
    return f"level {slot // SLOTS + 1} card {slot % SLOTS + 1}"
