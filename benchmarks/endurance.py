"""Many games of the network against itself, every step of which is checked: legal, conserved, blind to hidden cards.

    python benchmarks/endurance.py --games 10000 [--minutes 8] [--write]

Tables of 2, 3 and 4 in turn. Before each decision, what the seat cannot know is dealt anew, and the network must be
shown the same. Each decision must be legal in the real game, which the rules are asked again; tokens are counted after
each, and the whole position is checked when a game is over. The first violation ends the run.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from time import monotonic

import numpy as np
from findings import ROUND_CAP
from results import machine, write_section

from splendor.core.actions import ACTIONS
from splendor.core.afterstates import look_at_games
from splendor.core.chance import new_rng
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.hidden import redeal
from splendor.core.state import new_states
from splendor.many.batch import Batch
from splendor.network.action_values import ActionValues
from splendor.network.network import load_network
from splendor.notation.checks import problem_with

TOGETHER = 250  # games side by side


class Look:
    """What the deciding seat of each game knows."""

    def __init__(self, games: int) -> None:
        self.views = new_states(games)
        self.masks = np.zeros((games, ACTIONS), np.bool_)
        self.seen = np.zeros((games, OBSERVATION_SIZE), np.int8)
        self._seats, self._rounds = np.zeros(games, np.int64), np.zeros(games, np.int64)

    def at(self, states: object) -> None:
        look_at_games(0, len(self.views), states, self.views, self.masks, self._seats, self._rounds, named(self.seen))


def play(sight: ActionValues, games: int, players: int, seed: int) -> Counter[str]:
    """Play so many games to their ends; count decisions. Raises AssertionError."""
    batch = Batch(games, players, seed=seed, round_cap=ROUND_CAP)
    look, look_again, rng = Look(games), Look(games), new_rng(seed)
    tokens = all_tokens(batch)
    decisions = 0
    while True:
        look.at(batch.states)
        under_way = look.masks.any(axis=1)
        if not under_way.any():
            break
        other_deals = look.views.copy()
        for state in other_deals:
            redeal(state, rng)
        look_again.at(other_deals)
        assert (look.seen == look_again.seen).all(), f"the network is shown what is hidden, deals from {seed}"
        actions = sight.of_many(look.views, look.masks).argmax(axis=1)
        is_legal = batch.legal_mask()[np.arange(games), actions]
        assert is_legal[under_way].all(), f"an illegal decision, deals from {seed}"
        batch.step(actions)
        assert (all_tokens(batch) == tokens).all(), f"tokens are lost, deals from {seed}"
        decisions += int(under_way.sum())
    for number, state in enumerate(batch.states):
        problem = problem_with(state)
        assert problem is None, f"deal {seed + number}: {problem}"
    return Counter(games=games, decisions=decisions)


def all_tokens(batch: Batch) -> np.ndarray:
    """Tokens on the table and in hands  [game, color]."""
    total: np.ndarray = batch.states["bank"] + batch.states["tokens"].sum(axis=1)
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after this time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the figures into results.md")
    options = parser.parse_args()
    sight, count = ActionValues(load_network()), Counter[str]()
    began = monotonic()
    while count["games"] < options.games and monotonic() - began < 60 * options.minutes:
        together = min(TOGETHER, options.games - count["games"])
        players = 2 + count["games"] // TOGETHER % 3
        count += play(sight, together, players, options.seed + count["games"])
    limit = f" --minutes {options.minutes:g}" if math.isfinite(options.minutes) else ""
    text = (
        f"`python benchmarks/endurance.py --games {options.games}{limit}`, {machine()}.\n\n"
        f"{count['games']:,} games of the network for 2, 3 and 4 players, {count['decisions']:,} decisions:"
        " none illegal, none shown a hidden card, no token lost, no crash."
    )
    print(text)
    if options.write:
        write_section("Endurance", text)


if __name__ == "__main__":
    main()
