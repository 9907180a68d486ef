"""How two opinions of a network become one estimate of what each decision is worth: see `network/action_values.py`.

Worked out decision by decision, the same in a program of Python and in a browser.
"""

from __future__ import annotations

import math

from splendor.core.actions import ACTIONS
from splendor.core.jit import rule
from splendor.core.types import Action, ByAction

POLICY_PART = 0.6  # how much the opinion of the policy counts; the rest is the afterstate's
UNLIKELY = 1.5  # a decision whose logarithm is so far below that of the likeliest one is not tried
TRIED = 4  # so many are tried at most
NOT_LEGAL = -1.0  # less than any share of the win
WON = 0.98  # a game with such a share is as good as won
AS_WELL = 0.01  # a decision that costs no more of the win than this wins as well
FIRST = 1e-6  # what puts it before the others

NOT_TRIED, LIKELY, TRIED_OUT, FINAL = range(4)  # what is known of a decision; FINAL: it ends the game


@rule
def write_chances(ratings: ByAction, legal: ByAction, chances: ByAction) -> None:
    """The logarithms of how likely each legal decision is the best; of others, minus infinity  [action]."""
    top, total = -math.inf, 0.0
    for action in range(ACTIONS):
        if legal[action]:
            top = max(top, ratings[action])
    for action in range(ACTIONS):
        if legal[action]:
            total += math.exp(ratings[action] - top)
    for action in range(ACTIONS):
        chances[action] = ratings[action] - top - math.log(total) if legal[action] else -math.inf


@rule
def mark_likely(chances: ByAction, known: ByAction) -> None:
    """Mark the decisions that are worth a try, by the logarithms of how likely each is the best  [action]."""
    top = -math.inf
    for action in range(ACTIONS):
        top = max(top, chances[action])
    for action in range(ACTIONS):
        better = 0
        for other in range(ACTIONS):
            better += chances[other] > chances[action]
        known[action] = LIKELY if better < TRIED and chances[action] >= top - UNLIKELY else NOT_TRIED


@rule
def combine(
    tried: ByAction, known: ByAction, chances: ByAction, legal: ByAction, temperature: float, worth: ByAction
) -> None:
    """Both opinions together: `tried` counts where `known` says so, `chances` are logarithms  [action].

    A policy that is the softmax of shares divided by a temperature tells these shares up to a constant, which is set
    so that both opinions agree on the mean. A result that is exact needs no second opinion.
    """
    weight, mean, usual = 0.0, 0.0, 0.0
    for action in range(ACTIONS):
        if legal[action]:
            chance = math.exp(chances[action])
            usual += chance * chances[action]
            if known[action] >= TRIED_OUT:
                weight += chance
                mean += chance * tried[action]
    mean /= max(weight, 1e-30)
    for action in range(ACTIONS):
        worth[action] = NOT_LEGAL
        if legal[action]:
            policy = min(max(mean + temperature * (chances[action] - usual), 0.0), 1.0)
            if known[action] == FINAL:
                worth[action] = tried[action]
            elif known[action] == TRIED_OUT:
                worth[action] = tried[action] + POLICY_PART * (policy - tried[action])
            else:
                worth[action] = policy


@rule
def is_as_good_as_won(known: ByAction, worth: ByAction) -> bool:
    """Is there a decision that is nearly sure to win, but none known to do so at once?"""
    best = NOT_LEGAL
    for action in range(ACTIONS):
        best = max(best, worth[action])
    if best < WON:
        return False
    for action in range(ACTIONS):
        if known[action] == FINAL and worth[action] == best:
            return False
    return True


@rule
def put_first(worth: ByAction, decision: Action) -> None:
    """Let a decision be worth most, if it wins as well as the others."""
    best = NOT_LEGAL
    for action in range(ACTIONS):
        best = max(best, worth[action])
    if worth[decision] >= best - AS_WELL:
        worth[decision] = best + FIRST
