"""From a position to what a viewer is shown: the board, the moves, and what moved.

Everything goes through `seen_by`, which hides what the viewer may not know. Only a replay of a finished game
looks at positions with open hands.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal, cast

import numpy as np

from splendor import rules
from splendor.components import (
    CARD_BONUS,
    CARD_COST,
    CARD_LEVEL,
    CARD_POINTS,
    CARDS,
    COLORS,
    GOLD,
    LEVELS,
    NO_CARD,
    NO_NOBLE,
    NOBLE_COST,
    NOBLE_POINTS,
    NOBLES,
    UNSEEN,
)
from splendor.hidden import SPECTATOR, hide
from splendor.moves import (
    begin_turn,
    default_payment,
    endings,
    move_of_action,
    other_payments,
    phases_after,
)
from splendor.notation.moves import Move, Tokens
from splendor.notation.positions import format_position
from splendor.server import messages as m
from splendor.state import ACT, NOBLE, NOBODY, PHASES, RETURN, SLOTS, State, cards_in, copy_state, facts
from splendor.table import lacking

OPEN_HANDS = -2  # a viewer for whom nothing in a hand is hidden: a replay, when the game is over


def seen_by(state: State, viewer: int | None) -> State:
    """The state as a viewer may know it; None is a spectator."""
    if viewer == OPEN_HANDS:
        return state
    seen = copy_state(state)
    hide(seen, SPECTATOR if viewer is None else viewer)
    return seen


# --------------------------------------------------------------------------------------------------- the box


def plain(counts: Iterable[int]) -> list[int]:
    """Counts as Python's own numbers, from wherever they come."""
    return counts.tolist() if isinstance(counts, np.ndarray) else [int(n) for n in counts]


def gems(counts: Iterable[int]) -> m.Gems:
    return _gems(tuple(plain(counts)))


@lru_cache(maxsize=50_000)
def _gems(counts: tuple[int, ...]) -> m.Gems:
    white, blue, green, red, black = counts
    return m.Gems(white=white, blue=blue, green=green, red=red, black=black)


def all_tokens(counts: Iterable[int]) -> m.Tokens:
    return _tokens(tuple(plain(counts)))


@lru_cache(maxsize=50_000)
def _tokens(counts: tuple[int, ...]) -> m.Tokens:
    white, blue, green, red, black, gold = counts
    return m.Tokens(white=white, blue=blue, green=green, red=red, black=black, gold=gold)


def some_tokens(counts: Iterable[int]) -> m.SomeTokens:
    """Only those that there are; of any sign."""
    return {cast(m.Color, COLORS[color]): n for color, n in enumerate(plain(counts)) if n}


def _card_face(card: int) -> m.CardFace:
    return m.CardFace(
        id=card + 1,
        level=int(CARD_LEVEL[card]) + 1,
        points=int(CARD_POINTS[card]),
        bonus=cast(m.Color, COLORS[CARD_BONUS[card]]),
        cost=gems(CARD_COST[card]),
    )


CARD_FACES = [_card_face(card) for card in range(CARDS)]
NOBLE_TILES = [m.NobleTile(id=n + 1, points=NOBLE_POINTS, cost=gems(NOBLE_COST[n])) for n in range(NOBLES)]


def catalogue() -> m.Catalogue:
    """All cards and nobles."""
    return m.Catalogue(cards=CARD_FACES, nobles=NOBLE_TILES, letters=m.COLOR_LETTERS)


# ------------------------------------------------------------------------------------------------- the board


