"""A server that deals known positions and takes the time from a file, to be run as a process.

The positions are in a file, one on each line. A nonce says which one is dealt: the lowest number that a player
committed to and revealed, counting lines from 0; without any the first.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from splendor.server.config import from_environment
from splendor.server.live.sources import Sources
from splendor.server.process.running import run
from splendor.server.tables.fairness import Deal


def main() -> None:
    positions, clock = Path(sys.argv[1]).read_text().splitlines(), Path(sys.argv[2])

    def deal(secret: str, nonces: Sequence[str | None], *, shuffle_seats: bool, procedure: str = "") -> Deal:
        chosen = min((int(nonce, 16) for nonce in nonces if nonce is not None), default=0)
        return Deal(positions[chosen], tuple(range(len(nonces))))

    run(from_environment(), sources=Sources(now=lambda: float(clock.read_text()), deal=deal))


if __name__ == "__main__":
    main()
