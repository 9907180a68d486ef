"""What an average deal is worth to each seat: the table `src/splendor/data/first_positions.json`.

    python benchmarks/first_positions.py --deals 100000 --write

Measures the mean of V over first positions for 2, 3 and 4 players with the network of the package, and its standard
error. `--write` stores it with the fingerprint of the network; it has to be made again when the network changes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import splendor
from splendor.analysis.averages import measured
from splendor.analysis.value import PositionValue
from splendor.network import load_network

TABLE = Path(splendor.__file__).parent / "data" / "first_positions.json"


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description="Measure what an average deal is worth to each seat.")
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    network = load_network()
    value = PositionValue(network, remembered=0)
    players = {str(number): measured(value, number, arguments.deals)._asdict() for number in (2, 3, 4)}
    text = json.dumps({"network": network.fingerprint, "players": players}, indent=1) + "\n"
    print(text, end="")
    if arguments.write:
        TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
