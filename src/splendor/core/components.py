"""What is in the box: 90 development cards and 10 noble tiles, read from the two tables in `data/`.

A card is a number from 0 to 89, one less than its printed id, and a noble from 0 to 9 likewise. A few more
card numbers stand for what is not a known card, so that every place on the table always holds a valid row
of the tables: nobody can pay for such a row, and no rule needs a special case for it.
"""

from __future__ import annotations

import csv
from importlib import resources

import numpy as np

WHITE, BLUE, GREEN, RED, BLACK, GOLD = range(6)  # the order of every color axis
COLORS = ("white", "blue", "green", "red", "black", "gold")

MAX_PLAYERS = 4
LEVELS = 3
CARDS = 90
NOBLES = 10
CARDS_IN_LEVEL = np.array([40, 30, 20], np.int8)
FIRST_CARD = np.array([0, 40, 70], np.int8)  # cards are numbered level by level

UNSEEN = CARDS  # UNSEEN + level: a card of that level that the viewer does not know
NO_CARD = UNSEEN + LEVELS  # an empty slot
NO_NOBLE = -1
UNPAYABLE = 99  # white tokens; more than any player ever has


def _read(name: str) -> list[dict[str, str]]:
    text = resources.files("splendor").joinpath("data", name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


_cards = _read("cards.csv")
_nobles = _read("nobles.csv")

CARD_LEVEL = np.zeros(NO_CARD + 1, np.int8)  # level less one       [card]
CARD_BONUS = np.zeros(NO_CARD + 1, np.int8)  # a color              [card]
CARD_POINTS = np.zeros(NO_CARD + 1, np.int8)  # prestige            [card]
CARD_COST = np.zeros((NO_CARD + 1, 5), np.int8)  # printed tokens   [card, color]
NOBLE_COST = np.zeros((NOBLES, 5), np.int8)  # bonuses asked for    [noble, color]
NOBLE_POINTS = 3

for _card, _row in enumerate(_cards):
    CARD_LEVEL[_card] = int(_row["level"]) - 1
    CARD_BONUS[_card] = COLORS.index(_row["bonus"])
    CARD_POINTS[_card] = int(_row["points"])
    CARD_COST[_card] = [int(_row[color]) for color in COLORS[:GOLD]]
for _noble, _row in enumerate(_nobles):
    NOBLE_COST[_noble] = [int(_row[color]) for color in COLORS[:GOLD]]

CARD_LEVEL[UNSEEN:NO_CARD] = range(LEVELS)
CARD_COST[UNSEEN:, WHITE] = UNPAYABLE


# Costs once more, as sets with one bit for each token or bonus: what is not covered is then found for all colors at
# once. Each color has eight bits and fills them from the lowest, so that 3 white and 1 blue are 0b1_00000111.
COLOR_BITS = 8
COLOR_SET = (1 << COLOR_BITS) - 1


def _as_bits(counts: list[int]) -> int:
    return sum(((1 << count) - 1) << (COLOR_BITS * color) for color, count in enumerate(counts))


_TOO_MUCH = (1 << 62) - 1  # bits above the colors can be covered by nothing
CARD_COST_BITS = np.full(NO_CARD + 1, _TOO_MUCH, np.int64)  # [card]
CARD_COST_BITS[:CARDS] = [_as_bits(cost) for cost in CARD_COST[:CARDS].tolist()]
NOBLE_COST_BITS = np.full(NOBLES + 1, _TOO_MUCH, np.int64)  # [noble]; NO_NOBLE, -1, is the last row
NOBLE_COST_BITS[:NOBLES] = [_as_bits(cost) for cost in NOBLE_COST.tolist()]

for _table in (CARD_LEVEL, CARD_BONUS, CARD_POINTS, CARD_COST, NOBLE_COST, CARDS_IN_LEVEL, FIRST_CARD):
    _table.flags.writeable = False
for _bits in (CARD_COST_BITS, NOBLE_COST_BITS):
    _bits.flags.writeable = False
