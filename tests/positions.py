"""Positions for tests: deal a game, move tokens, cards and nobles about by hand, and read it as plain data.

Decisions are written in words ("take white, blue, green"); `golden/actions.txt` says which number each has.
Cards and nobles are named by their printed ids, from 1 on. Every helper here keeps all tokens and cards in
the game, so a position made with them can be checked with `assert_conserved` at any time.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from splendor.core.actions import ACTIONS
from splendor.core.chance import new_rng
from splendor.core.components import (
    CARD_BONUS,
    CARD_LEVEL,
    CARD_POINTS,
    CARDS,
    COLORS,
    FIRST_CARD,
    GOLD,
    LEVELS,
    MAX_PLAYERS,
    NO_CARD,
    NO_NOBLE,
)
from splendor.core.hidden import hide
from splendor.core.rules import apply, draw, is_legal, keep_reserved, legal_actions, setup
from splendor.core.state import MARKET, NOBODY, PHASES, RETURN, SLOTS, copy_state, new_state

GOLDEN = Path(__file__).parent / "golden"
WORDS = [line.split(maxsplit=1)[1] for line in (GOLDEN / "actions.txt").read_text(encoding="utf-8").splitlines()]
NUMBER = {words: number for number, words in enumerate(WORDS)}
GEMS = {2: 4, 3: 5, 4: 7}  # tokens of each color, by players


def deal(players: int = 2, seed: int = 1, first: int = 0, round_cap: int = 0) -> Any:
    state = new_state()
    setup(state, players, first, round_cap, new_rng(seed))
    return state


# ------------------------------------------------------------------------------------------- decisions


def legal_numbers(state: Any) -> list[int]:
    buffer = np.zeros(ACTIONS + 1, np.int8)
    count = legal_actions(state, buffer)
    return [int(action) for action in buffer[:count]]


def legal(state: Any) -> list[str]:
    """The legal decisions in words; the two questions of the rules must agree on them."""
    numbers = legal_numbers(state)
    assert numbers == [number for number in range(ACTIONS) if is_legal(state, number)]
    return [WORDS[number] for number in numbers]


def takes(state: Any) -> list[str]:
    return [words for words in legal(state) if words.startswith("take")]


def play(state: Any, *decisions: str) -> None:
    """Play decisions given in words; each must be legal."""
    for words in decisions:
        assert is_legal(state, NUMBER[words]), f"{words!r} is not legal; legal: {legal(state)}"
        apply(state, NUMBER[words])


def view(state: Any, viewer: int) -> Any:
    seen = copy_state(state)
    hide(seen, viewer)
    return seen


# ---------------------------------------------------------------------------------------- moving tokens


def give_tokens(state: Any, seat: int, tokens: str) -> None:
    """Move tokens from the bank to a hand: "4 red 1 gold"."""
    words = tokens.split()
    for count, color in zip(words[::2], words[1::2], strict=True):
        state.bank[COLORS.index(color)] -= int(count)
        state.tokens[seat, COLORS.index(color)] += int(count)
        assert state.bank[COLORS.index(color)] >= 0, f"no {count} {color} left"


def leave_in_bank(state: Any, tokens: str) -> None:
    """Move gems from the bank to the other players' hands, ten at most each, until only `tokens` are left."""
    words = tokens.split()
    kept = dict(zip(words[1::2], map(int, words[::2]), strict=True))
    for color in range(GOLD):
        for seat in range(state.players):
            if seat != state.seat:
                room = 10 - int(state.tokens[seat].sum())
                moved = max(min(room, int(state.bank[color]) - kept.get(COLORS[color], 0)), 0)
                give_tokens(state, seat, f"{moved} {COLORS[color]}")
        assert state.bank[color] == kept.get(COLORS[color], 0), "the other hands are full"


# ----------------------------------------------------------------------------------------- moving cards


def take_out(state: Any, printed: int) -> int:
    """Remove a card from its deck or from the market, which is refilled; return its number."""
    card = printed - 1
    level = int(CARD_LEVEL[card])
    for slot in range(MARKET):
        if state.market[slot] == card:
            state.market[slot] = draw(state, level) if state.deck_size[level] > 0 else NO_CARD
            return card
    first, size = int(FIRST_CARD[level]), int(state.deck_size[level])
    pile = [int(other) for other in state.deck[first : first + size]]
    pile.remove(card)
    state.deck[first : first + size - 1] = pile
    state.deck_size[level] -= 1
    return card


