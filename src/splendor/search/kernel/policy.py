"""A light policy: how attractive each legal decision looks, without trying any of them.

It is cheap enough to play on with, many times, from the leaves of the search tree, and good enough to say which
branches deserve a look first. Each card that the seat can see is worth something: its points, the demand for
its bonus, less for every turn it takes to pay for it. Tokens are worth what the cards they are missing for are worth.
"""

from __future__ import annotations

import math

import numpy as np

from splendor.core.actions import (
    ACTIONS,
    BUY_MARKET,
    CHOOSE_NOBLE,
    PASS,
    PHASE_ACTION,
    RESERVE_DECK,
    RESERVE_MARKET,
    RETURN_TOKEN,
    TAKE_PAIR,
    TAKEN,
)
from splendor.core.bits import count_bits
from splendor.core.chance import random_bits
from splendor.core.components import CARD_BONUS, CARD_COST_BITS, CARD_POINTS, CARDS, GOLD
from splendor.core.jit import rule
from splendor.core.rules import (
    HAND_LIMIT,
    WINNING_POINTS,
    bonus_bits,
    can_buy,
    gold_needed,
    legal_set,
    means,
    missing,
    of_color,
    tokens_held,
)
from splendor.core.state import ACT, MARKET, RESERVE_LIMIT, RETURN, State
from splendor.core.types import Action, Bits, ByAction, Count, Floats, Place, Rng, Slot
from splendor.search.kernel.evaluation import (
    FEATURES,
    NEARNESS,
    ROW,
    SHORTNESS,
    count_coverage,
    count_nobles,
    turns_to_afford,
    visible_card,
    visit,
)

# The weights of the policy.
(
    POINT,  # the worth of a card: for each point,
    BONUS,  # for the demand for its bonus,
    CARD,  # and for being a card
    BUY,  # a buy at all,
    BUY_WORTH,  # for the worth of the card,
    BUY_NOBLE,  # for the points of a noble that comes with it,
    BUY_GOLD,  # for each gold spent
    TAKE_NEED,  # a take: for the need for its tokens,
    TAKE_TOKEN,  # for each token,
    TAKE_RETURN,  # for each token that has to be returned
    RESERVE,  # a reserve at all,
    RESERVE_WORTH,  # for the worth of the card, the nearer the more,
    RESERVE_GOLD,  # for the gold that comes with it,
    RESERVE_DENY,  # for the points of a card that the next player could buy
    DRAW,  # a reserve from a deck
) = range(15)
FINISH = 50.0  # a buy that brings 15 points
SECOND_TOKEN = 0.75  # of two tokens of one color, each is needed so much as one alone
SPARE_BITS = np.uint64(11)  # of 64: a float has 53

# The scratch paper: the row of the evaluation, the need for tokens of each color, the worth of each card in sight.
NEED = ROW
WORTH = NEED + GOLD  # [market slots, then reserved cards]
NEAR = WORTH + MARKET + RESERVE_LIMIT
PAPER = NEAR + MARKET + RESERVE_LIMIT


@rule
def rate_decisions(state: State, policy: Floats, ratings: ByAction, row: Floats) -> Bits:
    """Write how attractive each legal decision is into `ratings` [action]; return the set of legal decisions.

    `policy` holds the weights, `row` is scratch paper for PAPER numbers.
    """
    legal = legal_set(state)
    if state.phase == ACT:
        rate_actions(state, legal, policy, ratings, row)
    elif state.phase == RETURN:
        rate_cards(state, policy, row)
        for color in range(GOLD):
            ratings[RETURN_TOKEN + color] = -policy[TAKE_NEED] * row[NEED + color]
        ratings[RETURN_TOKEN + GOLD] = -FINISH
    else:
        for action in range(CHOOSE_NOBLE, ACTIONS):
            ratings[action] = 0.0
    return legal


@rule
def rate_cards(state: State, policy: Floats, row: Floats) -> None:
    """The worth of every card in sight, and from it the need for tokens of each color."""
    seat = state.seat
    for number in range(FEATURES, NEED + GOLD):
        row[number] = 0.0
    count_nobles(state, seat, row)
    count_coverage(state, seat, row)
    has, gold = means(state, seat), int(state.tokens[seat, GOLD])
    for place in range(MARKET + RESERVE_LIMIT):
        card = visible_card(state, seat, place)
        row[WORTH + place] = row[NEAR + place] = 0.0
        if card < CARDS:
            lacking = missing(CARD_COST_BITS[card], has)
            turns = turns_to_afford(lacking, gold)
            worth = policy[CARD] + policy[POINT] * CARD_POINTS[card] + policy[BONUS] * row[FEATURES + CARD_BONUS[card]]
            near = worth * NEARNESS[turns] * SHORTNESS[count_bits(lacking)]
            row[WORTH + place], row[NEAR + place] = worth, near
            for color in range(GOLD):
                row[NEED + color] += near * (of_color(lacking, color) > 0)


