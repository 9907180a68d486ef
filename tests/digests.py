"""Play random games and print a digest of each: equal digests mean equal states after every decision.

    python tests/digests.py PLAYERS GAMES

`SPLENDOR_MODE` says how the rules are run. Game number n is dealt with seed n, starts at seat n modulo the
number of players, and every decision is drawn uniformly from the legal ones.
"""

from __future__ import annotations

import hashlib
import random
import sys

import numpy as np

from splendor.core.actions import ACTIONS
from splendor.core.chance import new_rng
from splendor.core.rules import apply, is_over, legal_actions, setup
from splendor.core.state import new_state


def game_digest(players: int, seed: int) -> str:
    """A digest of all states of one random game."""
    state = new_state()
    setup(state, players, seed % players, 0, new_rng(seed))
    chance = random.Random(seed)
    actions = np.zeros(ACTIONS + 1, np.int8)
    digest = hashlib.sha256(state.tobytes())
    while not is_over(state):
        count = legal_actions(state, actions)
        digest.update(actions[:count].tobytes())
        apply(state, int(actions[chance.randrange(int(count))]))
        digest.update(state.tobytes())
    return digest.hexdigest()


def main() -> None:
    players, games = (int(argument) for argument in sys.argv[1:])
    for seed in range(games):
        sys.stdout.write(game_digest(players, seed) + "\n")


if __name__ == "__main__":
    main()
