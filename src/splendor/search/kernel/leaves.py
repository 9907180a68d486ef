"""The seam between the tree and whatever judges positions: a batch of leaves, to be filled in.

`gather` writes `states` and the way to them. An evaluator reads `states` and writes `priors` and `shares`: the
rollouts of `rollout.py` do that, or a network. `back_up` takes them from there into the tree.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS
from splendor.core.components import MAX_PLAYERS
from splendor.core.state import States, new_states

MOST_DEPTH = 120  # decisions from the root


class Leaves(NamedTuple):
    """Positions at the end of a descent."""

    states: States  # full ones: what is hidden from the searching seat has been dealt at random  [leaf]
    priors: NDArray[np.float32]  # how likely each decision is the best               [leaf, action]
    shares: NDArray[np.float32]  # the share of the win that each seat can expect       [leaf, seat]
    deal: NDArray[np.int32]  # the number of the deal in which it was reached                 [leaf]
    depth: NDArray[np.int32]  # edges on the way                                              [leaf]
    nodes: NDArray[np.int32]  # the nodes on the way, root and leaf included         [leaf, up to depth]
    edges: NDArray[np.int32]  # the edges between them                                 [leaf, depth]


def new_leaves(count: int) -> Leaves:
    """Room for a batch of leaves."""
    return Leaves(
        states=new_states(count),
        priors=np.zeros((count, ACTIONS), np.float32),
        shares=np.zeros((count, MAX_PLAYERS), np.float32),
        deal=np.zeros(count, np.int32),
        depth=np.zeros(count, np.int32),
        nodes=np.zeros((count, MOST_DEPTH + 1), np.int32),
        edges=np.zeros((count, MOST_DEPTH + 1), np.int32),
    )
