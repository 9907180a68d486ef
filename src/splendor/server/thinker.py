"""A process that thinks for computer players: a question on each line of its input, an answer on each of its output.

It gets the view of a seat and nothing else. Before the first question it looks at a position and searches once, since
what is read and compiled for that may take seconds. It runs at low priority, so that people's moves come first. When
it is told to end it does so in good order, which ends engines that it has started.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from typing import Any

from splendor.game import Game
from splendor.players import LEVELS, Player, load
from splendor.table import View

NICENESS = 5


def warmed_up() -> dict[str, Player]:
    """Every level, with what it needs read and compiled."""
    view = Game(players=2, seed=0).view(0)
    for spec in ("network", "network:simulations=1"):  # what all levels are; a grandmaster would think for seconds
        load(spec).choose(view)
    return {level: load(level) for level in LEVELS}


def answer(question: dict[str, Any], players: dict[str, Player]) -> dict[str, Any]:
    """The move for one question, or what went wrong."""
    spec = question["player"]
    try:
        if spec not in players:
            players[spec] = load(spec)
        move = players[spec].choose(View.from_position(question["position"], question["viewer"]))
    except Exception as error:  # whatever a player does wrong, the next question may be for another one
        players.pop(spec, None)
        return {"id": question["id"], "error": str(error)[:300]}
    return {"id": question["id"], "move": str(move)}


def main() -> None:
    """Answer until there are no more questions."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    players = warmed_up()
    for line in sys.stdin:
        reply = answer(json.loads(line), players)
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
