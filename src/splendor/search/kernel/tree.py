"""The search tree: named arrays, filled from the front.

A node is a position as the searching seat knows it, in which somebody has to decide; its edges are the decisions. What
chance turns up behind a decision tells positions apart, so an edge leads to one child for each card that has been
seen there:

    node ── edge (buy slot 3) ──┬── child (card 17 was turned up)
                                └── child (card 5 was turned up)

Values are sums of shares of the win, one for each seat, over all visits: every seat maximises its own (max-n).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from splendor.core.bits import count_bits
from splendor.core.components import MAX_PLAYERS
from splendor.core.jit import rule
from splendor.core.types import Action, Bits, ByAction, Card, Count
from splendor.search.kernel.policy import smallest

Node = int
Edge = int
Nodes = NDArray[np.int32]

NONE = -1  # no node
ROOT = 0
EDGES_PER_NODE = 28  # on average; when the edges run out, no more nodes are added


class Tree(NamedTuple):
    """All nodes and edges of one tree."""

    used: NDArray[np.int32]  # how many nodes and how many edges there are
    # nodes
    first_edge: NDArray[np.int32]  # its edges stand together                       [node]
    edge_count: NDArray[np.int32]  # 0: not expanded yet                            [node]
    node_visits: NDArray[np.int32]  #                                               [node]
    node_value: NDArray[np.float32]  #                                              [node, seat]
    outcome: NDArray[np.int8]  # the card that was turned up before, or NO_CARD     [node]
    sibling: NDArray[np.int32]  # the next child of the same edge, or NONE          [node]
    key: NDArray[np.uint64]  # a hash of the position as the searching seat sees it [node]
    # edges
    action: NDArray[np.int8]  #                                                     [edge]
    prior: NDArray[np.float32]  # how likely it is the best, before looking         [edge]
    available: NDArray[np.int32]  # visits of the node in which it was legal        [edge]
    visits: NDArray[np.int32]  #                                                    [edge]
    value: NDArray[np.float32]  #                                                   [edge, seat]
    square: NDArray[np.float32]  # sum of squares of the searching seat's shares    [edge]
    child: NDArray[np.int32]  # the first child, or NONE                            [edge]


def new_tree(nodes: int) -> Tree:
    """An empty tree with room for so many nodes, and its root."""
    edges = nodes * EDGES_PER_NODE
    tree = Tree(
        used=np.zeros(2, np.int32),
        first_edge=np.zeros(nodes, np.int32),
        edge_count=np.zeros(nodes, np.int32),
        node_visits=np.zeros(nodes, np.int32),
        node_value=np.zeros((nodes, MAX_PLAYERS), np.float32),
        outcome=np.zeros(nodes, np.int8),
        sibling=np.zeros(nodes, np.int32),
        key=np.zeros(nodes, np.uint64),
        action=np.zeros(edges, np.int8),
        prior=np.zeros(edges, np.float32),
        available=np.zeros(edges, np.int32),
        visits=np.zeros(edges, np.int32),
        value=np.zeros((edges, MAX_PLAYERS), np.float32),
        square=np.zeros(edges, np.float32),
        child=np.zeros(edges, np.int32),
    )
    clear(tree)
    return tree


@rule
def tree_of(trees: Tree, number: Count) -> Tree:
    """One of many trees whose arrays lie in common ones, each with one more dimension in front."""
    return Tree(
        trees.used[number],
        trees.first_edge[number],
        trees.edge_count[number],
        trees.node_visits[number],
        trees.node_value[number],
        trees.outcome[number],
        trees.sibling[number],
        trees.key[number],
        trees.action[number],
        trees.prior[number],
        trees.available[number],
        trees.visits[number],
        trees.value[number],
        trees.square[number],
        trees.child[number],
    )


@rule
def add_node(tree: Tree, edge: Edge, outcome: Card, key: np.uint64) -> Node:
    """A new child of an edge, not expanded; NONE when the tree is full."""
    node = int(tree.used[0])
    if node == len(tree.first_edge):
        return NONE
    tree.used[0] += 1
    tree.edge_count[node] = 0
    tree.node_visits[node] = 0
    tree.node_value[node] = 0.0
    tree.outcome[node] = outcome
    tree.key[node] = key
    tree.sibling[node] = NONE
    if edge != NONE:
        tree.sibling[node] = tree.child[edge]
        tree.child[edge] = node
    return node


@rule
def clear(tree: Tree) -> None:
    """Leave nothing but a root."""
    tree.used[0] = 0
    tree.used[1] = 0
    add_node(tree, NONE, 0, np.uint64(0))


@rule
def expand(tree: Tree, node: Node, first_action: Action, decisions: Bits, priors: ByAction) -> None:
    """Give a node an edge for each of a set of decisions, counted from `first_action`."""
    first = int(tree.used[1])
    if tree.edge_count[node] > 0 or first + count_bits(decisions) > len(tree.action):
        return
    edge = first
    while decisions != 0:
        action = first_action + smallest(decisions)
        decisions &= decisions - 1
        tree.action[edge] = action
        tree.prior[edge] = priors[action]
        tree.available[edge] = 0
        tree.visits[edge] = 0
        tree.value[edge] = 0.0
        tree.square[edge] = 0.0
        tree.child[edge] = NONE
        edge += 1
    tree.first_edge[node] = first
    tree.edge_count[node] = edge - first
    tree.used[1] = edge


@rule
def find_child(tree: Tree, edge: Edge, outcome: Card) -> Node:
    """The child of an edge behind which this card was turned up, or NONE."""
    node = tree.child[edge]
    while node != NONE and tree.outcome[node] != outcome:
        node = tree.sibling[node]
    return node


@rule
def find_key(tree: Tree, key: np.uint64) -> Node:
    """The node of a position, or NONE."""
    for node in range(tree.used[0]):
        if tree.key[node] == key and tree.edge_count[node] > 0:
            return node
    return NONE


@rule
def copy_subtree(tree: Tree, old: Node, fresh: Tree) -> None:
    """Make what hangs below the node `old` the whole of a `fresh` tree that has nothing but a root.

    A node that has been copied but whose children have not keeps the number of its original in `edge_count`.
    """
    origin = fresh.edge_count
    origin[ROOT] = old
    node = ROOT
    while node < fresh.used[0]:
        old = origin[node]
        first, start, count = int(fresh.used[1]), int(tree.first_edge[old]), int(tree.edge_count[old])
        fresh.node_visits[node] = tree.node_visits[old]
        for seat in range(MAX_PLAYERS):
            fresh.node_value[node, seat] = tree.node_value[old, seat]
        fresh.key[node] = tree.key[old]
        fresh.first_edge[node], fresh.edge_count[node] = first, count
        fresh.used[1] += count
        for place in range(count):
            edge, old_edge = first + place, start + place
            fresh.action[edge], fresh.prior[edge] = tree.action[old_edge], tree.prior[old_edge]
            fresh.available[edge], fresh.visits[edge] = tree.available[old_edge], tree.visits[old_edge]
            for seat in range(MAX_PLAYERS):
                fresh.value[edge, seat] = tree.value[old_edge, seat]
            fresh.square[edge] = tree.square[old_edge]
            fresh.child[edge] = NONE
            child = tree.child[old_edge]
            while child != NONE:
                origin[add_node(fresh, edge, tree.outcome[child], tree.key[child])] = child
                child = tree.sibling[child]
        node += 1
