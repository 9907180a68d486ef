"""Loops over games that only training needs, next to those of `batch` and `afterstates`."""

from __future__ import annotations

from typing import Any

from splendor._jit import rule
from splendor.rules import is_over, setup
from splendor.search.greedy import best_decision


@rule
def deal_games(start: Any, stop: Any, states: Any, rng: Any, players: Any, round_cap: Any) -> None:
    """New games, each for its own number of players."""
    for game in range(start, stop):
        setup(states[game], players[game], 0, round_cap, rng[game : game + 1])


@rule
def greedy_in_games(
    start: Any,
    stop: Any,
    scratch: Any,
    shares: Any,
    paper: Any,
    views: Any,
    rng: Any,
    noise: Any,
    weights: Any,
    actions: Any,
) -> None:
    """The decision of the greedy player in each game; 0 in a finished one."""
    for game in range(start, stop):
        actions[game] = 0
        if not is_over(views[game]):
            actions[game] = best_decision(views[game], noise, rng[game : game + 1], weights, scratch, shares, paper)
