"""A player that has learned the game by itself: a network, alone or at the leaves of the tree search."""

from __future__ import annotations

import secrets
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS
from splendor.core.state import State
from splendor.game.moves import legal_actions
from splendor.game.position import View
from splendor.network.action_values import ActionValues
from splendor.network.evaluator import NetworkEvaluator
from splendor.network.network import Network, load_network
from splendor.notation.moves import Move
from splendor.players.greedy import PATIENT_ROUNDS
from splendor.players.turn import whole_turn
from splendor.search import Search, SearchSettings

SETTINGS = SearchSettings(exploration=1.0, first_play_reduction=0.25)

# Two players who both wait for the other's tokens would wait for ever, see `greedy`.
IMPATIENCE = 0.002  # more temperature with every round after the patient ones
LAST_SEARCH = 2 * PATIENT_ROUNDS  # the round after which it no longer searches, which knows no impatience


class NetworkPlayer:
    """Without search it takes the decision of the highest action value; with simulations or time it searches."""

    def __init__(
        self,
        *,
        simulations: int | None = None,
        time: float | None = None,
        temperature: float = 0.0,
        file: Path | None = None,
        network: Network | None = None,
        settings: SearchSettings = SETTINGS,
        seed: int | None = None,
    ) -> None:
        """Think for so many `simulations` or seconds of `time` a move, whichever ends first; with neither, not at all.

        Without search, `temperature` makes it sample decisions by softmax(action value / temperature): a decision that
        is worse by one temperature is chosen e times less often. The temperature is multiplied by 2 / players, since
        win shares shrink with more players.

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
        self._action_values = ActionValues(self.network)
        self._evaluator = NetworkEvaluator(self.network)
        self._chance = np.random.default_rng(self._seed)

    def decide(self, state: State) -> int:
        """One decision on a hidden state, without search."""
        worth = self.action_values(state)
        temperature = self.temperature + IMPATIENCE * max(0, int(state.round_number) - PATIENT_ROUNDS)
        if temperature > 0:
            # Shares of the win are smaller where more players have one.
            worth = worth + temperature * 2 / state.players * self._chance.gumbel(size=ACTIONS)
        return max(legal_actions(state), key=lambda action: worth[action])

    def action_values(self, state: State) -> NDArray[np.float64]:
        """The win share that each legal decision in a hidden state seems to be worth, without search  [action]."""
        return self._action_values.of(state)

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
        return Search(view, seed=self._seed, settings=self._settings, evaluator=self._evaluator)
