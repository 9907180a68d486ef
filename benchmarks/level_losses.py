"""What each level loses in a decision, by a search: the yardstick of `splendor.analysis.performance`.

    python benchmarks/level_losses.py --players 2 --positions 2000 --effort normal --write

Positions come from games in which each turn is played by a level at random, which reaches what strong and weak players
reach. A search looks at each; what the levels without a search would play follows from their action values, so each
position counts for all of them. The grandmaster plays in every `--every`-th position. Without `--write` the means are
printed only; with it
the figures take the place of those that the file has for this effort and number of players.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import splendor
from splendor import Game
from splendor.analysis.evaluation import Analysis, simulations_of
from splendor.analysis.grades import judge
from splendor.analysis.levels import chances, expected_losses
from splendor.analysis.performance import HARDNESS_BINS, LOSS_BINS, YARDSTICK, Sample, bins_of
from splendor.game.moves import action_of_move
from splendor.game.position import View
from splendor.network.network import load_network
from splendor.notation.moves import Move
from splendor.players import LEVELS, load

FILE = Path(splendor.__file__).parent / "data" / "level_losses.json"
SEARCHER = "grandmaster"
MIXED = ("apprentice", "journeyman", "artisan", "master")
POSITIONS_IN_GAME = 8
FIRST_SEED = 1 << 41


def positions(
    players: int, seed: int, levels: Sequence[str] = MIXED, of_each_game: int = POSITIONS_IN_GAME
) -> Iterator[tuple[View, Move]]:
    """Views from games of mixed levels, a few of each game, and what was played there."""
    chance = random.Random(seed)
    crowd = [load(level, seed=seed) for level in levels]
    number = FIRST_SEED + 1000 * seed
    while True:
        game = Game(players, seed=number, round_cap=60)
        number += 1
        while not game.is_over:
            game.play(chance.choice(crowd).choose(game.view(game.seat)))
        played = list(zip(game.states, game.moves, strict=False))
        for state, move in chance.sample(played, min(of_each_game, len(played))):
            yield View(state, int(state.seat)), move


def measure(players: int, count: int, effort: str, every: int, searcher: str, seed: int) -> dict[str, Any]:
    network, scale = load_network(), players / 2
    counts = {level: np.zeros((len(HARDNESS_BINS) + 1, len(LOSS_BINS) + 1)) for level in LEVELS}
    losses: dict[str, list[float]] = {level: [] for level in LEVELS}
    seen, began = 0, time.monotonic()
    for view, _ in positions(players, seed):
        if seen == count:
            break
        analysis = Analysis(view, seed=seed)
        found = analysis.run(simulations_of(effort))
        if judge(found.candidates, found.candidates[0].move).grade == "forced":
            continue
        policies, worths = chances(view.state, network), analysis.worths()
        best, expected = max(worths.values()), expected_losses(policies, worths)
        if seen % every == 0:
            move = load(searcher, seed=seen).choose(view)
            action = action_of_move(view.state, move)
            policies = {**policies, SEARCHER: {action: 1.0} if action is not None else {}}
        for level, policy in policies.items():
            for action, chance in policy.items():
                sample = Sample(best - worths[action], expected[YARDSTICK])
                counts[level][bins_of(sample, players)] += chance
            losses[level].append(sum(chance * (best - worths[action]) for action, chance in policy.items()) * scale)
        seen += 1
        if seen % 50 == 0:
            means = {level: round(100 * float(np.mean(found)), 2) for level, found in losses.items() if found}
            print(f"{players} players, {seen} positions, {time.monotonic() - began:.0f} s, loss in % of a win: {means}")
    return {
        "positions": count,
        "searcher": searcher,
        "levels": {
            level: {
                "mean": float(np.mean(losses[level])) / scale,
                "error": float(np.std(losses[level]) / max(len(losses[level]), 1) ** 0.5) / scale,
                "decisions": len(losses[level]),
                "counts": [[round(float(n), 3) for n in row] for row in counts[level]],
            }
            for level in LEVELS
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--effort", default="quick")
    parser.add_argument("--every", type=int, default=4, help="positions for each decision of the grandmaster")
    parser.add_argument("--searcher", default=LEVELS[SEARCHER], help="who decides for the grandmaster")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    fingerprint = load_network().fingerprint
    for players in options.players:
        found = measure(players, options.positions, options.effort, options.every, options.searcher, options.seed)
        if options.write:
            table = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
            if table.get("network") != fingerprint:
                table = {"network": fingerprint, "efforts": {}}
            table["efforts"].setdefault(options.effort, {})[str(players)] = found
            FILE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
