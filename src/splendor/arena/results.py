"""The games of a match or tournament, and what can be asked of them.

A scoreboard takes results in the order of the schedule and answers with means over games; intervals are over
deal sets. Void games count nowhere but in the list of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from splendor.arena.intervals import Interval, mean_share, win_share
from splendor.arena.play import GameResult
from splendor.notation.json import JsonObject


@dataclass(slots=True)
class Scoreboard:
    """All results so far."""

    names: list[str]
    deal_sets: list[list[GameResult]] = field(default_factory=list)  # by deal, void games left out
    void: list[GameResult] = field(default_factory=list)

    def add(self, result: GameResult) -> None:
        """Enter the next result of the schedule."""
        while len(self.deal_sets) <= result.job.deal:
            self.deal_sets.append([])
        (self.void if result.is_void else self.deal_sets[result.job.deal]).append(result)

    @property
    def results(self) -> list[GameResult]:
        """Every game that counts."""
        return [result for games in self.deal_sets for result in games]

    def win_share(self, entrant: int) -> Interval:
        """Over all games of an entrant."""
        return win_share([[game.share_of(entrant) for game in games] for games in self._with({entrant})])

    def adjusted_share(self, entrant: int) -> Interval:
        """The same freed of luck."""
        return mean_share([[game.adjusted_share_of(entrant) for game in games] for games in self._with({entrant})])

    def ahead_of(self, entrant: int, other: int) -> Interval:
        """How often one is placed before the other where both sit at the table; level counts half."""
        sets = self._with({entrant, other})
        return win_share([[ahead(game.place_of(entrant), game.place_of(other)) for game in games] for games in sets])

    def _with(self, entrants: set[int]) -> list[list[GameResult]]:
        """The deal sets in which all of them played."""
        return [games for games in self.deal_sets if games and entrants <= set(games[0].job.entrants)]

    def seat_shares(self, seats: int) -> list[Interval]:
        """The share of the win by seat."""
        return [win_share([[game.shares[seat] for game in games] for games in self.deal_sets]) for seat in range(seats)]

    def rounds(self, entrant: int | None = None) -> float:
        """The mean number of rounds of finished games, of one entrant or of all."""
        finished = [r for r in self.results if r.forfeit is None and (entrant is None or entrant in r.job.entrants)]
        return mean([game.rounds for game in finished])

    def ends(self) -> dict[str, int]:
        """How many games ended in which way."""
        ends: dict[str, int] = {}
        for result in self.results:
            ends[result.end] = ends.get(result.end, 0) + 1
        return ends

    def forfeits(self) -> list[JsonObject]:
        """The games that were lost without being played to the end, for JSON."""
        return [
            {
                "game": result.job.number,
                "player": self.names[result.job.entrants[result.forfeit.seat]],
                "reason": result.forfeit.reason,
            }
            for result in self.results
            if result.forfeit is not None
        ]

    def void_games(self) -> list[JsonObject]:
        """The games that gave no result, for JSON."""
        return [{"game": result.job.number, "reason": result.void_reason} for result in self.void]


def ahead(place: int, other: int) -> float:
    return 0.5 if place == other else float(place < other)


def mean(numbers: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(numbers) / len(numbers) if numbers else 0.0
