"""How sure a win share is: confidence intervals over deal sets.

The games of a deal set share their cards, so they are not independent; deal sets are. The interval is Wilson's,
with the variance between deal sets in place of the binomial one. If the same cards with
rotated seats cancel luck, the interval is narrower than that of as many independent games; if they share luck, wider.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
DOUBT = 5.0  # games of doubt about the effect of pairing


class Interval(NamedTuple):
    """An estimate, and the bounds between which the truth lies with the stated confidence."""

    value: float
    low: float
    high: float


def win_share(deal_sets: Sequence[Sequence[float]], confidence: float = CONFIDENCE) -> Interval:
    """The mean share over all games, given game by game for each deal set.

    >>> win_share([[1.0, 0.0]] * 50).value
    0.5
    >>> win_share([[1.0, 1.0]] * 50).high
    1.0
    """
    sets = [list(shares) for shares in deal_sets if shares]
    games = sum(len(shares) for shares in sets)
    if not games:
        return Interval(0.0, 0.0, 1.0)
    mean = sum(map(sum, sets)) / games
    games_worth = games / design_effect(sets, games, mean)
    return Interval(mean, *wilson(mean, games_worth, t_quantile((1 + confidence) / 2, len(sets))))


def mean_share(deal_sets: Sequence[Sequence[float]], confidence: float = CONFIDENCE) -> Interval:
    """The same for shares that were freed of luck, which may lie below 0 and above 1: Student's interval.

    >>> mean_share([[0.75, 0.5], [0.25, 0.5]]).value
    0.5
    """
    sets = [list(shares) for shares in deal_sets if shares]
    games = sum(len(shares) for shares in sets)
    if len(sets) < 2:  # noqa: PLR2004 - one set says nothing about the next
        return Interval(sum(map(sum, sets)) / max(games, 1), 0.0, 1.0)
    mean = sum(map(sum, sets)) / games
    between = sum((sum(shares) - mean * len(shares)) ** 2 for shares in sets) * len(sets) / (len(sets) - 1)
    half = t_quantile((1 + confidence) / 2, len(sets) - 1) * sqrt(between) / games
    return Interval(mean, mean - half, mean + half)


def design_effect(sets: Sequence[Sequence[float]], games: int, mean: float) -> float:
    """The variance of the mean, in units of that of as many independent games: below 1 where pairing helps.

    It is learnt from the games that went against the rule, losses of a winner or wins of a loser. Where there are
    few of them it stays near 1: some sets that agree are no proof that all do.
    """
    binomial = games * mean * (1 - mean)
    if len(sets) < 2 or not binomial:  # noqa: PLR2004 - one set says nothing about the next
        return 1.0
    between = sum((sum(shares) - mean * len(shares)) ** 2 for shares in sets) * len(sets) / (len(sets) - 1)
    telling = games * min(mean, 1 - mean)
    return (telling * between / binomial + DOUBT) / (telling + DOUBT)


def wilson(share: float, games: float, z: float) -> tuple[float, float]:
    """Wilson's score interval for a share of so many independent games."""
    spread = z * z / games
    center = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / games + spread / (4 * games)) / (1 + spread)
    low, high = center - half, center + half
    return (0.0 if share == 0 else max(low, 0.0)), (1.0 if share == 1 else min(high, 1.0))


def t_quantile(probability: float, degrees: int) -> float:
    """Student's quantile, by Cornish and Fisher's expansion around the normal one (Abramowitz and Stegun 26.7.5)."""
    z = NormalDist().inv_cdf(probability)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3
