"""A network as the evaluator of a search.

Leaves are evaluated in the rotation of the colors that goes with their deal (symmetry averaging): an error in one
rotation need not be one in the others. Decisions at the root are compared in the same deals, and so in the same
rotations.
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.state import State
from splendor.network.action_values import ActionValues
from splendor.network.network import WIDTHS, AllRotations, Network, Rows
from splendor.network.rotation import ROTATIONS
from splendor.search.kernel.judgement import observe_deciders, write_judgement
from splendor.search.kernel.leaves import Leaves


class Row(threading.local):
    """Room for one observation, to be used again and again; each thread has its own."""

    def __init__(self) -> None:
        """An empty row, by its numbers and by their names."""
        self.seen = np.zeros((1, OBSERVATION_SIZE), np.int8)
        self.named = named(self.seen)


class NetworkEvaluator:
    """Action values at the root, averaged over all rotations; policy and value at the leaves."""

    batch = 1  # several together take as long as one after the other, and are chosen less well

    def __init__(self, network: Network) -> None:
        """May be shared by threads, as the network is."""
        self.network = network
        self._action_values = ActionValues(AllRotations(network))
        self._row = Row()

    def root(self, state: State) -> NDArray[np.float64]:
        """The action value of each legal decision in a hidden state  [action]."""
        return self._action_values.of(state)

    def judge(self, leaves: Leaves, count: int) -> None:
        """Write the priors and shares of the first `count` leaves, as the seat that decides there sees them."""
        if count == 1:
            observe_deciders(leaves.states, 1, self._row.named)
            shares, ratings = self.network.rate(self._row.seen, int(leaves.deal[0] % ROTATIONS))
        else:
            seen = np.zeros((count, OBSERVATION_SIZE), np.int8)
            observe_deciders(leaves.states, count, named(seen))
            shares, ratings = self._rate_each(seen, leaves.deal[:count] % ROTATIONS)
        write_judgement(leaves.states, count, shares, ratings, leaves.priors, leaves.shares)

    def _rate_each(self, seen: NDArray[np.int8], steps: NDArray[np.signedinteger]) -> tuple[Rows, Rows]:
        """Each row in its own rotation."""
        shares, ratings = (
            np.zeros((len(seen), WIDTHS["shares"]), np.float32),
            np.zeros((len(seen), ACTIONS), np.float32),
        )
        for step in np.unique(steps):
            rows = np.flatnonzero(steps == step)
            shares[rows], ratings[rows] = self.network.rate(seen[rows], int(step))
        return shares, ratings
