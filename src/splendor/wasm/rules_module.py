"""What JavaScript may call of the rules and the search. No rule is written here, only the way to each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype
from numba.extending import register_jitable

from splendor.core import afterstates, features, games, hidden, overview, perft, playout, rules, turns
from splendor.core.actions import ACTIONS
from splendor.core.components import GOLD, MAX_PLAYERS
from splendor.core.features import OBSERVATION
from splendor.core.state import STATE, State
from splendor.core.turns import DECISIONS, TURN, Desk
from splendor.core.types import Action, Card, Count, Place, Seat
from splendor.network.kernel import action_values
from splendor.search.kernel import backup, descend, greedy, judgement, policy, read, rollout, tree
from splendor.search.kernel.evaluation import ROW
from splendor.search.kernel.leaves import MOST_DEPTH, Leaves
from splendor.search.kernel.rollout import Rollout
from splendor.search.kernel.settings import SearchSettings
from splendor.search.kernel.tree import EDGES_PER_NODE, Tree
from splendor.search.kernel.weights import POLICY, WEIGHTS
from splendor.wasm.exports import ADDRESS, F64, I32, VOID, Address, Exports, Struct, array_at, wide

EXPORTS = Exports()
GAME, SEEN = from_dtype(STATE), from_dtype(OBSERVATION)
RNG = ADDRESS  # of one uint64
glue: Any = register_jitable  # compiled into those who call it

# ------------------------------------------------------------------------------------------ one game


@EXPORTS.add(VOID, GAME, I32, I32, I32, RNG)
def setup(state: State, players: Count, first: Seat, round_cap: Count, rng: Address) -> None:
    rules.setup(state, wide(players), wide(first), wide(round_cap), array_at(rng, np.uint64, 1))


@EXPORTS.add(VOID, GAME, ADDRESS)
def legal_mask(state: State, mask: Address) -> None:
    rules.legal_mask(state, array_at(mask, np.int8, ACTIONS))


@EXPORTS.add(I32, GAME, I32)
def is_legal(state: State, action: Action) -> np.int32:
    return np.int32(rules.is_legal(state, wide(action)))


@EXPORTS.add(VOID, GAME, I32)
def apply(state: State, action: Action) -> None:
    rules.apply(state, wide(action))


@EXPORTS.add(VOID, GAME, I32, ADDRESS)
def apply_paying(state: State, action: Action, payment: Address) -> None:
    rules.apply_paying(state, wide(action), array_at(payment, np.int8, GOLD + 1))


@EXPORTS.add(I32, GAME, I32, I32, ADDRESS)
def is_exact_payment(state: State, seat: Seat, card: Card, payment: Address) -> np.int32:
    paid = array_at(payment, np.int8, GOLD + 1)
    return np.int32(rules.is_exact_payment(state, wide(seat), wide(card), paid))


@EXPORTS.add(VOID, GAME, I32, I32, ADDRESS)
def least_gold_payment(state: State, seat: Seat, card: Card, payment: Address) -> None:
    rules.least_gold_payment(state, wide(seat), wide(card), array_at(payment, np.int8, GOLD + 1))


@EXPORTS.add(I32, GAME, I32)
def card_for_sale(state: State, action: Action) -> np.int32:
    return np.int32(rules.card_for_sale(state, wide(action)))


@EXPORTS.add(I32, GAME, I32, I32)
def card_turned_up(state: State, action: Action, viewer: Seat) -> np.int32:
    return np.int32(hidden.card_turned_up(state, wide(action), wide(viewer)))


@EXPORTS.add(I32, GAME)
def has_trigger(state: State) -> np.int32:
    return np.int32(rules.has_trigger(state))


@EXPORTS.add(I32, GAME, I32, I32)
def has_bonuses_for(state: State, seat: Seat, place: Place) -> np.int32:
    return np.int32(rules.has_bonuses_for(state, wide(seat), wide(place)))


@EXPORTS.add(I32, GAME, I32)
def visiting_nobles(state: State, seat: Seat) -> np.int32:
    return np.int32(rules.visiting_nobles(state, wide(seat)))


@EXPORTS.add(VOID, GAME, I32)
def hide(state: State, viewer: Seat) -> None:
    hidden.hide(state, wide(viewer))


@EXPORTS.add(VOID, GAME, RNG)
def redeal(state: State, rng: Address) -> None:
    hidden.redeal(state, array_at(rng, np.uint64, 1))


@EXPORTS.add(VOID, GAME, I32, SEEN)
def observe(state: State, viewer: Seat, seen: Struct) -> None:
    features.observe(state, wide(viewer), seen)


@EXPORTS.add(I32, GAME, I32, SEEN, ADDRESS)
def play_decision(state: State, action: Action, seen: Struct, shares: Address) -> np.int32:
    is_over = afterstates.play_decision(state, wide(action), seen, array_at(shares, np.float32, MAX_PLAYERS))
    return np.int32(is_over)


@EXPORTS.add(VOID, GAME, ADDRESS, ADDRESS)
def write_result(state: State, shares: Address, places: Address) -> None:
    games.write_result(state, array_at(shares, np.float32, MAX_PLAYERS), array_at(places, np.int8, MAX_PLAYERS))


@EXPORTS.add(I32, GAME, ADDRESS, ADDRESS, ADDRESS)
def write_decisions(state: State, actions: Address, phases: Address, scratch: Address) -> np.int32:
    room = ACTIONS + 1
    return np.int32(
        overview.write_decisions(
            state, array_at(actions, np.int8, room), array_at(phases, np.int8, room), array_at(scratch, STATE, 1)
        )
    )


@EXPORTS.add(VOID, GAME, I32, ADDRESS, I32, ADDRESS, ADDRESS)
def write_missing(state: State, seat: Seat, cards: Address, count: Count, tokens: Address, affordable: Address) -> None:
    overview.write_missing(
        state,
        wide(seat),
        array_at(cards, np.uint8, count),
        array_at(tokens, np.int8, (count, GOLD)),
        array_at(affordable, np.int8, count),
    )


DESK = np.dtype(
    [
        ("states", STATE, DECISIONS),
        ("untried", np.int64, DECISIONS),
        ("chosen", np.int64, DECISIONS),
        ("least", np.int64, GOLD + 1),
        ("turn", TURN, 1),
    ],
    align=True,
)


@EXPORTS.add(I32, GAME, ADDRESS, I32, from_dtype(DESK))
def write_turns(state: State, made: Address, room: Count, desk: Struct) -> np.int32:
    tools = Desk(desk.states, desk.untried, desk.chosen, desk.least, desk.turn)
    return np.int32(turns.write_turns(state, array_at(made, TURN, room), tools))


@EXPORTS.add(I32, GAME, I32, ADDRESS, I32, from_dtype(DESK))
def write_payments(state: State, action: Action, payments: Address, room: Count, desk: Struct) -> np.int32:
    tools = Desk(desk.states, desk.untried, desk.chosen, desk.least, desk.turn)
    made = array_at(payments, np.int8, (room, GOLD + 1))
    return np.int32(turns.write_payments(state, wide(action), made, tools))


@EXPORTS.add(I32, GAME, RNG)
def random_action(state: State, rng: Address) -> np.int32:
    return np.int32(playout.random_action(state, array_at(rng, np.uint64, 1)))


@EXPORTS.add(VOID, I32, ADDRESS, ADDRESS, I32, ADDRESS, ADDRESS, ADDRESS)
def play_out_games(
    count: Count, states: Address, rngs: Address, players: Count, decisions: Address, shares: Address, places: Address
) -> None:
    """Deal so many games, each from its own generator, and play them at random to the end: to measure the speed."""
    many, chance = array_at(states, STATE, count), array_at(rngs, np.uint64, count)
    games.reset_games(0, wide(count), many, chance, wide(players), 0, 0)
    games.play_out_games(
        0,
        wide(count),
        many,
        chance,
        array_at(decisions, np.int32, count),
        array_at(shares, np.float32, (count, MAX_PLAYERS)),
        array_at(places, np.int8, (count, MAX_PLAYERS)),
    )


@EXPORTS.add(VOID, ADDRESS, ADDRESS, I32, ADDRESS)
def count_sequences(states: Address, untried: Address, depth: Count, counts: Address) -> None:
    room = wide(depth) + 1
    path, sets, found = (
        array_at(states, STATE, room),
        array_at(untried, np.int64, room),
        array_at(counts, np.int64, room),
    )
    perft.count_sequences(path, sets, wide(depth), found)


# --------------------------------------------------------------------------------------- the search

BATCH = 1  # leaves at a time
TREE = np.dtype([("nodes", np.int32), *((field, np.int32) for field in Tree._fields)])  # room; where each array lies
LEAVES = np.dtype(
    [
        ("states", STATE, BATCH),
        ("priors", np.float32, (BATCH, ACTIONS)),
        ("shares", np.float32, (BATCH, MAX_PLAYERS)),
        ("deal", np.int32, BATCH),
        ("depth", np.int32, BATCH),
        ("nodes", np.int32, (BATCH, MOST_DEPTH + 1)),
        ("edges", np.int32, (BATCH, MOST_DEPTH + 1)),
    ],
    align=True,
)
SETTINGS = np.dtype(
    [
        (name, np.float64 if isinstance(value, float) else np.int64)
        for name, value in SearchSettings._field_defaults.items()
    ]
)
PAPER = np.dtype(
    [
        ("scratch", STATE, greedy.SCRATCH_STATES),
        ("ratings", np.float64, ACTIONS),
        ("row", np.float64, max(policy.PAPER, ROW)),
        ("shares", np.float64, MAX_PLAYERS),
    ],
    align=True,
)
A_TREE, SOME_LEAVES, SOME_SETTINGS, SOME_PAPER = (from_dtype(dtype) for dtype in (TREE, LEAVES, SETTINGS, PAPER))


@glue  # type: ignore[untyped-decorator]
def tree_at(places: Struct) -> Tree:
    """The tree whose arrays lie where JavaScript has made room for them."""
    nodes = wide(places.nodes)
    edges = nodes * EDGES_PER_NODE
    return Tree(
        array_at(places.used, np.int32, 2),
        array_at(places.first_edge, np.int32, nodes),
        array_at(places.edge_count, np.int32, nodes),
        array_at(places.node_visits, np.int32, nodes),
        array_at(places.node_value, np.float32, (nodes, MAX_PLAYERS)),
        array_at(places.outcome, np.int8, nodes),
        array_at(places.sibling, np.int32, nodes),
        array_at(places.key, np.uint64, nodes),
        array_at(places.action, np.int8, edges),
        array_at(places.prior, np.float32, edges),
        array_at(places.available, np.int32, edges),
        array_at(places.visits, np.int32, edges),
        array_at(places.value, np.float32, (edges, MAX_PLAYERS)),
        array_at(places.square, np.float32, edges),
        array_at(places.child, np.int32, edges),
    )


@glue  # type: ignore[untyped-decorator]
def leaves_of(leaves: Struct) -> Leaves:
    return Leaves(leaves.states, leaves.priors, leaves.shares, leaves.deal, leaves.depth, leaves.nodes, leaves.edges)


@EXPORTS.add(VOID, A_TREE)
def clear_tree(places: Struct) -> None:
    tree.clear(tree_at(places))


@EXPORTS.add(VOID, A_TREE, GAME, I32, SOME_SETTINGS, SOME_LEAVES, SOME_PAPER, RNG, RNG)
def simulate(
    places: Struct,
    view: State,
    count: Count,
    settings: Struct,
    leaves: Struct,
    paper: Struct,
    seed: Address,
    rng: Address,
) -> None:
    tools = Rollout(WEIGHTS, POLICY, paper.scratch, paper.ratings, paper.row)
    first = array_at(seed, np.uint64, 1)[0]
    chance = array_at(rng, np.uint64, 1)
    rollout.simulate(tree_at(places), view, wide(count), settings, leaves_of(leaves), tools, first, chance)


@EXPORTS.add(VOID, A_TREE, GAME, SOME_SETTINGS, SOME_LEAVES, RNG, RNG)
def gather(places: Struct, view: State, settings: Struct, leaves: Struct, seed: Address, rng: Address) -> None:
    first, chance = array_at(seed, np.uint64, 1)[0], array_at(rng, np.uint64, 1)
    descend.gather(tree_at(places), view, BATCH, settings, leaves_of(leaves), first, chance)


@EXPORTS.add(VOID, SOME_LEAVES, ADDRESS, ADDRESS)
def write_judgement(leaves: Struct, shares: Address, ratings: Address) -> None:
    judgement.write_judgement(
        leaves.states,
        BATCH,
        array_at(shares, np.float32, (BATCH, MAX_PLAYERS)),
        array_at(ratings, np.float32, (BATCH, ACTIONS)),
        leaves.priors,
        leaves.shares,
    )


@EXPORTS.add(VOID, A_TREE, I32, SOME_LEAVES)
def back_up(places: Struct, viewer: Seat, leaves: Struct) -> None:
    backup.back_up(tree_at(places), wide(viewer), leaves_of(leaves), BATCH)


@EXPORTS.add(I32, A_TREE, GAME)
def find_position(places: Struct, view: State) -> np.int32:
    """The node of what the seat that decides knows, or NONE."""
    return np.int32(tree.find_key(tree_at(places), np.uint64(descend.position_key(view, view.seat))))


@EXPORTS.add(VOID, A_TREE, I32, A_TREE)
def copy_subtree(places: Struct, node: int, fresh: Struct) -> None:
    tree.copy_subtree(tree_at(places), wide(node), tree_at(fresh))


FOUND = np.dtype(
    [
        ("visits", np.int64, ACTIONS),
        ("values", np.float64, (ACTIONS, MAX_PLAYERS)),
        ("squares", np.float64, ACTIONS),
        ("priors", np.float64, ACTIONS),
    ]
)


@EXPORTS.add(VOID, A_TREE, ADDRESS, I32, from_dtype(FOUND))
def add_up(places: Struct, nodes: Address, count: Count, found: Struct) -> None:
    several = array_at(nodes, np.int32, count)
    read.add_up(tree_at(places), several, found.visits, found.values, found.squares, found.priors)


@EXPORTS.add(I32, A_TREE, ADDRESS, I32, I32, ADDRESS, I32)
def write_children(
    places: Struct, nodes: Address, count: Count, action: Action, children: Address, room: Count
) -> np.int32:
    several, found = array_at(nodes, np.int32, count), array_at(children, np.int32, room)
    return np.int32(read.write_children(tree_at(places), several, wide(action), found))


@EXPORTS.add(I32, GAME, SOME_PAPER, RNG)
def likely_decision(state: State, paper: Struct, rng: Address) -> np.int32:
    chance = array_at(rng, np.uint64, 1)
    return np.int32(policy.likely_decision(state, 0.0, chance, POLICY, paper.ratings, paper.row))


@EXPORTS.add(I32, GAME, F64, SOME_PAPER, RNG)
def greedy_decision(state: State, noise: float, paper: Struct, rng: Address) -> np.int32:
    chance = array_at(rng, np.uint64, 1)
    return np.int32(greedy.best_decision(state, noise, chance, WEIGHTS, paper.scratch, paper.shares, paper.row))


# --------------------------------------------------------------------- what a network says at first sight

OPINION = np.dtype(
    [
        ("legal", np.int8, ACTIONS),
        ("known", np.int8, ACTIONS),
        ("ratings", np.float32, ACTIONS),
        ("chances", np.float64, ACTIONS),
        ("tried", np.float64, ACTIONS),
        ("worth", np.float64, ACTIONS),
    ],
    align=True,
)
AN_OPINION = from_dtype(OPINION)


@EXPORTS.add(VOID, GAME, AN_OPINION)
def choose_likely(view: State, opinion: Struct) -> None:
    """From the ratings of a policy: which decisions should be tried?"""
    rules.legal_mask(view, opinion.legal)
    action_values.write_chances(opinion.ratings, opinion.legal, opinion.chances)
    action_values.mark_likely(opinion.chances, opinion.known)


@EXPORTS.add(I32, AN_OPINION, F64)
def combine_opinions(opinion: Struct, temperature: float) -> np.int32:
    """From these and from what was tried, what decisions are worth. Is the game as good as won?"""
    action_values.combine(opinion.tried, opinion.known, opinion.chances, opinion.legal, temperature, opinion.worth)
    return np.int32(action_values.is_as_good_as_won(opinion.known, opinion.worth))


@EXPORTS.add(VOID, AN_OPINION, I32)
def put_first(opinion: Struct, decision: Action) -> None:
    action_values.put_first(opinion.worth, wide(decision))
