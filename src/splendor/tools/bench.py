"""How fast it is here: the short form of `benchmarks/run.py`, behind `splendor bench`.

Machines are shared and their clocks wander, so each figure is the best of many short rounds, and two things that
are compared take turns.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from time import perf_counter

import numpy as np

from splendor.core.state import STATE
from splendor.many.batch import Batch

ROUND_GAMES = 10_000  # in one timed round of playouts: enough that sharing them between cores costs nothing
ROUNDS = 20
STEP_GAMES = 4096
GPU_GAMES = 1 << 20
LARGE = 100  # from here on decimals say nothing
WARM_UP_STEPS = 40  # so that the games are at many stages

FIRST_USE = """
from time import perf_counter
start = perf_counter()
from splendor.many.batch import Batch
batch = Batch(2)
batch.observe(), batch.legal_mask(), batch.step(batch.random_actions(), True), batch.playout()
print(perf_counter() - start)
"""


def run_bench(players: int = 2, gpu: bool = False) -> dict[str, float]:
    """The figures that `splendor bench --json` prints; with `gpu` also those of the first GPU."""
    alone, both = playout_times(players, 1), playout_times(players, 2)
    best = {1: float("inf"), 2: float("inf")}
    for _ in range(ROUNDS):
        best = {1: min(best[1], alone()), 2: min(best[2], both())}
    decisions = round_decisions(players)
    figures = {
        "playout_decisions_per_s": decisions / best[1],
        "playout_games_per_s": ROUND_GAMES / best[1],
        "batch_steps_per_s": steps_per_s(players),
        "cores_2_ratio": best[1] / best[2],
        "bytes_per_game": float(STATE.itemsize),
        "compile_cold_s": first_use_s()[0],
    }
    return figures | gpu_figures(players) if gpu else figures


def format_bench(figures: dict[str, float]) -> str:
    """The figures as lines for people.

    >>> print(format_bench({"playout_decisions_per_s": 24_000_000.0, "cores_2_ratio": 1.97}))
    playout_decisions_per_s       24,000,000
    cores_2_ratio                       1.97
    """
    return "\n".join(
        f"{name:28} {value:>11,.0f}" if value >= LARGE else f"{name:28} {value:>11.2f}"
        for name, value in figures.items()
    )


def round_seeds(games: int = ROUND_GAMES) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.arange(games, dtype=np.uint64)


def round_decisions(players: int) -> int:
    """The decisions in the games of one round, which are the same every time."""
    return int(Batch(ROUND_GAMES, players).playout().sum())


def playout_times(players: int, threads: int) -> Callable[[], float]:
    """A function that deals and plays the games of one round and returns the seconds it took."""
    batch = Batch(ROUND_GAMES, players, threads=threads)
    decisions = batch.playout()

    def play() -> float:
        start = perf_counter()
        batch.reset(round_seeds())
        batch.playout(decisions)
        return perf_counter() - start

    return play


def steps_per_s(players: int, games: int = STEP_GAMES, threads: int = 1, rounds: int = ROUNDS) -> float:
    """Env-steps per second: `step` with restart, `legal_mask` and `observe`. Choosing the actions is not timed."""
    batch = Batch(games, players, threads=threads)
    mask, observations, actions = batch.legal_mask(), batch.observe(), batch.random_actions()
    for _ in range(WARM_UP_STEPS):
        batch.step(batch.random_actions(actions), restart=True)
    best = float("inf")
    for _ in range(rounds):
        batch.random_actions(actions)
        start = perf_counter()
        batch.step(actions, restart=True)
        batch.legal_mask(mask)
        batch.observe(out=observations)
        best = min(best, perf_counter() - start)
    return games / best


def first_use_s() -> tuple[float, float]:
    """Seconds from the import to the end of the first call of everything: with an empty cache, and with a full one."""
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = (
            float(
                subprocess.run(
                    [sys.executable, "-c", FIRST_USE],
                    env=os.environ | {"SPLENDOR_CACHE": cache},
                    check=True,
                    capture_output=True,
                    text=True,
                ).stdout
            )
            for _ in range(2)
        )
    return cold, warm


def gpu_figures(players: int, games: int = GPU_GAMES, rounds: int = 5) -> dict[str, float]:
    """Playouts and env-steps with all games resident; results stay in GPU memory."""
    from splendor.many.batch_gpu import GpuBatch, cuda

    batch = GpuBatch(games, players)
    decisions = batch.playout()
    best = float("inf")
    for _ in range(rounds):
        batch.reset(round_seeds(games))
        cuda.synchronize()
        start = perf_counter()
        batch.reset()
        batch.playout(decisions)
        cuda.synchronize()
        best = min(best, (perf_counter() - start) / int(decisions.copy_to_host().astype(np.int64).sum()))
    playouts = 1 / best

    batch.reset()
    mask, observations, actions = batch.legal_mask(), batch.observe(), batch.random_actions()
    best = float("inf")
    for turn in range(WARM_UP_STEPS + rounds):
        batch.random_actions(actions)
        cuda.synchronize()
        start = perf_counter()
        batch.step(actions, restart=True)
        batch.legal_mask(mask)
        batch.observe(out=observations)
        cuda.synchronize()
        if turn >= WARM_UP_STEPS:
            best = min(best, perf_counter() - start)
    return {"gpu_playout_decisions_per_s": playouts, "gpu_steps_per_s": games / best}
