"""A server with known time, names and deals, to be run as a process: what it sends can be compared byte for byte.

The deals come from a file, one position on each line; tables get them in the order in which they are made.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from pathlib import Path

from splendor.server.config import from_environment
from splendor.server.fairness import Deal
from splendor.server.hub import Sources
from splendor.server.running import run


def main() -> None:
    settings = from_environment()
    positions = iter(Path(os.environ["RIGGED_POSITIONS"]).read_text().splitlines())
    numbers, times = itertools.count(), itertools.count(1_800_000_000)

    def deal(secret: str, nonces: Sequence[str | None], *, shuffle_seats: bool) -> Deal:
        return Deal(next(positions), tuple(range(len(nonces))))

    sources = Sources(
        now=lambda: float(next(times) // 1_000_000),  # stands still
        new_id=lambda: f"{next(numbers):022d}",
        new_secret=lambda: "11" * 32,
        deal=deal,
    )
    run(settings, sources=sources)


if __name__ == "__main__":
    main()
