"""Counts of decision sequences: against a naive recursion, and against stored numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from games import random_game
from positions import NUMBER, deal, give_bonuses, give_tokens, lay_nobles
from splendor import Game
from splendor.core.jit import MODE
from splendor.core.rules import apply
from splendor.core.state import copy_state
from splendor.game.moves import legal_actions
from splendor.tools.perft import count_by_first_decision, perft


def count_naively(state: Any, depth: int) -> list[int]:
    """Play every decision and add up what follows."""
    counts = [0] * depth
    for action in legal_actions(state):
        counts[0] += 1
        if depth > 1:
            after = copy_state(state)
            apply(after, action)
            for length, count in enumerate(count_naively(after, depth - 1), 1):
                counts[length] += count
    return counts


@pytest.mark.parametrize("players", [2, 3, 4])
def test_counts_equal_a_naive_recursion_from_the_deal(players: int) -> None:
    state = Game(players=players, seed=players).state
    depth = 2 if MODE == "plain" else 3
    assert perft(state, depth) == count_naively(state, depth)


@pytest.mark.parametrize("seed", range(6))
def test_counts_equal_a_naive_recursion_in_mid_game(seed: int) -> None:
    state = random_game(2 + seed % 3, seed, turns=30 + 7 * seed).state
    assert perft(state, 2) == count_naively(state, 2)


def test_sequences_end_with_the_game() -> None:
    game = random_game(2, 5)
    assert game.is_over
    assert perft(game.state, 3) == [0, 0, 0]
    game.undo()
    state = game.state
    assert perft(state, 4) == count_naively(state, 4)


def test_returns_and_choices_of_a_noble_are_decisions_of_their_own() -> None:
    state = deal()
    lay_nobles(state, 5, 8, 10)  # 4 blue 4 green; 3 white 3 blue 3 green; 4 white 4 blue
    give_bonuses(state, 0, "4 white 4 blue 4 green")
    give_tokens(state, 0, "3 white 3 blue 3 green")
    apply(state, NUMBER["take white, red, black"])
    assert perft(state, 1) == [5]  # one of five colors goes back
    assert perft(state, 4) == count_naively(state, 4)
    apply(state, NUMBER["return red"])
    assert perft(state, 1) == [4]
    apply(state, NUMBER["return black"])
    assert perft(state, 1) == [3]  # one of three nobles


def test_the_state_that_is_asked_about_stays_as_it_is() -> None:
    state = Game(players=3, seed=4).state
    before = state.tobytes()
    perft(state, 2)
    assert state.tobytes() == before


def test_the_counts_of_all_first_decisions_add_up() -> None:
    state = Game(players=2, seed=9).state
    divided = count_by_first_decision(state, 2)
    assert list(divided) == legal_actions(state)
    assert [sum(counts[length] for counts in divided.values()) for length in range(2)] == perft(state, 2)


@pytest.mark.compiled_only
def test_stored_counts(golden: Callable[[str, str], None]) -> None:
    deals = [Game(players=players, seed=1) for players in (2, 3, 4)]
    later = [random_game(2 + seed % 3, seed, turns=50 + 10 * seed) for seed in range(6)]
    rows: list[dict[str, Any]] = [
        {"players": game.players, "seed": 1, "counts": perft(game.state, 5 if game.players == 2 else 4)}
        for game in deals
    ]
    rows += [{"position": game.position, "counts": perft(game.state, 4)} for game in later]
    golden("perft.json", "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
