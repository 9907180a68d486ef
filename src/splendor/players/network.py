"""A player that has learned the game by itself: a network, alone or at the leaves of the tree search."""

from __future__ import annotations

import math
import secrets
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splendor._jit import rule
from splendor.actions import ACTIONS
from splendor.components import MAX_PLAYERS
from splendor.features import OBSERVATION_SIZE, named, seat_at
from splendor.first_sight import FirstSight, observe_deciders
from splendor.moves import legal_actions
from splendor.network import AllRotations, load_network
from splendor.network import Network as Rater
from splendor.notation.moves import Move
from splendor.players.greedy import PATIENT_ROUNDS
from splendor.players.turn import whole_turn
from splendor.rotation import ROTATIONS
from splendor.rules import legal_mask
from splendor.search.leaves import Leaves
from splendor.search.search import Search, Settings
from splendor.state import State, new_states
from splendor.table import View

SETTINGS = Settings(exploration=1.0, first_look=0.25)

# Two players who both wait for the other's tokens would wait for ever, see `greedy`.
IMPATIENCE = 0.002  # more temperature with every round after the patient ones
LAST_SEARCH = 2 * PATIENT_ROUNDS  # the round after which it no longer searches, which knows no impatience


class Network:
    """Alone it takes the decision that seems to be worth most at first sight; with simulations it searches."""

    def __init__(
        self,
        *,
        simulations: int | None = None,
        time: float | None = None,
        temperature: float = 0.0,
        file: Path | None = None,
        network: Rater | None = None,
        settings: Settings = SETTINGS,
        seed: int | None = None,
    ) -> None:
        """Think for so many `simulations` or seconds of `time` a move, whichever ends first; with neither, not at all.

        Without a search, a `temperature` makes it choose at random among decisions that are about as good: those that
        cost so much of the win are chosen e times less often, in games of two; with more players the win is shared
        by more, and less of it counts as much.

        The network is that of the package, that in a `file`, or this one.
        """
        if simulations is not None and simulations < 0:
            raise ValueError(f"the simulations of network are at least 0, not {simulations}")
        if time is not None and not time > 0:
            raise ValueError(f"the time of network is a number of seconds above 0, not {time}")
        if not 0 <= temperature <= 1:
            raise ValueError(f"the temperature of network is a number from 0 to 1, not {temperature}")
        self.simulations, self.time, self.temperature = simulations or None, time, temperature
        self.network = network or load_network(file)
        self._seed = secrets.randbits(63) if seed is None else seed & (1 << 63) - 1
        self._settings = settings
        self._sight, self._close_look = FirstSight(self.network), FirstSight(AllRotations(self.network))
        self._views, self._legal = new_states(1), np.zeros((1, ACTIONS), np.bool_)
        self._chance = np.random.default_rng(self._seed)
        self._judge = LeafJudge(self.network)

    def decide(self, state: State) -> int:
        """One decision on a hidden state, without search."""
        worth = self.first_sight(state)
        temperature = self.temperature + IMPATIENCE * max(0, int(state.round_number) - PATIENT_ROUNDS)
        if temperature > 0:
            # Shares of the win are smaller where more players have one.
            worth = worth + temperature * 2 / state.players * self._chance.gumbel(size=ACTIONS)
        return max(legal_actions(state), key=lambda action: worth[action])

    def first_sight(self, state: State) -> NDArray[np.float64]:
        """The share of the win that each legal decision seems to be worth at first sight  [action]."""
        return self._worth(state, self._sight)

    def close_look(self, state: State) -> NDArray[np.float64]:
        """The same after looking at the position in all rotations: where there is time for a search."""
        return self._worth(state, self._close_look)

    def _worth(self, state: State, sight: FirstSight) -> NDArray[np.float64]:
        self._views[0] = state
        legal_mask(self._views[0], self._legal[0])
        worth: NDArray[np.float64] = sight.worth(self._views, self._legal)[0]
        return worth

    def choose(self, view: View) -> Move:
        """The best move, as far as it can tell."""
        is_alone = self.simulations is None and self.time is None
        if is_alone or view.state.round_number > LAST_SEARCH:
            return whole_turn(view, self.decide)
        search = self.prepare(view)
        search.think(self.simulations, self.time)
        return search.best()

    def prepare(self, view: View) -> Search:
        """A search at this view, which begins with what it would think without one."""
        return Search(
            view, seed=self._seed, settings=self._settings, evaluator=self._judge, first_sight=self.close_look
        )


class LeafJudge:
    """The network as the judge of the search's leaves; each leaf is seen by the seat that decides there.

    It looks at the leaves of one deal in one rotation of the colors, and at those of the next in the next: what it
    misjudges in one of them, it need not misjudge in the others. Decisions at the root are compared in the same deals,
    and so in the same rotations.
    """

    batch = 1  # several together take as long as one after the other, and are chosen less well

    def __init__(self, network: Rater) -> None:
        """Rate leaves one at a time."""
        self.network = network
        self._seen = np.zeros((self.batch, OBSERVATION_SIZE), np.int8)
        self._named = named(self._seen)

    def __call__(self, leaves: Leaves, count: int) -> None:
        """Write the priors and shares of the first `count` leaves."""
        observe_deciders(leaves.states, count, self._named)
        shares, ratings = self.network.rate(self._seen[:count], int(leaves.deal[0]) % ROTATIONS)
        write_judgement(leaves.states, count, shares, ratings, leaves.priors, leaves.shares)


@rule
def write_judgement(states: Any, count: Any, shares: Any, ratings: Any, leaf_priors: Any, leaf_shares: Any) -> None:
    """Shares by seat, and priors: the softmax of the ratings of the legal decisions."""
    for leaf in range(count):
        state = states[leaf]
        for distance in range(MAX_PLAYERS):
            leaf_shares[leaf, seat_at(state, state.seat, distance)] = shares[leaf, distance]
        priors = leaf_priors[leaf]
        legal_mask(state, priors)
        top = -math.inf
        for action in range(ACTIONS):
            if priors[action] > 0:
                top = max(top, ratings[leaf, action])
        total = 0.0
        for action in range(ACTIONS):
            if priors[action] > 0:
                priors[action] = math.exp(ratings[leaf, action] - top)
                total += priors[action]
        for action in range(ACTIONS):
            priors[action] /= max(total, 1e-30)
