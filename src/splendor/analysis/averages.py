"""The share of the win that each seat has of an average deal: the mean of V over first positions.

`first_positions.json` has it for the network of the package, measured by `benchmarks/first_positions.py` and stored
with the fingerprint of this network. For any other it is measured from some deals when it is asked for.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import NamedTuple

from splendor.analysis.value import Floats, PositionValue
from splendor.many.batch import Batch
from splendor.notation.json import Json, JsonObject

DEALS = 1000  # for a network that the table does not know: an error of about 0.1 % of the win
FIRST_SEED = 1 << 40  # far from the seeds of games that people play


class Average(NamedTuple):
    """The mean of V over first positions, for the seat that begins and those after it."""

    deals: int
    shares: tuple[float, ...]  # [distance from the seat that begins]
    errors: tuple[float, ...]  # standard errors


@cache
def average(value: PositionValue, players: int) -> Average:
    """The average deal as this function judges it."""
    table = stored()
    if getattr(value.critic, "fingerprint", None) == table["network"]:
        return Average(**{name: _plain(entry) for name, entry in table["players"][str(players)].items()})
    return measured(value, players, DEALS)


def average_by_seat(value: PositionValue, players: int, first: int) -> tuple[float, ...]:
    """The shares of an average deal, in the order of the seats."""
    shares = average(value, players).shares
    return tuple(shares[(seat - first) % players] for seat in range(players))


def measured(value: PositionValue, players: int, deals: int) -> Average:
    """The mean over so many deals."""
    shares: Floats = value.shares(Batch(deals, players, seed=FIRST_SEED).states)[:, :players]
    errors = shares.std(axis=0, ddof=1) / deals**0.5
    return Average(deals, tuple(shares.mean(axis=0).tolist()), tuple(errors.tolist()))


def stored() -> JsonObject:
    """The table of the package."""
    text = resources.files("splendor").joinpath("data", "first_positions.json").read_text(encoding="utf-8")
    table: JsonObject = json.loads(text)
    return table


def _plain(entry: Json) -> Json:
    return tuple(entry) if isinstance(entry, list) else entry
