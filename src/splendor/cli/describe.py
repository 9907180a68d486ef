"""A position as plain dicts and lists, for `--json`."""

from __future__ import annotations

from splendor.game.position import Board, Card
from splendor.notation.json import JsonObject


def board_to_json(board: Board) -> JsonObject:
    """Everything that the board shows, by name."""
    return {
        "position": board.position,
        "players": board.players,
        "first": board.first,
        "round": board.round,
        "round_cap": board.round_cap,
        "seat": board.seat,
        "phase": board.phase,
        "is_over": board.is_over,
        "is_last_round": board.is_last_round,
        "winners": list(board.winners),
        "placement": list(board.placement),
        "bank": board.bank._asdict(),
        "market": [[card and card_to_json(card) for card in row] for row in board.market],
        "deck_sizes": list(board.deck_sizes),
        "nobles": [{"id": n.id, "points": n.points, "cost": n.cost._asdict(), "seat": n.seat} for n in board.nobles],
        "seats": [seat_to_json(board, seat) for seat in range(board.players)],
    }


def seat_to_json(board: Board, seat: int) -> JsonObject:
    """What lies before one seat."""
    return {
        "points": board.points[seat],
        "tokens": board.tokens(seat)._asdict(),
        "bonuses": board.bonuses(seat)._asdict(),
        "bought": [card.id for card in board.bought(seat)],
        "reserved": [card_to_json(card) for card in board.reserved(seat)],
        "nobles": [noble.id for noble in board.nobles if noble.seat == seat],
    }


def card_to_json(card: Card) -> JsonObject:
    """A card; of one that the viewer has not seen, the level."""
    if card.is_unseen:
        return {"id": None, "level": card.level}
    return {**card._asdict(), "cost": card.cost._asdict()}
