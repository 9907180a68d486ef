"""Records in which cards are missing: those of a viewer, who has not seen what the others drew from a deck.

Which card it was shows when its owner buys it, if the hand holds only one such. Else it stays unknown: a card that lies
nowhere else takes its place, so that the game can be played through, and a review leaves out what depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from splendor.core.components import CARD_LEVEL, CARDS
from splendor.core.state import bought_cards
from splendor.game.game import Game
from splendor.notation.json import parse_json_record
from splendor.notation.records import Record, Turn, format_record, parse_record


class Gap(NamedTuple):
    """A draw whose card is not in the record and never shows, or not for certain."""

    turn: int
    seat: int


class Hidden(NamedTuple):
    """A draw whose card the record does not name."""

    turn: int
    seat: int
    level: int


def read_game(text: str) -> tuple[Game, tuple[Gap, ...]]:
    """The game of a record, text or JSON, and the draws that stay unknown; raises ValueError as `Game.from_record`."""
    record = parse_json_record(text) if text.lstrip().startswith("{") else parse_record(text)
    if not any(turn.move.kind == "draw" and turn.drawn is None for turn in record.turns):
        return Game.from_record(text), ()
    cards, gaps = missing_cards(record)
    turns = [with_card(turn, cards.get(number, turn.drawn)) for number, turn in enumerate(record.turns)]
    return Game.from_record(format_record(Record(record.position, record.tags, turns))), gaps


def with_card(turn: Turn, drawn: int | None) -> Turn:
    return Turn(turn.move, drawn, turn.comment, turn.evaluation, turn.clock, turn.round_number, turn.line, turn.column)


def missing_cards(record: Record) -> tuple[dict[int, int], tuple[Gap, ...]]:
    """The printed ids of the cards that draws do not name, by turn, and those of them that are only assumed."""
    cards: dict[int, int] = {}
    waiting: list[Hidden] = []
    doubtful: set[Hidden] = set()
    for number, seat, turn, is_from_hand in buys_and_draws(record):
        if turn.move.kind == "draw" and turn.drawn is None and turn.move.level is not None:
            waiting.append(Hidden(number, seat, turn.move.level - 1))
        card = turn.move.card
        if is_from_hand and card is not None and 1 <= card <= CARDS:
            fitting = [draw for draw in waiting if (draw.seat, draw.level) == (seat, CARD_LEVEL[card - 1])]
            if fitting:
                cards[fitting[0].turn] = card
                waiting.remove(fitting[0])
            if len(fitting) > 1:  # it may have been the other one
                doubtful.update(fitting)
    free = [card for card in range(1, CARDS + 1) if card not in set(named_cards(record)) | set(cards.values())]
    for draw in waiting:
        card = next((card for card in free if CARD_LEVEL[card - 1] == draw.level), None)
        if card is not None:
            free.remove(card)
            cards[draw.turn] = card
    return cards, tuple(Gap(draw.turn, draw.seat) for draw in sorted({*waiting, *doubtful}))


def buys_and_draws(record: Record) -> Iterator[tuple[int, int, Turn, bool]]:
    """Each turn with its number and seat, and whether it buys a card of which the record has not said where it is."""
    seat, players = int(record.position.seat), int(record.position.players)
    known = {int(card) + 1 for card in record.position.market if card < CARDS}
    known |= {int(card) + 1 for hand in record.position.reserved for card in hand if card < CARDS}
    for number, turn in enumerate(record.turns):
        yield number, seat, turn, turn.move.kind == "buy" and turn.move.card not in known
        if turn.drawn is not None:
            known.add(turn.drawn)
        seat = (seat + 1) % players


def named_cards(record: Record) -> Iterator[int]:
    """The printed ids of all cards that the record shows somewhere."""
    position = record.position
    for seat in range(int(position.players)):
        yield from (card + 1 for card in bought_cards(position, seat))
    yield from (int(card) + 1 for card in position.market if card < CARDS)
    yield from (int(card) + 1 for hand in position.reserved for card in hand if card < CARDS)
    for turn in record.turns:
        yield from (card for card in (turn.move.card, turn.drawn) if card is not None)
