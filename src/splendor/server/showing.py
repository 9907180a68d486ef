"""From a position to what a viewer is shown: the board, the moves, and what moved.

Everything goes through `seen_by`, which hides what the viewer may not know. Only a replay of a finished game
looks at positions with open hands.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, cast

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
    MAX_PLAYERS,
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
    legal_actions,
    move_of_action,
    other_payments,
    play_action,
)
from splendor.notation.moves import Move
from splendor.notation.positions import format_position
from splendor.server import messages as m
from splendor.state import ACT, MARKET, NOBLE, NOBODY, PHASES, RETURN, SLOTS, State, copy_state

OPEN_HANDS = -2  # a viewer for whom nothing in a hand is hidden: a replay, when the game is over


def seen_by(state: State, viewer: int | None) -> State:
    """The state as a viewer may know it; None is a spectator."""
    if viewer == OPEN_HANDS:
        return state
    seen = copy_state(state)
    hide(seen, SPECTATOR if viewer is None else viewer)
    return seen


# --------------------------------------------------------------------------------------------------- the box


def gems(counts: Iterable[int]) -> m.Gems:
    white, blue, green, red, black = (int(n) for n in counts)
    return m.Gems(white=white, blue=blue, green=green, red=red, black=black)


def all_tokens(counts: Iterable[int]) -> m.Tokens:
    white, blue, green, red, black, gold = (int(n) for n in counts)
    return m.Tokens(white=white, blue=blue, green=green, red=red, black=black, gold=gold)


def some_tokens(counts: Iterable[int]) -> m.SomeTokens:
    """Only those that there are; of any sign."""
    return {cast(m.Color, COLORS[color]): int(n) for color, n in enumerate(counts) if n}


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
    players = int(seen.players)
    asking = copy_state(seen)  # the rules speak about the seat whose turn it is: here that is the viewer's
    has_seat = viewer is not None and viewer != OPEN_HANDS
    if has_seat:
        asking.seat = viewer
    market = [shown_card(asking, int(card), has_seat) for card in seen.market]
    return m.BoardView(
        position=format_position(seen),
        viewer=viewer if has_seat else None,
        players=players,
        seat=int(seen.seat),
        round=int(seen.round_number),
        turn=turn,
        phase=cast(Literal["act"], PHASES[seen.phase]),
        is_last_round=bool(rules.has_trigger(seen)),
        is_over=bool(rules.is_over(seen)),
        bank=all_tokens(seen.bank),
        market=[market[SLOTS * level : SLOTS * (level + 1)] for level in range(LEVELS)],
        decks=[int(n) for n in seen.deck_size],
        nobles=[shown_noble(asking, place, has_seat) for place in range(players + 1)],
        hands=[hand(seen, asking, seat, has_seat and seat == viewer) for seat in range(players)],
    )


def shown_card(asking: State, card: int, has_seat: bool) -> m.ShownCard | None:
    """A card for the seat that asks; None for an empty slot."""
    if card == NO_CARD:
        return None
    return m.ShownCard(**_shown(asking, card, has_seat))


def _shown(asking: State, card: int, has_seat: bool) -> dict[str, Any]:
    if card >= UNSEEN:
        hidden: dict[str, Any] = dict.fromkeys(("id", "points", "bonus", "cost", "missing", "gold"))
        return {**hidden, "level": card - UNSEEN + 1, "affordable": False}
    face = CARD_FACES[card]
    shown: dict[str, Any] = {
        "id": face.id,
        "level": face.level,
        "points": face.points,
        "bonus": face.bonus,
        "cost": face.cost,
        "missing": None,
        "gold": None,
        "affordable": False,
    }
    if has_seat:
        held = asking.tokens[asking.seat]
        shown["missing"] = gems(max(int(rules.price(asking, card, c)) - int(held[c]), 0) for c in range(GOLD))
        if rules.can_buy(asking, card):
            shown["affordable"], shown["gold"] = True, int(rules.gold_needed(asking, card))
    return shown


def shown_noble(asking: State, place: int, has_seat: bool) -> m.ShownNoble:
    noble = int(asking.nobles[place])
    owner = int(asking.noble_seat[place])
    tile = NOBLE_TILES[noble]
    missing = None
    if has_seat:
        has = asking.bonuses[asking.seat]
        missing = gems(max(int(NOBLE_COST[noble, c]) - int(has[c]), 0) for c in range(GOLD))
    seat = None if owner == NOBODY else owner
    return m.ShownNoble(id=tile.id, points=tile.points, cost=tile.cost, seat=seat, missing=missing)


def hand(seen: State, asking: State, seat: int, is_viewer: bool) -> m.Hand:
    """What lies before a seat; what is missing for its reserved cards is said to the viewer's own only."""
    reserved = []
    for card, from_deck in zip(seen.reserved[seat], seen.from_deck[seat], strict=True):
        if card != NO_CARD:
            reserved.append(m.ReservedCard(from_deck=bool(from_deck), **_shown(asking, int(card), is_viewer)))
    return m.Hand(
        tokens=all_tokens(seen.tokens[seat]),
        bonuses=gems(seen.bonuses[seat]),
        points=int(seen.points[seat]),
        bought=[CARD_FACES[card] for card in bought_cards(seen, seat)],
        reserved=reserved,
        nobles=[
            int(noble) + 1
            for noble, owner in zip(seen.nobles, seen.noble_seat, strict=True)
            if noble != NO_NOBLE and owner == seat
        ],
    )


