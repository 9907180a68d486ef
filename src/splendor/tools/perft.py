"""Counts of all decision sequences from a position: the quickest way to compare two implementations.

The name is that of chess programs. Sequences that end with the game earlier than at the full length count
up to there. `docs/rules.md` numbers the decisions; a buy pays with as little gold as possible.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splendor._jit import rule
from splendor.actions import PHASE_ACTION
from splendor.bits import count_bits, nth_bit
from splendor.moves import legal_actions
from splendor.rules import apply, legal_set
from splendor.state import State, new_states


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


@rule
def count_sequences(states: Any, untried: Any, depth: Any, counts: Any) -> None:
    """Add to counts[n] the sequences of n + 1 decisions from states[0], for n below `depth`.

    The path from there to the present state lies in `states`, and beside each state the set of its decisions that
    have not been tried yet. The last decision of a sequence is counted without being played.
    """
    if depth <= 0:
        return
    untried[0] = legal_set(states[0])
    counts[0] += count_bits(untried[0])
    length = 0
    while length >= 0:
        if untried[length] == 0 or length == depth - 1:
            length -= 1
            continue
        action = PHASE_ACTION[states[length].phase] + nth_bit(untried[length], 0)
        untried[length] &= untried[length] - 1
        states[length + 1] = states[length]
        length += 1
        apply(states[length], action)
        untried[length] = legal_set(states[length])
        counts[length] += count_bits(untried[length])
