"""`make bench`: one table of speeds with ratios from the same run, `results.md`, and the plot for `docs/speed.md`.

    python benchmarks/run.py [--gpu]

Everything that is compared takes turns in short rounds and the best round counts, because machines are shared.
The C yardstick must play the same games, decision for decision, before it is measured.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numba
import numpy as np
from plot import Line, line_plot
from results import machine, write_section
from yardstick import Yardstick, compiler_version

from splendor.core.chance import new_rng
from splendor.core.jit import source_hash
from splendor.core.playout import playout
from splendor.core.rules import setup
from splendor.core.state import STATE, new_state
from splendor.many.batch import Batch
from splendor.tools import bench

HERE = Path(__file__).parent
PLOT = HERE.parent / "docs" / "images" / "speed.svg"
PLAYERS = (2, 3, 4)
SIZES = (16, 64, 256, 1024, 4096, 16384)
PLAIN = """
from time import perf_counter
from splendor.many.batch import Batch
batch = Batch(20, {players}, seed=0)
start = perf_counter()
batch.reset(range(20))
print(batch.playout().sum() / (perf_counter() - start))
"""

Row = tuple[str, str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gpu", action="store_true", help="measure the first GPU too")
    gpu = parser.parse_args().gpu

    yardstick = Yardstick()
    for players in PLAYERS:
        check_same_games(yardstick, players)
    rows: list[Row] = []
    for players in PLAYERS:
        rows += playout_rows(yardstick, players)
    rows += step_rows()
    cold, warm = bench.first_use_s()
    rows += [
        ("first use with an empty cache (compiles everything)", f"{cold:.1f} s", ""),
        ("first use with a full cache", f"{warm:.1f} s", ""),
        ("memory", f"{STATE.itemsize} bytes a game", ""),
    ]
    if gpu:
        rows += gpu_rows()
    text = report(rows)
    print(text)
    write_section("Speed", text)
    PLOT.parent.mkdir(parents=True, exist_ok=True)
    PLOT.write_text(size_plot(), encoding="utf-8")
    print(f"written: results.md, {PLOT.name}")


def check_same_games(yardstick: Yardstick, players: int) -> None:
    """The yardstick must make the same decisions, or it measures something else."""
    batch = Batch(5000, players, seed=1)
    decisions, places = yardstick.play(1, 5000, players)
    if not ((batch.playout() == decisions).all() and (batch.places == places).all()):
        sys.exit(f"playout.c plays other games than the package ({players} players)")


def playout_rows(yardstick: Yardstick, players: int) -> list[Row]:
    """Whole random games, dealt and played."""
    decisions = bench.round_decisions(players)
    contestants: dict[str, Callable[[], float]] = {
        "hand-written C": lambda: yardstick_time(yardstick, players),
        "batch, 1 core": bench.playout_times(players, 1),
        "batch, 2 cores": bench.playout_times(players, 2),
        "single games, one call each": lambda: single_time(players),
    }
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(bench.ROUNDS):
        for name, play in contestants.items():
            best[name] = min(best[name], play())
    speeds = {name: decisions / seconds for name, seconds in best.items()}
    speeds["plain Python"] = plain_speed(players)
    yard = speeds["hand-written C"]
    return [
        (f"{players} players: {name}", f"{millions(speed)} decisions/s", f"{speed / yard:.3g} × C")
        for name, speed in speeds.items()
    ]


def yardstick_time(yardstick: Yardstick, players: int) -> float:
    start = perf_counter()
    yardstick.play(0, bench.ROUND_GAMES, players)
    return perf_counter() - start


def single_time(players: int) -> float:
    state = new_state()
    start = perf_counter()
    for seed in range(bench.ROUND_GAMES):
        rng = new_rng(seed)
        setup(state, players, 0, 0, rng)
        playout(state, rng)
    return perf_counter() - start


def plain_speed(players: int) -> float:
    run = [sys.executable, "-c", PLAIN.format(players=players)]
    said = subprocess.run(run, env=os.environ | {"SPLENDOR_MODE": "plain"}, check=True, capture_output=True, text=True)
    return float(said.stdout)


def step_rows() -> list[Row]:
    """A vectorised environment: step with restart, mask and observation, 4096 games."""
    rows = []
    for players in PLAYERS:
        alone = bench.steps_per_s(players)
        both = bench.steps_per_s(players, threads=2)
        rows += [
            (f"{players} players: step + mask + observe, 1 core", f"{millions(alone)} env-steps/s", ""),
            (
                f"{players} players: step + mask + observe, 2 cores",
                f"{millions(both)} env-steps/s",
                f"{both / alone:.2f} × 1 core",
            ),
        ]
    return rows


def gpu_rows() -> list[Row]:
    rows = []
    for players in PLAYERS:
        figures = bench.gpu_figures(players)
        rows += [
            (f"{players} players: GPU playouts", f"{millions(figures['gpu_playout_decisions_per_s'])} decisions/s", ""),
            (
                f"{players} players: GPU step + mask + observe",
                f"{millions(figures['gpu_steps_per_s'])} env-steps/s",
                "",
            ),
        ]
    return rows


def millions(speed: float) -> str:
    return f"{speed / 1e6:,.3g} M" if speed < 1e9 else f"{speed / 1e6:,.0f} M"


def report(rows: list[Row]) -> str:
    width = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        "`make bench`; see `docs/speed.md` for what the lines mean.",
        "",
        f"- {machine()}",
        f"- Python {platform.python_version()}, NumPy {np.__version__}, Numba {numba.__version__}",
        f"- C: {compiler_version()}; sources {source_hash()}",
        "",
        f"| {'what':{width[0]}} | {'speed':>{width[1]}} | {'ratio':>{width[2]}} |",
        f"| {'-' * width[0]} | {'-' * (width[1] - 1)}: | {'-' * (width[2] - 1)}: |",
        *(f"| {what:{width[0]}} | {speed:>{width[1]}} | {ratio:>{width[2]}} |" for what, speed, ratio in rows),
        "",
    ]
    return "\n".join(lines)


def size_plot() -> str:
    """Nanoseconds for one env-step against the number of games, for each number of players."""
    lines = [
        Line(f"{players} players", [(games, 1e9 / bench.steps_per_s(players, games)) for games in SIZES])
        for players in PLAYERS
    ]
    return line_plot("step + mask + observe on one core", "games in the batch", "ns per env-step", lines)


if __name__ == "__main__":
    main()
