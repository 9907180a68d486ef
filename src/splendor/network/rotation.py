"""The same position in other colors: all of them moved on around a ring.

White, blue, green, red, black, and white again: of the 18 kinds of cards, twelve and the nobles stay the same when all
colors move on by one, and a card of the other six has a counterpart with the same price in other colors. So a rotated
position is about as good for everybody as the position itself. A network is not told that, and what it learns of one
of them, it can learn of all five.

A position is rotated as a network sees it, and its decisions with it:

>>> observation = np.arange(OBSERVATION_SIZE)
>>> (observation[COLUMNS[1]][COLUMNS[4]] == observation).all()
np.True_
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS, RETURN_TOKEN, TAKEN
from splendor.core.components import CARD_BONUS, CARD_COST, CARD_LEVEL, CARD_POINTS, CARDS, GOLD
from splendor.core.features import OBSERVATION_SIZE, columns

ROTATIONS = GOLD  # after so many steps each color is itself again

# The fields of an observation whose last axis is the color.
COLORED = (
    *("bank", "tokens", "bonuses", "noble_cost", "market_bonus", "market_cost", "market_missing"),
    *("reserved_bonus", "reserved_cost", "reserved_missing"),
)


def colors_before(steps: int) -> NDArray[np.int64]:
    """For each color, the one that becomes it after so many steps."""
    return (np.arange(GOLD) - steps) % GOLD


def cards_before(steps: int) -> NDArray[np.int64]:
    """For each card, its counterpart in the color before: of its level, its points and its price."""

    def kind(card: int, bonus: int) -> tuple[int, ...]:
        return int(CARD_LEVEL[card]), int(CARD_POINTS[card]), bonus, *sorted(CARD_COST[card].tolist())

    cards = {kind(card, int(CARD_BONUS[card])): card for card in range(CARDS)}
    colors = colors_before(steps)
    return np.array([cards[kind(card, int(colors[CARD_BONUS[card]]))] for card in range(CARDS)])


def columns_before(steps: int) -> NDArray[np.int64]:
    """For each number of a rotated observation, where it stood before."""
    before = np.arange(OBSERVATION_SIZE)
    for name in COLORED:
        field = columns(name)
        before[field[..., :GOLD]] = field[..., colors_before(steps)]
    unseen = columns("unseen")
    before[unseen] = unseen[cards_before(steps)]
    return before


def decisions_before(steps: int) -> NDArray[np.int64]:
    """For each decision in a rotated position, what it was before."""
    before = np.arange(ACTIONS)
    takes = {tuple(taken): action for action, taken in enumerate(TAKEN.tolist())}
    for action, taken in enumerate(TAKEN[:, colors_before(-steps)].tolist()):
        before[action] = takes[tuple(taken)]
    returns = RETURN_TOKEN + np.arange(GOLD)
    before[returns] = returns[colors_before(steps)]
    return before


COLUMNS = np.stack([columns_before(steps) for steps in range(ROTATIONS)])  # [steps, number of an observation]
DECISIONS = np.stack([decisions_before(steps) for steps in range(ROTATIONS)])  # [steps, action]
for _table in (COLUMNS, DECISIONS):
    _table.flags.writeable = False
