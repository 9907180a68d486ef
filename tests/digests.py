"""Play random games and print a digest of each: equal digests mean equal states and choices after every decision.

    python tests/digests.py PLAYERS GAMES

`SPLENDOR_MODE` says how the rules are run. Game number n is dealt with seed n, starts at seat n modulo the
number of players, and every decision is drawn uniformly from the legal ones, by NumPy's random numbers.
"""

from __future__ import annotations

import hashlib
import sys

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS
from splendor.core.chance import new_rng
from splendor.core.jit import rule
from splendor.core.rules import apply, is_over, legal_actions, setup
from splendor.core.state import States, new_states

MOST_DECISIONS = 2000
DRAWN_FROM = 232_792_560  # divisible by all numbers up to 20, and large: nearly uniform for the others as well


@rule
def play(states: States, legal: NDArray[np.int8], draws: NDArray[np.int64]) -> int:
    """Play from states[0]; write down all states and what was legal in each; return how many decisions there were."""
    made = 0
    while made < len(draws) and not is_over(states[made]):
        count = legal_actions(states[made], legal[made])
        states[made + 1] = states[made]
        apply(states[made + 1], int(legal[made, draws[made] % count]))
        made += 1
    return made


def game_digest(players: int, seed: int) -> str:
    """A digest of all states of one random game, and of all that was legal."""
    states, legal = new_states(MOST_DECISIONS + 1), np.full((MOST_DECISIONS, ACTIONS + 1), -1, np.int8)
    setup(states[0], players, seed % players, 0, new_rng(seed))
    made = play(states, legal, np.random.default_rng(seed).integers(DRAWN_FROM, size=MOST_DECISIONS))
    assert is_over(states[made])
    return hashlib.sha256(states[: made + 1].tobytes() + legal[:made].tobytes()).hexdigest()


def main() -> None:
    players, games = (int(argument) for argument in sys.argv[1:])
    for seed in range(games):
        sys.stdout.write(game_digest(players, seed) + "\n")


if __name__ == "__main__":
    main()
