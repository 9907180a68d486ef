"""The ruleset fingerprint: a short hash by which two programs know that they play the same game.

It covers what a position or a move means: every card and noble, the numbers of the rulebook and the
numbering of the actions. Two programs with the same fingerprint can exchange positions and moves.
"""

from __future__ import annotations

import hashlib
from functools import cache

from splendor.core import rules
from splendor.core.actions import ACTIONS, describe_action
from splendor.core.components import (
    CARD_BONUS,
    CARD_COST,
    CARD_LEVEL,
    CARD_POINTS,
    CARDS,
    COLORS,
    GOLD,
    NOBLE_COST,
    NOBLE_POINTS,
    NOBLES,
)
from splendor.core.state import PHASES, RESERVE_LIMIT, SLOTS

FINGERPRINT_DIGITS = 16


def ruleset_text() -> str:
    """What the fingerprint is taken of, one fact a line; `docs/protocol.md` describes it for other programs."""
    lines = [
        f"colors {' '.join(COLORS)}",
        f"hand-limit {rules.HAND_LIMIT}",
        f"pair-pile {rules.PAIR_PILE}",
        f"winning-points {rules.WINNING_POINTS}",
        f"gold-tokens {rules.GOLD_TOKENS}",
        f"gem-tokens {' '.join(str(n) for n in rules.GEM_TOKENS[2:])}",
        f"market-row {SLOTS}",
        f"reserve-limit {RESERVE_LIMIT}",
        f"noble-points {NOBLE_POINTS}",
        f"phases {' '.join(PHASES)}",
    ]
    for card in range(CARDS):
        cost = " ".join(str(n) for n in CARD_COST[card, :GOLD])
        lines.append(f"card {card + 1} {CARD_LEVEL[card] + 1} {COLORS[CARD_BONUS[card]]} {CARD_POINTS[card]} {cost}")
    for noble in range(NOBLES):
        lines.append(f"noble {noble + 1} {' '.join(str(n) for n in NOBLE_COST[noble])}")
    for action in range(ACTIONS):
        lines.append(f"action {action} {describe_action(action)}")
    return "\n".join(lines) + "\n"


@cache
def fingerprint() -> str:
    """The first 16 hexadecimal digits of the SHA-256 of `ruleset_text`.

    >>> len(fingerprint())
    16
    """
    return hashlib.sha256(ruleset_text().encode()).hexdigest()[:FINGERPRINT_DIGITS]
