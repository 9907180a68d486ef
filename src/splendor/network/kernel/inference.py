"""What the network thinks of one position: the graph of `training/model.py` in loops.

Every thing on the table is a row of WIDTH numbers. In every block the rows look at each other, and then each is thought
about for itself. The inner loops run over the numbers of a row, so that a compiler makes SIMD instructions of them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import (
    ACTIONS,
    BUY_MARKET,
    BUY_RESERVED,
    CHOOSE_NOBLE,
    PASS,
    RESERVE_DECK,
    RESERVE_MARKET,
)
from splendor.core.components import GOLD, LEVELS, MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE, columns
from splendor.core.jit import rule
from splendor.core.state import MARKET, RESERVE_LIMIT, TABLE_NOBLES
from splendor.core.types import ByAction, BySeat, Count
from splendor.network.kernel.layout import (
    BLOCKS,
    COST,
    HEADS,
    INNER,
    MISSING_FIRST,
    ROWS_OF,
    SCALE,
    SEE_FIRST,
    THING_ORDER,
    TOLD,
    TOLD_COUNT,
    WIDTH,
    Desk,
    Number,
    Observation,
    Row,
    Rows,
    Weights,
)
from splendor.network.kernel.things import CARD_PLACES, EACH, FIRST_NOBLE, HEAD, MISSING, NOBLE, RESERVED, SEAT, TABLE
from splendor.network.rotation import COLUMNS, DECISIONS, ROTATIONS

ROTATED = COLUMNS.astype(np.int16)  # [steps, number of an observation]
ROTATED_DECISIONS = DECISIONS.astype(np.int8)  # [steps, action]
TOKENS, BONUSES = int(columns("tokens")[0, 0]), int(columns("bonuses")[0, 0])
PLAYERS = int(columns("players")[0])  # one-hot from 2 on
for _table in (ROTATED, ROTATED_DECISIONS):
    _table.flags.writeable = False

EPSILON = np.float32(np.finfo(np.float32).eps)  # added to a mean square, as PyTorch does
SHARPNESS = np.float32(HEAD**-0.5)
ONE_MISSING = np.float32(1 / MISSING)
SMALLEST_HALF = np.float32(2.0**-25)  # half of the smallest number that 16 bits can show
ZERO, ONE, SIZE = np.float32(0), np.float32(1), np.float32(WIDTH)


@rule
def rate(
    observation: Observation, steps: Count, weights: Weights, desk: Desk, shares: BySeat, ratings: ByAction
) -> None:
    """Shares of the win from the seat that looks on [distance] and logits [action], with colors moved on by `steps`."""
    for number in range(OBSERVATION_SIZE):
        desk.seen[number] = observation[ROTATED[steps, number]]
    desk.seen[OBSERVATION_SIZE] = 0
    players = 2
    while players < MAX_PLAYERS and desk.seen[PLAYERS + players - 2] == 0:
        players += 1
    things = int(ROWS_OF[players])
    rows = (things + 3) // 4 * 4
    enter(things, weights, desk)
    for block in range(BLOCKS):
        look_around(block, things, rows, weights, desk)
        think(block, rows, weights, desk)
    normalize(desk.things, rows, desk.normal)
    rate_seats(players, weights, desk.normal, shares)
    rate_actions(players, weights, desk.normal, desk.ratings)
    back = (ROTATIONS - steps) % ROTATIONS
    for action in range(ACTIONS):
        ratings[action] = desk.ratings[ROTATED_DECISIONS[back, action]]


@rule
def enter(things: Count, weights: Weights, desk: Desk) -> None:
    """Each thing as a row of numbers, made from what the observation says about it."""
    for row in range(things):
        thing = int(THING_ORDER[row])
        first = int(SEE_FIRST[thing])
        place = desk.things[row]
        for j in range(WIDTH):
            place[j] = weights.see_bias[thing, j]
        for number in range(TOLD_COUNT[thing]):
            column = int(TOLD[thing, number])
            if desk.seen[column] != 0:
                add_row(place, weights.see[first + number], np.float32(desk.seen[column]) * SCALE[column])
        if thing < CARD_PLACES:
            enter_missing(thing, weights, desk.seen, place)
        for j in range(WIDTH):
            place[j] = max(place[j], ZERO) + weights.place[thing, j]


@rule
def enter_missing(card: int, weights: Weights, seen: Observation, place: Row) -> None:
    """The tokens that each seat lacks for a card."""
    for seat in range(MAX_PLAYERS):
        for color in range(GOLD):
            cost = int(seen[TOLD[card, COST + color]])
            lacking = cost - seen[TOKENS + (GOLD + 1) * seat + color] - seen[BONUSES + GOLD * seat + color]
            if lacking > 0:
                add_row(place, weights.see[MISSING_FIRST + GOLD * seat + color], np.float32(lacking) * ONE_MISSING)


@rule
def add_row(place: Row, row: Row, times: Number) -> None:
    for j in range(WIDTH):
        place[j] += times * row[j]


@rule
def normalize(rows: Rows, count: Count, out: Rows) -> None:
    """Rows brought to the same length."""
    for i in range(count):
        square = ZERO
        for j in range(WIDTH):
            square += rows[i, j] * rows[i, j]
        scale = ONE / np.float32(math.sqrt(square / SIZE + EPSILON))
        for j in range(WIDTH):
            out[i, j] = rows[i, j] * scale


@rule
def add_product(a: Rows, b: Rows, c: Rows, rows: Count, inner: int, width: int) -> None:
    """c += a b, four rows and four steps of the inner axis at a time."""
    for i in range(0, rows, 4):
        for k in range(0, inner, 4):
            a0, a1, a2, a3 = a[i, k], a[i, k + 1], a[i, k + 2], a[i, k + 3]
            d0, d1, d2, d3 = a[i + 1, k], a[i + 1, k + 1], a[i + 1, k + 2], a[i + 1, k + 3]
            e0, e1, e2, e3 = a[i + 2, k], a[i + 2, k + 1], a[i + 2, k + 2], a[i + 2, k + 3]
            f0, f1, f2, f3 = a[i + 3, k], a[i + 3, k + 1], a[i + 3, k + 2], a[i + 3, k + 3]
            for j in range(width):
                b0, b1, b2, b3 = b[k, j], b[k + 1, j], b[k + 2, j], b[k + 3, j]
                c[i, j] += (a0 * b0 + a1 * b1) + (a2 * b2 + a3 * b3)
                c[i + 1, j] += (d0 * b0 + d1 * b1) + (d2 * b2 + d3 * b3)
                c[i + 2, j] += (e0 * b0 + e1 * b1) + (e2 * b2 + e3 * b3)
                c[i + 3, j] += (f0 * b0 + f1 * b1) + (f2 * b2 + f3 * b3)


@rule
def look_around(block: int, things: Count, rows: Count, weights: Weights, desk: Desk) -> None:
    """Attention: what each thing takes from the others is added to it."""
    normalize(desk.things, rows, desk.normal)
    for i in range(rows):
        for j in range(3 * WIDTH):
            desk.looks[i, j] = ZERO
    add_product(desk.normal, weights.look[block], desk.looks, rows, WIDTH, 3 * WIDTH)
    for head in range(HEADS):
        attend(HEAD * head, things, desk.looks, desk.answers, desk.scores, desk.heard)
    add_product(desk.heard, weights.hear[block], desk.things, rows, WIDTH, WIDTH)


@rule
def attend(first: int, things: Count, looks: Rows, answers: Rows, scores: Row, heard: Rows) -> None:
    """One head: what each thing asks for, how each answers, and what each tells."""
    for n in range(HEAD):
        for thing in range(things):
            answers[n, thing] = looks[thing, WIDTH + first + n]
    for i in range(things):
        for thing in range(things):
            scores[thing] = ZERO
        for n in range(HEAD):
            asks = looks[i, first + n] * SHARPNESS
            for thing in range(things):
                scores[thing] += asks * answers[n, thing]
        top = scores[0]
        for thing in range(things):
            top = max(top, scores[thing])
        total = ZERO
        for thing in range(things):
            scores[thing] = math.exp(scores[thing] - top)
            total += scores[thing]
        for n in range(HEAD):
            heard[i, first + n] = ZERO
        for thing in range(things):
            part = scores[thing] / total
            for n in range(HEAD):
                heard[i, first + n] += part * looks[thing, 2 * WIDTH + first + n]


@rule
def think(block: int, rows: Count, weights: Weights, desk: Desk) -> None:
    """Each thing is thought about for itself."""
    normalize(desk.things, rows, desk.normal)
    for i in range(rows):
        for j in range(INNER):
            desk.inner[i, j] = weights.inner_bias[block, j]
    add_product(desk.normal, weights.inner[block], desk.inner, rows, WIDTH, INNER)
    for i in range(rows):
        for j in range(INNER):
            desk.inner[i, j] = max(desk.inner[i, j], ZERO)
    add_product(desk.inner, weights.outer[block], desk.things, rows, INNER, WIDTH)


@rule
def product(row: Row, weights: Row) -> Number:
    """The sum of the products of two rows."""
    total = ZERO
    for j in range(WIDTH):
        total += row[j] * weights[j]
    return total


@rule
def rate_seats(players: Count, weights: Weights, things: Rows, shares: BySeat) -> None:
    """The share of each seat: the softmax of what is thought at the seats; where nobody sits, nothing."""
    top = np.float32(-math.inf)
    for seat in range(players):
        shares[seat] = product(things[SEAT + EACH * seat], weights.seat) + weights.seat_bias[0]
        top = max(top, shares[seat])
    total = ZERO
    for seat in range(MAX_PLAYERS):
        shares[seat] = math.exp(shares[seat] - top) if seat < players else ZERO
        total += shares[seat]
    for seat in range(MAX_PLAYERS):
        shares[seat] /= total


@rule
def rate_actions(players: Count, weights: Weights, things: Rows, ratings: ByAction) -> None:
    """The logit of each action, at the thing that it is about."""
    for action in range(RESERVE_MARKET):
        ratings[action] = rate_at_table(action, weights, things)
    for slot in range(MARKET):
        card = things[slot]
        ratings[RESERVE_MARKET + slot] = product(card, weights.market[0]) + weights.market_bias[0]
        ratings[BUY_MARKET + slot] = product(card, weights.market[1]) + weights.market_bias[1]
    for level in range(LEVELS):
        ratings[RESERVE_DECK + level] = rate_at_table(RESERVE_MARKET + level, weights, things)
    for place in range(RESERVE_LIMIT):
        ratings[BUY_RESERVED + place] = product(things[RESERVED + place], weights.reserved) + weights.reserved_bias[0]
    for action in range(PASS, CHOOSE_NOBLE):
        ratings[action] = rate_at_table(RESERVE_MARKET + LEVELS + action - PASS, weights, things)
    ratings[CHOOSE_NOBLE] = product(things[FIRST_NOBLE], weights.noble) + weights.noble_bias[0]
    for place in range(1, TABLE_NOBLES):
        noble = CHOOSE_NOBLE + place
        ratings[noble] = ZERO
        if place <= players:
            ratings[noble] = product(things[NOBLE + EACH * (place - 1)], weights.noble) + weights.noble_bias[0]


@rule
def rate_at_table(number: int, weights: Weights, things: Rows) -> Number:
    """The logit of an action that belongs to no card and no noble."""
    bias: Number = weights.table_bias[number]
    return product(things[TABLE], weights.table[number]) + bias


@rule
def widen(halves: NDArray[np.uint16], floats: Row, count: Count) -> None:
    """Numbers of 16 bits, as they are stored, become 32-bit floats. None of them is infinite."""
    for n in range(count):
        half = np.int64(halves[n])
        sign, exponent, fraction = half >> 15, half >> 10 & 0x1F, half & 0x3FF
        whole = (fraction + 1024) << exponent if exponent > 0 else fraction << 1
        value = np.float32(whole) * SMALLEST_HALF
        floats[n] = -value if sign else value
