"""From moves to the decisions of the rulebook, and back: which moves are legal, and playing one.

Everything is asked of the rules, by playing decisions on a copy of the state; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from splendor import refusals, rules
from splendor._jit import rule
from splendor.actions import (
    ACTIONS,
    BUY_MARKET,
    BUY_RESERVED,
    CHOOSE_NOBLE,
    PASS,
    RESERVE_DECK,
    RESERVE_MARKET,
    RETURN_TOKEN,
    TAKEN,
)
from splendor.components import CARDS, GOLD
from splendor.notation.moves import Move, Tokens
from splendor.state import ACT, NOBLE, RETURN, State, copy_state, new_states


class IllegalMove(ValueError):
    """A move that the rules do not allow now; the message says why, and so do `code` and `params`."""

    def __init__(self, reason: str) -> None:
        """A sentence; one from `refusals` brings a code."""
        super().__init__(reason)
        self.code: str = getattr(reason, "code", "illegal_move")
        self.params: dict[str, Any] = getattr(reason, "params", {})


def legal_actions(state: State) -> list[int]:
    """The numbers of all decisions that are legal now, rising."""
    buffer = np.empty(ACTIONS + 1, np.int64)
    count = rules.legal_actions(state, buffer)
    return [int(action) for action in buffer[:count]]


def phases_after(state: State) -> list[tuple[int, int]]:
    """The legal decisions, rising, each with the phase that it leads to."""
    actions, phases = np.empty(ACTIONS + 1, np.int64), np.empty(ACTIONS + 1, np.int64)
    count = find_phases(state, actions, phases, new_states(1))
    return list(zip(actions[:count].tolist(), phases[:count].tolist(), strict=True))


@rule
def find_phases(state: Any, actions: Any, phases: Any, scratch: Any) -> Any:
    count = rules.legal_actions(state, actions)
    for n in range(count):
        scratch[0] = state
        rules.apply(scratch[0], actions[n])
        phases[n] = scratch[0].phase
    return count


def legal_moves(state: State) -> list[Move]:
    """All legal moves: each action, with each way to pay, to return and to choose a noble."""
    moves: list[Move] = []
    if state.phase == ACT:
        for action in legal_actions(state):
            move = move_of_action(state, action)
            for paid in [move, *other_payments(state, move)] if move.kind == "buy" else [move]:
                after = copy_state(state)
                play_action(after, action, paid.payment)
                moves += endings(after, paid)
    elif not rules.is_over(state):
        moves += endings(state, Move("finish"))
    return moves


def endings(state: State, move: Move, lowest: int = 0) -> Iterator[Move]:
    """Every way to complete a turn whose action has been played; tokens are returned in rising color."""
    if state.phase not in (RETURN, NOBLE):
        yield move
        return
    for action in legal_actions(state):
        color = action - RETURN_TOKEN
        if state.phase == NOBLE or color >= lowest:
            after = copy_state(state)
            rules.apply(after, action)
            yield from endings(after, with_decision(state, move, action), color)


TAKES = [Move("take", taken=Tokens(*row)) for row in TAKEN.tolist()]


def move_of_action(state: State, action: int) -> Move:
    """The move that begins with this action; a buy pays with as little gold as possible."""
    if action < RESERVE_MARKET:
        return TAKES[action]
    if action < RESERVE_DECK:
        return Move("reserve", card=int(state.market[action - RESERVE_MARKET]) + 1)
    if action < BUY_MARKET:
        return Move("draw", level=action - RESERVE_DECK + 1)
    if action < PASS:
        return Move("buy", card=int(rules.card_for_sale(state, action)) + 1)
    return Move("pass")


def with_decision(state: State, move: Move, action: int) -> Move:
    """The move with one more return, or with the choice of a noble."""
    if action < CHOOSE_NOBLE:
        return replace(move, returned=move.returned.plus(action - RETURN_TOKEN))
    return replace(move, noble=int(state.nobles[action - CHOOSE_NOBLE]) + 1)


def default_payment(state: State, card: int) -> Tokens:
    """What a buyer pays who spends as little gold as possible; `card` is the printed id."""
    payment = np.zeros(6, np.int64)
    rules.least_gold_payment(state, card - 1, payment)
    return Tokens(*payment.tolist())


def other_payments(state: State, move: Move) -> Iterator[Move]:
    """The same buy with more gold than needed, in every way that is exact."""
    assert move.card is not None
    least = default_payment(state, move.card)
    for payment in with_more_gold(least, int(state.tokens[state.seat, GOLD]) - least.gold, 0):
        yield replace(move, payment=payment)


def with_more_gold(payment: Tokens, spare: int, color: int) -> Iterator[Tokens]:
    if spare == 0 or color == GOLD:
        return
    for swapped in range(min(spare, payment[color]) + 1):
        changed = payment.plus(color, -swapped).plus(GOLD, swapped)
        if swapped:
            yield changed
        yield from with_more_gold(changed, spare - swapped, color + 1)


def play_action(state: State, action: int, payment: Tokens | None) -> None:
    if payment is None:
        rules.apply(state, action)
    else:
        rules.apply_paying(state, action, np.array(payment, np.int64))


def action_of_move(state: State, move: Move) -> int | None:
    """The number of the action that a move begins with; None if the table has no such card or tokens."""
    if move.kind == "take":
        matches = np.flatnonzero((np.array(move.taken[:GOLD]) == TAKEN).all(axis=1))
        return int(matches[0]) if matches.size and not move.taken.gold else None
    if move.kind == "reserve":
        return _place(state.market, move.card, RESERVE_MARKET)
    if move.kind == "draw":
        return RESERVE_DECK + move.level - 1 if move.level in (1, 2, 3) else None
    if move.kind == "buy":
        on_market = _place(state.market, move.card, BUY_MARKET)
        return on_market if on_market is not None else _place(state.reserved[state.seat], move.card, BUY_RESERVED)
    return PASS if move.kind == "pass" else None


def _place(cards: np.ndarray[tuple[int], np.dtype[np.int8]], card: int | None, first: int) -> int | None:
    if card is None or not 1 <= card <= CARDS:
        return None
    places = np.flatnonzero(cards == card - 1)
    return first + int(places[0]) if places.size else None


def play_move(state: State, move: Move) -> tuple[State, Move]:
    """The state after a legal move, and the move as the list of legal moves writes it.

    What follows by itself may be spelled out: the default payment, the one noble that comes anyway. Raises
    IllegalMove, with a reason, if the move is not legal.
    """
    after = copy_state(state)
    played = begin_turn(after, move)
    for color, count in enumerate(move.returned):
        for _ in range(count):
            played = decide(after, played, RETURN_TOKEN + color)
    if move.noble is not None and not came_by_itself(state, after, move.noble):
        place = np.flatnonzero(after.nobles == move.noble - 1)
        if not place.size:
            raise IllegalMove(refusals.noble_not_there(move.noble))
        played = decide(after, played, CHOOSE_NOBLE + int(place[0]))
    if after.phase in (RETURN, NOBLE):
        raise IllegalMove(refusals.unfinished(after))
    return after, played


def begin_turn(state: State, move: Move) -> Move:
    """Play the action of a move, as it pays for it."""
    if move.kind == "finish":
        if state.phase not in (RETURN, NOBLE):
            raise IllegalMove(refusals.nothing_to_finish(state))
        return Move("finish")
    action = action_of_move(state, move)
    if action is None or not rules.is_legal(state, action):
        raise IllegalMove(refusals.illegal_action(state, move))
    payment = move.payment
    if payment is not None:
        if move.kind != "buy" or move.card is None:
            raise IllegalMove("only a card that is bought is paid for")
        if not rules.is_exact_payment(state, move.card - 1, np.array(payment, np.int64)):
            raise IllegalMove(refusals.wrong_payment(state, move.card, payment))
        if payment == default_payment(state, move.card):
            payment = None
    played = replace(move_of_action(state, action), payment=payment)
    play_action(state, action, payment)
    return played


def decide(state: State, move: Move, action: int) -> Move:
    """Play a return or the choice of a noble, and note it in the move."""
    if not rules.is_legal(state, action):
        raise IllegalMove(refusals.illegal_decision(state, action))
    move = with_decision(state, move, action)
    rules.apply(state, action)
    return move


def came_by_itself(before: State, after: State, noble: int) -> bool:
    """Did this noble visit during the turn without a choice?"""
    return bool(((before.nobles == noble - 1) & (after.noble_seat != before.noble_seat)).any())


def check_action(state: State, action: int) -> None:
    """Raise IllegalMove, with a reason, unless this decision may be made now."""
    if rules.is_legal(state, action):
        return
    if not 0 <= action < ACTIONS:
        raise IllegalMove(refusals.no_such_action(action, ACTIONS))
    if rules.is_over(state) or action < RETURN_TOKEN:
        raise IllegalMove(refusals.illegal_action(state, move_of_action(state, action)))
    raise IllegalMove(refusals.illegal_decision(state, action))