@rule
def rate_actions(state: State, legal: Bits, policy: Floats, ratings: ByAction, row: Floats) -> None:
    rate_cards(state, policy, row)
    room = HAND_LIMIT - tokens_held(state, state.seat)
    for action in range(RESERVE_MARKET):
        if legal >> action & 1:
            ratings[action] = rate_take(action, room, policy, row)
    for slot in range(MARKET):
        if legal >> (RESERVE_MARKET + slot) & 1:
            ratings[RESERVE_MARKET + slot] = rate_reserve(state, slot, room, policy, row)
    for action in range(RESERVE_DECK, BUY_MARKET):
        ratings[action] = policy[DRAW] + rate_gold(state, room, policy)
    for place in range(MARKET + RESERVE_LIMIT):
        if legal >> (BUY_MARKET + place) & 1:
            ratings[BUY_MARKET + place] = rate_buy(state, place, policy, row)
    ratings[PASS] = 0.0


@rule
def rate_take(action: Action, room: Count, policy: Floats, row: Floats) -> float:
    tokens, need = 0, 0.0
    for color in range(GOLD):
        tokens += TAKEN[action, color]
        need += TAKEN[action, color] * row[NEED + color]
    if action >= TAKE_PAIR:
        need *= SECOND_TOKEN
    return policy[TAKE_NEED] * need + policy[TAKE_TOKEN] * tokens - policy[TAKE_RETURN] * max(tokens - room, 0)


@rule
def rate_gold(state: State, room: Count, policy: Floats) -> float:
    if state.bank[GOLD] == 0:
        return 0.0
    return policy[RESERVE_GOLD] - policy[TAKE_RETURN] * (room <= 0)


@rule
def rate_reserve(state: State, slot: Slot, room: Count, policy: Floats, row: Floats) -> float:
    rating = policy[RESERVE] + policy[RESERVE_WORTH] * row[NEAR + slot] + rate_gold(state, room, policy)
    card = state.market[slot]
    rival = (state.seat + 1) % state.players
    if CARD_POINTS[card] > 0 and can_buy(state, rival, card):
        is_last = state.points[rival] + CARD_POINTS[card] >= WINNING_POINTS
        rating += policy[RESERVE_DENY] * (WINNING_POINTS if is_last else CARD_POINTS[card])
    return rating


@rule
def rate_buy(state: State, place: Place, policy: Floats, row: Floats) -> float:
    card = visible_card(state, state.seat, place)
    noble = visit(state, bonus_bits(state, state.seat), card)
    rating = policy[BUY] + policy[BUY_WORTH] * row[WORTH + place] + policy[BUY_NOBLE] * noble
    if state.points[state.seat] + CARD_POINTS[card] + noble >= WINNING_POINTS:
        rating += FINISH
    return rating - policy[BUY_GOLD] * gold_needed(state, state.seat, card)


@rule
def likely_decision(state: State, noise: float, rng: Rng, policy: Floats, ratings: ByAction, row: Floats) -> Action:
    """The most attractive decision, after each rating has been raised by a random amount up to `noise`."""
    legal, first = rate_decisions(state, policy, ratings, row), int(PHASE_ACTION[state.phase])
    best, best_rating = -1, -math.inf
    while legal != 0:
        action = first + smallest(legal)
        legal &= legal - 1
        rating = ratings[action] + noise * uniform(rng)
        if rating > best_rating:
            best, best_rating = action, rating
    return best


@rule
def write_priors(
    state: State,
    temperature: float,
    policy: Floats,
    ratings: ByAction,
    priors: ByAction,
    row: Floats,
) -> None:
    """How likely each legal decision is to be the best, as far as the policy can tell: the softmax of its ratings."""
    legal, first = rate_decisions(state, policy, ratings, row), int(PHASE_ACTION[state.phase])
    for action in range(ACTIONS):
        priors[action] = 0.0
    top, total = -math.inf, 0.0
    left = legal
    while left != 0:
        top = max(top, ratings[first + smallest(left)])
        left &= left - 1
    left = legal
    while left != 0:
        action = first + smallest(left)
        left &= left - 1
        priors[action] = math.exp((ratings[action] - top) / temperature)
        total += priors[action]
    for action in range(ACTIONS):
        priors[action] /= total


@rule
def smallest(numbers: Bits) -> int:
    """The smallest number of a set that is not empty."""
    return count_bits((numbers & -numbers) - 1)


@rule
def uniform(rng: Rng) -> float:
    """A random number from 0 to 1."""
    return int(random_bits(rng) >> SPARE_BITS) * 2.0**-53
