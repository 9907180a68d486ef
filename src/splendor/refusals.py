"""Why a move is refused, in a sentence that teaches the rule.

The rules have already said no when these are called; here the position is only looked at for the reason.
"""

from __future__ import annotations

from splendor import rules
from splendor.actions import CHOOSE_NOBLE, RETURN_TOKEN
from splendor.components import CARDS, COLORS, GOLD, NO_NOBLE
from splendor.notation.moves import Move, Tokens
from splendor.state import ACT, NOBLE, NOBODY, RESERVE_LIMIT, RETURN, State


def illegal_action(state: State, move: Move) -> str:
    """Why the action of this move cannot be played."""
    if rules.is_over(state):
        return "the game is over"
    if state.phase != ACT:
        return unfinished(state)
    if move.kind == "take":
        return illegal_take(state, move.taken)
    if move.kind in ("reserve", "draw"):
        return illegal_reserve(state, move)
    if move.kind == "buy":
        return illegal_buy(state, move.card)
    return "passing is allowed only when no other action is possible"


def illegal_take(state: State, taken: Tokens) -> str:
    if taken.gold:
        return "gold cannot be taken; it comes with a reserved card"
    colors = [color for color in range(GOLD) if taken[color]]
    missing = [COLORS[color] for color in colors if state.bank[color] == 0]
    if missing:
        return f"the bank has no {' or '.join(missing)} token left"
    if len(colors) == 1 and sum(taken) == 2:  # noqa: PLR2004 - the shape of a take, not a rule
        held = int(state.bank[colors[0]])
        return f"the {COLORS[colors[0]]} pile holds {count(held, 'token')}; taking two needs {rules.PAIR_PILE}"
    in_bank = sum(bool(state.bank[color]) for color in range(GOLD))
    if not in_bank:
        return "the bank has no gem tokens left to take"
    return (
        f"take one token each of {count(min(3, in_bank), 'different color')}"
        f", or two of one color from a pile of {rules.PAIR_PILE} or more"
    )


def illegal_reserve(state: State, move: Move) -> str:
    if not rules.has_room(state):
        return f"seat {state.seat} already has {RESERVE_LIMIT} reserved cards"
    if move.kind == "reserve" and move.card is not None and move.card <= CARDS:
        return f"card {move.card} is not face up on the market"
    if move.kind == "reserve":
        return "that slot of the market is empty"
    return f"the level {move.level} deck is empty" if move.level in (1, 2, 3) else "there are decks 1, 2 and 3"


def illegal_buy(state: State, card: int | None) -> str:
    if card is None or card > CARDS:
        return "there is no card in that place"
    if card - 1 not in state.market and card - 1 not in state.reserved[state.seat]:
        return f"card {card} is neither on the market nor among the reserved cards of seat {state.seat}"
    prices = [int(rules.price(state, card - 1, color)) for color in range(GOLD)]
    short = int(rules.gold_needed(state, card - 1)) - int(state.tokens[state.seat, GOLD])
    return f"card {card} costs {price_list(prices)} after bonuses; seat {state.seat} is {count(short, 'token')} short"


def wrong_payment(state: State, card: int, payment: Tokens) -> str:
    """Why these tokens do not pay for this card."""
    for color in range(GOLD + 1):
        if payment[color] > state.tokens[state.seat, color]:
            return f"seat {state.seat} has {count(int(state.tokens[state.seat, color]), COLORS[color] + ' token')}"
    prices = [int(rules.price(state, card - 1, color)) for color in range(GOLD)]
    return (
        f"card {card} costs {price_list(prices)} after bonuses; the payment must be exact, gold standing for any color"
    )


def unfinished(state: State) -> str:
    """What the turn still asks for."""
    if state.phase == RETURN:
        excess = int(rules.tokens_held(state)) - rules.HAND_LIMIT
        return (
            f"seat {state.seat} holds {count(int(rules.tokens_held(state)), 'token')} and must return exactly {excess}"
        )
    nobles = [int(state.nobles[place]) + 1 for place in range(len(state.nobles)) if rules.can_receive(state, place)]
    return f"seat {state.seat} must choose one of the nobles {', '.join(map(str, nobles))}"


def nothing_to_finish(state: State) -> str:
    if rules.is_over(state):
        return "the game is over"
    return f"seat {state.seat} has no tokens to return and no noble to choose; a turn begins with an action"


def illegal_decision(state: State, action: int) -> str:
    """Why a return or a choice of a noble is not possible now."""
    if action < CHOOSE_NOBLE and state.phase == RETURN:
        return f"seat {state.seat} has no {COLORS[action - RETURN_TOKEN]} token left to return"
    if action < CHOOSE_NOBLE:
        return f"tokens are returned only down to {rules.HAND_LIMIT}, never below"
    if state.phase == RETURN:
        return unfinished(state)
    place = action - CHOOSE_NOBLE
    noble = int(state.nobles[place]) + 1
    if state.nobles[place] == NO_NOBLE:
        return "there is no noble in that place"
    if state.noble_seat[place] != NOBODY:
        return f"noble {noble} has gone to seat {state.noble_seat[place]}"
    if state.phase == NOBLE:
        return f"the bonuses of seat {state.seat} do not reach noble {noble}"
    return "a noble is chosen only at the end of a turn in which several could come"


def price_list(prices: list[int]) -> str:
    """Tokens in words.

    >>> price_list([0, 2, 1, 0, 0]), price_list([0, 0, 0, 0, 0])
    ('2 blue, 1 green', 'nothing')
    """
    return ", ".join(f"{n} {COLORS[color]}" for color, n in enumerate(prices) if n) or "nothing"


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "token"), count(3, "token")
    ('1 token', '3 tokens')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
