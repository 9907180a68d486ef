"""How strong the levels are: shares of the win that were measured, and a rating that sums them up.

The table `data/strength.json` has the "longer matches" of `docs/ladder.md`, which `benchmarks/ladder.py` played: one
seat for a level, the others for the level before. A rating counts from the first level on, which has 1000; a level
that is 400 higher has ten times the odds of winning against one opponent that is that much lower.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from math import log10
from typing import NamedTuple

FIRST_RATING = 1000.0  # of the lowest level
TENFOLD = 400.0  # points for ten times the odds
ROUNDED_TO = 10  # points; what was measured says no more


class Measured(NamedTuple):
    """A level in one seat against the level before it in all others: its share of the win, with an interval of 95 %."""

    players: int
    level: str
    against: str
    share: float
    low: float
    high: float
    games: int


@cache
def measured() -> tuple[Measured, ...]:
    """All that was measured, by the number of players, weakest level first."""
    rows = json.loads(files("splendor").joinpath("data/strength.json").read_text(encoding="ascii"))
    return tuple(Measured(**row | {name: row[name] / 100 for name in ("share", "low", "high")}) for row in rows)


def ratings(players: int) -> Iterator[tuple[Measured, int]]:
    """The levels at tables of one size with their ratings, weakest first.

    >>> [(match.level, rating) for match, rating in ratings(2)][:2]
    [('apprentice', 1000), ('journeyman', 1200)]
    """
    rating = FIRST_RATING
    for number, match in enumerate(match for match in measured() if match.players == players):
        if number:
            rating += TENFOLD * log10(match.share / (1 - match.share) * (players - 1))
        yield match, round(rating / ROUNDED_TO) * ROUNDED_TO
