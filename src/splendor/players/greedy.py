"""A player that looks one move ahead: fast, sensible and short-sighted."""

from __future__ import annotations

import secrets

import numpy as np

from splendor.core.chance import new_rng
from splendor.core.components import MAX_PLAYERS
from splendor.core.state import State, new_states
from splendor.game.position import View
from splendor.notation.moves import Move
from splendor.players.turn import whole_turn
from splendor.search.kernel.evaluation import ROW
from splendor.search.kernel.greedy import SCRATCH_STATES, best_decision
from splendor.search.kernel.weights import WEIGHTS

# Two players who both wait for the other's tokens would wait for ever. Most games are over long before this matters.
PATIENT_ROUNDS = 40
IMPATIENCE = 0.05  # more noise with every round after that


class Greedy:
    """Takes the decision after which its position looks best."""

    def __init__(self, *, noise: float = 0.0, seed: int | None = None) -> None:
        """With `noise` it misjudges positions: by so much, in log-odds of winning, as one standard deviation."""
        if not 0 <= noise <= 100:  # noqa: PLR2004
            raise ValueError(f"the noise of greedy is a number from 0 to 100, not {noise}")
        self.noise = float(noise)
        self._rng = new_rng(secrets.randbits(64) if seed is None else seed)
        self._scratch = new_states(SCRATCH_STATES)
        self._shares, self._row = np.zeros(MAX_PLAYERS), np.zeros(ROW)

    def decide(self, state: State) -> int:
        """One decision on a hidden state, for programs that play decision by decision."""
        noise = self.noise + IMPATIENCE * max(0, int(state.round_number) - PATIENT_ROUNDS)
        return int(best_decision(state, noise, self._rng, WEIGHTS, self._scratch, self._shares, self._row))

    def choose(self, view: View) -> Move:
        """The move after which the position looks best."""
        return whole_turn(view, self.decide)