def board(state: State, viewer: int | None, turn: int) -> m.BoardView:
    """The board for one viewer, after `turn` turns."""
    seen = seen_by(state, viewer)
    table = facts(seen)
    players, phase = table["players"], table["phase"]
    asker = None if viewer == OPEN_HANDS else viewer
    lacks = what_is_missing(seen, table, asker)
    market = [None if card == NO_CARD else shown_card(card, lacks.get(card)) for card in table["market"]]
    return m.BoardView.model_construct(
        position=format_position(seen),
        viewer=asker,
        players=players,
        seat=table["seat"],
        round=table["round_number"],
        turn=turn,
        phase=cast(Literal["act"], PHASES[phase]),
        is_last_round=bool(rules.has_trigger(seen)),
        is_over=phase > NOBLE,
        bank=all_tokens(table["bank"]),
        market=[market[SLOTS * level : SLOTS * (level + 1)] for level in range(LEVELS)],
        decks=table["deck_size"],
        nobles=[shown_noble(table, place, asker) for place in range(players + 1)],
        hands=[hand(table, seat, lacks if seat == asker else {}) for seat in range(players)],
    )


Lacks = dict[int, tuple[int, ...]]  # for each card, what is missing by color; and last, whether it can be bought


def what_is_missing(seen: State, table: dict[str, Any], seat: int | None) -> Lacks:
    """What a seat lacks for the cards it could buy: those on the market and its own reserved ones."""
    if seat is None:
        return {}
    asking = copy_state(seen)  # the rules speak about the seat whose turn it is: here that is the asker's
    asking.seat = seat
    cards = [card for card in [*table["market"], *table["reserved"][seat]] if card < UNSEEN]
    return dict(zip(cards, map(tuple, lacking(asking, cards)), strict=True))


@lru_cache(maxsize=50_000)
def shown_card(card: int, lacks: tuple[int, ...] | None) -> m.ShownCard:
    """A card, with what its viewer lacks for it."""
    return m.ShownCard(**_shown(card, lacks))


@lru_cache(maxsize=50_000)
def reserved_card(card: int, lacks: tuple[int, ...] | None, from_deck: bool) -> m.ReservedCard:
    """The same in a hand."""
    return m.ReservedCard(from_deck=from_deck, **_shown(card, lacks))


def _shown(card: int, lacks: tuple[int, ...] | None) -> dict[str, Any]:
    if card >= UNSEEN:
        hidden: dict[str, Any] = dict.fromkeys(("id", "points", "bonus", "cost", "missing", "gold"))
        return {**hidden, "level": card - UNSEEN + 1, "affordable": False}
    face = CARD_FACES[card]
    shown: dict[str, Any] = {name: getattr(face, name) for name in ("id", "level", "points", "bonus", "cost")}
    if lacks is None:
        return {**shown, "missing": None, "gold": None, "affordable": False}
    missing, can_buy = lacks[:GOLD], bool(lacks[GOLD])
    return {**shown, "missing": gems(missing), "gold": sum(missing) if can_buy else None, "affordable": can_buy}


def shown_noble(table: dict[str, Any], place: int, seat: int | None) -> m.ShownNoble:
    """A noble, with what its viewer lacks for it."""
    noble, owner = table["nobles"][place], table["noble_seat"][place]
    has = None if seat is None else tuple(table["bonuses"][seat])
    return _noble(noble, None if owner == NOBODY else owner, has)


@lru_cache(maxsize=50_000)
def _noble(noble: int, owner: int | None, has: tuple[int, ...] | None) -> m.ShownNoble:
    tile = NOBLE_TILES[noble]
    missing = None
    if has is not None:
        missing = gems(max(asked - n, 0) for asked, n in zip(NOBLE_COST[noble].tolist(), has, strict=True))
    return m.ShownNoble(id=tile.id, points=tile.points, cost=tile.cost, seat=owner, missing=missing)


def hand(table: dict[str, Any], seat: int, lacks: Lacks) -> m.Hand:
    """What lies before a seat; what is missing for its reserved cards is said to the viewer's own only."""
    held = zip(table["reserved"][seat], table["from_deck"][seat], strict=True)
    nobles = zip(table["nobles"], table["noble_seat"], strict=True)
    return m.Hand.model_construct(
        tokens=all_tokens(table["tokens"][seat]),
        bonuses=gems(table["bonuses"][seat]),
        points=table["points"][seat],
        bought=[CARD_FACES[card] for card in cards_in(table["bought"][seat])],
        reserved=[reserved_card(card, lacks.get(card), bool(drawn)) for card, drawn in held if card != NO_CARD],
        nobles=[noble + 1 for noble, owner in nobles if noble != NO_NOBLE and owner == seat],
    )


