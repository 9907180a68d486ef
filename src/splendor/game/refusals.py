"""Why a move is refused: a sentence that teaches the rule, with a code and parameters to say it in any language.

The rules have already said no when these are called; here the position is only looked at for the reason.
"""

from __future__ import annotations

from splendor.core import rules
from splendor.core.actions import group_of
from splendor.core.components import CARDS, COLORS, GOLD, NO_NOBLE
from splendor.core.state import ACT, NOBLE, NOBODY, RESERVE_LIMIT, RETURN, State
from splendor.notation.moves import Move, Tokens


class RefusalReason(str):
    """A sentence, and what it says as a code with parameters.

    >>> reason = RefusalReason("noble 3 is not on the table", "noble_not_there", noble=3)
    >>> print(reason, reason.code, reason.params)
    noble 3 is not on the table noble_not_there {'noble': 3}
    """

    __slots__ = ("code", "params")

    code: str
    params: dict[str, object]

    def __new__(cls, sentence: str, code: str, **params: object) -> RefusalReason:
        """The sentence is the value of the text."""
        reason = super().__new__(cls, sentence)
        reason.code, reason.params = code, params
        return reason


def illegal_action(state: State, move: Move) -> RefusalReason:
    """Why the action of this move cannot be played."""
    if rules.is_over(state):
        return RefusalReason("the game is over", "game_over")
    if state.phase != ACT:
        return unfinished(state)
    if move.kind == "take":
        return illegal_take(state, move.taken)
    if move.kind in ("reserve", "draw"):
        return illegal_reserve(state, move)
    if move.kind == "buy":
        return illegal_buy(state, move.card)
    return RefusalReason("passing is allowed only when no other action is possible", "pass_not_allowed")


def illegal_take(state: State, taken: Tokens) -> RefusalReason:
    if taken.gold:
        return RefusalReason("gold cannot be taken; it comes with a reserved card", "gold_cannot_be_taken")
    colors = [color for color in range(GOLD) if taken[color]]
    missing = [COLORS[color] for color in colors if state.bank[color] == 0]
    if missing:
        return RefusalReason(f"the bank has no {' or '.join(missing)} token left", "pile_empty", colors=missing)
    if len(colors) == 1 and sum(taken) == 2:  # noqa: PLR2004 - the shape of a take, not a rule
        held, color = int(state.bank[colors[0]]), COLORS[colors[0]]
        return RefusalReason(
            f"the {color} pile holds {count(held, 'token')}; taking two needs {rules.PAIR_PILE}",
            "pile_too_small",
            color=color,
            held=held,
            needed=rules.PAIR_PILE,
        )
    in_bank = sum(bool(state.bank[color]) for color in range(GOLD))
    if not in_bank:
        return RefusalReason("the bank has no gem tokens left to take", "bank_empty")
    return RefusalReason(
        f"take one token each of {count(min(3, in_bank), 'different color')}"
        f", or two of one color from a pile of {rules.PAIR_PILE} or more",
        "wrong_take",
        colors=min(3, in_bank),
        pile=rules.PAIR_PILE,
    )


def illegal_reserve(state: State, move: Move) -> RefusalReason:
    if not rules.has_room(state, state.seat):
        seat = int(state.seat)
        return RefusalReason(
            f"seat {seat} already has {RESERVE_LIMIT} reserved cards", "hand_full", seat=seat, limit=RESERVE_LIMIT
        )
    if move.kind == "reserve" and move.card is not None and move.card <= CARDS:
        return RefusalReason(f"card {move.card} is not face up on the market", "not_on_market", card=move.card)
    if move.kind == "reserve":
        return RefusalReason("that slot of the market is empty", "slot_empty")
    if move.level in (1, 2, 3):
        return RefusalReason(f"the level {move.level} deck is empty", "deck_empty", level=move.level)
    return RefusalReason("there are decks 1, 2 and 3", "no_such_deck")


