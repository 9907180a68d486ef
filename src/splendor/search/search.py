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
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from splendor.core import rules
from splendor.core.actions import ACTIONS, PHASE_ACTION, group_of
from splendor.core.chance import new_rng
from splendor.core.components import CARDS, MAX_PLAYERS
from splendor.core.state import ACT, State, copy_state
from splendor.game.moves import legal_actions, with_decision
from splendor.game.position import View
from splendor.notation.moves import Move
from splendor.search.evaluator import Evaluator
from splendor.search.kernel.backup import back_up
from splendor.search.kernel.descend import gather, position_key
from splendor.search.kernel.leaves import Leaves, new_leaves
from splendor.search.kernel.policy import likely_decision, write_priors
from splendor.search.kernel.read import add_up, write_children
from splendor.search.kernel.rollout import Rollout, new_rollout, simulate
from splendor.search.kernel.settings import SearchSettings
from splendor.search.kernel.tree import NONE, ROOT, Tree, clear, copy_subtree, find_key, new_tree
from splendor.search.result import Choice, Result
from splendor.search.worth import corrected_worth, softmax, standard_error, worth_of

SLICE_SECONDS = 0.02  # so often a search looks at the clock and whether it has been stopped
FIRST_SLICE, LARGEST_SLICE = 8, 4096  # simulations
MOST_NODES = 1 << 18  # memory is used only as the tree grows
USUAL_CHILDREN = 256  # more cards than this are rarely turned up behind a decision

Floats = NDArray[np.float64]


