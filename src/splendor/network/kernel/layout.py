"""Where the weights of the network lie, and the room that it works in: two records of 32-bit floats."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS
from splendor.core.components import GOLD, MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE
from splendor.network.kernel.things import (
    HEAD,
    NOTHING_THERE,
    ORDER,
    TABLE_PARTS,
    THINGS,
    WIDER,
    card_columns,
    input_scale,
    noble_columns,
    seat_columns,
    table_columns,
    things_of,
)

WIDTH, BLOCKS = 128, 8  # of the network of the package
HEADS, INNER = WIDTH // HEAD, WIDER * WIDTH
ROWS = -(-THINGS // 4) * 4  # products are worked out four rows at a time
TABLE_RATINGS = sum(TABLE_PARTS)

# What is told about each thing: its numbers in an observation, and which rows of `see` they meet.
_kinds = [card_columns(), noble_columns(), seat_columns(), table_columns()]
_more = [MAX_PLAYERS * GOLD, 0, 0, 0]  # numbers that are worked out here: tokens that are missing for a card
TOLD_MOST = max(told.shape[1] for told in _kinds)
TOLD = np.full((THINGS, TOLD_MOST), NOTHING_THERE, np.int16)  # [thing, number]
TOLD_COUNT = np.zeros(THINGS, np.int16)  # [thing]
SEE_FIRST = np.zeros(THINGS, np.int16)  # [thing]
SEE_ROWS = 0
_thing = 0
for _told, _extra in zip(_kinds, _more, strict=True):
    for _numbers in _told:
        TOLD[_thing, : len(_numbers)] = _numbers
        TOLD_COUNT[_thing] = len(_numbers)
        SEE_FIRST[_thing] = SEE_ROWS
        _thing += 1
    SEE_ROWS += _told.shape[1] + _extra
COST = _kinds[0].shape[1] - GOLD  # where the cost of a card stands among its numbers
MISSING_FIRST = _kinds[0].shape[1]  # the row of `see` for the first token that is missing

SCALE = np.append(input_scale(), np.float32(0))  # [number]
THING_ORDER = ORDER.astype(np.int16)  # the thing of each row  [row]
ROWS_OF = np.array([0, 0, *(things_of(players) for players in range(2, MAX_PLAYERS + 1))], np.int16)  # [players]
for _table in (TOLD, TOLD_COUNT, SEE_FIRST, SCALE, THING_ORDER, ROWS_OF):
    _table.flags.writeable = False

# The learned numbers. What is kept as it is comes first; then what is stored in 16 bits.
KEPT = [
    ("policy_temperature", np.float64, 3),  #                              [players - 2]
    ("see_bias", np.float32, (THINGS, WIDTH)),
    ("place", np.float32, (THINGS, WIDTH)),
    ("inner_bias", np.float32, (BLOCKS, INNER)),
    ("seat_bias", np.float32, 1),
    ("market_bias", np.float32, 2),
    ("reserved_bias", np.float32, 1),
    ("noble_bias", np.float32, 1),
    ("table_bias", np.float32, TABLE_RATINGS),
]
MATRICES = [  #                                                            [input, output]
    ("see", (SEE_ROWS, WIDTH)),
    ("look", (BLOCKS, WIDTH, 3 * WIDTH)),
    ("hear", (BLOCKS, WIDTH, WIDTH)),
    ("inner", (BLOCKS, WIDTH, INNER)),
    ("outer", (BLOCKS, INNER, WIDTH)),
    ("seat", (WIDTH,)),
    ("market", (2, WIDTH)),  # the last layers are turned: [output, input]
    ("reserved", (WIDTH,)),
    ("noble", (WIDTH,)),
    ("table", (TABLE_RATINGS, WIDTH)),
]
WEIGHTS = np.dtype([*KEPT, *((name, np.float32, shape) for name, shape in MATRICES)])
PACKED = np.dtype([*KEPT, *((name, np.float16, shape) for name, shape in MATRICES)])  # as stored

DESK = np.dtype(
    [
        ("seen", np.int8, OBSERVATION_SIZE + 1),  # rotated; then the number that is always 0
        ("things", np.float32, (ROWS, WIDTH)),
        ("normal", np.float32, (ROWS, WIDTH)),
        ("heard", np.float32, (ROWS, WIDTH)),
        ("looks", np.float32, (ROWS, 3 * WIDTH)),
        ("inner", np.float32, (ROWS, INNER)),
        ("answers", np.float32, (HEAD, ROWS)),  # of one head, turned  [number, thing]
        ("scores", np.float32, ROWS),
        ("ratings", np.float32, ACTIONS),
    ],
    align=True,
)

# The words of signatures.
Weights = Any  # one WEIGHTS record
Desk = Any  # one DESK record
Observation = NDArray[np.int8]  # what a seat sees  [number]
Row = NDArray[np.float32]  # one thing, or one line of weights  [number]
Number = float | np.float32
Rows = NDArray[np.float32]  # things, or a matrix  [thing, number]