def illegal_buy(state: State, card: int | None) -> RefusalReason:
    seat = int(state.seat)
    if card is None or card > CARDS:
        return RefusalReason("there is no card in that place", "slot_empty")
    if card - 1 not in state.market and card - 1 not in state.reserved[seat]:
        return RefusalReason(
            f"card {card} is neither on the market nor among the reserved cards of seat {seat}",
            "not_for_sale",
            card=card,
            seat=seat,
        )
    prices = prices_of(state, card)
    short = int(rules.gold_needed(state, seat, card - 1)) - int(state.tokens[seat, GOLD])
    return RefusalReason(
        f"card {card} costs {price_list(prices)} after bonuses; seat {seat} is {count(short, 'token')} short",
        "too_expensive",
        card=card,
        seat=seat,
        price=prices,
        short=short,
    )


def wrong_payment(state: State, card: int, payment: Tokens) -> RefusalReason:
    """Why these tokens do not pay for this card."""
    seat = int(state.seat)
    for color in range(GOLD + 1):
        held = int(state.tokens[seat, color])
        if payment[color] > held:
            return RefusalReason(
                f"seat {seat} has {count(held, COLORS[color] + ' token')}",
                "tokens_lacking",
                seat=seat,
                color=COLORS[color],
                held=held,
            )
    prices = prices_of(state, card)
    return RefusalReason(
        f"card {card} costs {price_list(prices)} after bonuses; the payment must be exact, gold standing for any color",
        "wrong_payment",
        card=card,
        price=prices,
    )


def unfinished(state: State) -> RefusalReason:
    """What the turn still asks for."""
    seat = int(state.seat)
    if state.phase == RETURN:
        held = int(rules.tokens_held(state, seat))
        excess = held - rules.HAND_LIMIT
        return RefusalReason(
            f"seat {seat} holds {count(held, 'token')} and must return exactly {excess}",
            "must_return",
            seat=seat,
            held=held,
            excess=excess,
        )
    visitors = [place for place in range(len(state.nobles)) if rules.can_receive(state, seat, place)]
    nobles = [int(state.nobles[place]) + 1 for place in visitors]
    return RefusalReason(
        f"seat {seat} must choose one of the nobles {', '.join(map(str, nobles))}",
        "must_choose_noble",
        seat=seat,
        nobles=nobles,
    )


def nothing_to_finish(state: State) -> RefusalReason:
    if rules.is_over(state):
        return RefusalReason("the game is over", "game_over")
    return RefusalReason(
        f"seat {state.seat} has no tokens to return and no noble to choose; a turn begins with an action",
        "nothing_to_finish",
        seat=int(state.seat),
    )


def illegal_decision(state: State, action: int) -> RefusalReason:
    """Why a return or a choice of a noble is not possible now."""
    seat, group = int(state.seat), group_of(action)
    if group.kind == "return" and state.phase == RETURN:
        color = COLORS[action - group.first]
        return RefusalReason(
            f"seat {seat} has no {color} token left to return", "nothing_to_return", seat=seat, color=color
        )
    if group.kind == "return":
        return RefusalReason(
            f"tokens are returned only down to {rules.HAND_LIMIT}, never below",
            "too_many_returned",
            limit=rules.HAND_LIMIT,
        )
    if state.phase == RETURN:
        return unfinished(state)
    place = action - group.first
    noble = int(state.nobles[place]) + 1
    if state.nobles[place] == NO_NOBLE:
        return RefusalReason("there is no noble in that place", "no_noble_there")
    if state.noble_seat[place] != NOBODY:
        owner = int(state.noble_seat[place])
        return RefusalReason(f"noble {noble} has gone to seat {owner}", "noble_gone", noble=noble, seat=owner)
    if state.phase == NOBLE:
        return RefusalReason(
            f"the bonuses of seat {seat} do not reach noble {noble}", "noble_out_of_reach", noble=noble, seat=seat
        )
    return RefusalReason("a noble is chosen only at the end of a turn in which several could come", "no_noble_choice")


def noble_not_there(noble: int) -> RefusalReason:
    return RefusalReason(f"noble {noble} is not on the table", "noble_not_there", noble=noble)


def no_such_action(action: int, actions: int) -> RefusalReason:
    return RefusalReason(f"there is no action {action}; actions are numbered 0 to {actions - 1}", "no_such_action")


def prices_of(state: State, card: int) -> list[int]:
    """What a card costs the seat that decides, after its bonuses, by color."""
    return [int(rules.price(state, state.seat, card - 1, color)) for color in range(GOLD)]


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
