"""`evaluate`: what the seats can expect in a position, and what each decision in it is worth.

>>> from splendor import Game
>>> found = evaluate(Game(players=2, seed=1).view(0), 20, include=["+wug"], seed=1)
>>> len(found.shares), found.simulations, "+wug" in [candidate.move for candidate in found.candidates]
(2, 20, True)

A position is looked at by the seat that decides: what it cannot know plays no part. An `Analysis` can be run again to
look closer, and stopped from another thread.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from threading import Event

import numpy as np

from splendor.analysis.model import Candidate, Effort, Evaluation, Shares
from splendor.analysis.turns import Decision, decisions_of
from splendor.core.features import OBSERVATION_SIZE, named, observe
from splendor.core.state import State, copy_state
from splendor.game.moves import IllegalMove, play_action, play_move
from splendor.game.position import View
from splendor.network.evaluator import NetworkEvaluator
from splendor.network.network import Network, load_network
from splendor.notation.errors import NotationError
from splendor.notation.moves import Move, Tokens, parse_move
from splendor.notation.positions import parse_position
from splendor.players.network import SETTINGS
from splendor.search import Choice, Result, Search
from splendor.search.worth import PRIOR_VISITS

SIMULATIONS: dict[Effort, int] = {"curve": 1, "quick": 50, "normal": 400, "deep": 3200}
MOST = 1_000_000  # simulations
EVERY = 50  # simulations between two reports of progress
SPARE_NODES = 64
# Standard deviations, of the win of two players; with more they are multiplied by 2 / players.
PRIOR_ERROR = 0.03  # of an action value, as far as it is not the same for all decisions of a position
LATER_ERROR = 0.01  # of the difference between two returns, or two nobles, by their action values


class Analysis:
    """A search at one view, which can go on; decisions to include get as many visits as the best of the others."""

    def __init__(
        self,
        view: View,
        *,
        include: Sequence[Move | str] = (),
        seed: int = 0,
        threads: int = 1,
        network: Network | None = None,
        most: int = SIMULATIONS["deep"],
    ) -> None:
        """Prepare to look at a view; the same seed and threads find the same. It remembers `most` simulations well.

        Raises IllegalMove for a decision that cannot be included.
        """
        self.view, self.simulations = view, 0
        self._network = network or load_network()
        self._evaluator = NetworkEvaluator(self._network)
        self._state = view.state
        moves = [play_move(self._state, parsed(move))[1] for move in include]
        self._included = {move: list(decisions_of(self._state, move)) for move in moves}
        self._actions = {decisions[0].action for decisions in self._included.values()}
        self._search = Search(
            view, seed=seed, threads=threads, settings=SETTINGS, evaluator=self._evaluator, nodes=most + SPARE_NODES
        )
        self._later: dict[Move, tuple[float, float]] = {}
        self._found: Result | None = None

    def run(
        self, simulations: int, *, progress: Callable[[Evaluation], None] | None = None, stop: Event | None = None
    ) -> Evaluation:
        """Look closer by so many simulations, or until `stop` is set; `progress` is shown what is found on the way."""
        target = self.simulations + simulations
        while self.simulations < target and not (stop and stop.is_set() and self.simulations > 0):
            count = min(EVERY, target - self.simulations)
            self._search.think(simulations=count, include=self._actions)
            self.simulations += count
            self._found = None
            if progress is not None:
                progress(self.evaluation())
        return self.evaluation()

    def worths(self) -> dict[int, float]:
        """What each legal action is worth so far."""
        return {choice.action: choice.worth for choice in self._result().choices}

    def _result(self) -> Result:
        """What the search has found, read off once: that takes as long as some simulations."""
        if self._found is None:
            self._found = self._search.result()
        return self._found

    def evaluation(self) -> Evaluation:
        """What has been found so far."""
        result, seat = self._result(), self.view.seat
        shares = as_shares(result.value)
        candidates = [candidate_of(choice, shares, seat) for choice in result.choices]
        for move, decisions in self._included.items():
            if all(candidate.move != str(move) for candidate in candidates):
                place = next(n for n, choice in enumerate(result.choices) if choice.action == decisions[0].action)
                candidates.append(self._variation(candidates[place], move, decisions))
        candidates.sort(key=lambda candidate: -candidate.worth)
        return Evaluation(seat=seat, shares=shares, simulations=self.simulations, candidates=tuple(candidates))

    def _variation(self, candidate: Candidate, move: Move, decisions: list[Decision]) -> Candidate:
        """A turn that begins like the candidate, but pays, returns or chooses otherwise.

        What that costs or gains is told by the network's values alone.
        """
        if move not in self._later:
            losses = [self._loss(decision) for decision in decisions[1:]]
            gain = self._gain_by_payment(move, decisions[0]) - sum(losses)
            known = len(losses) + (move.payment is not None)
            self._later[move] = gain, known * (LATER_ERROR * 2 / self.view.players) ** 2
        gain, variance = self._later[move]
        worth = min(max(candidate.worth + gain, 0.0), 1.0)
        changes = {
            "move": str(move),
            "worth": worth,
            "shares": with_share(candidate.shares, self.view.seat, worth),
            "error": math.sqrt(candidate.error**2 + variance),
            "line": (str(move),),
        }
        return candidate.model_copy(update=changes)

    def _loss(self, decision: Decision) -> float:
        values = self._evaluator.root(decision.state)
        return float(values.max() - values[decision.action])

    def _gain_by_payment(self, move: Move, decision: Decision) -> float:
        """What it gains to pay with more gold than needed."""
        if move.payment is None:
            return 0.0
        return self._share_after(decision, move.payment) - self._share_after(decision, None)

    def _share_after(self, decision: Decision, payment: Tokens | None) -> float:
        """What the seat that decides can expect behind an action, by the network alone."""
        state = copy_state(decision.state)
        play_action(state, decision.action, payment)
        seen = np.zeros((1, OBSERVATION_SIZE), np.int8)
        observe(state, self.view.seat, named(seen)[0])
        return float(self._network.shares(seen)[0, 0])


def evaluate(
    position: View | State | str,
    effort: Effort | int = "normal",
    *,
    include: Sequence[Move | str] = (),
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[Evaluation], None] | None = None,
    stop: Event | None = None,
    resume: Analysis | None = None,
    network: Network | None = None,
) -> Evaluation:
    """The shares of all seats, and the decisions by their worth, after so many simulations.

    A position is the view of the seat that decides, or its text; of a text that shows everything, only what this seat
    may know is used. Decisions to `include` are looked at as closely as the best one. Raises ValueError with a
    sentence for text that is no position, and for decisions that are not legal. Of a game that is over it says who has
    won what.
    """
    simulations = simulations_of(effort)
    if resume is not None:
        return resume.run(max(simulations - resume.simulations, 0), progress=progress, stop=stop)
    view = view_of(position)
    if view.is_over:
        return Evaluation(seat=view.seat, shares=view.win_shares, simulations=0, candidates=())
    analysis = Analysis(view, include=include, seed=seed, threads=threads, network=network, most=simulations)
    return analysis.run(simulations, progress=progress, stop=stop)


def simulations_of(effort: Effort | int) -> int:
    """How many simulations a decision gets."""
    if isinstance(effort, str):
        if effort not in SIMULATIONS:
            raise ValueError(f"there is no effort {effort!r}; there are {', '.join(SIMULATIONS)}")
        return SIMULATIONS[effort]
    if not 1 <= effort <= MOST:
        raise ValueError(f"an effort is a number of simulations from 1 to {MOST}, not {effort}")
    return effort


def view_of(position: View | State | str) -> View:
    """What the seat that decides may know."""
    if isinstance(position, View):
        if position.viewer != position.seat and not position.is_over:
            raise ValueError(f"it is the turn of seat {position.seat}, but this is the view of {position.viewer}")
        return position
    state = parse_position(position) if isinstance(position, str) else position
    return View(state, int(state.seat))


def parsed(move: Move | str) -> Move:
    """A move from its text; what is no move is not legal either."""
    if isinstance(move, Move):
        return move
    try:
        return parse_move(move)
    except NotationError as error:
        raise IllegalMove(str(error)) from None


def candidate_of(choice: Choice, shares: Shares, seat: int) -> Candidate:
    """What a search says about a decision. The fewer visits it has, the more the error of its action value counts."""
    known = as_shares(choice.value) if choice.visits else shares
    prior_part = PRIOR_VISITS / (PRIOR_VISITS + choice.visits)
    return Candidate(
        move=str(choice.move),
        worth=choice.worth,
        shares=with_share(known, seat, choice.worth),
        error=math.hypot(choice.error or 0.0, prior_part * PRIOR_ERROR * 2 / len(shares)),
        prior=choice.prior,
        visits=choice.visits,
        line=tuple(str(move) for move in choice.line),
    )


def as_shares(values: Sequence[float]) -> Shares:
    """The same, adding up to 1 exactly."""
    total = sum(values)
    return tuple(value / total for value in values)


def with_share(shares: Shares, seat: int, share: float) -> Shares:
    """The same with another share for one seat; the others keep their parts of the rest."""
    others = 1 - shares[seat]
    if others <= 0:
        return tuple(share if n == seat else (1 - share) / (len(shares) - 1) for n in range(len(shares)))
    return tuple(share if n == seat else value * (1 - share) / others for n, value in enumerate(shares))
