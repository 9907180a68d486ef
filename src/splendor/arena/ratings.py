"""Ratings of players who met at tables of any size: openskill, with error bars.

The model is openskill's Plackett–Luce; players do not change while they are measured, so its drift (`tau`) is off.
Whole deal sets are drawn again and again, in random order, and rated: the mean is the rating, so that the order of
the games does not matter, and the spread is its error bar. Where that is less than the model's own doubt, as when
one side wins every game, the doubt is the error.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from splendor.arena.intervals import CONFIDENCE
from splendor.arena.play import GameResult

UPDATES = 20_000  # games rated for the error bars, over all samples
FEWEST_SAMPLES, MOST_SAMPLES = 20, 100


class RatingInterval(NamedTuple):
    """A rating, 25 for an average player, and half the width of its confidence interval."""

    value: float
    error: float


def rate(deal_sets: Sequence[Sequence[GameResult]], players: int, seed: int = 0) -> list[RatingInterval]:
    """The ratings of all entrants by all games."""
    games = sum(len(games) for games in deal_sets)
    samples = min(max(UPDATES // max(games, 1), FEWEST_SAMPLES), MOST_SAMPLES)
    chance = random.Random(seed)
    resampled = [_rated(chance.choices(deal_sets, k=len(deal_sets)), players) for _ in range(samples)]
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    ratings = []
    for of_player in zip(*resampled, strict=True):
        values = [rating.mu for rating in of_player]
        ratings.append(
            RatingInterval(fmean(values), z * max(stdev(values), fmean(rating.sigma for rating in of_player)))
        )
    return ratings


def _rated(deal_sets: Sequence[Sequence[GameResult]], players: int) -> list[PlackettLuceRating]:
    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(players)]
    for games in deal_sets:
        for game in games:
            entrants = game.job.entrants
            rated = model.rate([[ratings[entrant]] for entrant in entrants], ranks=[float(n) for n in game.places])
            for entrant, (rating,) in zip(entrants, rated, strict=True):
                ratings[entrant] = rating
    return ratings
