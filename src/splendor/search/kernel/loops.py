"""Loops over games that only training needs, next to those of `batch` and `afterstates`."""

from __future__ import annotations

from typing import Any

from splendor._jit import rule
from splendor.components import MAX_PLAYERS
from splendor.rules import is_over, setup
from splendor.search.backup import back_up_leaf
from splendor.search.descend import descend
from splendor.search.greedy import best_decision
from splendor.search.tree import ROOT, clear, tree_of


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
    mine: Any,
    rng: Any,
    noise: Any,
    weights: Any,
    actions: Any,
) -> None:
    """The decision of the greedy player in those games that are `mine` and not over; 0 in the others."""
    for game in range(start, stop):
        actions[game] = 0
        if mine[game] and not is_over(views[game]):
            actions[game] = best_decision(views[game], noise, rng[game : game + 1], weights, scratch, shares, paper)


@rule
def clear_trees(start: Any, stop: Any, trees: Any) -> None:
    """Leave nothing but a root in the tree of each game."""
    for game in range(start, stop):
        clear(tree_of(trees, game))


@rule
def gather_in_games(
    start: Any, stop: Any, trees: Any, views: Any, settings: Any, leaves: Any, states: Any, seeds: Any, rng: Any
) -> None:
    """One descent in the tree of each game, to the leaf with its number."""
    for game in range(start, stop):
        states[game] = views[game]
        descend(tree_of(trees, game), states[game], settings, leaves, game, seeds[game], rng[game : game + 1])


@rule
def back_up_in_games(start: Any, stop: Any, trees: Any, seats: Any, leaves: Any, states: Any) -> None:
    """Take the judgement of the leaf of each game into its tree."""
    for game in range(start, stop):
        back_up_leaf(tree_of(trees, game), states[game], seats[game], leaves, game)


@rule
def tally_in_games(start: Any, stop: Any, trees: Any, visits: Any, values: Any) -> None:
    """What was found about the decisions at the root of each game: visits [action], sums of shares [action, seat]."""
    for game in range(start, stop):
        tally_root(tree_of(trees, game), visits[game], values[game])


@rule
def tally_root(tree: Any, visits: Any, values: Any) -> None:
    for edge in range(tree.first_edge[ROOT], tree.first_edge[ROOT] + tree.edge_count[ROOT]):
        action = int(tree.action[edge])
        visits[action] = tree.visits[edge]
        for seat in range(MAX_PLAYERS):
            values[action, seat] = tree.value[edge, seat]
