"""All whole turns of a position: each action, with each exact payment, each way to return tokens, and each noble.

The rules know decisions; people and texts know turns. The decisions of a turn are played on copies of the state, so
nothing about what is legal is said here. Tokens are returned in rising color, since their order does not matter.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import BUY_MARKET, CHOOSE_NOBLE, PASS, PHASE_ACTION, RETURN_TOKEN
from splendor.core.bits import nth_bit
from splendor.core.components import GOLD, NO_NOBLE
from splendor.core.jit import rule
from splendor.core.rules import apply, apply_paying, card_for_sale, is_over, least_gold_payment, legal_set
from splendor.core.state import ACT, NOBLE, RETURN, State, States, new_states
from splendor.core.types import Action, ByColor, Count

NO_ACTION = -1  # the turn began earlier, and is finished
TURN = np.dtype(
    [
        ("action", np.int8),  # what it begins with, or NO_ACTION
        ("pays_more_gold", np.int8),  # 1: `payment` holds more gold than is needed
        ("payment", np.int8, 6),  # of a buy                     [color]
        ("returned", np.int8, 6),  #                             [color]
        ("noble", np.int8),  # the noble that is chosen, or NO_NOBLE
    ]
)
Turn = Any  # one TURN record
Turns = Any  # an array of them  [turn]
MOST_TURNS = 4096  # no position has as many
MOST_PAYMENTS = 256  # for one card
DECISIONS = 8  # room for one turn: an action, three returns and the choice of a noble need less


class Desk(NamedTuple):
    """Room to work out turns."""

    states: States  # after each decision of a turn                          [decision]
    untried: NDArray[np.int64]  # sets of decisions, see `rules.legal_set`  [decision]
    chosen: NDArray[np.int64]  # the action                               [decision]
    least: NDArray[np.int64]  # a payment with as little gold as possible    [color]
    turn: Turn  # what has been decided so far


def new_desk() -> Desk:
    return Desk(
        new_states(DECISIONS),
        np.zeros(DECISIONS, np.int64),
        np.zeros(DECISIONS, np.int64),
        np.zeros(GOLD + 1, np.int64),
        new_turns(1),
    )


def new_turns(count: int) -> np.recarray:
    return np.zeros(count, TURN).view(np.recarray)


@rule
def write_turns(state: State, turns: Turns, desk: Desk) -> Count:
    """Write all legal turns in the order of their actions, or all ends of one that has begun; return how many."""
    if is_over(state):
        return 0
    turn = desk.turn[0]
    count = 0
    legal = legal_set(state) if state.phase == ACT else 1
    while legal != 0:
        action = int(nth_bit(legal, 0)) if state.phase == ACT else NO_ACTION
        legal &= legal - 1
        begin_turn(state, action, turn, desk.least)
        has_another = True
        while has_another:
            desk.states[0] = state
            if is_buy(action):
                apply_paying(desk.states[0], action, turn.payment)
            elif action != NO_ACTION:
                apply(desk.states[0], action)
            count = write_ends(turns, count, desk)
            has_another = is_buy(action) and swap_more_gold(turn, desk.least, state.tokens[state.seat, GOLD])
    return count


@rule
def write_payments(state: State, action: Action, payments: NDArray[np.int8], desk: Desk) -> Count:
    """Write every exact payment for a buy, that with least gold first; return how many."""
    turn = desk.turn[0]
    begin_turn(state, action, turn, desk.least)
    count = 0
    has_another = True
    while has_another and count < len(payments):
        for color in range(GOLD + 1):
            payments[count, color] = turn.payment[color]
        count += 1
        has_another = swap_more_gold(turn, desk.least, state.tokens[state.seat, GOLD])
    return count


@rule
def is_buy(action: Action) -> bool:
    return BUY_MARKET <= action < PASS


@rule
def begin_turn(state: State, action: Action, turn: Turn, least: ByColor) -> None:
    """A turn of which nothing but the action is decided; a buy pays with as little gold as possible."""
    turn.action = action
    turn.pays_more_gold = 0
    turn.noble = NO_NOBLE
    for color in range(GOLD + 1):
        turn.returned[color] = 0
        least[color] = 0
    if is_buy(action):
        least_gold_payment(state, state.seat, card_for_sale(state, action), least)
    for color in range(GOLD + 1):
        turn.payment[color] = least[color]


@rule
def swap_more_gold(turn: Turn, least: ByColor, gold: Count) -> bool:
    """The next payment, as numbers are counted up: so much gold in place of each color. Is there one?"""
    for color in range(GOLD - 1, -1, -1):
        if turn.payment[color] > 0 and turn.payment[GOLD] < gold:
            turn.payment[color] -= 1
            turn.payment[GOLD] += 1
            turn.pays_more_gold = 1
            return True
        turn.payment[GOLD] -= least[color] - turn.payment[color]
        turn.payment[color] = least[color]
    turn.pays_more_gold = 0
    return False


@rule
def write_ends(turns: Turns, count: Count, desk: Desk) -> Count:
    """Every way to complete the turn that has led to the first state of the desk; return the new count."""
    states, untried, chosen, turn = desk.states, desk.untried, desk.chosen, desk.turn[0]
    if not goes_on(states[0]):
        return keep(turns, count, turn)
    untried[0] = legal_set(states[0])
    depth = 0
    while depth >= 0:
        if untried[depth] == 0:
            depth -= 1
            if depth >= 0:
                note(turn, states[depth], chosen[depth], False)
            continue
        place = int(nth_bit(untried[depth], 0))
        untried[depth] &= untried[depth] - 1
        chosen[depth] = PHASE_ACTION[states[depth].phase] + place
        note(turn, states[depth], chosen[depth], True)
        states[depth + 1] = states[depth]
        apply(states[depth + 1], chosen[depth])
        if goes_on(states[depth + 1]) and depth < DECISIONS - 2:
            lowest = place if states[depth + 1].phase == RETURN else 0
            depth += 1
            untried[depth] = legal_set(states[depth]) >> lowest << lowest
        else:
            count = keep(turns, count, turn)
            note(turn, states[depth], chosen[depth], False)
    return count


@rule
def goes_on(state: State) -> bool:
    """Does the turn go on with another decision?"""
    return state.phase == RETURN or state.phase == NOBLE  # noqa: PLR1714 (`in` compiles to something slower)


@rule
def note(turn: Turn, state: State, action: Action, is_made: bool) -> None:
    """A return or the choice of a noble, made or taken back."""
    if action < CHOOSE_NOBLE:
        turn.returned[action - RETURN_TOKEN] += 1 if is_made else -1
    else:
        turn.noble = state.nobles[action - CHOOSE_NOBLE] if is_made else NO_NOBLE


@rule
def keep(turns: Turns, count: Count, turn: Turn) -> Count:
    """Append a turn, if there is room; return the new count."""
    if count == len(turns):
        return count
    turns[count] = turn
    return count + 1
