"""What decisions seem to be worth to a network before any search, in one position or in many.

The network has two opinions. It rates afterstates: what share of the win can be expected behind a decision. And it has
learned from searches, as a policy, which decisions turned out best. Each knows something that the other overlooks, so
they are mixed; a decision that the policy thinks little of is not tried at all, which saves most of the time.

To a network all ways to win are the same, and it could put off a certain win for ever. So where a game is as good as
won, the decision that the greedy player would take goes first, if it wins as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS
from splendor.core.afterstates import Afterstates
from splendor.core.chance import new_rng
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.rules import legal_mask
from splendor.core.state import State, States, new_states
from splendor.network.kernel import action_values as kernel
from splendor.network.network import Critic
from splendor.search.kernel.evaluation import ROW
from splendor.search.kernel.greedy import SCRATCH_STATES, best_decision
from splendor.search.kernel.judgement import observe_deciders
from splendor.search.kernel.weights import WEIGHTS

Floats = NDArray[np.float64]

ROWS = 4096  # afterstates that are rated together at most


class ActionValues:
    """What a network thinks of decisions, with memory that is used again and again; for one thread."""

    def __init__(self, network: Critic) -> None:
        """The network must have been trained with a policy."""
        self.network = network
        self._seen = np.zeros((0, OBSERVATION_SIZE), np.int8)
        self._after = Afterstates()
        self._rng = new_rng(0)  # for noise, of which there is none
        self._paper = new_states(SCRATCH_STATES), np.zeros(MAX_PLAYERS), np.zeros(ROW)
        self._one = new_states(1), np.zeros((1, ACTIONS), np.bool_)

    def of(self, state: State) -> Floats:
        """The action values in one hidden state, as below  [action]."""
        views, legal = self._one
        views[0] = state
        legal_mask(views[0], legal[0])
        values: Floats = self.of_many(views, legal)[0]
        return values

    def of_many(self, views: States, legal: NDArray[np.bool_]) -> Floats:
        """The win share that the deciding seats can expect after each legal decision; else NOT_LEGAL  [game, action].

        `views` are states hidden from all but the seat that decides; one that is over has no legal decision.
        """
        games = len(views)
        if len(self._seen) < games:
            self._seen = np.zeros((games, OBSERVATION_SIZE), np.int8)
            self._after = Afterstates(min(games * ACTIONS, ROWS))
        observe_deciders(views, games, named(self._seen))
        ratings = self._ratings(self._seen[:games])
        chances, tried, worth = (np.zeros(legal.shape) for _ in range(3))
        known = np.zeros(legal.shape, np.int8)
        for game in range(games):
            kernel.write_chances(ratings[game], legal[game], chances[game])
            kernel.mark_likely(chances[game], known[game])
        self._try(views, legal, known, tried)
        temperatures = self.network.policy_temperature
        for game, players in enumerate(views["players"].tolist()):
            kernel.combine(tried[game], known[game], chances[game], legal[game], temperatures[players - 2], worth[game])
            if kernel.is_as_good_as_won(known[game], worth[game]):
                kernel.put_first(worth[game], best_decision(views[game], 0.0, self._rng, WEIGHTS, *self._paper))
        return worth

    def _ratings(self, seen: NDArray[np.int8]) -> Floats:
        parts = [self.network.rate(seen[first : first + ROWS])[1] for first in range(0, len(seen), ROWS)]
        return np.concatenate(parts).astype(np.float64)

    def _try(self, views: States, legal: NDArray[np.bool_], known: NDArray[np.int8], tried: Floats) -> None:
        """What likely decisions lead to, and those that end the game: write it into `tried`, and note it in `known`."""
        after, (games, actions) = self._after, legal.nonzero()
        for first in range(0, len(games), ROWS):
            game, action = games[first : first + ROWS], actions[first : first + ROWS]
            count = after.play(views, game, action)
            is_final = after.is_final[:count]
            tried[game[is_final], action[is_final]] = after.shares[:count][is_final, 0]
            rows = np.flatnonzero((known[game, action] == kernel.LIKELY) & ~is_final)
            if len(rows) > 0:
                tried[game[rows], action[rows]] = self.network.shares(after.seen[rows])[:, 0]
                known[game[rows], action[rows]] = kernel.TRIED_OUT
            known[game[is_final], action[is_final]] = kernel.FINAL
