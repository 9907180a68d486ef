"""The advantage of each seat: how often it wins when equal players meet, with 95 % intervals.

    python benchmarks/seats.py [--games 12000] [--seed 1]

All seats are the `greedy` player, which decides on what its seat may see. The whole loop is compiled, so ten thousand
games take less than a minute. The tables in `docs/ladder.md` were printed by it.
"""

from __future__ import annotations

import argparse
import math
from typing import Any

import numpy as np

from splendor.core.chance import new_rng
from splendor.core.components import MAX_PLAYERS
from splendor.core.games import write_result
from splendor.core.hidden import hide
from splendor.core.jit import rule
from splendor.core.rules import apply, is_over, setup
from splendor.core.state import new_states
from splendor.search.kernel.evaluation import ROW
from splendor.search.kernel.greedy import SCRATCH_STATES, best_decision
from splendor.search.kernel.weights import WEIGHTS

NORMAL_95 = 1.96
ROUND_CAP = 100  # greedy players may wait for each other's tokens for ever; such games are counted by their points


@rule
def play(states: Any, players: Any, rng: Any, weights: Any, scratch: Any, shares: Any, row: Any, won: Any) -> Any:
    """One game of greedy players; write each seat's share of the win, and return the number of rounds."""
    game, view = states[0], states[1]
    setup(game, players, 0, ROUND_CAP, rng)
    while not is_over(game):
        states[1] = game
        hide(view, game.seat)
        apply(game, best_decision(view, 0.0, rng, weights, scratch, shares, row))
    write_result(game, won[0], won[1])
    return game.round_number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("| players | games | " + " | ".join(f"seat {seat + 1}" for seat in range(MAX_PLAYERS)) + " | rounds |")
    print("|---|---|" + "---|" * (MAX_PLAYERS + 1))
    for players in range(2, MAX_PLAYERS + 1):
        print(row_of(players, options.games, options.seed))


def row_of(players: int, games: int, seed: int) -> str:
    rng = new_rng(seed)
    states, scratch = new_states(2), new_states(SCRATCH_STATES)
    shares, row, won = np.zeros(MAX_PLAYERS), np.zeros(ROW), np.zeros((2, MAX_PLAYERS))
    total, squares, rounds = np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS), 0
    for _ in range(games):
        rounds += int(play(states, players, rng, WEIGHTS, scratch, shares, row, won))
        total += won[0]
        squares += won[0] ** 2
    cells = []
    for seat in range(MAX_PLAYERS):
        if seat >= players:
            cells.append("")
            continue
        share = total[seat] / games
        error = NORMAL_95 * math.sqrt((squares[seat] / games - share**2) / games)
        cells.append(f"{100 * share:.1f} ± {100 * error:.1f} %")
    return f"| {players} | {games} | {' | '.join(cells)} | {rounds / games:.1f} |"


if __name__ == "__main__":
    main()
