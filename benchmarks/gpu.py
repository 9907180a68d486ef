"""The GPU's part of the benchmark, and the choice of its settings.

    python benchmarks/gpu.py OUT.json [--settings] [--constant-tables] [--games N]

Prints a short table and writes the figures as JSON. `--settings` tries blocks and threads for playouts
first, and measures the rest with the best of them; `--constant-tables` leaves the card tables in constant memory.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from splendor.many import batch_gpu
from splendor.many.batch import Batch
from splendor.many.batch_gpu import GpuBatch
from splendor.tools.bench import gpu_figures

cuda: Any = batch_gpu.cuda
PLAYERS = (2, 3, 4)
BLOCK_SHAPES = ((128, 6), (128, 5), (128, 4), (64, 12), (64, 8), (32, 24), (32, 16))  # threads, blocks per processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--settings", action="store_true")
    parser.add_argument("--constant-tables", action="store_true")
    parser.add_argument("--games", type=int, default=1 << 20)
    options = parser.parse_args()
    if options.constant_tables:
        from numba.cuda.cudadrv import nvvm

        nvvm.ADDRSPACE_CONSTANT = 4

    check_equality()
    figures: dict[str, object] = {"gpu": str(cuda.get_current_device().name), "games": options.games}
    if options.settings:
        figures["settings"] = try_settings(options.games)
    for players in PLAYERS:
        measured = gpu_figures(players, options.games)
        parts = step_parts(players, options.games)
        figures[f"players_{players}"] = measured | parts
        print(
            f"{players} players: {measured['gpu_playout_decisions_per_s'] / 1e9:.2f} G decisions/s, "
            f"{measured['gpu_steps_per_s'] / 1e6:.0f} M env-steps/s  ("
            + ", ".join(f"{name} {1e12 * seconds:.0f} ps" for name, seconds in parts.items())
            + " for each game)"
        )
    options.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def check_equality(games: int = 2000) -> None:
    ours, theirs = Batch(games, 3, seed=1), GpuBatch(games, 3, seed=1)
    ours.playout()
    theirs.playout()
    if theirs.states.tobytes() != ours.states.tobytes():
        sys.exit("the GPU plays other games than the CPU")


def playout_seconds(games: int, rounds: int = 3) -> tuple[float, int]:
    """Seconds for dealing and playing, the best of a few rounds, and the decisions in that round."""
    batch = GpuBatch(games, 2)
    decisions = batch.playout()
    best = (float("inf"), 1)
    for _ in range(rounds):
        cuda.synchronize()
        start = perf_counter()
        batch.reset()
        batch.playout(decisions)
        cuda.synchronize()
        seconds = perf_counter() - start
        count = int(decisions.copy_to_host().astype(np.int64).sum())
        if seconds / count < best[0] / best[1]:
            best = (seconds, count)
    return best


def try_settings(games: int) -> list[dict[str, Any]]:
    """Playouts with every combination; the best one stays set."""
    found: list[dict[str, Any]] = []
    for threads, blocks in BLOCK_SHAPES:
        batch_gpu.THREADS, batch_gpu.BLOCKS_PER_PROCESSOR = threads, blocks
        seconds, count = playout_seconds(games)
        found.append({"threads": threads, "blocks": blocks, "decisions_per_s": count / seconds})
        print(f"{threads:3} threads × {blocks:2}: {count / seconds / 1e9:.2f} G decisions/s")
    best = max(found, key=lambda setting: setting["decisions_per_s"])
    batch_gpu.THREADS, batch_gpu.BLOCKS_PER_PROCESSOR = best["threads"], best["blocks"]
    print("best:", best)
    return found


def step_parts(players: int, games: int) -> dict[str, float]:
    """Seconds for each game of step, mask and observe alone."""
    batch = GpuBatch(games, players)
    mask, observations, actions = batch.legal_mask(), batch.observe(), batch.random_actions()
    for _ in range(40):
        batch.step(batch.random_actions(actions), restart=True)
    batch.random_actions(actions)
    parts: dict[str, Any] = {
        "step": lambda: batch.step(actions, restart=True),
        "mask": lambda: batch.legal_mask(mask),
        "observe": lambda: batch.observe(out=observations),
    }
    seconds = {}
    for name, part in parts.items():
        cuda.synchronize()
        start = perf_counter()
        part()
        cuda.synchronize()
        seconds[name] = (perf_counter() - start) / games
    return seconds


if __name__ == "__main__":
    main()
