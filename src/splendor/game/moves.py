"""From moves to the decisions of the rulebook, and back: which moves are legal, and playing one.

Everything is asked of the rules, by playing decisions on a copy of the state; nothing is decided here.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from operator import add

import numpy as np

from splendor.core import rules
from splendor.core.actions import (
    ACTIONS,
    BUY_MARKET,
    BUY_RESERVED,
    CHOOSE_NOBLE,
    PASS,
    RESERVE_DECK,
    RESERVE_MARKET,
    RETURN_TOKEN,
    TAKEN,
    group_of,
)
from splendor.core.components import CARDS, GOLD, LEVELS, NO_CARD, NO_NOBLE
from splendor.core.overview import write_decisions
from splendor.core.state import ACT, NOBLE, RETURN, State, new_states
from splendor.core.turns import MOST_PAYMENTS, MOST_TURNS, NO_ACTION, new_desk, new_turns, write_payments, write_turns
from splendor.game import refusals
from splendor.game.copies import copied
from splendor.notation.moves import Move, Tokens


class IllegalMove(ValueError):
    """A move that the rules do not allow now; the message says why, and so do `code` and `params`."""

    def __init__(self, reason: str) -> None:
        """A sentence; one from `refusals` brings a code."""
        super().__init__(reason)
        self.code: str = getattr(reason, "code", "illegal_move")
        self.params: dict[str, object] = getattr(reason, "params", {})


def legal_actions(state: State) -> list[int]:
    """The numbers of all decisions that are legal now, rising."""
    buffer = np.empty(ACTIONS + 1, np.int64)
    count = rules.legal_actions(state, buffer)
    return [int(action) for action in buffer[:count]]


def phases_after(state: State) -> list[tuple[int, int]]:
    """The legal decisions, rising, each with the phase that it leads to."""
    actions, phases = np.empty(ACTIONS + 1, np.int64), np.empty(ACTIONS + 1, np.int64)
    count = write_decisions(state, actions, phases, new_states(1))
    return list(zip(actions[:count].tolist(), phases[:count].tolist(), strict=True))


def legal_moves(state: State) -> list[Move]:
    """All legal moves: each action, with each way to pay, to return and to choose a noble."""
    return completed(state, Move("finish"))


def completed(state: State, begun: Move) -> list[Move]:
    """All legal moves that begin here; where a turn has begun already, every way to complete what was played of it."""
    turns = new_turns(MOST_TURNS)
    count = write_turns(state, turns, new_desk())
    moves = []
    for action, pays_more_gold, payment, returned, noble in turns[:count].tolist():
        move = begun if action == NO_ACTION else move_of_action(state, action)
        if pays_more_gold:
            move = replace(move, payment=Tokens(*payment))
        if any(returned):
            move = replace(move, returned=Tokens(*(map(add, move.returned, returned))))
        moves.append(move if noble == NO_NOBLE else replace(move, noble=noble + 1))
    return moves


TAKES = [Move("take", taken=Tokens(*row)) for row in TAKEN.tolist()]
RESERVES = [Move("reserve", card=card + 1) for card in range(NO_CARD + 1)]  # by the card's number in a state
BUYS = [Move("buy", card=card + 1) for card in range(NO_CARD + 1)]
DRAWS = [Move("draw", level=level + 1) for level in range(LEVELS)]
TAKE_ACTIONS = {move.taken: action for action, move in enumerate(TAKES)}


def move_of_action(state: State, action: int) -> Move:
    """The move that begins with this action; a buy pays with as little gold as possible."""
    if action < len(TAKES):  # most of them
        return TAKES[action]
    match group_of(action).kind:
        case "reserve":
            return RESERVES[int(state["market"][action - RESERVE_MARKET])]
        case "draw":
            return DRAWS[action - RESERVE_DECK]
        case "buy":
            return BUYS[rules.card_for_sale(state, action)]
    return Move("pass")


def with_decision(state: State, move: Move, action: int) -> Move:
    """The move with one more decision: a return, the choice of a noble, or the action that begins it."""
    match group_of(action).kind:
        case "return":
            return replace(move, returned=move.returned.plus(action - RETURN_TOKEN))
        case "noble":
            return replace(move, noble=int(state.nobles[action - CHOOSE_NOBLE]) + 1)
    return move_of_action(state, action)


def default_payment(state: State, card: int) -> Tokens:
    """What a buyer pays who spends as little gold as possible; `card` is the printed id."""
    payment = np.zeros(6, np.int64)
    rules.least_gold_payment(state, state.seat, card - 1, payment)
    return Tokens(*payment.tolist())


class _Room(threading.local):
    """Room to work out payments, for each thread; it is asked for several times in every move."""

    def __init__(self) -> None:
        self.desk, self.payments = new_desk(), np.empty((MOST_PAYMENTS, GOLD + 1), np.int8)


_room = _Room()


def payments_for(state: State, action: int) -> list[Tokens]:
    """Every exact payment for a buy, that with the least gold first."""
    count = write_payments(state, action, _room.payments, _room.desk)
    return [Tokens(*payment) for payment in _room.payments[:count].tolist()]


def play_action(state: State, action: int, payment: Tokens | None) -> None:
    if payment is None:
        rules.apply(state, action)
    else:
        rules.apply_paying(state, action, np.array(payment, np.int64))


def action_of_move(state: State, move: Move) -> int | None:
    """The number of the action that a move begins with; None if the table has no such card or tokens."""
    if move.kind == "take":
        return TAKE_ACTIONS.get(move.taken)
    if move.kind == "reserve":
        return _place(state["market"], move.card, RESERVE_MARKET)
    if move.kind == "draw":
        return RESERVE_DECK + move.level - 1 if move.level in (1, 2, 3) else None
    if move.kind == "buy":
        on_market = _place(state["market"], move.card, BUY_MARKET)
        if on_market is not None:
            return on_market
        return _place(state["reserved"][state["seat"]], move.card, BUY_RESERVED)
    return PASS if move.kind == "pass" else None


def _place(cards: np.ndarray[tuple[int], np.dtype[np.int8]], card: int | None, first: int) -> int | None:
    if card is None or not 1 <= card <= CARDS:
        return None
    numbers = cards.tolist()
    return first + numbers.index(card - 1) if card - 1 in numbers else None


def play_move(state: State, move: Move) -> tuple[State, Move]:
    """The state after a legal move, and the move as the list of legal moves writes it.

    What follows by itself may be spelled out: the default payment, the one noble that comes anyway. Raises
    IllegalMove, with a reason, if the move is not legal.
    """
    after = copied(state)
    played = begin_turn(after, move)
    for color, count in enumerate(move.returned):
        for _ in range(count):
            played = decide(after, played, RETURN_TOKEN + color)
    if move.noble is not None and not came_by_itself(state, after, move.noble):
        place = np.flatnonzero(after.nobles == move.noble - 1)
        if not place.size:
            raise IllegalMove(refusals.noble_not_there(move.noble))
        played = decide(after, played, CHOOSE_NOBLE + int(place[0]))
    if after["phase"] in (RETURN, NOBLE):
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
        if not rules.is_exact_payment(state, state.seat, move.card - 1, np.array(payment, np.int64)):
            raise IllegalMove(refusals.wrong_payment(state, move.card, payment))
        if payment == default_payment(state, move.card):
            payment = None
    played = move_of_action(state, action)
    if payment is not None:
        played = replace(played, payment=payment)
    play_action(state, action, payment)
    return played


def begun(state: State, move: Move) -> tuple[State, Move]:
    """The state after the action of a move alone, and the action as the list of legal moves writes it."""
    after = copied(state)
    return after, begin_turn(after, Move(move.kind, move.taken, move.card, move.level, move.payment))


def play_part(state: State, move: Move) -> tuple[State, Move, bool]:
    """The same as `play_move`, but a turn that asks for more may stop after its action: then the last is True."""
    is_whole = state["phase"] != ACT or move.kind == "finish" or any(move.returned) or move.noble is not None
    if is_whole:
        return *play_move(state, move), False
    after, played = begun(state, move)
    return after, played, bool(after["phase"] in (RETURN, NOBLE))


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
    if rules.is_over(state) or group_of(action).phase == ACT:
        raise IllegalMove(refusals.illegal_action(state, move_of_action(state, action)))
    raise IllegalMove(refusals.illegal_decision(state, action))
