"""Ratings of players: openskill's Plackett–Luce, for tables of each size apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()


class Rating(NamedTuple):
    """What is known about the strength of a player."""

    mu: float
    sigma: float

    @property
    def cautious(self) -> float:
        """Three deviations below the mean: who has played little stands low."""
        return self.mu - 3 * self.sigma


START = Rating(_MODEL.mu, _MODEL.sigma)


def rate(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a game that ended with these places.

    >>> winner, loser = rate([START, START], [1, 2])
    >>> winner.mu > START.mu > loser.mu
    True
    """
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [Rating(team[0].mu, team[0].sigma) for team in rated]
