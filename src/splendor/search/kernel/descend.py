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
from typing import Any

import numpy as np

from splendor._jit import rule, wrapping_rule
from splendor.actions import BUY_MARKET, BUY_RESERVED, PASS, PHASE_ACTION, RESERVE_DECK, RESERVE_MARKET
from splendor.chance import MIX_1, SHIFT_1
from splendor.components import CARDS, FIRST_CARD, GOLD, LEVELS, NO_CARD, UNSEEN
from splendor.hidden import redeal
from splendor.rules import apply, is_over, legal_set
from splendor.search.leaves import MOST_DEPTH
from splendor.search.tree import NONE, ROOT, add_node, find_child
from splendor.state import ACT, MARKET, RESERVE_LIMIT, SLOTS, TABLE_NOBLES

APART = np.uint64(0xD1342543DE82EF95)  # between the generators of two deals


@rule
def gather(tree: Any, view: Any, count: Any, settings: Any, leaves: Any, seed: Any, rng: Any) -> None:
    """Descend `count` times from the root, which is `view`, and leave the positions reached in `leaves`.

    `seed` is that of the deals, and stays the same while a tree grows.

    The visit of an edge is counted on the way down already, its value only by `back_up`: until then it looks like a
    loss, and the next descent goes elsewhere.
    """
    for leaf in range(count):
        leaves.states[leaf] = view
        descend(tree, leaves.states[leaf], settings, leaves, leaf, seed, rng)


@rule
def descend(tree: Any, state: Any, settings: Any, leaves: Any, leaf: Any, seed: Any, rng: Any) -> None:
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
def deal(state: Any, number: Any, seed: Any, rng: Any) -> None:
    """One of the many deals that fit what is seen: for the same seed, each number always stands for the same one."""
    rng[0] = np.uint64(seed) + np.uint64(number) * APART
    redeal(state, rng)


@rule
def choose_edge(tree: Any, node: Any, state: Any, settings: Any) -> Any:
    """The edge with the best mix of value for the seat that decides, of promise, and of few visits (PUCT)."""
    seat = state.seat
    legal, first_action = legal_set(state), int(PHASE_ACTION[state.phase])
    first_look = tree.node_value[node, seat] / tree.node_visits[node] - settings.first_look
    best, best_score = NONE, -math.inf
    for edge in range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node]):
        if legal >> (int(tree.action[edge]) - first_action) & 1:
            tree.available[edge] += 1
            visits = tree.visits[edge]
            score = tree.value[edge, seat] / visits if visits > 0 else first_look
            score += settings.exploration * tree.prior[edge] * math.sqrt(tree.available[edge]) / (1 + visits)
            if score > best_score:
                best, best_score = edge, score
    return best


@rule
def turned_up_level(state: Any, action: Any, viewer: Any) -> Any:
    """The deck from which a decision turns up a card that the searching seat sees; LEVELS: none."""
    level = LEVELS
    if RESERVE_MARKET <= action < RESERVE_DECK:
        level = (action - RESERVE_MARKET) // SLOTS
    elif BUY_MARKET <= action < BUY_RESERVED:
        level = (action - BUY_MARKET) // SLOTS
    elif RESERVE_DECK <= action < BUY_MARKET and state.seat == viewer:
        level = action - RESERVE_DECK
    return level if level < LEVELS and state.deck_size[level] > 0 else LEVELS


@rule
def card_turned_up(state: Any, action: Any, viewer: Any) -> Any:
    """The card that the searching seat is going to see because of this decision, or NO_CARD."""
    level = turned_up_level(state, action, viewer)
    if level < LEVELS:
        return state.deck[FIRST_CARD[level] + state.deck_size[level] - 1]
    if is_hidden_buy(state, action, viewer):
        return state.reserved[state.seat, action - BUY_RESERVED]
    return np.int8(NO_CARD)


@rule
def is_hidden_buy(state: Any, action: Any, viewer: Any) -> Any:
    """Would another player show, by buying it, a card that was drawn from a deck?"""
    if state.seat == viewer or action < BUY_RESERVED or action >= PASS:
        return False
    return state.from_deck[state.seat, action - BUY_RESERVED] == 1


@rule
def keep_outcomes_few(tree: Any, edge: Any, state: Any, action: Any, viewer: Any, widening: Any) -> None:
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
def decisions_to_consider(state: Any, viewer: Any) -> Any:
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
def position_key(state: Any, viewer: Any) -> Any:
    """A hash of all that the searching seat knows of a position: equal positions have equal keys."""
    key = mixed(np.uint64(0), state.round_number)
    key = mixed(key, state.seat * 64 + state.phase * 8 + state.passes)
    for slot in range(MARKET):
        key = mixed(key, state.market[slot])
    for place in range(TABLE_NOBLES):
        key = mixed(key, state.noble_seat[place])
    for seat in range(state.players):
        for color in range(GOLD + 1):
            key = mixed(key, state.tokens[seat, color])
        for byte in range(CARDS // 8 + 1):
            key = mixed(key, state.bought[seat, byte])
        for place in range(RESERVE_LIMIT):
            card = state.reserved[seat, place]
            if state.from_deck[seat, place] and seat != viewer:
                card = np.int8(UNSEEN)
            key = mixed(key, card)
    return key


@wrapping_rule
def mixed(key: Any, number: Any) -> Any:
    key = (key ^ np.uint64(int(number) & 0xFFFFFFFF)) * MIX_1
    return key ^ (key >> SHIFT_1)
