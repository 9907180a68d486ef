"""A match: two to four players at one table, game after game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from splendor.arena.dispatch import Alone, Crew, in_order, play_all
from splendor.arena.intervals import CONFIDENCE, Interval
from splendor.arena.play import GameResult
from splendor.arena.ratings import Rating, rate
from splendor.arena.results import Ledger, mean
from splendor.arena.schedule import Conditions, Job, match_jobs, names_of
from splendor.arena.sequential import FairShareTest
from splendor.players import load

Watcher = Callable[[GameResult], None]  # is shown every game that counts, in order


@dataclass(frozen=True, slots=True)
class Standing:
    """One player of a match."""

    name: str
    share: Interval
    rating: Rating
    forfeits: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended."""

    seed: int
    players: list[Standing]
    ledger: Ledger = field(repr=False)
    is_certain: bool | None = None  # with sequential stopping: did it end because somebody is certainly better?

    @property
    def games(self) -> int:
        """The games that count."""
        return len(self.ledger.results)

    def to_json(self) -> dict[str, Any]:
        """Plain dicts and lists."""
        return {
            "games": self.games,
            "seed": self.seed,
            "confidence": CONFIDENCE,
            "players": [
                {
                    "name": player.name,
                    "win_share": player.share.value,
                    "low": player.share.low,
                    "high": player.share.high,
                    "rating": player.rating.value,
                    "rating_error": player.rating.error,
                    "forfeits": player.forfeits,
                }
                for player in self.players
            ],
            "rounds": self.ledger.rounds(),
            "seat_share": [share.value for share in self.ledger.seat_shares(len(self.players))],
            "seat_low": [share.low for share in self.ledger.seat_shares(len(self.players))],
            "seat_high": [share.high for share in self.ledger.seat_shares(len(self.players))],
            "ends": self.ledger.ends(),
            "certain": self.is_certain,
            "forfeits": self.ledger.forfeits(),
            "void": self.ledger.void_games(),
        }


def play_match(
    players: Sequence[str],
    games: int,
    seed: int,
    *,
    conditions: Conditions | None = None,
    until_certain: bool = False,
    crew: Crew | None = None,
    watch: Watcher | None = None,
) -> MatchResult:
    """Play a match of `games` games, or with `until_certain` until somebody is certainly better than the rest.

    The result depends on the players and the seed alone, not on the crew. Raises ValueError for players that do not
    exist.
    """
    check_players(players)
    jobs = match_jobs(players, games, seed, conditions or Conditions())
    ledger = Ledger(names_of(players))
    test = FairShareTest(len(players)) if until_certain else None
    with closing(play_all(jobs, crew or Alone())) as results:
        for result in in_order(results):
            ledger.add(result)
            if watch is not None:
                watch(result)
            if test is not None and ends_deal_set(jobs, result):
                deal_set = ledger.deal_sets[result.job.deal]
                if len(deal_set) == len(players):
                    test.add([mean([game.share_of(entrant) for game in deal_set]) for entrant in range(len(players))])
                if test.is_certain:
                    break
    ratings = rate(ledger.deal_sets, len(players))
    shares = test.intervals if test is not None else [ledger.win_share(entrant) for entrant in range(len(players))]
    forfeits = [forfeit["player"] for forfeit in ledger.forfeits()]
    standings = [
        Standing(name, shares[entrant], ratings[entrant], forfeits.count(name))
        for entrant, name in enumerate(ledger.names)
    ]
    return MatchResult(seed, standings, ledger, None if test is None else test.is_certain)


def check_players(players: Sequence[str]) -> None:
    """Raise ValueError unless all of them can be loaded; external programs are not started for that."""
    for player in players:
        load(player)


def ends_deal_set(jobs: Sequence[Job], result: GameResult) -> bool:
    number = result.job.number
    return number + 1 == len(jobs) or jobs[number + 1].deal != result.job.deal
