"""Judging a leaf by playing on from it: a few turns by the light policy, then the evaluation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS
from splendor.core.jit import rule
from splendor.core.rules import apply, is_over
from splendor.core.state import State, States, new_states
from splendor.core.types import Count, Rng
from splendor.search.kernel.backup import back_up
from splendor.search.kernel.descend import gather
from splendor.search.kernel.evaluation import evaluate
from splendor.search.kernel.leaves import Leaves
from splendor.search.kernel.policy import PAPER, likely_decision, write_priors
from splendor.search.kernel.settings import SearchSettings
from splendor.search.kernel.tree import Tree
from splendor.search.kernel.weights import POLICY, WEIGHTS


class Rollout(NamedTuple):
    """What a rollout goes by, and its scratch paper."""

    weights: NDArray[np.float64]  # of the evaluation
    policy: NDArray[np.float64]  # of the light policy
    scratch: States  # one
    ratings: NDArray[np.float64]  # [action]
    row: NDArray[np.float64]


def new_rollout() -> Rollout:
    return Rollout(WEIGHTS, POLICY, new_states(1), np.zeros(ACTIONS), np.zeros(PAPER))


@rule
def judge_leaves(leaves: Leaves, count: Count, settings: SearchSettings, rollout: Rollout, rng: Rng) -> None:
    """Write priors and shares for the first `count` leaves."""
    for leaf in range(count):
        state = leaves.states[leaf]
        if not is_over(state):
            write_priors(state, settings.temperature, rollout.policy, rollout.ratings, leaves.priors[leaf], rollout.row)
        rollout.scratch[0] = state
        roll_out(rollout.scratch[0], settings.rollout, settings.noise, rollout, rng)
        evaluate(rollout.scratch[0], rollout.weights, leaves.shares[leaf], rollout.row)


@rule
def roll_out(state: State, decisions: Count, noise: float, rollout: Rollout, rng: Rng) -> None:
    """Play on by the light policy, until the game ends or so many decisions have been made."""
    while decisions > 0 and not is_over(state):
        apply(state, likely_decision(state, noise, rng, rollout.policy, rollout.ratings, rollout.row))
        decisions -= 1


@rule
def simulate(
    tree: Tree,
    view: State,
    count: Count,
    settings: SearchSettings,
    leaves: Leaves,
    rollout: Rollout,
    seed: np.uint64,
    rng: Rng,
) -> None:
    """The whole search: descend, judge, back up."""
    for _ in range(count):
        gather(tree, view, 1, settings, leaves, seed, rng)
        judge_leaves(leaves, 1, settings, rollout, rng)
        back_up(tree, view.seat, leaves, 1)
