"""From a state to what a viewer is shown: the board, the moves, what moved, and how it ended.

Everything goes through `seen_by`, which hides what the viewer may not know. Only a replay of a finished game
looks at positions with open hands. Cards and moves occur again and again: each is made once and shared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, cast

import numpy as np

from splendor.core import rules
from splendor.core.components import (
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
from splendor.core.hidden import SPECTATOR, hide
from splendor.core.state import (
    ACT,
    NOBLE,
    NOBODY,
    PHASES,
    RETURN,
    SLOTS,
    Facts,
    State,
    cards_in,
    facts,
)
from splendor.game.copies import copied
from splendor.game.moves import (
    TAKES,
    begun,
    completed,
    default_payment,
    move_of_action,
    payments_for,
    phases_after,
)
from splendor.game.position import lacking
from splendor.game.shown import (
    Asked,
    BoardView,
    CardFace,
    CardMoved,
    ColorName,
    Gems,
    Hand,
    Moved,
    MoveForm,
    NobleMoved,
    NobleTile,
    Phase,
    Place,
    Reason,
    ReservedCard,
    Result,
    ShownCard,
    ShownNoble,
    SomeTokens,
    Tokens,
    TokensMoved,
)
from splendor.notation.moves import Move
from splendor.notation.moves import Tokens as Counts
from splendor.notation.positions import format_facts

OPEN_HANDS = -2  # a viewer for whom nothing in a hand is hidden: a replay, when the game is over


def seen_by(state: State, viewer: int | None) -> State:
    """The state as a viewer may know it; None is a spectator."""
    if viewer == OPEN_HANDS:
        return state
    seen = copied(state)
    hide(seen, SPECTATOR if viewer is None else viewer)
    return seen


# --------------------------------------------------------------------------------------------------- the box


def plain(counts: Iterable[int]) -> list[int]:
    """Counts as Python's own numbers, from wherever they come."""
    return counts.tolist() if isinstance(counts, np.ndarray) else [int(n) for n in counts]


@lru_cache(maxsize=50_000)
def _gems(counts: tuple[int, ...]) -> Gems:
    return Gems(*counts)


def gems(counts: Iterable[int]) -> Gems:
    return _gems(tuple(plain(counts)))


@lru_cache(maxsize=50_000)
def _tokens(counts: tuple[int, ...]) -> Tokens:
    return Tokens(*counts)


def all_tokens(counts: Iterable[int]) -> Tokens:
    return _tokens(tuple(plain(counts)))


def some_tokens(counts: Iterable[int]) -> SomeTokens:
    """Only those that there are; of any sign."""
    return {cast(ColorName, COLORS[color]): n for color, n in enumerate(plain(counts)) if n}


def _card_face(card: int) -> CardFace:
    return CardFace(
        id=card + 1,
        level=int(CARD_LEVEL[card]) + 1,
        points=int(CARD_POINTS[card]),
        bonus=cast(ColorName, COLORS[CARD_BONUS[card]]),
        cost=gems(CARD_COST[card]),
    )


CARD_FACES = [_card_face(card) for card in range(CARDS)]
NOBLE_TILES = [NobleTile(id=n + 1, points=NOBLE_POINTS, cost=gems(NOBLE_COST[n])) for n in range(NOBLES)]


# ------------------------------------------------------------------------------------------------- the board


def board(state: State, viewer: int | None, turn: int, asker: int | None = None) -> BoardView:
    """The board for one viewer, after `turn` turns; with open hands it may be turned to a seat, the `asker`."""
    seen = seen_by(state, viewer)
    table = facts(seen)
    players, phase = table["players"], table["phase"]
    if viewer != OPEN_HANDS:
        asker = viewer
    lacks = what_is_missing(seen, table, asker)
    market = [None if card == NO_CARD else shown_card(card, lacks.get(card)) for card in table["market"]]
    return BoardView(
        position=format_facts(table),
        viewer=asker,
        players=players,
        seat=table["seat"],
        round=table["round_number"],
        turn=turn,
        phase=cast(Phase, PHASES[phase]),
        is_last_round=bool(rules.has_trigger(seen)),
        is_over=phase > NOBLE,
        bank=all_tokens(table["bank"]),
        market=[market[SLOTS * level : SLOTS * (level + 1)] for level in range(LEVELS)],
        decks=table["deck_size"],
        nobles=[shown_noble(table, place, asker) for place in range(players + 1)],
        hands=[hand(table, seat, lacks if seat == asker else {}) for seat in range(players)],
    )


Lacks = dict[int, tuple[int, ...]]  # for each card, what is missing by color; and last, whether it can be bought


def what_is_missing(seen: State, table: Facts, seat: int | None) -> Lacks:
    """What a seat lacks for the cards it could buy: those on the market and its own reserved ones."""
    if seat is None:
        return {}
    cards = [card for card in [*table["market"], *table["reserved"][seat]] if card < UNSEEN]
    return dict(zip(cards, map(tuple, lacking(seen, seat, cards)), strict=True))


