"""How fast the vector environment is: steps a second with masks and observations, and what it costs over `batch`.

    python benchmarks/vector_env.py            # one core
    python benchmarks/vector_env.py --device cuda   # TorchEnv on a GPU

A step is one decision in one game. Actions are drawn at random among the legal ones, by the same compiled function on
both sides, and drawing them is counted. The two sides take turns, and the fastest of many short runs counts: so the
figure is that of the program and not of what else the machine does.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from splendor.batch import Batch


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


def seconds_per_step(sides: dict[str, Callable[[], None]], rounds: int, steps: int) -> dict[str, float]:
    """The best time of each side for one step of all games, over many short runs in turn."""
    best = dict.fromkeys(sides, float("inf"))
    for step in sides.values():
        for _ in range(steps):
            step()
    for _ in range(rounds):
        for name, step in sides.items():
            start = time.perf_counter()
            for _ in range(steps):
                step()
            best[name] = min(best[name], (time.perf_counter() - start) / steps)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, nargs="+", default=[1024, 4096])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=300)
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
        best = seconds_per_step(sides, options.rounds, steps=5)
        for name, seconds in best.items():
            over = f"  {seconds / best['batch'] - 1:+6.1%} over batch" if "batch" in best and name != "batch" else ""
            print(
                f"{games:>7} games, {options.players} players  {name:<18} {games / seconds / 1e6:8.2f} M steps/s{over}"
            )


if __name__ == "__main__":
    main()