def give_cards(state: Any, seat: int, *printed: int) -> None:
    """Let a player have bought these cards already."""
    for card in (take_out(state, number) for number in printed):
        state.bought[seat, card // 8] |= np.uint8(1 << card % 8)
        state.bonuses[seat, CARD_BONUS[card]] += 1
        state.points[seat] += CARD_POINTS[card]


def give_bonuses(state: Any, seat: int, bonuses: str) -> None:
    """Give level 1 cards without points from the deck until the player has these bonuses: "3 white 3 blue"."""
    words = bonuses.split()
    for count, color in zip(words[::2], words[1::2], strict=True):
        missing = int(count) - int(state.bonuses[seat, COLORS.index(color)])
        in_deck = sorted(int(card) for card in state.deck[: state.deck_size[0]])
        fitting = [c for c in in_deck if CARD_BONUS[c] == COLORS.index(color) and CARD_POINTS[c] == 0]
        give_cards(state, seat, *(card + 1 for card in fitting[: max(missing, 0)]))
        assert state.bonuses[seat, COLORS.index(color)] == int(count), f"no {count} {color} cards left"


def give_points(state: Any, seat: int, points: int) -> None:
    """Give level 3 cards, then level 2 cards, until the player has exactly these points."""
    for card in [*range(70, 90), *range(40, 70)]:
        short = points - int(state.points[seat])
        if short > 0 and CARD_POINTS[card] <= short and not is_sold(state, card):
            give_cards(state, seat, card + 1)
    assert state.points[seat] == points


def is_sold(state: Any, card: int) -> bool:
    return any(card + 1 in bought(state, seat) for seat in range(MAX_PLAYERS))


def give_reserve(state: Any, seat: int, printed: int, from_deck: int = 0) -> None:
    """Let a player have reserved this card already."""
    card = take_out(state, printed)
    keep_reserved(state, seat, card, from_deck)


def show(state: Any, slot: int, printed: int) -> None:
    """Put a card of the deck or of the market into a market slot; the two cards change places."""
    card = printed - 1
    first, size = int(FIRST_CARD[CARD_LEVEL[card]]), int(state.deck_size[CARD_LEVEL[card]])
    for place in (state.market, state.deck[first : first + size]):
        found = np.flatnonzero(place == card)
        if len(found) > 0:
            place[found[0]] = state.market[slot]
            break
    else:
        raise AssertionError(f"card {printed} has left the table")
    state.market[slot] = card


def show_row(state: Any, level: int, *printed: int) -> None:
    for place, card in enumerate(printed):
        show(state, SLOTS * (level - 1) + place, card)


def stack_deck(state: Any, level: int, *printed: int) -> None:
    """Bring these cards of a deck to its top, the first to be drawn first."""
    first, size = int(FIRST_CARD[level - 1]), int(state.deck_size[level - 1])
    for depth, number in enumerate(printed):
        place = first + size - 1 - depth
        found = int(np.flatnonzero(state.deck[first : first + size] == number - 1)[0])
        state.deck[first + found] = state.deck[place]
        state.deck[place] = number - 1


def sell_out(state: Any, level: int, seat: int) -> None:
    """Let a player have bought the whole deck of a level."""
    first, size = int(FIRST_CARD[level - 1]), int(state.deck_size[level - 1])
    give_cards(state, seat, *(int(card) + 1 for card in state.deck[first : first + size]))


def lay_nobles(state: Any, *printed: int) -> None:
    """Lay these nobles on the table; give exactly one more than there are players."""
    assert len(printed) == state.players + 1
    state.nobles[: len(printed)] = [number - 1 for number in printed]


# ------------------------------------------------------------------------------------- reading a state


def hand(state: Any, seat: int) -> str:
    """Tokens in words: "2 red 1 gold"."""
    return in_words(state.tokens[seat])


def bank(state: Any) -> str:
    return in_words(state.bank)


def in_words(tokens: Any) -> str:
    return " ".join(f"{count} {color}" for count, color in zip(tokens, COLORS, strict=True) if count)


def row(state: Any, level: int) -> list[int]:
    """The printed ids of a face-up row, 0 for a gap."""
    cards = [int(card) for card in state.market[SLOTS * (level - 1) : SLOTS * level]]
    return [0 if card == NO_CARD else card + 1 for card in cards]


def top_card(state: Any, level: int) -> int:
    """The printed id of the card that a deck would give next."""
    return int(state.deck[FIRST_CARD[level - 1] + state.deck_size[level - 1] - 1]) + 1


def reserves(state: Any, seat: int) -> list[int]:
    return [int(card) + 1 for card in state.reserved[seat] if card != NO_CARD]


def bought(state: Any, seat: int) -> list[int]:
    bits = np.unpackbits(state.bought[seat], bitorder="little")
    return [int(card) + 1 for card in np.flatnonzero(bits)]


def nobles_of(state: Any, seat: int) -> list[int]:
    """The printed ids of the nobles that a player has; `NOBODY`: those still on the table."""
    pairs = zip(state.nobles, state.noble_seat, strict=True)
    return [int(noble) + 1 for noble, owner in pairs if noble != NO_NOBLE and owner == seat]


def snapshot(state: Any) -> dict[str, Any]:
    """A state as the plain lists and dicts of the oracle."""
    seats = range(int(state.players))
    owners = [None if owner == NOBODY else int(owner) for owner in state.noble_seat]
    decks = {}
    for level in range(LEVELS):
        first = int(FIRST_CARD[level])
        decks[level + 1] = [int(card) + 1 for card in state.deck[first : first + int(state.deck_size[level])]]
    return {
        "players": int(state.players),
        "first": int(state.first),
        "seat": int(state.seat),
        "round": int(state.round_number),
        "cap": int(state.round_cap),
        "step": PHASES[int(state.phase)],
        "passes": int(state.passes),
        "supply": {color: int(state.bank[index]) for index, color in enumerate(COLORS)},
        "hands": [{color: int(state.tokens[seat, i]) for i, color in enumerate(COLORS)} for seat in seats],
        "decks": decks,
        "rows": {level: [card or None for card in row(state, level)] for level in (1, 2, 3)},
        "nobles": [
            {"id": int(noble) + 1, "owner": owner}
            for noble, owner in zip(state.nobles, owners, strict=True)
            if noble != NO_NOBLE
        ],
        "bought": [bought(state, seat) for seat in seats],
        "reserved": [
            [
                {"id": int(card) + 1, "unseen": bool(state.from_deck[seat, place])}
                for place, card in enumerate(state.reserved[seat])
                if card != NO_CARD
            ]
            for seat in seats
        ],
    }


# ---------------------------------------------------------------------------------------- conservation


def assert_conserved(state: Any) -> None:
    """Nothing is lost, doubled or negative, the limits hold, and the kept sums are true."""
    assert_tokens_are_conserved(state)
    assert_cards_are_conserved(state)
    assert_nobles_are_conserved(state)
    assert_sums_are_true(state)


def assert_tokens_are_conserved(state: Any) -> None:
    assert state.bank.min() >= 0
    assert state.tokens.min() >= 0
    totals = (state.bank + state.tokens.sum(axis=0)).tolist()
    assert totals == [GEMS[int(state.players)]] * 5 + [5]
    assert not state.tokens[state.players :].any()
    for seat in range(state.players):
        held = int(state.tokens[seat].sum())
        if seat == state.seat and state.phase == RETURN:
            assert 10 < held <= 13
        else:
            assert held <= 10


def assert_cards_are_conserved(state: Any) -> None:
    places = Counter(int(card) for card in state.market if card != NO_CARD)
    for level in range(LEVELS):
        first = int(FIRST_CARD[level])
        deck = state.deck[first : first + int(state.deck_size[level])].tolist()
        assert all(CARD_LEVEL[card] == level for card in deck)
        assert all(CARD_LEVEL[card] == level for card in state.market[4 * level : 4 * level + 4] if card != NO_CARD)
        assert state.deck_size[level] == 0 or NO_CARD not in state.market[4 * level : 4 * level + 4]
        places.update(deck)
    for seat in range(MAX_PLAYERS):
        places.update(card - 1 for card in reserves(state, seat) + bought(state, seat))
        kept = state.reserved[seat] != NO_CARD
        assert kept.tolist() == sorted(kept.tolist(), reverse=True), "reserved cards lie without gaps"
        assert not state.from_deck[seat][~kept].any()
    assert places == Counter(range(CARDS))
    assert (state.reserved[state.players :] == NO_CARD).all()
    assert not state.bought[state.players :].any()


def assert_nobles_are_conserved(state: Any) -> None:
    count = int(state.players) + 1
    on_table = state.nobles[:count].tolist()
    assert len(set(on_table)) == count
    assert set(on_table) <= set(range(10))
    assert (state.nobles[count:] == NO_NOBLE).all()
    assert (state.noble_seat[count:] == NOBODY).all()
    assert all(owner == NOBODY or 0 <= owner < state.players for owner in state.noble_seat)


def assert_sums_are_true(state: Any) -> None:
    """Points and bonuses are those of the bought cards and the nobles."""
    for seat in range(MAX_PLAYERS):
        cards = [number - 1 for number in bought(state, seat)]
        bonuses = Counter(int(CARD_BONUS[card]) for card in cards)
        assert state.bonuses[seat].tolist() == [bonuses[color] for color in range(GOLD)]
        points = sum(int(CARD_POINTS[card]) for card in cards) + 3 * len(nobles_of(state, seat))
        assert state.points[seat] == points