@lru_cache(maxsize=50_000)
def shown_card(card: int, lacks: tuple[int, ...] | None) -> ShownCard:
    """A card, with what its viewer lacks for it."""
    return ShownCard(**_shown(card, lacks))


@lru_cache(maxsize=50_000)
def reserved_card(card: int, lacks: tuple[int, ...] | None, from_deck: bool) -> ReservedCard:
    """The same in a hand."""
    return ReservedCard(from_deck=from_deck, **_shown(card, lacks))


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


def shown_noble(table: Facts, place: int, seat: int | None) -> ShownNoble:
    """A noble, with what its viewer lacks for it."""
    noble, owner = table["nobles"][place], table["noble_seat"][place]
    has = None if seat is None else tuple(table["bonuses"][seat])
    return noble_as_seen(noble, None if owner == NOBODY else owner, has)


@lru_cache(maxsize=50_000)
def noble_as_seen(noble: int, owner: int | None, has: tuple[int, ...] | None) -> ShownNoble:
    """A noble that went to an owner, or to nobody yet, for a viewer who has these bonuses."""
    tile = NOBLE_TILES[noble]
    missing = None
    if has is not None:
        missing = gems(max(asked - n, 0) for asked, n in zip(NOBLE_COST[noble].tolist(), has, strict=True))
    return ShownNoble(id=tile.id, points=tile.points, cost=tile.cost, seat=owner, missing=missing)


def hand(table: Facts, seat: int, lacks: Lacks) -> Hand:
    """What lies before a seat; what is missing for its reserved cards is said to the viewer's own only."""
    held = zip(table["reserved"][seat], table["from_deck"][seat], strict=True)
    nobles = zip(table["nobles"], table["noble_seat"], strict=True)
    return Hand(
        tokens=all_tokens(table["tokens"][seat]),
        bonuses=gems(table["bonuses"][seat]),
        points=table["points"][seat],
        bought=[CARD_FACES[card] for card in cards_in(table["bought"][seat])],
        reserved=[reserved_card(card, lacks.get(card), bool(drawn)) for card, drawn in held if card != NO_CARD],
        nobles=[noble + 1 for noble, owner in nobles if noble != NO_NOBLE and owner == seat],
    )


# ------------------------------------------------------------------------------------------------- the moves


def move_form(state: State, move: Move, then: Asked | None = None) -> MoveForm:
    """A move taken apart; `state` is the one it is played on."""
    payment = None
    if move.kind == "buy" and move.card is not None:
        payment = default_payment(state, move.card) if move.payment is None else move.payment
    return form_of(move, payment, then)


