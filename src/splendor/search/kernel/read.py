"""Reading a tree: what was found about the decisions of a position.

One position in the eyes of the searching seat may be several nodes, which differ in the cards that were turned up.
"""

from __future__ import annotations

from splendor.core.components import MAX_PLAYERS
from splendor.core.jit import rule
from splendor.core.types import Action, ByAction, Count
from splendor.search.kernel.tree import NONE, Nodes, Tree


@rule
def add_up(tree: Tree, nodes: Nodes, visits: ByAction, values: ByAction, squares: ByAction, priors: ByAction) -> None:
    """Add what these nodes know about each decision: visits, sums of shares [action, seat] and squares, priors."""
    for node in nodes:
        for edge in range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node]):
            action = int(tree.action[edge])
            visits[action] += tree.visits[edge]
            for seat in range(MAX_PLAYERS):
                values[action, seat] += tree.value[edge, seat]
            squares[action] += tree.square[edge]
            priors[action] += tree.prior[edge]


@rule
def write_children(tree: Tree, nodes: Nodes, action: Action, children: Nodes) -> Count:
    """Write the nodes behind a decision into `children`, as many as it has room for; return how many there are."""
    count = 0
    for node in nodes:
        for edge in range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node]):
            if tree.action[edge] == action:
                child = tree.child[edge]
                while child != NONE:
                    if count < len(children):
                        children[count] = child
                    count += 1
                    child = tree.sibling[child]
    return count
