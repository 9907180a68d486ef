"""A position as one line of text, complete or as one viewer sees it. Specified in `docs/notation.md`.

    players first round seat phase passes bank market decks nobles seat-0 seat-1 …

Only what cannot be derived is written: bonuses and points follow from the bought cards and the nobles.
Reading checks the form here and then, with `checks`, that the position can exist.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from splendor.core import rules
from splendor.core.components import (
    CARD_BONUS,
    CARD_LEVEL,
    CARD_POINTS,
    CARDS,
    CARDS_IN_LEVEL,
    FIRST_CARD,
    LEVELS,
    MAX_PLAYERS,
    NO_CARD,
    NO_NOBLE,
    NOBLE_POINTS,
    NOBLES,
    UNSEEN,
)
from splendor.core.state import MARKET, NOBODY, PHASES, RESERVE_LIMIT, SLOTS, Facts, State, cards_in, facts, new_state
from splendor.notation.checks import problem_with
from splendor.notation.errors import NotationError
from splendor.notation.moves import parse_number

COMMON_FIELDS = 10  # before the seats
MOST_ROUNDS = 1_000_000


def format_position(state: State) -> str:
    """The line for a state; a state that has been through `hide` gives the form for that viewer."""
    return format_facts(facts(state))


def format_facts(table: Facts) -> str:
    """The same for whoever has the facts already."""
    players = table["players"]
    rounds = f"{table['round_number']}/{table['round_cap']}" if table["round_cap"] else f"{table['round_number']}"
    market = [CARD_NAMES[card] for card in table["market"]]
    nobles = zip(table["nobles"][: players + 1], table["noble_seat"], strict=False)
    return " ".join(
        [
            f"{players} {table['first']} {rounds} {table['seat']} {PHASES[table['phase']]} {table['passes']}",
            "".join(map(str, table["bank"])),
            "/".join([",".join(market[SLOTS * level : SLOTS * (level + 1)]) for level in range(LEVELS)]),
            "/".join([_format_deck(table, level) for level in range(LEVELS)]),
            ",".join([f"{noble + 1}" + (f"@{seat}" if seat != NOBODY else "") for noble, seat in nobles]),
            *[_format_seat(table, seat) for seat in range(players)],
        ]
    )


CARD_NAMES = ["-" if card == NO_CARD else str(card + 1) for card in range(NO_CARD + 1)]
DECK_BEGINS = [int(first) for first in FIRST_CARD]


def _format_deck(table: Facts, level: int) -> str:
    size, first = table["deck_size"][level], DECK_BEGINS[level]
    if not size:
        return "-"
    cards = table["deck"][first : first + size][::-1]
    return f"?{size}" if cards[0] >= UNSEEN else ",".join([CARD_NAMES[card] for card in cards])


@lru_cache(20_000)
def _format_bought(bits_by_byte: tuple[int, ...]) -> str:
    return ",".join([CARD_NAMES[card] for card in cards_in(list(bits_by_byte))])


def _format_seat(table: Facts, seat: int) -> str:
    tokens = "".join(map(str, table["tokens"][seat]))
    bought = _format_bought(tuple(table["bought"][seat]))
    reserved = []
    for card, from_deck in zip(table["reserved"][seat], table["from_deck"][seat], strict=True):
        if card != NO_CARD:
            reserved.append(f"d{card - UNSEEN + 1}" if card >= UNSEEN else f"{card + 1}" + "d" * from_deck)
    return f"{tokens}:{bought or '-'}:{','.join(reserved) or '-'}"


def parse_position(text: str) -> State:
    """Read a position; what a viewer's form does not show becomes unseen cards.

    Raises NotationError for bad form or an impossible position.
    """
    fields, columns = _split(text, " ", 1)
    if len(fields) < COMMON_FIELDS:
        raise NotationError(f"a position has {COMMON_FIELDS} fields and one for each seat; here are {len(fields)}")
    state = new_state()
    state.players = _integer(fields[0], 2, MAX_PLAYERS, "number of players", columns[0])
    expected = COMMON_FIELDS + int(state.players)
    if len(fields) != expected:
        raise NotationError(
            f"a position for {state.players} players has {expected} fields; here are {len(fields)}",
            columns[min(expected, len(fields) - 1)],
        )
    rules.clear_seats(state)
    state.first = _integer(fields[1], 0, int(state.players) - 1, "first seat", columns[1])
    rounds, round_columns = _split(fields[2], "/", columns[2])
    state.round_number = _integer(rounds[0], 1, MOST_ROUNDS, "round", round_columns[0])
    if len(rounds) > 1:
        state.round_cap = _integer("/".join(rounds[1:]), 1, MOST_ROUNDS, "cap on rounds", round_columns[1])
    state.seat = _integer(fields[3], 0, int(state.players) - 1, "seat", columns[3])
    if fields[4] not in PHASES:
        raise NotationError(f"{fields[4]!r} is no phase; the phases are {', '.join(PHASES)}", columns[4])
    state.phase = PHASES.index(fields[4])
    state.passes = _integer(fields[5], 0, int(state.players), "number of passes", columns[5])
    state.bank = _digits(fields[6], columns[6])
    _parse_market(state, fields[7], columns[7])
    _parse_decks(state, fields[8], columns[8])
    _parse_nobles(state, fields[9], columns[9])
    for seat in range(int(state.players)):
        _parse_seat(state, seat, fields[COMMON_FIELDS + seat], columns[COMMON_FIELDS + seat])
    problem = problem_with(state)
    if problem:
        raise NotationError(problem.sentence, columns[problem.field], why={"check": problem.code, **problem.params})
    return state


def _split(text: str, separator: str, column: int) -> tuple[list[str], list[int]]:
    """The parts of a text, and the column at which each begins."""
    parts = text.split(separator)
    columns = []
    for part in parts:
        columns.append(column)
        column += len(part) + 1
    return parts, columns


def _integer(text: str, low: int, high: int, what: str, column: int) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,6}", text) or not low <= int(text) <= high:
        raise NotationError(f"{text!r} is no {what}; it must be a number from {low} to {high}", column)
    return int(text)


def _digits(text: str, column: int) -> list[int]:
    if not re.fullmatch(r"[0-9]{6}", text):
        raise NotationError(f"{text!r} must be six digits: white, blue, green, red, black, gold", column)
    return [int(digit) for digit in text]


def _parse_market(state: State, text: str, column: int) -> None:
    rows, columns = _split(text, "/", column)
    if len(rows) != LEVELS:
        raise NotationError(f"the market has {LEVELS} rows, separated by '/'; here are {len(rows)}", column)
    for level, (row, row_column) in enumerate(zip(rows, columns, strict=True)):
        cards, card_columns = _split(row, ",", row_column)
        if len(cards) != SLOTS:
            raise NotationError(f"a row of the market has {SLOTS} places; here are {len(cards)}", row_column)
        for i, (card, card_column) in enumerate(zip(cards, card_columns, strict=True)):
            state.market[SLOTS * level + i] = NO_CARD if card == "-" else _parse_card(card, level, card_column)


def _parse_card(text: str, level: int | None, column: int) -> int:
    card = parse_number(text, CARDS, "card", column) - 1
    if level is not None and CARD_LEVEL[card] != level:
        raise NotationError(f"card {card + 1} is of level {CARD_LEVEL[card] + 1}, not {level + 1}", column)
    return card


def _parse_decks(state: State, text: str, column: int) -> None:
    decks, columns = _split(text, "/", column)
    if len(decks) != LEVELS:
        raise NotationError(f"there are {LEVELS} decks, separated by '/'; here are {len(decks)}", column)
    for level, (deck, deck_column) in enumerate(zip(decks, columns, strict=True)):
        first, most = int(FIRST_CARD[level]), int(CARDS_IN_LEVEL[level])
        cards: list[int]
        if deck == "-":
            cards = []
        elif deck.startswith("?"):
            size = _integer(deck[1:], 1, most, "number of cards", deck_column + 1)
            cards = [UNSEEN + level] * size
        else:
            names, name_columns = _split(deck, ",", deck_column)
            if len(names) > most:
                raise NotationError(f"the level {level + 1} deck has at most {most} cards", deck_column)
            cards = [_parse_card(name, level, c) for name, c in zip(names, name_columns, strict=True)]
        state.deck_size[level] = len(cards)
        state.deck[first : first + most] = UNSEEN + level
        state.deck[first : first + len(cards)] = cards[::-1]


def _parse_nobles(state: State, text: str, column: int) -> None:
    state.nobles = NO_NOBLE
    state.noble_seat = NOBODY
    names, columns = _split(text, ",", column)
    if len(names) != state.players + 1:
        raise NotationError(
            f"a game for {state.players} players has {state.players + 1} nobles; here are {len(names)}", column
        )
    for place, (name, name_column) in enumerate(zip(names, columns, strict=True)):
        noble, at, owner = name.partition("@")
        state.nobles[place] = parse_number(noble, NOBLES, "noble", name_column) - 1
        if at:
            last_seat = int(state.players) - 1
            seat = _integer(owner, 0, last_seat, "seat", name_column + len(noble) + 1)
            state.noble_seat[place] = seat
            state.points[seat] += NOBLE_POINTS


def _parse_seat(state: State, seat: int, text: str, column: int) -> None:
    parts, columns = _split(text, ":", column)
    if len(parts) != 3:  # noqa: PLR2004 - the three parts just named
        raise NotationError("a seat is written tokens:bought:reserved", column)
    state.tokens[seat] = _digits(parts[0], columns[0])
    if parts[1] != "-":
        names, name_columns = _split(parts[1], ",", columns[1])
        cards = [_parse_card(name, None, c) for name, c in zip(names, name_columns, strict=True)]
        for previous, card, name_column in zip(cards, cards[1:], name_columns[1:], strict=False):
            if card <= previous:
                raise NotationError("bought cards are written in rising order, each once", name_column)
        for card in cards:
            state.bought[seat, card >> 3] |= np.uint8(1 << (card & 7))
            state.bonuses[seat, CARD_BONUS[card]] += 1
            state.points[seat] += CARD_POINTS[card]
    if parts[2] != "-":
        names, name_columns = _split(parts[2], ",", columns[2])
        if len(names) > RESERVE_LIMIT:
            raise NotationError(f"a seat reserves at most {RESERVE_LIMIT} cards; here are {len(names)}", columns[2])
        for place, (name, name_column) in enumerate(zip(names, name_columns, strict=True)):
            if name.startswith("d"):
                level = parse_number(name[1:], LEVELS, "deck", name_column + 1) - 1
                state.reserved[seat, place], state.from_deck[seat, place] = UNSEEN + level, 1
            else:
                state.reserved[seat, place] = _parse_card(name.removesuffix("d"), None, name_column)
                state.from_deck[seat, place] = name.endswith("d")


def has_unseen_cards(state: State) -> bool:
    """Is this a viewer's form rather than the whole position?"""
    decks = [state.deck[FIRST_CARD[level] : FIRST_CARD[level] + state.deck_size[level]] for level in range(LEVELS)]
    cards = np.concatenate([*decks, state.reserved.ravel(), state.market[:MARKET]])
    return bool(((cards >= UNSEEN) & (cards != NO_CARD)).any())
