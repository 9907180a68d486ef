"""`splendor train`: make a network that plays."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from splendor.cli.problems import MISUSED, fail

app = typer.Typer()


@app.command()
def train(
    config: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="Settings, a TOML file.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="One setting, as in TOML; may be repeated.")
    ] = None,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder for all it writes.")] = Path("training-run"),
    resume: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="A checkpoint to go on from, or a network.")
    ] = None,
    minutes: Annotated[float | None, typer.Option(min=0.0, help="The length of all parts together.")] = None,
    stop_after: Annotated[
        float | None, typer.Option(help="End this call after so many minutes; resume it later.")
    ] = None,
    machine: Annotated[str, typer.Option(help="auto, cpu or gpu.")] = "auto",
    smoke: Annotated[bool, typer.Option("--smoke", help="Try everything for a minute; say how fast it is.")] = False,
) -> None:
    """Train a network by self-play, on a GPU or at toy size on the CPU; docs/training.md has more."""
    from splendor.training.command import run_training

    try:
        run_training(
            config=config,
            settings=settings or [],
            out=out,
            resume=resume,
            minutes=minutes,
            stop_after=stop_after,
            machine=machine,
            smoke=smoke,
            started=time.monotonic(),
            say=lambda line: print(line, flush=True),
        )
    except ValueError as error:
        fail(error, MISUSED)
    except (RuntimeError, OSError) as error:
        fail(error)
