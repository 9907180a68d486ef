"""What a simulation of the tree search costs, beside the rollouts in it alone.

    python benchmarks/search.py

Both numbers come from one run and the same positions: first the search from positions of greedy games, then the
judging of equally many leaves that it came to, without a tree. The tree costs what is left.
"""

from __future__ import annotations

import argparse
import time

from splendor.core.chance import new_rng
from splendor.game.game import Game
from splendor.game.position import View
from splendor.players import load
from splendor.search import Search, SearchSettings
from splendor.search.kernel.backup import back_up
from splendor.search.kernel.descend import gather
from splendor.search.kernel.leaves import new_leaves
from splendor.search.kernel.rollout import judge_leaves, new_rollout, simulate
from splendor.search.kernel.tree import new_tree

SEED = 1
SAMPLE = 100  # leaves of each tree


def positions(players: int) -> list[View]:
    """Views from the beginning, the middle and the end of games."""
    views = []
    for seed in range(8):
        game, player = Game(players=players, seed=seed), load("greedy", seed=seed)
        while not game.is_over:
            if game.round % 6 == 2 and game.seat == 0:
                views.append(game.view(0))
            game.play(player.choose(game.view(game.seat)))
    return views


def measure(players: int, simulations: int, repeats: int) -> tuple[float, float]:
    """Seconds for one simulation, and for judging its leaf; the best of several tries, in time of the core."""
    views, settings, rollout, rng, leaves = (
        positions(players),
        SearchSettings(),
        new_rollout(),
        new_rng(SEED),
        new_leaves(1),
    )
    sample = new_leaves(SAMPLE * len(views))
    searching, judging = [], []
    for _ in range(repeats):
        trees = [new_tree(simulations + SAMPLE + 1) for _ in views]
        start = time.thread_time()
        for tree, view in zip(trees, views, strict=True):
            simulate(tree, view.state, simulations, settings, leaves, rollout, SEED, rng)
        searching.append((time.thread_time() - start) / len(views) / simulations)
        for leaf in range(SAMPLE * len(views)):
            tree, view = trees[leaf % len(views)], views[leaf % len(views)]
            gather(tree, view.state, 1, settings, leaves, SEED, rng)
            sample.states[leaf] = leaves.states[0]
            judge_leaves(leaves, 1, settings, rollout, rng)
            back_up(tree, view.seat, leaves, 1)
        start = time.thread_time()
        for _ in range(simulations // SAMPLE):
            judge_leaves(sample, SAMPLE * len(views), settings, rollout, rng)
        judging.append((time.thread_time() - start) / len(views) / (simulations // SAMPLE * SAMPLE))
    return min(searching), min(judging)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    Search(Game(players=2, seed=1).view(0)).run(simulations=10)
    print(f"rollouts of {SearchSettings().rollout} decisions, {options.simulations} simulations a position, one core")
    print("players  simulations/s  µs each  µs to judge  tree overhead")
    for players in (2, 3, 4):
        whole, judging = measure(players, options.simulations, options.repeats)
        cost = (whole - judging) / judging
        print(f"{players:7}  {1 / whole:13,.0f}  {1e6 * whole:7.1f}  {1e6 * judging:11.1f}  {100 * cost:12.0f}%")


if __name__ == "__main__":
    main()
