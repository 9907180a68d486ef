"""`splendor bench`: how fast this machine plays."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from splendor.cli.problems import fail

app = typer.Typer()


@app.command()
def bench(
    players: Annotated[int, typer.Option(min=2, max=4, help="How many play.")] = 2,
    gpu: Annotated[bool, typer.Option("--gpu", help="Measure the GPU as well.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Measure how many decisions this machine plays in a second."""
    from splendor.bench import format_bench, run_bench

    try:
        figures = run_bench(players, gpu)
    except RuntimeError as error:
        fail(error)
    print(json.dumps(figures, indent=1) if as_json else format_bench(figures))
