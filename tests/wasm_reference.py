"""What Python says to the questions of `wasm/equality.ts`: the same games, the same order of bytes."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splendor.core import hidden, rules
from splendor.core.actions import ACTIONS, BUY_MARKET, PASS
from splendor.core.afterstates import play_decision
from splendor.core.chance import new_rng
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE, named, observe
from splendor.core.games import write_result
from splendor.core.perft import count_sequences
from splendor.core.playout import random_action
from splendor.core.state import State, copy_state, new_state, new_states
from splendor.core.turns import MOST_TURNS, new_desk, new_turns, write_turns
from splendor.search.kernel.backup import back_up
from splendor.search.kernel.descend import gather, position_key
from splendor.search.kernel.evaluation import ROW
from splendor.search.kernel.greedy import SCRATCH_STATES, best_decision
from splendor.search.kernel.leaves import new_leaves
from splendor.search.kernel.policy import likely_decision
from splendor.search.kernel.rollout import new_rollout, simulate
from splendor.search.kernel.settings import SearchSettings
from splendor.search.kernel.tree import EDGES_PER_NODE, Tree, clear, copy_subtree, find_key, new_tree
from splendor.search.kernel.weights import POLICY, WEIGHTS

NODES = 4096


def dealt(players: int, seed: int, first: int = 0, cap: int = 0) -> tuple[State, NDArray[np.uint64]]:
    state, rng = new_state(), new_rng(seed)
    rules.setup(state, players, first, cap, rng)
    return state, rng


def game(players: int, seed: int) -> tuple[int, str]:
    """Everything that the rules and the hidden cards say in a whole random game."""
    state, rng = dealt(players, seed, seed % players)
    mask, row = np.zeros(ACTIONS, np.int8), np.zeros((1, OBSERVATION_SIZE), np.int8)
    seen = named(row)
    digest, decisions = hashlib.sha256(), 0
    while True:
        rules.legal_mask(state, mask)
        digest.update(state.tobytes() + mask.tobytes())
        for viewer in range(players):
            view = copy_state(state)
            hidden.hide(view, viewer)
            observe(state, viewer, seen[0])
            digest.update(view.tobytes() + row.tobytes())
        hidden.redeal(view, new_rng(decisions))
        digest.update(view.tobytes())
        if rules.is_over(state):
            break
        rules.apply(state, random_action(state, rng))
        decisions += 1
    shares, places = np.zeros(MAX_PLAYERS, np.float32), np.zeros(MAX_PLAYERS, np.int8)
    write_result(state, shares, places)
    digest.update(shares.tobytes() + places.tobytes() + rng.tobytes())
    return decisions, digest.hexdigest()


def questions(players: int, seed: int) -> str:
    """Every question about every decision of a random game, and all whole turns."""
    state, rng = dealt(players, seed, cap=30)
    digest = hashlib.sha256()
    turns, desk = new_turns(MOST_TURNS), new_desk()
    row, payment = np.zeros((1, OBSERVATION_SIZE), np.int8), np.zeros(6, np.int8)
    while not rules.is_over(state):
        written = write_turns(state, turns, desk)
        digest.update(turns[:written].tobytes())
        for action in range(-1, ACTIONS + 1):
            is_legal = rules.is_legal(state, action)
            digest.update(bytes([is_legal]))
            if not is_legal:
                continue
            view, shares = copy_state(state), np.zeros(MAX_PLAYERS, np.float32)
            hidden.hide(view, view.seat)
            digest.update(bytes([play_decision(view, action, named(row)[0], shares)]))
            digest.update(view.tobytes() + row.tobytes() + shares.tobytes())
            if BUY_MARKET <= action < PASS:
                card = rules.card_for_sale(state, action)
                rules.least_gold_payment(state, state.seat, card, payment)
                exact = rules.is_exact_payment(state, state.seat, card, payment)
                digest.update(payment.tobytes() + bytes([exact]))
                after = copy_state(state)
                rules.apply_paying(after, action, payment)
                digest.update(after.tobytes())
        rules.apply(state, random_action(state, rng))
    return digest.hexdigest()


def perft(players: int, seed: int, depth: int) -> list[int]:
    states, untried = new_states(depth + 1), np.zeros(depth + 1, np.int64)
    counts = np.zeros(depth + 1, np.int64)
    rules.setup(states[0], players, 0, 0, new_rng(seed))
    count_sequences(states, untried, depth, counts)
    return [int(count) for count in counts[:depth]]


def add_tree(digest: Any, tree: Tree) -> None:
    """Every array of a tree as far as it is filled."""
    nodes, edges = tree.used.tolist()
    for name, array in tree._asdict().items():
        filled = {"used": 2}.get(name, edges if len(array) == NODES * EDGES_PER_NODE else nodes)
        digest.update(array[:filled].tobytes())


def search(players: int, seed: int, simulations: int) -> str:
    """Trees, bit by bit: with rollouts, of what is kept, and with leaves that are judged from outside."""
    state, rng = dealt(players, seed)
    for _ in range(3 * seed):
        if not rules.is_over(state):
            rules.apply(state, random_action(state, rng))
    hidden.hide(state, state.seat)
    digest = hashlib.sha256()
    if rules.is_over(state):
        return digest.hexdigest()
    rng, first = new_rng(seed), np.uint64(seed)
    tree, fresh, leaves, tools = new_tree(NODES), new_tree(NODES), new_leaves(1), new_rollout()
    simulate(tree, state, simulations, SearchSettings(), leaves, tools, first, rng)
    add_tree(digest, tree)
    digest.update(rng.tobytes())
    copy_subtree(tree, 1, fresh)
    add_tree(digest, fresh)
    clear(tree)
    for _ in range(60):
        gather(tree, state, 1, SearchSettings(), leaves, first, rng)
        leaves.priors[:] = 1 / ACTIONS
        leaves.shares[:] = 1 / players
        back_up(tree, state.seat, leaves, 1)
    add_tree(digest, tree)
    found = find_key(tree, np.uint64(position_key(state, state.seat)))
    likely = likely_decision(state, 0.0, rng, POLICY, tools.ratings, tools.row)
    paper = new_states(SCRATCH_STATES), np.zeros(MAX_PLAYERS), np.zeros(ROW)
    decisions = [found, likely, best_decision(state, 0.5, rng, WEIGHTS, *paper)]
    digest.update(np.array(decisions, np.int32).tobytes() + rng.tobytes())
    return digest.hexdigest()
