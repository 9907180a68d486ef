"""What can take the place of rollouts: something that values positions, such as a network."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from splendor.core.state import State
from splendor.search.kernel.leaves import Leaves


class Evaluator(Protocol):
    """Values the leaves of a search, and its root before the search begins."""

    batch: int  # how many leaves it likes at a time

    def root(self, state: State) -> NDArray[np.float64] | None:
        """The action value of each legal decision in a hidden state, without any search  [action].

        It is the expected win share of the seat that decides there. The search begins with the decisions of high
        value, and its result combines these values with what it finds. None: nothing is known but the priors.
        """
        ...

    def judge(self, leaves: Leaves, count: int) -> None:
        """Write `priors` and `shares` of the first `count` leaves, from their `states`.

        It is called by several threads at once if the search has several.
        """
        ...