def bought_cards(state: State, seat: int) -> list[int]:
    """The cards that a seat has bought, by number."""
    bits = int.from_bytes(state.bought[seat].tobytes(), "little")
    return [card for card in range(CARDS) if bits >> card & 1]


# ------------------------------------------------------------------------------------------------- the moves


def move_form(state: State, move: Move, then: Literal["return", "noble"] | None = None) -> m.MoveForm:
    """A move taken apart; `state` is the one it is played on."""
    payment = None
    if move.kind == "buy" and move.card is not None:
        payment = some_tokens(default_payment(state, move.card) if move.payment is None else move.payment)
    return m.MoveForm(
        text=str(move),
        kind=move.kind,
        taken=some_tokens(move.taken) or None,
        card=move.card,
        level=move.level,
        payment=payment,
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
    for action in legal_actions(seen):
        move = move_of_action(seen, action)
        for paid in [move, *other_payments(seen, move)] if move.kind == "buy" else [move]:
            after = copy_state(seen)
            play_action(after, action, paid.payment)
            forms.append(move_form(seen, paid, _asks_for(after)))
    return forms


def _asks_for(state: State) -> Literal["return", "noble"] | None:
    if state.phase == RETURN:
        return "return"
    return "noble" if state.phase == NOBLE else None


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
    old, new = seen_by(before, viewer), seen_by(after, viewer)
    paid = [0] * (GOLD + 1)
    if move.kind == "buy" and move.card is not None:
        paid = list(move.payment if move.payment is not None else default_payment(before, move.card))
    returned = list(move.returned)
    got = [int(new.tokens[seat, c]) - int(old.tokens[seat, c]) + paid[c] + returned[c] for c in range(GOLD + 1)]
    bank, purse = m.Place(area="bank"), m.Place(area="tokens", seat=seat)
    moved: list[m.Movement] = []
    if any(paid):
        moved.append(m.TokensMoved(tokens=some_tokens(paid), origin=purse, target=bank))
    moved += cards_moved(old, new, seat)
    if any(got):
        moved.append(m.TokensMoved(tokens=some_tokens(got), origin=bank, target=purse))
    if any(returned):
        moved.append(m.TokensMoved(tokens=some_tokens(returned), origin=purse, target=bank))
    return moved + nobles_moved(old, new)


def cards_moved(old: State, new: State, seat: int) -> list[m.Movement]:
    """At most one card goes to a hand or is bought, and at most one comes from a deck to the market."""
    moved: list[m.Movement] = []
    bought = set(bought_cards(new, seat)) - set(bought_cards(old, seat))
    for card in bought:
        target = m.Place(area="bought", seat=seat)
        moved.append(_card(card, market_place(old, card) or reserved_place(old, new, seat, card), target))
    held, holds = reserved_count(old, seat), reserved_count(new, seat)
    if holds > held:
        card = int(new.reserved[seat, holds - 1])
        target = m.Place(area="reserved", seat=seat, slot=holds - 1)
        level = int(CARD_LEVEL[card]) + 1
        moved.append(_card(card, market_place(old, card) or m.Place(area="deck", level=level), target))
    for slot in range(MARKET):
        card = int(new.market[slot])
        if card not in (int(old.market[slot]), NO_CARD):
            level, place = slot // SLOTS + 1, slot % SLOTS
            target = m.Place(area="market", level=level, slot=place)
            moved.append(_card(card, m.Place(area="deck", level=level), target))
    return moved


def _card(card: int, origin: m.Place, target: m.Place) -> m.CardMoved:
    known = None if card >= UNSEEN else card + 1
    return m.CardMoved(card=known, level=int(CARD_LEVEL[card]) + 1, origin=origin, target=target)


def market_place(state: State, card: int) -> m.Place | None:
    """Where a card lies on the market."""
    for slot in range(MARKET):
        if state.market[slot] == card and card < UNSEEN:
            return m.Place(area="market", level=slot // SLOTS + 1, slot=slot % SLOTS)
    return None


def reserved_place(old: State, new: State, seat: int, card: int) -> m.Place:
    """Where a bought card lay in the hand; one that the viewer did not know lay where the hand differs now."""
    for slot in range(reserved_count(old, seat)):
        if old.reserved[seat, slot] == card:
            return m.Place(area="reserved", seat=seat, slot=slot)
    level = UNSEEN + int(CARD_LEVEL[card])
    for slot in range(reserved_count(old, seat)):
        if old.reserved[seat, slot] == level and new.reserved[seat, slot] != level:
            return m.Place(area="reserved", seat=seat, slot=slot)
    last = max(slot for slot in range(reserved_count(old, seat)) if old.reserved[seat, slot] == level)
    return m.Place(area="reserved", seat=seat, slot=last)


def reserved_count(state: State, seat: int) -> int:
    return sum(int(card) != NO_CARD for card in state.reserved[seat])


def nobles_moved(old: State, new: State) -> list[m.Movement]:
    """The noble that came to a seat, if one did."""
    moved: list[m.Movement] = []
    for place in range(MAX_PLAYERS + 1):
        if new.noble_seat[place] != old.noble_seat[place]:
            origin = m.Place(area="nobles", slot=place)
            target = m.Place(area="nobles", seat=int(new.noble_seat[place]))
            moved.append(m.NobleMoved(noble=int(new.nobles[place]) + 1, origin=origin, target=target))
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
