"""`Search`: think about a position for a while, and say what was found.

>>> from splendor import Game
>>> from splendor.search import Search
>>> game = Game(players=2, seed=1)
>>> search = Search(game.view(0), seed=1)
>>> result = search.run(simulations=20)
>>> result.simulations, len(result.value), result.best == result.choices[0].move
(20, 2, True)
>>> game.play(result.best) == result.best
True

A search is given a view, so it cannot look at what is hidden. It can be run again to think longer, stopped from
another thread, and moved on to a later view of the same game with `advance`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from splendor import rules
from splendor._jit import rule
from splendor.actions import ACTIONS, BUY_MARKET, PASS, RESERVE_DECK, RESERVE_MARKET, RETURN_TOKEN
from splendor.chance import new_rng
from splendor.components import CARDS, MAX_PLAYERS
from splendor.moves import legal_actions, move_of_action, with_decision
from splendor.notation.moves import Move
from splendor.search.backup import back_up
from splendor.search.descend import gather, position_key
from splendor.search.leaves import Leaves, new_leaves
from splendor.search.policy import likely_decision
from splendor.search.rollout import Judge, judge_leaves, new_judge
from splendor.search.tree import NONE, ROOT, Tree, clear, copy_subtree, find_key, new_tree
from splendor.state import ACT, State, copy_state
from splendor.table import View

SLICE_SECONDS = 0.02  # so often a search looks at the clock and whether it has been stopped
FIRST_SLICE, LARGEST_SLICE = 8, 4096  # simulations
MOST_NODES = 1 << 18  # memory is used only as the tree grows
FIRST_SIGHT = 8.0  # what a decision seemed to be worth before the search counts as much as so many visits
DOUBT = 0.05  # of the win: a decision that seems to be worth so much less gets e times less of the search


class Settings(NamedTuple):
    """How a search spends its simulations."""

    exploration: float = 1.0  # how much a prior counts against values that were found
    first_look: float = 0.1  # a decision not visited yet is taken to be worth so much less than its position
    widening: float = 1.0  # how many cards may be turned up behind a decision: times the root of its visits
    temperature: float = 1.0  # of the priors: lower trusts the light policy more
    rollout: int = 10  # decisions that are played on from a leaf, before it is evaluated
    noise: float = 1.0  # how freely the light policy plays them


class Evaluator(Protocol):
    """Judges leaves in place of rollouts: a network, for example. `batch` is how many it likes at a time."""

    batch: int

    def __call__(self, leaves: Leaves, count: int) -> None:
        """Write `priors` and `shares` of the first `count` leaves, from their `states`.

        It is called by several threads at once if the search has several.
        """
        ...


@dataclass(frozen=True)
class Choice:
    """A decision that was looked at."""

    action: int
    move: Move  # the whole turn that begins with it; of the best one, as the search would play it
    visits: int
    value: tuple[float, ...]  # the share of the win that each seat can expect


@dataclass(frozen=True)
class Result:
    """What a search has found: its choices, the best first."""

    simulations: int
    choices: list[Choice]
    value: tuple[float, ...]  # of the position: the share of the win that each seat can expect
    principal_variation: list[Move]  # what will be played if everybody agrees, as far as cards are known

    @property
    def best(self) -> Move:
        """The whole turn that the search would play."""
        return self.choices[0].move


class Search:
    """A tree search from the view of the seat whose turn it is."""

    def __init__(
        self,
        view: View,
        *,
        seed: int | None = None,
        threads: int = 1,
        settings: Settings | None = None,
        evaluator: Evaluator | None = None,
        first_sight: Callable[[State], NDArray[np.float64]] | None = None,
        nodes: int = MOST_NODES,
    ) -> None:
        """Prepare to think. Each thread grows a tree of its own; the same seed and threads give the same result.

        `first_sight` goes with an evaluator. It tells of a hidden state what share of the win each legal decision seems
        to be worth there, before any search [action]. A search then looks first where much is to be had, and chooses
        by what decisions are worth instead of by visits.
        """
        self._settings = settings or Settings()
        self._evaluator, self._look = evaluator, first_sight
        batch = evaluator.batch if evaluator else 1
        seed = secrets.randbits(63) if seed is None else seed
        self._workers = [
            Worker(new_tree(nodes), new_tree(nodes), new_leaves(batch), rng[0], rng, new_judge())
            for rng in (new_rng(seed + i) for i in range(threads))
        ]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._stopped = False
        self._begin(view)

    def _begin(self, view: View) -> None:
        if view.is_over:
            raise ValueError("the game is over")
        if view.viewer != view.seat:
            raise ValueError(f"it is the turn of seat {view.seat}, but this is the view of {view.viewer}")
        self.view = view
        self._state = view.state
        self._first_sight = self._look(self._state) if self._look else None

    # ------------------------------------------------------------------------------------------- think

    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        progress: Callable[[Result], None] | None = None,
        every: int = 1000,
    ) -> Result:
        """Think for so many simulations or seconds more, whichever ends first; with neither, until `stop`.

        `progress` is called with the result so far after about `every` simulations, and may call `stop`.
        """
        self.think(simulations, seconds, progress, every)
        return self.result()

    def think(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        progress: Callable[[Result], None] | None = None,
        every: int = 1000,
    ) -> None:
        """The same without a report at the end."""
        self._stopped = False
        start = time.monotonic()
        done, reported, size = 0, 0, FIRST_SLICE
        while not self._stopped and (simulations is None or done < simulations):
            began = time.monotonic()
            if seconds is not None and began - start >= seconds:
                break
            size = size if simulations is None else min(size, simulations - done)
            self._simulate(size)
            done += size
            took = time.monotonic() - began
            if took < SLICE_SECONDS / 2:
                size = min(2 * size, LARGEST_SLICE)
            elif took > 2 * SLICE_SECONDS:
                size = max(size // 2, FIRST_SLICE)
            if progress is not None and done - reported >= every:
                reported = done
                progress(self.result())

    def stop(self) -> None:
        """End `run` soon; may be called from any thread."""
        self._stopped = True

    def _simulate(self, count: int) -> None:
        """So many simulations, shared evenly by the threads."""
        workers = len(self._workers)
        shares = [count // workers + (i < count % workers) for i in range(workers)]
        if self._pool is None:
            self._work(self._workers[0], count)
            return
        for done in [self._pool.submit(self._work, *pair) for pair in zip(self._workers, shares, strict=True)]:
            done.result()

    def _work(self, worker: Worker, count: int) -> None:
        tree, leaves, seed, rng = worker.tree, worker.leaves, worker.seed, worker.rng
        if self._evaluator is None:
            simulate(tree, self._state, count, self._settings, leaves, worker.judge, seed, rng)
            return
        while count > 0:
            visits = tree.node_visits[ROOT]
            batch = 1 if visits == 0 else min(count, self._evaluator.batch)
            gather(tree, self._state, batch, self._settings, leaves, seed, rng)
            self._evaluator(leaves, batch)
            if visits == 0 and self._first_sight is not None:
                leaves.priors[0] = softmax(self._first_sight, legal_actions(self._state))
            back_up(tree, self._state.seat, leaves, batch)
            count -= batch

    # ------------------------------------------------------------------------------------------ move on

    def advance(self, view: View) -> int:
        """Go on with a later view of the same seat and game; return how many simulations could be kept.

        A tree is kept below the position if it has come to it: what was found there was found without looking at
        anything that has been hidden until now.
        """
        same_seat = view.viewer == self.view.viewer
        self._begin(view)
        key = np.uint64(position_key(self._state, self._state.seat))
        kept = 0
        for i, worker in enumerate(self._workers):
            node = int(find_key(worker.tree, key)) if same_seat else NONE
            clear(worker.spare)
            if node != NONE:
                copy_subtree(worker.tree, node, worker.spare)
                kept += int(worker.spare.node_visits[ROOT])
            self._workers[i] = worker._replace(tree=worker.spare, spare=worker.tree)
        return kept

    # ------------------------------------------------------------------------------------------- result

    def best(self) -> Move:
        """The whole turn that begins with the best decision."""
        roots = self._roots()
        return self._turn(copy_state(self._state), roots, self._ranking(*tally(roots))[0], self._decision)[0]

    def result(self) -> Result:
        """What has been found so far."""
        roots = self._roots()
        visits, values = tally(roots)
        choices = [
            Choice(
                action,
                self._turn(copy_state(self._state), roots, action, self._favorite if place else self._decision)[0],
                int(visits[action]),
                tuple(float(n) for n in values[action, : self.view.players] / max(visits[action], 1)),
            )
            for place, action in enumerate(self._ranking(visits, values))
        ]
        simulations = sum(int(tree.node_visits[ROOT]) for tree, _ in roots)
        total = sum(tree.node_value[ROOT] for tree, _ in roots) / max(simulations, 1)
        value = tuple(float(n) for n in total[: self.view.players])
        return Result(simulations, choices, value, self._variation(roots))

    def _ranking(self, visits: NDArray[np.int64], values: NDArray[np.float64]) -> list[int]:
        """The legal decisions, the best first: by what they are worth where there was a first sight, else by visits."""
        legal = legal_actions(self._state)
        if self._first_sight is None:
            best = self._favorite(self._state, self._roots())
            return sorted(legal, key=lambda action: (-visits[action], action != best))
        worth = worth_in_hindsight(self._first_sight, visits, values[:, self._state.seat])
        return sorted(legal, key=lambda action: -worth[action])

    def _roots(self) -> Place:
        return [(worker.tree, ROOT) for worker in self._workers]

    def _turn(
        self, state: State, place: Place, action: int, decide: Callable[[State, Place], int]
    ) -> tuple[Move, Place]:
        """Play a decision on a hidden state, and the rest of the turn as `decide` says."""
        move = move_of_action(state, action) if action < RETURN_TOKEN else with_decision(state, Move("finish"), action)
        rules.apply(state, action)
        place = below(place, action)
        while not rules.is_over(state) and state.phase != ACT:
            action = decide(state, place)
            move = with_decision(state, move, action)
            rules.apply(state, action)
            place = below(place, action)
        return move, place

    def _decision(self, state: State, place: Place) -> int:
        """The decision to make later in the turn: there are fewer visits, so what it looks like counts for more."""
        if self._look is None:
            return self._favorite(state, place)
        visits, values = tally(place)
        worth = worth_in_hindsight(self._look(state), visits, values[:, state.seat])
        return max(legal_actions(state), key=lambda action: worth[action])

    def _favorite(self, state: State, place: Place) -> int:
        """The legal decision with most visits; where nobody has been, the one that the light policy likes."""
        visits, _ = tally(place)
        legal = legal_actions(state)
        best = max(legal, key=lambda action: visits[action])
        if visits[best] > 0:
            return best
        judge = self._workers[0].judge
        return int(likely_decision(state, 0.0, self._workers[0].rng, judge.policy, judge.ratings, judge.row))

    def _variation(self, place: Place) -> list[Move]:
        """The most visited turns one after the other, up to one with a card that nobody has seen yet."""
        state = copy_state(self._state)
        moves: list[Move] = []
        while not rules.is_over(state):
            visits, _ = tally(place)
            action = max(legal_actions(state), key=lambda action: visits[action])
            if visits[action] == 0 or is_unseen(state, action):
                break
            move, place = self._turn(state, place, action, self._favorite if moves else self._decision)
            moves.append(move)
        return moves


class Worker(NamedTuple):
    """What one thread works with."""

    tree: Tree
    spare: Tree  # for what is kept at the next turn
    leaves: Leaves
    seed: np.uint64  # of the deals
    rng: NDArray[np.uint64]
    judge: Judge


@rule
def simulate(tree: Any, view: Any, count: Any, settings: Any, leaves: Any, judge: Any, seed: Any, rng: Any) -> None:
    """The whole search: descend, judge, back up."""
    for _ in range(count):
        gather(tree, view, 1, settings, leaves, seed, rng)
        judge_leaves(leaves, 1, settings, judge, rng)
        back_up(tree, view.seat, leaves, 1)


def worth_of(first_sight: Any, visits: Any, values: Any) -> Any:
    """What decisions are worth by what they seemed to be and by what was found, sums over the visits; any arrays."""
    return (FIRST_SIGHT * first_sight + values) / (FIRST_SIGHT + visits)


def worth_in_hindsight(
    first_sight: NDArray[np.float64], visits: NDArray[np.int64], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The same, for a first sight that may have been too hopeful or too gloomy about the position as a whole  [action].

    Where decisions turn out to be worth less than they seemed, one that was hardly visited must not look better only
    because nobody has looked: it is taken to be worth less by as much as the others are on average.
    """
    surprise = (values - visits * first_sight).sum() / max(visits.sum(), 1)
    worth: NDArray[np.float64] = worth_of(first_sight + surprise, visits, values)
    return worth


