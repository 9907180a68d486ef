"""The games of a match or tournament, and what can be asked of them.

A ledger takes results in the order of the schedule and answers with means over games; intervals are over
deal sets. Void games count nowhere but in the list of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from splendor.arena.intervals import Interval, win_share
from splendor.arena.play import GameResult


@dataclass(slots=True)
class Ledger:
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

    def shares(self, entrant: int, opponents: set[int] | None = None) -> list[list[float]]:
        """The shares of the win of one entrant, by deal set; with `opponents`, only at tables with all of them."""
        wanted = {entrant} | (opponents or set())
        return [
            [result.shares[result.job.entrants.index(entrant)] for result in games]
            for games in self.deal_sets
            if games and wanted <= set(games[0].job.entrants)
        ]

    def win_share(self, entrant: int) -> Interval:
        """Over all games of an entrant."""
        return win_share(self.shares(entrant))

    def ahead_of(self, entrant: int, other: int) -> Interval:
        """How often one is placed before the other where both sit at the table; level counts half."""
        return win_share(
            [
                [_ahead(result, entrant, other) for result in games]
                for games in self.deal_sets
                if games and {entrant, other} <= set(games[0].job.entrants)
            ]
        )

    def seat_share(self, seats: int) -> list[float]:
        """The share of the win by seat."""
        games = [result for result in self.results if len(result.shares) == seats]
        return [mean([game.shares[seat] for game in games]) for seat in range(seats)]

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

    def forfeits(self) -> list[dict[str, Any]]:
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

    def void_games(self) -> list[dict[str, Any]]:
        """The games that gave no result, for JSON."""
        return [{"game": result.job.number, "reason": result.void_reason} for result in self.void]


def _ahead(result: GameResult, entrant: int, other: int) -> float:
    one, two = (result.places[result.job.entrants.index(who)] for who in (entrant, other))
    return 0.5 if one == two else float(one < two)


def mean(numbers: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(numbers) / len(numbers) if numbers else 0.0
