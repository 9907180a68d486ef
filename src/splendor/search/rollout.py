"""Judging a leaf by playing on from it: a few turns by the light policy, then the evaluation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splendor._jit import rule
from splendor.actions import ACTIONS
from splendor.rules import apply, is_over
from splendor.search.evaluation import evaluate
from splendor.search.policy import PAPER, likely_decision, write_priors
from splendor.search.weights import POLICY, WEIGHTS
from splendor.state import new_states


class Judge(NamedTuple):
    """What a rollout goes by, and its scratch paper."""

    weights: NDArray[np.float64]  # of the evaluation
    policy: NDArray[np.float64]  # of the light policy
    scratch: Any  # one state
    ratings: NDArray[np.float64]  # [action]
    row: NDArray[np.float64]


def new_judge() -> Judge:
    return Judge(WEIGHTS, POLICY, new_states(1), np.zeros(ACTIONS), np.zeros(PAPER))


@rule
def judge_leaves(leaves: Any, count: Any, settings: Any, judge: Any, rng: Any) -> None:
    """Write priors and shares for the first `count` leaves."""
    for leaf in range(count):
        state = leaves.states[leaf]
        if not is_over(state):
            write_priors(state, settings.temperature, judge.policy, judge.ratings, leaves.priors[leaf], judge.row)
        judge.scratch[0] = state
        roll_out(judge.scratch[0], settings.rollout, settings.noise, judge, rng)
        evaluate(judge.scratch[0], judge.weights, leaves.shares[leaf], judge.row)


@rule
def roll_out(state: Any, decisions: Any, noise: Any, judge: Any, rng: Any) -> None:
    """Play on by the light policy, until the game ends or so many decisions have been made."""
    while decisions > 0 and not is_over(state):
        apply(state, likely_decision(state, noise, rng, judge.policy, judge.ratings, judge.row))
        decisions -= 1
