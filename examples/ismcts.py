"""OpenSpiel's information-set tree search against players of this package.

    python examples/ismcts.py --games 4 --simulations 50 --opponent search:simulations=200

OpenSpiel's IS-MCTS knows nothing of Splendor: it clones states, samples the cards it cannot see with
`resample_from_infostate`, and plays on at random. It runs in Python, so a move takes a while. Our player gets what its
seat may see: the observation string of an OpenSpiel state is a position in the notation of this package.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import splendor.adapters.openspiel  # noqa: F401  # registers the game
from splendor import View
from splendor.players import load
from splendor.tools.dataset import decisions_of_move


class OurBot:
    """A player of this package at a table of OpenSpiel: it plans a turn, and plays it decision by decision."""

    def __init__(self, spec: str, seed: int) -> None:
        self.player = load(spec, seed=seed)
        self.planned: list[int] = []

    def step(self, state: Any) -> int:
        if not self.planned:
            seat = state.current_player()
            view = View.from_position(state.observation_string(seat), seat)
            self.planned = decisions_of_move(view.state, self.player.choose(view))
        return self.planned.pop(0)


def play(bots: list[Any], rng: np.random.RandomState) -> list[float]:
    """One game; the returns of the seats."""
    state = pyspiel.load_game("splendor").new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(bots[state.current_player()].step(state)))
    returns: list[float] = state.returns()
    return returns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=50, help="of IS-MCTS, for each decision")
    parser.add_argument("--opponent", default="search:simulations=200")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wins = 0.0
    for number in range(options.games):
        rng = np.random.RandomState(options.seed + number)
        evaluator = RandomRolloutEvaluator(1, rng)
        theirs = ISMCTSBot(
            pyspiel.load_game("splendor"), evaluator, uct_c=1.4, max_simulations=options.simulations, random_state=rng
        )
        seat = number % 2
        bots: list[Any] = [theirs, OurBot(options.opponent, options.seed + number)][:: -1 if seat else 1]
        start = time.monotonic()
        returns = play(bots, rng)
        wins += (returns[seat] + 1) / 2
        print(
            f"game {number + 1}: IS-MCTS in seat {seat} {returns[seat]:+.0f}, {time.monotonic() - start:.0f} s",
            flush=True,
        )
    print(f"IS-MCTS with {options.simulations} simulations: {wins:g} of {options.games} against {options.opponent}")


if __name__ == "__main__":
    main()
