"""`python -m splendor.training`: the same as `splendor train`, for machines that have PyTorch and little else."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

STARTED = time.monotonic()


def main() -> int:
    """Read the options, and train."""
    parser = argparse.ArgumentParser(prog="python -m splendor.training", description="Train a network by self-play.")
    parser.add_argument("--config", type=Path, help="settings, a TOML file")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="one setting, as in TOML")
    parser.add_argument("--out", type=Path, default=Path("training-run"), help="the folder for everything it writes")
    parser.add_argument("--resume", type=Path, help="a checkpoint to go on from, or a network")
    parser.add_argument("--minutes", type=float, help="the length of all parts; the start of the program counts")
    parser.add_argument("--stop-after", type=float, metavar="MINUTES", help="end this call early; resume it later")
    parser.add_argument("--machine", default="auto", help="auto, cpu or gpu")
    parser.add_argument("--smoke", action="store_true", help="try everything for a minute, and say how fast it is")
    options = parser.parse_args()

    from splendor.training.command import run_training

    try:
        run_training(
            config=options.config,
            settings=options.set,
            out=options.out,
            resume=options.resume,
            minutes=options.minutes,
            stop_after=options.stop_after,
            machine=options.machine,
            smoke=options.smoke,
            started=STARTED,
            say=lambda line: print(line, flush=True),  # noqa: T201
        )
    except (ValueError, RuntimeError, OSError) as error:
        print(f"splendor: {error}", file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