@lru_cache(maxsize=50_000)
def form_of(move: Move, payment: Counts | None, then: Asked | None) -> MoveForm:
    """A move taken apart that pays so much."""
    return MoveForm(
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


@cache
def take_form(action: int, then: Asked | None) -> MoveForm:
    """The form of a take, which is the same in every position."""
    return form_of(TAKES[action], None, then)


def offered_moves(state: State, viewer: int | None) -> list[MoveForm]:
    """What the viewer may play now: each action with each way to pay, or each way to finish the turn.

    Returns and nobles are not multiplied into the actions; `then` says where one of them follows.
    """
    if viewer is None or viewer != state.seat or rules.is_over(state):
        return []
    seen = seen_by(state, viewer)
    if seen.phase != ACT:
        return [move_form(seen, move) for move in completed(seen, Move("finish"))]
    forms = []
    for action, phase in phases_after(seen):
        then = ASKS_FOR.get(phase)
        if action < len(TAKES):
            forms.append(take_form(action, then))
        else:
            forms += [form_of(*offer, then) for offer in offers(seen, action)]
    return forms


ASKS_FOR: dict[int, Asked] = {RETURN: "return", NOBLE: "noble"}


def offers(seen: State, action: int) -> list[tuple[Move, Counts | None]]:
    """The moves that begin with an action, each with what it pays: a buy in every way that is exact."""
    move = move_of_action(seen, action)
    if move.kind != "buy":
        return [(move, None)]
    least, *others = payments_for(seen, action)
    return [(move, least), *((replace(move, payment=payment), payment) for payment in others)]


def continuations(state: State, viewer: int, begin: Move) -> list[MoveForm]:
    """Every whole move that begins with this action; raises IllegalMove if it cannot be played."""
    seen = seen_by(state, viewer)
    after, played = begun(seen, begin)
    moves = completed(after, played) if after.phase in ASKS_FOR else [played]
    return [move_form(seen, move) for move in moves]


# ----------------------------------------------------------------------------------------------- what moved


def movements(before: State, after: State, move: Move, viewer: int | None) -> list[Moved]:
    """What went from where to where in one turn, or part of one, as the viewer sees it: tokens, cards, nobles."""
    seat = int(before.seat)
    if move.kind in ("buy", "reserve", "draw"):
        before, after = seen_by(before, viewer), seen_by(after, viewer)
    was, now = facts(before), facts(after)  # of tokens and nobles nothing is hidden
    paid = [0] * (GOLD + 1)
    if move.kind == "buy" and move.card is not None:
        paid = list(move.payment if move.payment is not None else default_payment(before, move.card))
    returned = list(move.returned)
    got = [
        held - had + paid[color] + returned[color]
        for color, (had, held) in enumerate(zip(was["tokens"][seat], now["tokens"][seat], strict=True))
    ]
    bank, purse = Place(area="bank"), Place(area="tokens", seat=seat)
    moved: list[Moved] = []
    if any(paid):
        moved.append(TokensMoved(tokens=some_tokens(paid), origin=purse, target=bank))
    if move.kind in ("buy", "reserve", "draw"):
        bought = set(cards_in(now["bought"][seat])) - set(cards_in(was["bought"][seat]))
        moved += cards_moved(was, now, seat, bought)
    if any(got):
        moved.append(TokensMoved(tokens=some_tokens(got), origin=bank, target=purse))
    if any(returned):
        moved.append(TokensMoved(tokens=some_tokens(returned), origin=purse, target=bank))
    return moved + nobles_moved(was, now)


def cards_moved(was: Facts, now: Facts, seat: int, bought: set[int]) -> list[Moved]:
    """At most one card goes to a hand or is bought, and at most one comes from a deck to the market."""
    moved: list[Moved] = []
    for card in bought:
        origin = market_place(was, card) or reserved_place(was, now, seat, card)
        moved.append(_card(card, origin, Place(area="bought", seat=seat)))
    held, holds = (sum(card != NO_CARD for card in table["reserved"][seat]) for table in (was, now))
    if holds > held:
        card = now["reserved"][seat][holds - 1]
        origin = market_place(was, card) or Place(area="deck", level=int(CARD_LEVEL[card]) + 1)
        moved.append(_card(card, origin, Place(area="reserved", seat=seat, slot=holds - 1)))
    for slot, (old_card, card) in enumerate(zip(was["market"], now["market"], strict=True)):
        if card not in (old_card, NO_CARD):
            level = slot // SLOTS + 1
            target = Place(area="market", level=level, slot=slot % SLOTS)
            moved.append(_card(card, Place(area="deck", level=level), target))
    return moved


def _card(card: int, origin: Place, target: Place) -> CardMoved:
    known = None if card >= UNSEEN else card + 1
    return CardMoved(card=known, level=int(CARD_LEVEL[card]) + 1, origin=origin, target=target)


def market_place(table: Facts, card: int) -> Place | None:
    """Where a card lies on the market."""
    if card >= UNSEEN or card not in table["market"]:
        return None
    slot = table["market"].index(card)
    return Place(area="market", level=slot // SLOTS + 1, slot=slot % SLOTS)


def reserved_place(was: Facts, now: Facts, seat: int, card: int) -> Place:
    """Where a bought card lay in the hand; one that the viewer did not know lay where the hand differs now."""
    held, holds = was["reserved"][seat], now["reserved"][seat]
    back = UNSEEN + int(CARD_LEVEL[card])
    slots = [slot for slot, old in enumerate(held) if old == card]
    slots += [slot for slot, old in enumerate(held) if old == back != holds[slot]]
    return Place(area="reserved", seat=seat, slot=slots[0])


def nobles_moved(was: Facts, now: Facts) -> list[Moved]:
    """The noble that came to a seat, if one did."""
    moved: list[Moved] = []
    for place, (before, owner) in enumerate(zip(was["noble_seat"], now["noble_seat"], strict=True)):
        if owner != before:
            origin, target = Place(area="nobles", slot=place), Place(area="nobles", seat=owner)
            moved.append(NobleMoved(noble=now["nobles"][place] + 1, origin=origin, target=target))
    return moved


# ---------------------------------------------------------------------------------------------- the ending


def result(state: State) -> Result | None:
    """How a game ended by the rules; None while it goes on."""
    return standing(state, cast(Reason, PHASES[state.phase])) if rules.is_over(state) else None


def standing(state: State, reason: Reason) -> Result:
    """The result of a game that is over for this reason: the places by the rules, as the game stands."""
    players = int(state.players)
    points = plain(state.points[:players])
    places = [int(rules.place_of(state, seat)) for seat in range(players)]
    winners = [seat for seat in range(players) if places[seat] == 1]
    level_in_points = points.count(points[winners[0]])
    return Result(
        reason=reason,
        winners=winners,
        places=places,
        points=points,
        cards=[int(rules.cards_bought(state, seat)) for seat in range(players)],
        decided_by="shared" if len(winners) > 1 else "cards" if level_in_points > 1 else "points",
    )
