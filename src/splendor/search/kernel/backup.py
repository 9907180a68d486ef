"""From a leaf back to the root: the leaf gets its edges, and everything on the way learns what it was worth."""

from __future__ import annotations

from typing import Any

from splendor._jit import rule
from splendor.actions import BUY_RESERVED, PHASE_ACTION
from splendor.components import MAX_PLAYERS
from splendor.rules import is_over
from splendor.search.descend import decisions_to_consider, is_hidden_buy
from splendor.search.evaluation import final_shares
from splendor.search.tree import NONE, expand
from splendor.state import RESERVE_LIMIT

HIDDEN_BUY = 0.1  # the prior of a buy that is legal in some deals only


@rule
def back_up(tree: Any, viewer: Any, leaves: Any, count: Any) -> None:
    """Take the judgement of the first `count` leaves into the tree. A finished game needs none: its result counts."""
    for leaf in range(count):
        back_up_leaf(tree, leaves.states[leaf], viewer, leaves, leaf)


@rule
def back_up_leaf(tree: Any, state: Any, viewer: Any, leaves: Any, leaf: Any) -> None:
    node = leaves.nodes[leaf, leaves.depth[leaf]]
    if is_over(state):
        final_shares(state, leaves.shares[leaf])
    elif node != NONE:
        for place in range(RESERVE_LIMIT):
            if is_hidden_buy(state, BUY_RESERVED + place, viewer):
                leaves.priors[leaf, BUY_RESERVED + place] = HIDDEN_BUY
        expand(tree, node, int(PHASE_ACTION[state.phase]), decisions_to_consider(state, viewer), leaves.priors[leaf])
    for step in range(leaves.depth[leaf]):
        add_shares(tree.value[leaves.edges[leaf, step]], leaves.shares[leaf])
    for step in range(leaves.depth[leaf] + (node != NONE)):
        tree.node_visits[leaves.nodes[leaf, step]] += 1
        add_shares(tree.node_value[leaves.nodes[leaf, step]], leaves.shares[leaf])


@rule
def add_shares(value: Any, shares: Any) -> None:
    for seat in range(MAX_PLAYERS):
        value[seat] += shares[seat]
