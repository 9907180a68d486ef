"""Random play: what is true of every game, and agreement with the naive rulebook in `oracle.py`."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from positions import (
    NUMBER,
    WORDS,
    assert_conserved,
    bought,
    deal,
    give_cards,
    give_reserve,
    give_tokens,
    legal_numbers,
    nobles_of,
    snapshot,
)
from splendor.core.components import CARD_BONUS, CARD_POINTS, COLORS
from splendor.core.jit import MODE
from splendor.core.rules import apply, cards_bought, is_legal, is_over, place_of
from splendor.core.state import ACT, ENDED_BY_CAP, ENDED_BY_POINTS, ENDED_BY_STALEMATE, NOBLE, NOBODY

EXAMPLES = 8 if MODE == "plain" else 20
GAMES = 12

deals = st.builds(
    lambda players, first, seed, cap: (players, first % players, seed, cap),
    st.integers(2, 4),
    st.integers(0, 3),
    st.integers(0, (1 << 64) - 1),
    st.sampled_from([0, 0, 0, 1, 5, 12]),
)


def random_game(dealt: tuple[int, int, int, int]) -> tuple[Any, random.Random]:
    players, first, seed, cap = dealt
    return deal(players, seed, first, cap), random.Random(seed)


# --------------------------------------------------------------------------------- true of every game


@settings(max_examples=EXAMPLES)
@given(deals)
def test_tokens_cards_and_nobles_are_conserved_and_limits_hold_after_every_decision(
    dealt: tuple[int, int, int, int],
) -> None:
    state, chance = random_game(dealt)
    while not is_over(state):
        assert_conserved(state)
        apply(state, chance.choice(legal_numbers(state)))
    assert_conserved(state)


@settings(max_examples=EXAMPLES)
@given(deals)
def test_asking_about_any_number_agrees_with_the_list_and_changes_nothing(dealt: tuple[int, int, int, int]) -> None:
    state, chance = random_game(dealt)
    while True:
        before = state.tobytes()
        moves = legal_numbers(state)
        if chance.random() < 0.1 or is_over(state):
            assert moves == [number for number in range(-2, 76) if is_legal(state, number)]
            assert moves == sorted(set(moves))
        assert [place_of(state, seat) for seat in range(state.players)].count(1) >= 1
        assert state.tobytes() == before
        if is_over(state):
            assert moves == []
            break
        assert moves != []
        assert 60 not in moves or moves == [60]  # passing is legal only alone
        apply(state, chance.choice(moves))


@settings(max_examples=EXAMPLES)
@given(deals)
def test_turns_are_equal_at_the_end_and_bring_at_most_one_noble_and_points_never_fall(
    dealt: tuple[int, int, int, int],
) -> None:
    state, chance = random_game(dealt)
    players = int(state.players)
    turns = [0] * players
    trigger_round = 0
    while not is_over(state):
        if state.phase == ACT:
            seat, nobles = int(state.seat), len(nobles_of(state, NOBODY))
            owned = bought(state, seat)
            turns[seat] += 1
            assert state.round_number == turns[seat]
        points = state.points.copy()
        apply(state, chance.choice(legal_numbers(state)))
        assert (state.points >= points).all()
        assert nobles - len(nobles_of(state, NOBODY)) in (0, 1)
        assert set(owned) <= set(bought(state, seat))
        assert len(bought(state, seat)) - len(owned) in (0, 1)
        if trigger_round == 0 and state.points.max() >= 15:
            trigger_round = turns[seat]
    if state.phase == ENDED_BY_POINTS:
        assert turns == [trigger_round] * players  # the round was played out, and no other began
    elif state.phase == ENDED_BY_CAP:
        assert turns == [state.round_cap] * players
        assert trigger_round == 0
    else:
        assert state.phase == ENDED_BY_STALEMATE
        assert state.passes == players


# -------------------------------------------------------------------------------- the naive rulebook


def ordinary(players: int, seed: int) -> Any:
    return deal(players, seed, seed % players, round_cap=40)


def scarce(players: int, seed: int) -> Any:
    """No gems in the bank and three dear cards reserved by everybody: often nothing can be done."""
    state = deal(players, seed, seed % players, round_cap=6)
    chance = random.Random(seed)
    deck = [int(card) + 1 for card in state.deck[70:86]] + [int(card) + 1 for card in state.deck[40:66]]
    for seat in range(players):
        for place in range(3):
            give_reserve(state, seat, deck.pop(0), from_deck=place % 2)
    colors = list(COLORS[:5])
    chance.shuffle(colors)
    seats = list(range(players))
    chance.shuffle(seats)
    for color in colors:
        while state.bank[COLORS.index(color)]:
            seat = next(seat for seat in seats if state.tokens[seat].sum() < 10)
            give_tokens(state, seat, f"1 {color}")
    return state


def rich(players: int, seed: int) -> Any:
    """The lowest deck is all but sold out: many bonuses, gaps soon, several nobles at once."""
    state = deal(players, seed, seed % players, round_cap=15)
    chance = random.Random(seed)
    left = chance.randrange(4)
    cards = [int(card) + 1 for card in state.deck[left : state.deck_size[0]]]
    favorites = [chance.sample(range(5), 3) for _ in range(players)]
    for card in cards:
        keen = [seat for seat in range(players) if CARD_BONUS[card - 1] in favorites[seat]] or list(range(players))
        give_cards(state, chance.choice(keen), card)
    state.points[players:] = 0
    return state


def keen_on_buying(moves: list[int], chance: random.Random) -> int:
    buys = [move for move in moves if 45 <= move < 60]
    return chance.choice(buys if buys and chance.random() < 0.7 else moves)


def compare(state: Any, seed: int, seen: Counter[str]) -> None:
    """Play one game with both rulebooks and compare everything after every decision; count what happened."""
    table = snapshot(state)
    chance = random.Random(seed)
    while True:
        assert_conserved(state)
        moves = legal_numbers(state)
        assert {WORDS[move] for move in moves} == oracle.legal(table)
        assert [int(state.points[seat]) for seat in range(state.players)] == [
            oracle.points(table, seat) for seat in range(state.players)
        ]
        assert [cards_bought(state, seat) for seat in range(state.players)] == [len(own) for own in table["bought"]]
        assert [place_of(state, seat) for seat in range(state.players)] == oracle.places(table)
        if is_over(state):
            break
        seen["pass"] += WORDS[moves[0]] == "pass"
        seen["return"] += WORDS[moves[0]].startswith("return")
        seen["choice of nobles"] += state.phase == NOBLE
        seen["gap"] += 93 in state.market
        seen["empty deck"] += 0 in state.deck_size
        seen["few colors"] += 0 < int(np.count_nonzero(state.bank[:5])) < 3
        seen["no gold"] += state.bank[5] == 0
        move = keen_on_buying(moves, chance)
        oracle.play(table, WORDS[move])
        apply(state, NUMBER[WORDS[move]])
        assert snapshot(state) == table
    seen[table["step"]] += 1


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    ("start", "must_happen"),
    [
        (ordinary, {"return", "points"}),
        (scarce, {"pass", "return", "few colors"}),
        (rich, {"gap", "empty deck", "choice of nobles", "points"}),
    ],
)
def test_the_rules_agree_with_a_naive_rulebook(
    players: int, start: Callable[[int, int], Any], must_happen: set[str]
) -> None:
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        compare(start(players, seed), seed, seen)
    assert {event for event, count in seen.items() if count} >= must_happen, seen


def test_stalemates_agree_with_a_naive_rulebook() -> None:
    seen: Counter[str] = Counter()
    for seed in range(100):
        state = scarce(2, seed)
        if legal_numbers(state) == [60]:
            compare(state, seed, seen)
    assert seen["stalemate"] > 0
    assert seen["pass"] > seen["stalemate"]


def test_points_and_bonuses_are_those_of_the_cards_and_nobles_owned() -> None:
    state = ordinary(4, 3)
    chance = random.Random(3)
    while not is_over(state):
        apply(state, keen_on_buying(legal_numbers(state), chance))
    for seat in range(4):
        cards = [card - 1 for card in bought(state, seat)]
        assert state.points[seat] == sum(CARD_POINTS[cards]) + 3 * len(nobles_of(state, seat))
        assert state.bonuses[seat].tolist() == [int(sum(CARD_BONUS[cards] == color)) for color in range(5)]
