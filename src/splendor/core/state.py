"""One game as one record of small numbers: everything that the rules look at or change, and nothing else.

The record is 256 bytes, has no pointers and is the same on the CPU, on the GPU and on disk. Bonuses and
points follow from the bought cards and nobles, but are asked for at every step, so they are kept. The number
of bought cards is the sum of the bonuses: each card brings exactly one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splendor.core.components import CARDS, LEVELS, MAX_PLAYERS

SLOTS = 4  # face-up cards of one level
MARKET = LEVELS * SLOTS  # market slot = 4 * level + place in the row, from the left
RESERVE_LIMIT = 3
TABLE_NOBLES = MAX_PLAYERS + 1

# What has to be decided next; from ENDED_BY_POINTS on the game is over.
ACT, RETURN, NOBLE, ENDED_BY_POINTS, ENDED_BY_STALEMATE, ENDED_BY_CAP = range(6)
PHASES = ("act", "return", "noble", "points", "stalemate", "cap")

NOBODY = -1

STATE = np.dtype(
    [
        ("round_number", np.int32),  # the first is 1 (`round` is a method of NumPy records)
        ("round_cap", np.int32),  # the last round of a bot match; 0: none
        ("players", np.uint8),
        ("first", np.uint8),  # the seat that begins every round
        ("seat", np.uint8),  # who decides
        ("phase", np.uint8),  # what is decided: ACT, RETURN, NOBLE; or how the game ended
        ("passes", np.uint8),  # turns in succession that were passed
        ("bank", np.int8, 6),  # tokens on the table                          [color]
        ("nobles", np.int8, TABLE_NOBLES),  # tiles dealt to the table        [place]
        ("noble_seat", np.int8, TABLE_NOBLES),  # who received it, or NOBODY  [place]
        ("market", np.uint8, MARKET),  # face-up cards                         [slot]
        ("deck_size", np.uint8, LEVELS),  # cards left face down               [level]
        ("deck", np.uint8, CARDS),  # FIRST_CARD[level] on, the top card last  [level's cards]
        ("tokens", np.int8, (MAX_PLAYERS, 6)),  # tokens in hand              [seat, color]
        ("bonuses", np.int8, (MAX_PLAYERS, 5)),  # from bought cards          [seat, color]
        ("points", np.int8, MAX_PLAYERS),  # prestige                         [seat]
        ("reserved", np.uint8, (MAX_PLAYERS, RESERVE_LIMIT)),  # oldest first  [seat, place]
        ("from_deck", np.uint8, (MAX_PLAYERS, RESERVE_LIMIT)),  # 1: drawn unseen by the others
        ("bought", np.uint8, (MAX_PLAYERS, CARDS // 8 + 1)),  # one bit for each card  [seat, card // 8]
    ],
    align=True,
)

State = Any  # one STATE record: `np.record` in Python, a typed record in compiled code
States = Any  # an array of them  [game]


def new_states(count: int) -> np.recarray:
    """Blank states, to be filled by `rules.setup`."""
    return np.zeros(count, STATE).view(np.recarray)


def new_state() -> State:
    return new_states(1)[0]


def copy_state(state: State) -> State:
    copy = new_states(1)
    copy[0] = state
    return copy[0]


Facts = dict[str, Any]  # the fields of a state by name


def facts(state: State) -> Facts:
    """The fields of a state as Python's own numbers and lists: for those who look at many, and faster then."""
    values = zip(STATE.names or (), state.item(), strict=True)
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values}


def bought_cards(state: State, seat: int) -> list[int]:
    """The cards that a seat has bought, rising; the same as asking `rules.is_bought_by` about each, but faster."""
    return cards_in(state.bought[seat].tolist())


def cards_in(bits_by_byte: list[int]) -> list[int]:
    """The cards of a set of them, rising: a row of `bought`."""
    bits, cards = int.from_bytes(bytes(bits_by_byte), "little"), []
    while bits:
        cards.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return cards
