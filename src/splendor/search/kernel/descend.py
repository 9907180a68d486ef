"""From the root to a leaf: deal what is hidden anew, follow the most promising decisions, let chance turn up cards.

This is information-set search with a single observer. Each simulation goes through a different deal, one that fits
what the searching seat knows, and all of them share one tree, so no decision can depend on a card that is hidden. An
edge that is legal in some of the deals only (another player buys a card that nobody has seen) is compared by how often
it was available.

The first visit of each decision at the root goes through the same deal, so do the second ones, and so on, as long as
the root is the same. When two decisions are compared, most of the luck of the cards is then the same for both.
"""

from __future__ import annotations

import math

import numpy as np

from splendor.core.actions import BUY_RESERVED, PASS, PHASE_ACTION
from splendor.core.chance import MIX_1, SHIFT_1
from splendor.core.components import CARDS, FIRST_CARD, GOLD, LEVELS
from splendor.core.hidden import card_turned_up, is_hidden_buy, redeal, reserved_as_seen, turned_up_level
from splendor.core.jit import rule, wrapping_rule
from splendor.core.rules import apply, is_over, legal_set
from splendor.core.state import ACT, MARKET, RESERVE_LIMIT, TABLE_NOBLES, State
from splendor.core.types import Action, Bits, Count, Rng, Seat
from splendor.search.kernel.leaves import MOST_DEPTH, Leaves
from splendor.search.kernel.settings import SearchSettings
from splendor.search.kernel.tree import NONE, ROOT, Edge, Node, Tree, add_node, find_child

APART = np.uint64(0xD1342543DE82EF95)  # between the generators of two deals


@rule
def gather(
    tree: Tree,
    view: State,
    count: Count,
    settings: SearchSettings,
    leaves: Leaves,
    seed: np.uint64,
    rng: Rng,
) -> None:
    """Descend `count` times from the root, which is `view`, and leave the positions reached in `leaves`.

    `seed` is that of the deals, and stays the same while a tree grows.

    The visit of an edge is counted on the way down already, its value only by `back_up`: until then it looks like a
    loss, and the next descent goes elsewhere.
    """
    for leaf in range(count):
        leaves.states[leaf] = view
        descend(tree, leaves.states[leaf], settings, leaves, leaf, seed, rng)


@rule
def descend(
    tree: Tree,
    state: State,
    settings: SearchSettings,
    leaves: Leaves,
    leaf: Count,
    seed: np.uint64,
    rng: Rng,
) -> None:
    """Go from the root, which is what the deciding seat knows, to a leaf, and leave the way there in `leaves`."""
    viewer = int(state.seat)
    node = ROOT
    depth = 0
    leaves.deal[leaf] = 0
    if tree.edge_count[ROOT] == 0:
        deal(state, 0, seed, rng)
    while node != NONE:
        leaves.nodes[leaf, depth] = node
        if tree.edge_count[node] == 0 or is_over(state) or depth == MOST_DEPTH - 1:
            break
        edge = choose_edge(tree, node, state, settings)
        if node == ROOT:
            edge = include_edge(tree, edge, settings.include, int(PHASE_ACTION[state.phase]))
            leaves.deal[leaf] = tree.visits[edge]
            deal(state, int(tree.visits[edge]), seed, rng)
        tree.visits[edge] += 1
        leaves.edges[leaf, depth] = edge
        action = int(tree.action[edge])
        keep_outcomes_few(tree, edge, state, action, viewer, settings.widening)
        outcome = card_turned_up(state, action, viewer)
        apply(state, action)
        depth += 1
        node = find_child(tree, edge, outcome)
        if node == NONE:
            node = add_node(tree, edge, outcome, position_key(state, viewer))
    leaves.nodes[leaf, depth] = node
    leaves.depth[leaf] = depth


@wrapping_rule
def deal(state: State, number: Count, seed: np.uint64, rng: Rng) -> None:
    """One of the many deals that fit what is seen: for the same seed, each number always stands for the same one."""
    rng[0] = np.uint64(seed) + np.uint64(number) * APART
    redeal(state, rng)