# ------------------------------------------------------------------------------------------------- the moves


def move_form(state: State, move: Move, then: Literal["return", "noble"] | None = None) -> m.MoveForm:
    """A move taken apart; `state` is the one it is played on."""
    payment = None
    if move.kind == "buy" and move.card is not None:
        payment = default_payment(state, move.card) if move.payment is None else move.payment
    return _form(move, payment, then)


@lru_cache(maxsize=50_000)
def _form(move: Move, payment: Tokens | None, then: Literal["return", "noble"] | None) -> m.MoveForm:
    return m.MoveForm(
        text=str(move),
        kind=move.kind,
        taken=some_tokens(move.taken) or None,
        card=move.card,
        level=move.level,
        payment=None if payment is None else some_tokens(payment),
        returned=some_tokens(move.returned) or None,
        noble=move.noble,
        then=then,
    )


def offered_moves(state: State, viewer: int | None) -> list[m.MoveForm]:
    """What the viewer may play now: each action with each way to pay, or each way to finish the turn.

    Returns and nobles are not multiplied into the actions; `then` says where one of them follows.
    """
    if viewer is None or viewer != state.seat or rules.is_over(state):
        return []
    seen = seen_by(state, viewer)
    if seen.phase != ACT:
        return [move_form(seen, move) for move in endings(seen, Move("finish"))]
    forms = []
    for action, phase in phases_after(seen):
        move, then = move_of_action(seen, action), ASKS_FOR.get(phase)
        forms.append(move_form(seen, move, then))
        if move.kind == "buy":
            forms += [move_form(seen, paid, then) for paid in other_payments(seen, move)]
    return forms


ASKS_FOR: dict[int, Literal["return", "noble"]] = {RETURN: "return", NOBLE: "noble"}


def continuations(state: State, viewer: int, begin: Move) -> list[m.MoveForm]:
    """Every whole move that begins with this action; raises IllegalMove if it cannot be played."""
    seen = seen_by(state, viewer)
    after, played = begun(seen, begin)
    return [move_form(seen, move) for move in endings(after, played)]


def begun(state: State, move: Move) -> tuple[State, Move]:
    """The state after the action of a move alone, and the action as it is recorded."""
    after = copy_state(state)
    return after, begin_turn(after, Move(move.kind, move.taken, move.card, move.level, move.payment))


def is_step(state: State, move: Move) -> bool:
    """Is this move the action of a turn that asks for more, and not the whole turn?"""
    if state.phase != ACT or move.kind == "finish" or any(move.returned) or move.noble is not None:
        return False
    after, _ = begun(state, move)
    return bool(after.phase in (RETURN, NOBLE))


# ----------------------------------------------------------------------------------------------- what moved


def movements(before: State, after: State, move: Move, viewer: int | None) -> list[m.Movement]:
    """What went from where to where in one turn, or part of one, as the viewer sees it: tokens, cards, nobles."""
    seat = int(before.seat)
    was, now = facts(seen_by(before, viewer)), facts(seen_by(after, viewer))
    paid = [0] * (GOLD + 1)
    if move.kind == "buy" and move.card is not None:
        paid = list(move.payment if move.payment is not None else default_payment(before, move.card))
    returned = list(move.returned)
    got = [
        held - had + paid[color] + returned[color]
        for color, (had, held) in enumerate(zip(was["tokens"][seat], now["tokens"][seat], strict=True))
    ]
    bank, purse = m.Place(area="bank"), m.Place(area="tokens", seat=seat)
    moved: list[m.Movement] = []
    if any(paid):
        moved.append(m.TokensMoved(tokens=some_tokens(paid), origin=purse, target=bank))
    if move.kind in ("buy", "reserve", "draw"):
        bought = set(cards_in(now["bought"][seat])) - set(cards_in(was["bought"][seat]))
        moved += cards_moved(was, now, seat, bought)
    if any(got):
        moved.append(m.TokensMoved(tokens=some_tokens(got), origin=bank, target=purse))
    if any(returned):
        moved.append(m.TokensMoved(tokens=some_tokens(returned), origin=purse, target=bank))
    return moved + nobles_moved(was, now)


