"""How fast the vector environment is: steps a second with masks and observations, and what it costs over `batch`.

    python benchmarks/vector_env.py            # one core
    python benchmarks/vector_env.py --device cuda   # TorchEnv on a GPU

A step is one decision in one game. Actions are drawn at random among the legal ones, by the same compiled function on
both sides, and drawing them is counted. The sides take turns. On the CPU it is the time of the processor that counts,
on a GPU that of the clock; the median of many short runs is shown, and the fastest.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from splendor.many.batch import Batch

Times = NDArray[np.float64]
STEPS = 2  # in one run


def batch_step(games: int, players: int) -> Callable[[], None]:
    batch = Batch(games, players, seed=1)
    seen, mask, actions = batch.observe(), batch.legal_mask(), batch.random_actions()

    def step() -> None:
        batch.random_actions(out=actions)
        batch.step(actions, restart=True)
        batch.observe(out=seen)
        batch.legal_mask(out=mask)

    return step


def vector_step(games: int, players: int, mode: str) -> Callable[[], None]:
    from splendor.adapters.gymnasium import make_vec

    envs = make_vec(games, players, autoreset_mode=mode)
    envs.reset(seed=1)
    actions = np.empty(games, np.int8)

    def step() -> None:
        envs.batch.random_actions(out=actions)
        envs.step(actions)

    return step


def torch_step(games: int, players: int, device: str) -> Callable[[], None]:
    from splendor.adapters.torch_env import TorchEnv

    env = TorchEnv(games, players, device=device)
    env.reset(seed=1)
    return lambda: finish(env.step(env.random_actions()))


def finish(seen: object) -> None:
    """Wait for the GPU."""
    import torch

    if seen.observation.is_cuda:  # type: ignore[attr-defined]
        torch.cuda.synchronize()


def seconds_per_step(sides: dict[str, Callable[[], None]], clock: Callable[[], float], runs: int) -> dict[str, Times]:
    """The times of each side for one step of all games, over many short runs in turn."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(runs):
        for name, step in sides.items():
            step()  # what the other side has pushed out of the cache comes back
            start = clock()
            for _ in range(STEPS):
                step()
            times[name].append((clock() - start) / STEPS)
    return {name: np.array(seconds[runs // 10 :]) for name, seconds in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, nargs="+", default=[1024, 4096])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--device", help="measure TorchEnv on this device: cpu or cuda")
    options = parser.parse_args()
    for games in options.games:
        if options.device:
            sides = {f"TorchEnv, {options.device}": torch_step(games, options.players, options.device)}
        else:
            sides = {
                "batch": batch_step(games, options.players),
                "vector, NextStep": vector_step(games, options.players, "NextStep"),
                "vector, SameStep": vector_step(games, options.players, "SameStep"),
            }
        clock = time.perf_counter if options.device else time.process_time
        times = seconds_per_step(sides, clock, options.runs)
        for name, seconds in times.items():
            rates = f"{games / np.median(seconds) / 1e6:8.2f} M steps/s, at best {games / seconds.min() / 1e6:8.2f}"
            print(f"{games:>7} games, {options.players} players  {name:<17}{rates}{over_batch(times, name)}")


def over_batch(times: dict[str, Times], name: str) -> str:
    """What an interface costs beyond the batch below it: in the median, and by the fastest runs."""
    if "batch" not in times or name == "batch":
        return ""
    median = np.median(times[name]) / np.median(times["batch"]) - 1
    return f"  {median:+.0%} over batch, at best {times[name].min() / times['batch'].min() - 1:+.0%}"


if __name__ == "__main__":
    main()