@rule
def choose_edge(tree: Tree, node: Node, state: State, settings: SearchSettings) -> Edge:
    """The edge with the best mix of value for the seat that decides, of promise, and of few visits (PUCT)."""
    seat = state.seat
    legal, first_action = legal_set(state), int(PHASE_ACTION[state.phase])
    first_play = tree.node_value[node, seat] / tree.node_visits[node] - settings.first_play_reduction
    best, best_score = NONE, -math.inf
    for edge in range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node]):
        if legal >> (int(tree.action[edge]) - first_action) & 1:
            tree.available[edge] += 1
            visits = tree.visits[edge]
            score = tree.value[edge, seat] / visits if visits > 0 else first_play
            score += settings.exploration * tree.prior[edge] * math.sqrt(tree.available[edge]) / (1 + visits)
            if score > best_score:
                best, best_score = edge, score
    return best


@rule
def include_edge(tree: Tree, chosen: Edge, include: Bits, first_action: Action) -> Edge:
    """The edge chosen at the root; in its place the rarest one to `include`, if another was visited as often."""
    if include == 0:
        return chosen
    most, rarest = 0, NONE
    for edge in range(tree.first_edge[ROOT], tree.first_edge[ROOT] + tree.edge_count[ROOT]):
        if include >> (int(tree.action[edge]) - first_action) & 1:
            if rarest == NONE or tree.visits[edge] < tree.visits[rarest]:
                rarest = edge
        else:
            most = max(most, int(tree.visits[edge]))
    return rarest if tree.visits[rarest] <= most else chosen


@rule
def keep_outcomes_few(tree: Tree, edge: Edge, state: State, action: Action, viewer: Seat, widening: float) -> None:
    """Let an edge have only as many children as its visits can fill: `widening` times their square root.

    When it has as many, the child that was visited least is visited again: its card is moved to the top of the deck.
    """
    level = turned_up_level(state, action, viewer)
    if level == LEVELS:
        return
    children, rarest = 0, NONE
    node = tree.child[edge]
    while node != NONE:
        children += 1
        if rarest == NONE or tree.node_visits[node] < tree.node_visits[rarest]:
            rarest = node
        node = tree.sibling[node]
    if children >= 1 + widening * math.sqrt(tree.visits[edge]):
        top = FIRST_CARD[level] + state.deck_size[level] - 1
        for place in range(FIRST_CARD[level], top):
            if state.deck[place] == tree.outcome[rarest]:
                state.deck[place] = state.deck[top]
                state.deck[top] = tree.outcome[rarest]


@rule
def decisions_to_consider(state: State, viewer: Seat) -> Bits:
    """The legal decisions as a set, with those that would be legal if a hidden card were another.

    These are buys of hidden cards, and the pass of a player who can do nothing else.
    """
    decisions = legal_set(state)
    if state.phase == ACT:
        hidden_buys = 0
        for place in range(RESERVE_LIMIT):
            if is_hidden_buy(state, BUY_RESERVED + place, viewer):
                hidden_buys |= 1 << (BUY_RESERVED + place)
        if decisions & ~hidden_buys == 0:
            decisions |= 1 << PASS
        decisions |= hidden_buys
    return decisions


@wrapping_rule
def position_key(state: State, viewer: Seat) -> np.uint64:
    """A hash of all that the searching seat knows of a position: equal positions have equal keys."""
    key = mix_in(np.uint64(0), state.round_number)
    key = mix_in(key, state.seat * 64 + state.phase * 8 + state.passes)
    for slot in range(MARKET):
        key = mix_in(key, state.market[slot])
    for place in range(TABLE_NOBLES):
        key = mix_in(key, state.noble_seat[place])
    for seat in range(state.players):
        for color in range(GOLD + 1):
            key = mix_in(key, state.tokens[seat, color])
        for byte in range(CARDS // 8 + 1):
            key = mix_in(key, state.bought[seat, byte])
        for place in range(RESERVE_LIMIT):
            key = mix_in(key, reserved_as_seen(state, viewer, seat, place))
    return key


@wrapping_rule
def mix_in(key: np.uint64, number: int) -> np.uint64:
    key = (key ^ np.uint64(int(number) & 0xFFFFFFFF)) * MIX_1
    return key ^ (key >> SHIFT_1)
