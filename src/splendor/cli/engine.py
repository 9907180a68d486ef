"""The command that makes one of our players an engine for other programs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from splendor.cli.problems import MISUSED, fail

app = typer.Typer()


@app.command()
def engine(
    player: Annotated[str, typer.Option(help="A level or a kind of player, such as search:time=1.")] = "grandmaster",
) -> None:
    """Speak the engine protocol on standard input and output.

    Example: splendor engine --player greedy
    """
    from splendor.engine.serve import serve

    try:
        serve(player, sys.stdin.buffer, sys.stdout)
    except ValueError as error:
        fail(error, MISUSED)
