"""When to stop: a confidence sequence, an interval that is valid at all times at once.

Looking at an ordinary interval after every game and stopping when it pleases is cheating: sooner or later it
excludes the truth. A confidence sequence contains the truth at *all* times together with the stated
confidence, so a match may be watched and stopped at will. This one bets: for each possible mean, a
gambler starts with 1 and bets on every deal set that the mean is another; if that mean is true the game is fair,
and the chance of ever owning 1 / alpha is at most alpha (Ville). A mean that made somebody so rich is excluded.

I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting" (2024), the hedged
capital process with predictable plug-in bets, theorem 3.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from splendor.arena.intervals import CONFIDENCE, Interval

GRID = 1000  # the means that are tried: 1/1000, 2/1000 …
BOLDEST = 0.5  # the part of the wealth that a bet may risk
ENOUGH = 30  # numbers before their variance is believed
NARROWEST = 200  # the asymptotic sequence is narrowest after so many numbers


class ConfidenceSequence:
    """An interval for the mean of numbers from 0 to 1, after each of them."""

    def __init__(self, confidence: float = CONFIDENCE) -> None:
        """Before the first number everything is possible."""
        self._alpha = 1 - confidence
        self._means = np.arange(1, GRID) / GRID
        self._wealth_above = np.zeros(GRID - 1)  # logarithms; of those who bet on a higher mean
        self._wealth_below = np.zeros(GRID - 1)
        self._possible = np.ones(GRID - 1, bool)
        self._count = 0
        self._sum, self._squares = 0.5, 0.25  # with one imagined number, so that the first bet is sane

    def add(self, number: float) -> None:
        """Take in the next number."""
        time = self._count + 1
        variance = self._squares / time
        bet = sqrt(2 * log(2 / self._alpha) / (variance * time * log(time + 1)))
        above = np.minimum(bet, BOLDEST / self._means)
        below = np.minimum(bet, BOLDEST / (1 - self._means))
        self._wealth_above += np.log1p(above * (number - self._means))
        self._wealth_below += np.log1p(-below * (number - self._means))
        richest = np.maximum(self._wealth_above, self._wealth_below) - log(2)
        self._possible &= richest < log(1 / self._alpha)
        self._count += 1
        self._sum += number
        self._squares += (number - self._sum / (self._count + 1)) ** 2

    @property
    def interval(self) -> Interval:
        """The mean so far, and the bounds; rounded outwards to the grid."""
        value = (self._sum - 0.5) / self._count if self._count else 0.5
        possible = self._means[self._possible]
        low, high = (possible[0] - 1 / GRID, possible[-1] + 1 / GRID) if possible.size else (value, value)
        return Interval(value, float(min(low, value)), float(max(high, value)))


class AsymptoticSequence:
    """The same for shares freed of luck, which may lie below 0 and above 1, by the central limit theorem.

    It holds at all times together as well, for a variance that is learned from the numbers; so it needs some of them
    before it says anything.

    I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas, "Time-uniform central limit theory and asymptotic
    confidence sequences" (2024), theorem 2.2.
    """

    def __init__(self, confidence: float = CONFIDENCE) -> None:
        """Before there are enough numbers everything is possible."""
        self._alpha = 1 - confidence
        odds = -2 * log(self._alpha)
        self._tuned = (odds + log(odds) + 1) / NARROWEST
        self._count, self._mean, self._squares = 0, 0.0, 0.0

    def add(self, number: float) -> None:
        """Take in the next number."""
        self._count += 1
        surprise = number - self._mean
        self._mean += surprise / self._count
        self._squares += surprise * (number - self._mean)

    @property
    def interval(self) -> Interval:
        """The mean so far, and the bounds."""
        time = self._count
        if time < ENOUGH:
            value = self._mean if time else 0.5
            return Interval(value, min(0.0, value), max(1.0, value))
        spread = time * self._tuned + 1
        half = sqrt(self._squares / time * 2 * spread / (time**2 * self._tuned) * log(sqrt(spread) / self._alpha))
        return Interval(self._mean, self._mean - half, self._mean + half)


class FairShareTest:
    """Watches a match until it is certain that somebody wins more than a fair share.

    With two players one sequence says all; with more, each has its own, and all hold together.
    """

    def __init__(self, players: int, confidence: float = CONFIDENCE, *, adjusted: bool = False) -> None:
        """Nothing is certain at first. `adjusted`: the shares are freed of luck, and may lie below 0 and above 1."""
        each = confidence if players == 2 else 1 - (1 - confidence) / players  # noqa: PLR2004
        kind = AsymptoticSequence if adjusted else ConfidenceSequence
        self._sequences: list[AsymptoticSequence | ConfidenceSequence] = [kind(each) for _ in range(players)]

    def add(self, shares: list[float]) -> None:
        """The mean share of each player in the next deal set."""
        for sequence, share in zip(self._sequences, shares, strict=True):
            sequence.add(share)

    @property
    def intervals(self) -> list[Interval]:
        """For each player."""
        return [sequence.interval for sequence in self._sequences]

    @property
    def is_certain(self) -> bool:
        """Does somebody win more than a fair share?"""
        return any(interval.low > 1 / len(self._sequences) for interval in self.intervals)
