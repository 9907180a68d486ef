"""`splendor bench`: how fast this machine plays."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from splendor.cli.problems import fail

app = typer.Typer()

FIGURES = {
    "playout_decisions_per_s": "decisions per second in random games, one core",
    "playout_games_per_s": "whole random games per second, one core",
    "batch_steps_per_s": "environment steps per second, one core",
    "cores_2_ratio": "times as fast on two cores",
    "bytes_per_game": "bytes for each game",
    "compile_cold_s": "seconds to compile with an empty cache",
}


@app.command()
def bench(
    players: Annotated[int, typer.Option(min=2, max=4, help="How many play.")] = 2,
    gpu: Annotated[bool, typer.Option("--gpu", help="Measure the GPU as well.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Measure how many decisions this machine plays in a second.

    This takes about half a minute; figures are best taken while nothing else runs.
    """
    from splendor.tools.bench import run_bench

    try:
        figures = run_bench(players, gpu)
    except (ImportError, RuntimeError) as error:
        fail(f"this cannot be measured here: {error}")
    if as_json:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        print(f"{figure:>16,.{0 if figure >= 100 else 2}f}  {FIGURES.get(name, name.replace('_', ' '))}")  # noqa: PLR2004
