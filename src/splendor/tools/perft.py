"""Counts of all decision sequences from a position: the quickest way to compare two implementations.

The name is that of chess programs. Sequences that end with the game earlier than at the full length count
up to there. `docs/rules.md` numbers the decisions; a buy pays with as little gold as possible.
"""

from __future__ import annotations

import numpy as np

from splendor.core.perft import count_sequences
from splendor.core.rules import apply
from splendor.core.state import State, new_states
from splendor.game.moves import legal_actions


def perft(state: State, depth: int) -> list[int]:
    """How many sequences of 1, 2, … `depth` decisions there are.

    >>> from splendor import Game
    >>> perft(Game(players=2, seed=1).state, 1)
    [30]
    """
    return total(count_by_first_decision(state, depth), depth)


def count_by_first_decision(state: State, depth: int) -> dict[int, list[int]]:
    """The counts of each length, apart for each action that can come first."""
    states = new_states(depth + 1)
    untried = np.zeros(depth + 1, np.int64)
    counted = {}
    for action in legal_actions(state):
        counts = np.zeros(depth + 1, np.int64)
        states[0] = state
        apply(states[0], action)
        count_sequences(states, untried, depth - 1, counts)
        counted[action] = [1, *(int(count) for count in counts[: depth - 1])]
    return counted


def total(by_first_decision: dict[int, list[int]], depth: int) -> list[int]:
    """The counts over all first decisions."""
    return [sum(counts[length] for counts in by_first_decision.values()) for length in range(depth)]
