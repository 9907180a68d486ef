"""Counting all sequences of decisions from a position, without recursion. `tools/perft.py` says what for."""

from __future__ import annotations

from splendor.core.actions import PHASE_ACTION
from splendor.core.bits import count_bits, nth_bit
from splendor.core.jit import rule
from splendor.core.rules import apply, legal_set
from splendor.core.state import States
from splendor.core.types import ByGame, Count


@rule
def count_sequences(states: States, untried: ByGame, depth: Count, counts: ByGame) -> None:
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
