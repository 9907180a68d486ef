"""What a position is worth without playing on: the share of the win that each seat can expect.

Every seat is described by a few numbers that a player would count as well: points, bonuses, tokens, cards and
nobles in reach. A weighted sum of them is the seat's strength, and the shares are the softmax of the strengths:
twice the odds for every 0.69 of a lead. The weights are fitted to games (`benchmarks/fit_evaluation.py`). Each
number has two of them for 2, 3 and 4 players, for the start and for the end of a game; in between they are mixed.

Cards that nobody has seen count for nothing, so a view can be evaluated just as a full state.
"""

from __future__ import annotations

import math

import numpy as np

from splendor.core.bits import count_bits
from splendor.core.components import (
    CARD_BONUS,
    CARD_COST,
    CARD_COST_BITS,
    CARD_POINTS,
    CARDS,
    COLOR_BITS,
    GOLD,
    MAX_PLAYERS,
    NO_CARD,
    NOBLE_COST_BITS,
    NOBLE_POINTS,
)
from splendor.core.jit import rule
from splendor.core.rules import (
    WINNING_POINTS,
    bonus_bits,
    is_over,
    is_waiting,
    means,
    missing,
    of_color,
    visited_by,
    write_win_shares,
)
from splendor.core.state import MARKET, RESERVE_LIMIT, TABLE_NOBLES, State
from splendor.core.types import Bits, BySeat, Card, Count, Floats, Place, Seat
from splendor.search.kernel.weights import Weights

# What is counted for each seat.
(
    POINTS,  # prestige
    POINTS_SQUARED,  # the last points are worth more than the first; divided by 15
    CARDS_BOUGHT,
    COLORS_OWNED,  # bonus colors that the seat has at all
    COVERED,  # how much of the cards with points the bonuses pay for, in points
    GEMS,  # tokens without gold
    GOLDS,
    POINTS_NEAR,  # points of the cards in reach, less for every turn it takes to pay for them
    BEST_NEAR,  # the best of these
    RESERVED_NEAR,  # the same for the reserved cards, which nobody else can take
    CARDS_NEAR,  # cards in reach, with or without points
    BONUS_NEAR,  # the same, each card as often as its bonus is asked for by cards with points and by nobles
    RESERVED,  # cards in the hand
    NOBLES_NEAR,  # nobles, less for every bonus that is lacking
    BEST_NOBLE,  # the nearest of these
    TO_MOVE,  # the seat decides now
    TURN_LEFT,  # the seat has not had its turn in this round
    CAN_FINISH,  # a card that can be paid for brings 15 points
    HAS_FINISHED,  # 15 points are there
) = range(19)
FEATURES = 19
ROW = FEATURES + GOLD  # room for one seat: its features, and its demand for bonuses of each color

TURNS = 8  # that many turns or more are all the same
NEARNESS = 0.72 ** np.arange(TURNS + 1)  # what a card is worth that takes so many turns  [turns]
TOKENS = 16  # no card lacks as many tokens
SHORTNESS = 0.95 ** np.arange(TOKENS)  # and a little less for every token that is missing  [tokens]
NOBLE_NEARNESS = 0.66 ** np.arange(10)  # what a noble is worth for whom so many bonuses are lacking  [bonuses]
CARD_TOKENS = CARD_COST.sum(axis=1).astype(np.int64)  # the printed cost in tokens  [card]
for _table in (NEARNESS, SHORTNESS, NOBLE_NEARNESS, CARD_TOKENS):
    _table.flags.writeable = False