class Search:
    """A tree search from the view of the seat whose turn it is."""

    def __init__(
        self,
        view: View,
        *,
        seed: int | None = None,
        threads: int = 1,
        settings: SearchSettings | None = None,
        evaluator: Evaluator | None = None,
        nodes: int = MOST_NODES,
    ) -> None:
        """Prepare to think. Each thread grows a tree of its own; the same seed and threads give the same result.

        Leaves are valued by rollouts, or by an `evaluator`; it is asked nothing before the search runs.
        """
        self._settings = settings or SearchSettings()
        self._evaluator = evaluator
        batch = evaluator.batch if evaluator else 1
        seed = secrets.randbits(63) if seed is None else seed
        self._workers = [
            Workspace(new_tree(nodes), new_tree(nodes), new_leaves(batch), rng[0], rng, new_rollout())
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
        self._root_values: Floats | None = None
        self._is_valued = False

    def _action_values(self) -> Floats | None:
        """The action values at the root, asked for once."""
        if not self._is_valued:
            self._root_values = self._evaluator.root(self._state) if self._evaluator else None
            self._is_valued = True
        return self._root_values

    # ------------------------------------------------------------------------------------------- think

    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        progress: Callable[[Result], None] | None = None,
        every: int = 1000,
        interval: float = 0.0,
        include: Collection[int] = (),
    ) -> Result:
        """Think for so many simulations or seconds more, whichever ends first; with neither, until `stop`.

        `progress` is called with the result so far after about `every` simulations, but not within `interval` seconds
        of the last time; it may call `stop`. Root actions to `include` are visited at least as often as the most
        visited of the others. Run again to think longer.
        """
        self.think(simulations, seconds, progress, every, interval, include)
        return self.result()

    def think(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        progress: Callable[[Result], None] | None = None,
        every: int = 1000,
        interval: float = 0.0,
        include: Collection[int] = (),
    ) -> None:
        """The same without a report at the end."""
        self._stopped = False
        self._settings = self._settings._replace(include=self._set_of(include))
        start = told = time.monotonic()
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
            if progress is not None and done - reported >= every and time.monotonic() - told >= interval:
                progress(self.result())
                reported, told = done, time.monotonic()

    def _set_of(self, actions: Collection[int]) -> int:
        """Decisions at the root as a set, counted from the first action of the phase."""
        illegal = set(actions) - set(legal_actions(self._state))
        if illegal:
            raise ValueError(f"a search can only include legal actions; {min(illegal)} is not")
        return sum(1 << (action - int(PHASE_ACTION[self._state.phase])) for action in set(actions))

    def stop(self) -> None:
        """End `run` soon; may be called from any thread."""
        self._stopped = True

    def _simulate(self, count: int) -> None:
        """So many simulations, shared evenly by the threads."""
        self._action_values()  # before the threads begin
        workers = len(self._workers)
        shares = [count // workers + (i < count % workers) for i in range(workers)]
        if self._pool is None:
            self._work(self._workers[0], count)
            return
        for done in [self._pool.submit(self._work, *pair) for pair in zip(self._workers, shares, strict=True)]:
            done.result()

    def _work(self, worker: Workspace, count: int) -> None:
        tree, leaves, seed, rng = worker.tree, worker.leaves, worker.seed, worker.rng
        if self._evaluator is None:
            simulate(tree, self._state, count, self._settings, leaves, worker.rollout, seed, rng)
            return
        while count > 0:
            visits = tree.node_visits[ROOT]
            batch = 1 if visits == 0 else min(count, self._evaluator.batch)
            gather(tree, self._state, batch, self._settings, leaves, seed, rng)
            self._evaluator.judge(leaves, batch)
            values = self._action_values()
            if visits == 0 and values is not None:
                leaves.priors[0] = softmax(values, legal_actions(self._state))
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
        found = tally(self._roots())
        action = self._ranking(self._worth(found), self._priors(found))[0]
        return self._turn(copy_state(self._state), self._roots(), action, self._decision)[0]

    def result(self) -> Result:
        """What has been found so far."""
        roots = self._roots()
        found = tally(roots)
        worth, priors = self._worth(found), self._priors(found)
        players, seat = self.view.players, self._state.seat
        choices = []
        for place, action in enumerate(self._ranking(worth, priors)):
            line = self._line(action, self._favorite if place else self._decision)
            visits, value = int(found.visits[action]), found.values[action]
            choices.append(
                Choice(
                    action=action,
                    move=line[0],
                    visits=visits,
                    value=tuple(float(share) for share in value[:players] / max(visits, 1)),
                    worth=float(worth[action]),
                    error=standard_error(visits, value[seat], found.squares[action]),
                    prior=float(priors[action]),
                    line=line,
                )
            )
        simulations, value = self._found_at_root()
        return Result(simulations, choices, tuple(float(share) for share in value[:players]))

    def _found_at_root(self) -> tuple[int, Floats]:
        """The simulations, and the mean of their values  [seat]."""
        simulations = sum(int(tree.node_visits[ROOT]) for tree, _ in self._roots())
        total: Floats = sum(tree.node_value[ROOT] for tree, _ in self._roots()) / max(simulations, 1)
        return simulations, total

    def _worth(self, found: Findings) -> Floats:
        """What the decisions at the root are worth to the seat that decides  [action].

        Without action values, the prior value of all decisions is the first-play urgency.
        """
        seat = self._state.seat
        values = self._action_values()
        if values is not None:
            return corrected_worth(values, found.visits, found.values[:, seat])
        first_play = self._found_at_root()[1][seat] - self._settings.first_play_reduction
        worth: Floats = worth_of(first_play, found.visits, found.values[:, seat])
        return worth

    def _priors(self, found: Findings) -> Floats:
        """The priors at the root  [action]."""
        if found.priors.any():
            priors: Floats = found.priors / found.priors.sum()
            return priors
        values = self._action_values()
        if values is not None:
            return softmax(values, legal_actions(self._state)).astype(np.float64)
        rollout, priors = self._workers[0].rollout, np.zeros(ACTIONS)
        write_priors(self._state, self._settings.temperature, rollout.policy, rollout.ratings, priors, rollout.row)
        return priors

    def _ranking(self, worth: Floats, priors: Floats) -> list[int]:
        """The legal decisions by their worth, the best first; among equals the likelier one."""
        return sorted(legal_actions(self._state), key=lambda action: (-worth[action], -priors[action]))

    def _roots(self) -> Place:
        return [(worker.tree, np.array([ROOT], np.int32)) for worker in self._workers]

    def _turn(
        self, state: State, place: Place, action: int, decide: Callable[[State, Place], int]
    ) -> tuple[Move, Place]:
        """Play a decision on a hidden state, and the rest of the turn as `decide` says."""
        move = with_decision(state, Move("finish"), action)
        rules.apply(state, action)
        place = place_after(place, action)
        while not rules.is_over(state) and state.phase != ACT:
            action = decide(state, place)
            move = with_decision(state, move, action)
            rules.apply(state, action)
            place = place_after(place, action)
        return move, place

    def _decision(self, state: State, place: Place) -> int:
        """The decision to make later in the turn: there are fewer visits, so its action value counts for more."""
        values = self._evaluator.root(state) if self._evaluator else None
        if values is None:
            return self._favorite(state, place)
        found = tally(place)
        worth = corrected_worth(values, found.visits, found.values[:, state.seat])
        return max(legal_actions(state), key=lambda action: worth[action])

    def _favorite(self, state: State, place: Place) -> int:
        """The legal decision with most visits; without any, the one that the light policy likes."""
        visits = tally(place).visits
        legal = legal_actions(state)
        best = max(legal, key=lambda action: visits[action])
        if visits[best] > 0:
            return best
        rollout = self._workers[0].rollout
        return int(likely_decision(state, 0.0, self._workers[0].rng, rollout.policy, rollout.ratings, rollout.row))

    def _line(self, action: int, decide: Callable[[State, Place], int]) -> tuple[Move, ...]:
        """The turn that begins with a decision, then the most visited ones, up to one with a card not known yet."""
        state = copy_state(self._state)
        move, place = self._turn(state, self._roots(), action, decide)
        moves = [move]
        while not rules.is_over(state):
            visits = tally(place).visits
            action = max(legal_actions(state), key=lambda action: visits[action])
            if visits[action] == 0 or is_unseen(state, action):
                break
            move, place = self._turn(state, place, action, self._favorite)
            moves.append(move)
        return tuple(moves)


class Workspace(NamedTuple):
    """What one thread works with."""

    tree: Tree
    spare: Tree  # for what is kept at the next turn
    leaves: Leaves
    seed: np.uint64  # of the deals
    rng: NDArray[np.uint64]
    rollout: Rollout


# One position in the eyes of the searching seat: its nodes in each tree, which differ in the cards turned up.
Place = list[tuple[Tree, NDArray[np.int32]]]


class Findings(NamedTuple):
    """What was found about the decisions at a place, over all its nodes."""

    visits: NDArray[np.int64]  # [action]
    values: Floats  # sums of shares  [action, seat]
    squares: Floats  # sums of the squares of the searching seat's shares  [action]
    priors: Floats  # sums as well  [action]


def tally(place: Place) -> Findings:
    """Add up what the trees have found."""
    found = Findings(
        np.zeros(ACTIONS, np.int64), np.zeros((ACTIONS, MAX_PLAYERS)), np.zeros(ACTIONS), np.zeros(ACTIONS)
    )
    for tree, nodes in place:
        add_up(tree, nodes, *found)
    return found


def place_after(place: Place, action: int) -> Place:
    """Where a decision leads to."""
    return [(tree, children_of(tree, nodes, action)) for tree, nodes in place]


def children_of(tree: Tree, nodes: NDArray[np.int32], action: int) -> NDArray[np.int32]:
    """The nodes behind a decision in one tree."""
    children = np.zeros(USUAL_CHILDREN, np.int32)
    count = int(write_children(tree, nodes, action, children))
    if count > USUAL_CHILDREN:
        children = np.zeros(count, np.int32)
        write_children(tree, nodes, action, children)
    return children[:count]


def is_unseen(state: State, action: int) -> bool:
    """Is this about a card that is not known yet?"""
    group = group_of(action)
    if group.kind == "reserve":
        return bool(state.market[action - group.first] >= CARDS)
    return group.kind == "buy" and bool(rules.card_for_sale(state, action) >= CARDS)