def cards_moved(was: dict[str, Any], now: dict[str, Any], seat: int, bought: set[int]) -> list[m.Movement]:
    """At most one card goes to a hand or is bought, and at most one comes from a deck to the market."""
    moved: list[m.Movement] = []
    for card in bought:
        origin = market_place(was, card) or reserved_place(was, now, seat, card)
        moved.append(_card(card, origin, m.Place(area="bought", seat=seat)))
    held, holds = (sum(card != NO_CARD for card in table["reserved"][seat]) for table in (was, now))
    if holds > held:
        card = now["reserved"][seat][holds - 1]
        origin = market_place(was, card) or m.Place(area="deck", level=int(CARD_LEVEL[card]) + 1)
        moved.append(_card(card, origin, m.Place(area="reserved", seat=seat, slot=holds - 1)))
    for slot, (old_card, card) in enumerate(zip(was["market"], now["market"], strict=True)):
        if card not in (old_card, NO_CARD):
            level = slot // SLOTS + 1
            target = m.Place(area="market", level=level, slot=slot % SLOTS)
            moved.append(_card(card, m.Place(area="deck", level=level), target))
    return moved


def _card(card: int, origin: m.Place, target: m.Place) -> m.CardMoved:
    known = None if card >= UNSEEN else card + 1
    return m.CardMoved(card=known, level=int(CARD_LEVEL[card]) + 1, origin=origin, target=target)


def market_place(table: dict[str, Any], card: int) -> m.Place | None:
    """Where a card lies on the market."""
    if card >= UNSEEN or card not in table["market"]:
        return None
    slot = table["market"].index(card)
    return m.Place(area="market", level=slot // SLOTS + 1, slot=slot % SLOTS)


def reserved_place(was: dict[str, Any], now: dict[str, Any], seat: int, card: int) -> m.Place:
    """Where a bought card lay in the hand; one that the viewer did not know lay where the hand differs now."""
    held, holds = was["reserved"][seat], now["reserved"][seat]
    back = UNSEEN + int(CARD_LEVEL[card])
    slots = [slot for slot, old in enumerate(held) if old == card]
    slots += [slot for slot, old in enumerate(held) if old == back != holds[slot]]
    return m.Place(area="reserved", seat=seat, slot=slots[0])


def nobles_moved(was: dict[str, Any], now: dict[str, Any]) -> list[m.Movement]:
    """The noble that came to a seat, if one did."""
    moved: list[m.Movement] = []
    for place, (before, owner) in enumerate(zip(was["noble_seat"], now["noble_seat"], strict=True)):
        if owner != before:
            origin, target = m.Place(area="nobles", slot=place), m.Place(area="nobles", seat=owner)
            moved.append(m.NobleMoved(noble=now["nobles"][place] + 1, origin=origin, target=target))
    return moved


# ---------------------------------------------------------------------------------------------- the result


def result(state: State) -> m.Result | None:
    """How a game ended by the rules; None while it goes on."""
    if not rules.is_over(state):
        return None
    players = int(state.players)
    points = [int(n) for n in state.points[:players]]
    cards = [int(rules.cards_bought(state, seat)) for seat in range(players)]
    places = [int(rules.place_of(state, seat)) for seat in range(players)]
    winners = [seat for seat in range(players) if places[seat] == 1]
    level_in_points = sum(n == points[winners[0]] for n in points)
    decided_by: Literal["points", "cards", "shared"] = "points"
    if len(winners) > 1:
        decided_by = "shared"
    elif level_in_points > 1:
        decided_by = "cards"
    return m.Result(
        reason=cast(Literal["points"], PHASES[state.phase]),
        winners=winners,
        places=places,
        points=points,
        cards=cards,
        decided_by=decided_by,
    )