@rule
def turns_to_afford(lacking: Bits, gold: Count) -> Count:
    """How many turns of taking tokens it takes at least, roughly, to get the `lacking` ones (bits as in a cost).

    A turn brings three tokens, but of one color only one, or two once.
    """
    short = count_bits(lacking) - gold
    if short <= 0:
        return 0
    longest = 0
    for color in range(GOLD):
        longest = max(longest, count_bits(of_color(lacking, color)))
    longest -= gold
    turns = max((short + 2) // 3, longest - (longest > 1))
    return min(turns, TURNS)


@rule
def count_features(state: State, seat: Seat, row: Floats) -> None:
    """Write what is counted for one seat into `row`, which has room for ROW numbers."""
    for number in range(ROW):
        row[number] = 0.0
    points = int(state.points[seat])
    row[POINTS] = points
    row[POINTS_SQUARED] = points * points / WINNING_POINTS
    row[HAS_FINISHED] = points >= WINNING_POINTS
    for color in range(GOLD):
        row[CARDS_BOUGHT] += state.bonuses[seat, color]
        row[COLORS_OWNED] += state.bonuses[seat, color] > 0
        row[GEMS] += state.tokens[seat, color]
    row[GOLDS] = state.tokens[seat, GOLD]
    count_nobles(state, seat, row)
    count_coverage(state, seat, row)
    count_cards(state, seat, row)
    row[TO_MOVE] = state.seat == seat
    row[TURN_LEFT] = (seat - state.first) % state.players >= (state.seat - state.first) % state.players


@rule
def visible_card(state: State, seat: Seat, place: Place) -> Card:
    """The market slots, then the cards in the hand of a seat."""
    return state.market[place] if place < MARKET else state.reserved[seat, place - MARKET]


@rule
def count_nobles(state: State, seat: Seat, row: Floats) -> None:
    """Nobles that come nearer, and the demand of each for the bonuses it lacks."""
    bonuses = bonus_bits(state, seat)
    for place in range(TABLE_NOBLES):
        if is_waiting(state, place):
            lacking = missing(NOBLE_COST_BITS[state.nobles[place]], bonuses)
            near = NOBLE_NEARNESS[count_bits(lacking)]
            row[NOBLES_NEAR] += near
            row[BEST_NOBLE] = max(row[BEST_NOBLE], near)
            for color in range(GOLD):
                row[FEATURES + color] += NOBLE_POINTS * near * (of_color(lacking, color) > 0)


@rule
def count_coverage(state: State, seat: Seat, row: Floats) -> None:
    """What the bonuses pay of the cards with points, and the demand of each for the bonuses that would pay more."""
    bonuses = bonus_bits(state, seat)
    for place in range(MARKET + RESERVE_LIMIT):
        card = visible_card(state, seat, place)
        if card < CARDS and CARD_POINTS[card] > 0:
            open_cost = missing(CARD_COST_BITS[card], bonuses)
            worth = CARD_POINTS[card] / CARD_TOKENS[card]
            row[COVERED] += worth * (CARD_TOKENS[card] - count_bits(open_cost))
            for color in range(GOLD):
                row[FEATURES + color] += worth * (of_color(open_cost, color) > 0)


@rule
def count_cards(state: State, seat: Seat, row: Floats) -> None:
    """What the market and the cards in the hand promise, the less the longer it takes to pay for them."""
    bonuses = bonus_bits(state, seat)
    has = means(state, seat)
    gold = int(state.tokens[seat, GOLD])
    for place in range(MARKET + RESERVE_LIMIT):
        card = visible_card(state, seat, place)
        row[RESERVED] += place >= MARKET and card != NO_CARD
        if card >= CARDS:
            continue
        lacking = missing(CARD_COST_BITS[card], has)
        turns = turns_to_afford(lacking, gold)
        near = NEARNESS[turns] * SHORTNESS[count_bits(lacking)]
        points = int(CARD_POINTS[card])
        row[CARDS_NEAR] += near
        row[BONUS_NEAR] += near * row[FEATURES + CARD_BONUS[card]]
        row[POINTS_NEAR] += near * points
        row[BEST_NEAR] = max(row[BEST_NEAR], near * points)
        if place >= MARKET:
            row[RESERVED_NEAR] += near * points
        if turns == 0 and row[POINTS] + points + visit(state, bonuses, card) >= WINNING_POINTS:
            row[CAN_FINISH] = 1.0


@rule
def visit(state: State, bonuses: Bits, card: Card) -> Count:
    """The points of a noble that comes when this card is bought."""
    color = int(CARD_BONUS[card])
    with_card = bonuses | (of_color(bonuses, color) << 1 | 1) << (COLOR_BITS * color)
    return NOBLE_POINTS if visited_by(state, with_card) != 0 else 0


@rule
def progress(state: State) -> float:
    """How far the game has come, from 0 to 1, by the points of whoever has most."""
    most = 0
    for seat in range(state.players):
        most = max(most, int(state.points[seat]))
    return min(most / WINNING_POINTS, 1.0)


@rule
def strength(state: State, seat: Seat, weights: Weights, row: Floats) -> float:
    """How well a seat stands; only differences between seats mean something. `row` is scratch paper."""
    count_features(state, seat, row)
    late = progress(state)
    start, end = weights[state.players - 2]
    total = 0.0
    for feature in range(FEATURES):
        total += row[feature] * (start[feature] * (1.0 - late) + end[feature] * late)
    return total


@rule
def evaluate(state: State, weights: Weights, shares: BySeat, row: Floats) -> None:
    """Write the share of the win that each seat can expect; of a finished game, the share it has."""
    if is_over(state):
        write_win_shares(state, shares)
        return
    total = 0.0
    for seat in range(MAX_PLAYERS):
        shares[seat] = math.exp(strength(state, seat, weights, row)) if seat < state.players else 0.0
        total += shares[seat]
    for seat in range(MAX_PLAYERS):
        shares[seat] /= total
