"""Loops over games that only training needs, next to those of `batch` and `afterstates`."""

from __future__ import annotations

from splendor.core.components import MAX_PLAYERS
from splendor.core.jit import rule
from splendor.core.rules import is_over, setup
from splendor.core.state import States
from splendor.core.types import ByAction, ByGame, BySeat, Count, Floats, Rng
from splendor.search.kernel.backup import back_up_leaf
from splendor.search.kernel.descend import descend
from splendor.search.kernel.greedy import best_decision
from splendor.search.kernel.leaves import Leaves
from splendor.search.kernel.settings import SearchSettings
from splendor.search.kernel.tree import ROOT, Tree, clear, tree_of
from splendor.search.kernel.weights import Weights


@rule
def deal_games(start: Count, stop: Count, states: States, rng: Rng, players: ByGame, round_cap: Count) -> None:
    """New games, each for its own number of players."""
    for game in range(start, stop):
        setup(states[game], players[game], 0, round_cap, rng[game : game + 1])


@rule
def greedy_in_games(
    start: Count,
    stop: Count,
    scratch: States,
    shares: BySeat,
    paper: Floats,
    views: States,
    mine: ByGame,
    rng: Rng,
    noise: float,
    weights: Weights,
    actions: ByGame,
) -> None:
    """The decision of the greedy player in those games that are `mine` and not over; 0 in the others."""
    for game in range(start, stop):
        actions[game] = 0
        if mine[game] and not is_over(views[game]):
            actions[game] = best_decision(views[game], noise, rng[game : game + 1], weights, scratch, shares, paper)


@rule
def clear_trees(start: Count, stop: Count, trees: Tree) -> None:
    """Leave nothing but a root in the tree of each game."""
    for game in range(start, stop):
        clear(tree_of(trees, game))


@rule
def gather_in_games(
    start: Count,
    stop: Count,
    trees: Tree,
    views: States,
    settings: SearchSettings,
    leaves: Leaves,
    states: States,
    seeds: ByGame,
    rng: Rng,
) -> None:
    """One descent in the tree of each game, to the leaf with its number."""
    for game in range(start, stop):
        states[game] = views[game]
        descend(tree_of(trees, game), states[game], settings, leaves, game, seeds[game], rng[game : game + 1])


@rule
def back_up_in_games(start: Count, stop: Count, trees: Tree, seats: ByGame, leaves: Leaves, states: States) -> None:
    """Take the judgement of the leaf of each game into its tree."""
    for game in range(start, stop):
        back_up_leaf(tree_of(trees, game), states[game], seats[game], leaves, game)


@rule
def tally_in_games(start: Count, stop: Count, trees: Tree, visits: ByGame, values: ByGame) -> None:
    """What was found about the decisions at the root of each game: visits [action], sums of shares [action, seat]."""
    for game in range(start, stop):
        tally_root(tree_of(trees, game), visits[game], values[game])


@rule
def tally_root(tree: Tree, visits: ByAction, values: ByAction) -> None:
    for edge in range(tree.first_edge[ROOT], tree.first_edge[ROOT] + tree.edge_count[ROOT]):
        action = int(tree.action[edge])
        visits[action] = tree.visits[edge]
        for seat in range(MAX_PLAYERS):
            values[action, seat] = tree.value[edge, seat]
