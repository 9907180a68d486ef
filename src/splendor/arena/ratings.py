"""Ratings of players who met at tables of any size: openskill, with error bars.

The model is openskill's Plackett–Luce; players do not change while they are measured, so its drift (`tau`) is off.
The error bar comes from resampling whole deal sets, in random order: it holds the luck of the deals and the
little that the order of games matters.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import NormalDist, stdev
from typing import NamedTuple

from openskill.models import PlackettLuce

from splendor.arena.intervals import CONFIDENCE
from splendor.arena.play import GameResult

UPDATES = 60_000  # games rated for the error bars, over all samples
FEWEST_SAMPLES, MOST_SAMPLES = 20, 200


class Rating(NamedTuple):
    """A rating, 25 for an average player, and half the width of its confidence interval."""

    value: float
    error: float


def rate(deal_sets: Sequence[Sequence[GameResult]], players: int, seed: int = 0) -> list[Rating]:
    """The ratings of all entrants by all games."""
    games = sum(len(games) for games in deal_sets)
    values = _mu(deal_sets, players)
    if len(deal_sets) < 2:  # noqa: PLR2004 - nothing to resample
        return [Rating(value, float("inf")) for value in values]
    samples = min(max(UPDATES // max(games, 1), FEWEST_SAMPLES), MOST_SAMPLES)
    chance = random.Random(seed)
    resampled = [_mu(chance.choices(deal_sets, k=len(deal_sets)), players) for _ in range(samples)]
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    spreads = [stdev(values) for values in zip(*resampled, strict=True)]
    return [Rating(value, z * spread) for value, spread in zip(values, spreads, strict=True)]


def _mu(deal_sets: Sequence[Sequence[GameResult]], players: int) -> list[float]:
    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(players)]
    for games in deal_sets:
        for game in games:
            entrants = game.job.entrants
            rated = model.rate([[ratings[entrant]] for entrant in entrants], ranks=[float(n) for n in game.places])
            for entrant, (rating,) in zip(entrants, rated, strict=True):
                ratings[entrant] = rating
    return [rating.mu for rating in ratings]