def softmax(worth: NDArray[np.float64], legal: list[int]) -> NDArray[np.float32]:
    """How likely each decision is the best, by what it seems to be worth  [action]."""
    priors = np.zeros(ACTIONS, np.float32)
    priors[legal] = np.exp((worth[legal] - worth[legal].max()) / DOUBT)
    priors /= priors.sum()
    return priors


# One position in the eyes of the searching seat: a node in each tree, or several that differ in the cards turned up.
Place = list[tuple[Tree, int]]


def tally(place: Place) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Visits [action] and sums of shares [action, seat] of the decisions, over all trees and cards turned up."""
    visits, values = np.zeros(ACTIONS, np.int64), np.zeros((ACTIONS, MAX_PLAYERS))
    for tree, node in place:
        edges = slice(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node])
        visits[tree.action[edges]] += tree.visits[edges]
        values[tree.action[edges]] += tree.value[edges]
    return visits, values


def below(place: Place, action: int) -> Place:
    """Where a decision leads to."""
    children: Place = []
    for tree, node in place:
        for edge in range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node]):
            child = int(tree.child[edge]) if tree.action[edge] == action else NONE
            while child != NONE:
                children.append((tree, child))
                child = int(tree.sibling[child])
    return children


def is_unseen(state: State, action: int) -> bool:
    """Is this about a card that is not known yet?"""
    if RESERVE_MARKET <= action < RESERVE_DECK:
        return bool(state.market[action - RESERVE_MARKET] >= CARDS)
    return BUY_MARKET <= action < PASS and bool(rules.card_for_sale(state, action) >= CARDS)
