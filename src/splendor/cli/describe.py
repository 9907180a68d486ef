"""A position as plain dicts and lists, for `--json`."""

from __future__ import annotations

from typing import Any

from splendor.table import Card, Table


def table_to_json(table: Table) -> dict[str, Any]:
    """Everything that the board shows, by name."""
    return {
        "position": table.position,
        "players": table.players,
        "first": table.first,
        "round": table.round,
        "round_cap": table.round_cap,
        "seat": table.seat,
        "phase": table.phase,
        "is_over": table.is_over,
        "is_last_round": table.is_last_round,
        "winners": list(table.winners),
        "placement": list(table.placement),
        "bank": table.bank._asdict(),
        "market": [[card and card_to_json(card) for card in row] for row in table.market],
        "deck_sizes": list(table.deck_sizes),
        "nobles": [{"id": n.id, "points": n.points, "cost": n.cost._asdict(), "seat": n.seat} for n in table.nobles],
        "seats": [seat_to_json(table, seat) for seat in range(table.players)],
    }


def seat_to_json(table: Table, seat: int) -> dict[str, Any]:
    """What lies before one seat."""
    return {
        "points": table.points[seat],
        "tokens": table.tokens(seat)._asdict(),
        "bonuses": table.bonuses(seat)._asdict(),
        "bought": [card.id for card in table.bought(seat)],
        "reserved": [card_to_json(card) for card in table.reserved(seat)],
        "nobles": [noble.id for noble in table.nobles if noble.seat == seat],
    }


def card_to_json(card: Card) -> dict[str, Any]:
    """A card; of one that the viewer has not seen, the level."""
    if card.is_unseen:
        return {"id": None, "level": card.level}
    return {**card._asdict(), "cost": card.cost._asdict()}
