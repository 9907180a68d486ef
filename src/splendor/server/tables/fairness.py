"""The fair deal: it follows from the server's secret and the players' nonces by a procedure that anyone can repeat.

The server publishes the hash of its secret before anyone sits down; players publish hashes of their nonces, and the
nonces when all hashes are there. The deal is made from all of them, 256 bits each, by the shuffle of `chance.py` fed
from HMAC-SHA-256 instead of SplitMix64, whose 64 bits could be searched. `docs/fairness.md` specifies it. Who checks
a deal afterwards is `proof.py`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from splendor.core import rules
from splendor.core.chance import new_rng
from splendor.core.components import CARDS, CARDS_IN_LEVEL, FIRST_CARD, LEVELS, NOBLES
from splendor.core.state import MARKET, State, new_state
from splendor.notation.positions import format_position

FIRST_PROCEDURE = "splendor-deal-1"  # of tables made up to November 2026; does not say whether seats were drawn
PROCEDURE = "splendor-deal-2"
SECRET_BYTES = 32


def new_secret() -> str:
    """256 random bits, as hexadecimal digits."""
    return secrets.token_hex(SECRET_BYTES)


def commit_to(secret: str) -> str:
    """The hash that binds to a secret or nonce without showing it."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


class Deal(NamedTuple):
    """The position that a game starts from, and for each of its seats the seat in which that player sat down."""

    position: str
    order: tuple[int, ...]


class DealMaker(Protocol):
    """What a table deals with: `deal`, or in tests something that puts known cards on top."""

    def __call__(
        self, secret: str, nonces: Sequence[str | None], *, shuffle_seats: bool, procedure: str = PROCEDURE
    ) -> Deal:
        """Make the deal."""
        ...


def deal(secret: str, nonces: Sequence[str | None], *, shuffle_seats: bool, procedure: str = PROCEDURE) -> Deal:
    """The deal for as many players as there are nonces; a player without a computer of their own has None."""
    numbers = draws(deal_key(secret, nonces, shuffle_seats=shuffle_seats, procedure=procedure))
    state = new_state()
    rules.setup(state, len(nonces), 0, 0, new_rng(0))  # bank, hands and turn; the cards are dealt below
    lay_decks(state, numbers)
    reveal_nobles(state, numbers)
    order = list(range(len(nonces)))
    if shuffle_seats:
        shuffle(order, numbers)
    return Deal(format_position(state), tuple(order))


def deal_key(secret: str, nonces: Sequence[str | None], *, shuffle_seats: bool, procedure: str = PROCEDURE) -> bytes:
    """The 256 bits that the deal is made from."""
    message = procedure.encode() + bytes([len(nonces)])
    if procedure != FIRST_PROCEDURE:
        message += bytes([shuffle_seats])
    for nonce in nonces:
        message += b"\0" if nonce is None else b"\1" + bytes.fromhex(nonce)
    return hmac.digest(bytes.fromhex(secret), message, "sha256")


def draws(key: bytes) -> Iterator[int]:
    """Numbers of 32 bits: eight from each HMAC of a counter, the first bytes first."""
    counter = 0
    while True:
        block = hmac.digest(key, counter.to_bytes(8, "big"), "sha256")
        for first in range(0, len(block), 4):
            yield int.from_bytes(block[first : first + 4], "big")
        counter += 1


def below(numbers: Iterator[int], count: int) -> int:
    """A number from 0 to `count` - 1, each exactly equally likely (Lemire's method on 32 bits, as in `chance`)."""
    while True:
        scaled = next(numbers) * count
        if scaled % 2**32 >= 2**32 % count:
            return scaled >> 32


def shuffle(items: list[int], numbers: Iterator[int]) -> None:
    """Fisher and Yates, from the end."""
    for last in range(len(items) - 1, 0, -1):
        other = below(numbers, last + 1)
        items[last], items[other] = items[other], items[last]


def lay_decks(state: State, numbers: Iterator[int]) -> None:
    """Shuffle the levels, the lowest first, and turn up four cards of each."""
    cards = list(range(CARDS))
    for level in range(LEVELS):
        first, count = int(FIRST_CARD[level]), int(CARDS_IN_LEVEL[level])
        deck = cards[first : first + count]
        shuffle(deck, numbers)
        state.deck[first : first + count] = deck
        state.deck_size[level] = count
    for slot in range(MARKET):
        rules.refill(state, slot)


def reveal_nobles(state: State, numbers: Iterator[int]) -> None:
    """One more than there are players, each drawn until it is a new one."""
    nobles: list[int] = []
    while len(nobles) <= state.players:
        noble = below(numbers, NOBLES)
        if noble not in nobles:
            nobles.append(noble)
    state.nobles[: len(nobles)] = nobles
