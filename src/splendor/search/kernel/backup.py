"""From a leaf back to the root: the leaf gets its edges, and everything on the way learns what it was worth."""

from __future__ import annotations

from splendor.core.actions import BUY_RESERVED, PHASE_ACTION
from splendor.core.components import MAX_PLAYERS
from splendor.core.hidden import is_hidden_buy
from splendor.core.jit import rule
from splendor.core.rules import is_over, write_win_shares
from splendor.core.state import RESERVE_LIMIT, State
from splendor.core.types import BySeat, Count, Seat
from splendor.search.kernel.descend import decisions_to_consider
from splendor.search.kernel.leaves import Leaves
from splendor.search.kernel.tree import NONE, Tree, expand

HIDDEN_BUY = 0.1  # the prior of a buy that is legal in some deals only


@rule
def back_up(tree: Tree, viewer: Seat, leaves: Leaves, count: Count) -> None:
    """Take the judgement of the first `count` leaves into the tree. A finished game needs none: its result counts."""
    for leaf in range(count):
        back_up_leaf(tree, leaves.states[leaf], viewer, leaves, leaf)


@rule
def back_up_leaf(tree: Tree, state: State, viewer: Seat, leaves: Leaves, leaf: Count) -> None:
    node = leaves.nodes[leaf, leaves.depth[leaf]]
    if is_over(state):
        write_win_shares(state, leaves.shares[leaf])
    elif node != NONE:
        for place in range(RESERVE_LIMIT):
            if is_hidden_buy(state, BUY_RESERVED + place, viewer):
                leaves.priors[leaf, BUY_RESERVED + place] = HIDDEN_BUY
        expand(tree, node, int(PHASE_ACTION[state.phase]), decisions_to_consider(state, viewer), leaves.priors[leaf])
    for step in range(leaves.depth[leaf]):
        edge = leaves.edges[leaf, step]
        add_shares(tree.value[edge], leaves.shares[leaf])
        tree.square[edge] += leaves.shares[leaf, viewer] * leaves.shares[leaf, viewer]
    for step in range(leaves.depth[leaf] + (node != NONE)):
        tree.node_visits[leaves.nodes[leaf, step]] += 1
        add_shares(tree.node_value[leaves.nodes[leaf, step]], leaves.shares[leaf])


@rule
def add_shares(value: BySeat, shares: BySeat) -> None:
    for seat in range(MAX_PLAYERS):
        value[seat] += shares[seat]
