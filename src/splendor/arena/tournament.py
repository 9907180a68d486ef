"""A tournament: many players, every group of two to four of them meets."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field

from splendor.arena.dispatch import Alone, Crew, in_order, play_all
from splendor.arena.intervals import CONFIDENCE, Interval
from splendor.arena.match import Watcher, check_players
from splendor.arena.ratings import RatingInterval, rate
from splendor.arena.results import Scoreboard
from splendor.arena.schedule import Conditions, names_of, tournament_jobs
from splendor.notation.json import JsonObject


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """One player of a tournament."""

    name: str
    rating: RatingInterval
    share: Interval  # of the win, over all its games
    rounds: float
    against: list[Interval | None]  # how often it is placed before each other; None for itself   [entrant]


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """How a tournament ended; the players stand in the order in which they entered."""

    seed: int
    seats: int
    players: list[TournamentStanding]
    scoreboard: Scoreboard = field(repr=False)

    @property
    def games(self) -> int:
        """The games that count."""
        return len(self.scoreboard.results)

    def to_json(self) -> JsonObject:
        """Plain dicts and lists."""
        return {
            "games": self.games,
            "seats": self.seats,
            "seed": self.seed,
            "confidence": CONFIDENCE,
            "players": [
                {
                    "name": player.name,
                    "rating": player.rating.value,
                    "rating_error": player.rating.error,
                    "win_share": player.share.value,
                    "low": player.share.low,
                    "high": player.share.high,
                    "rounds": player.rounds,
                    "ahead": {
                        other.name: ahead._asdict()
                        for other, ahead in zip(self.players, player.against, strict=True)
                        if ahead is not None
                    },
                }
                for player in self.players
            ],
            "rounds": self.scoreboard.rounds(),
            "seat_share": [share.value for share in self.scoreboard.seat_shares(self.seats)],
            "seat_low": [share.low for share in self.scoreboard.seat_shares(self.seats)],
            "seat_high": [share.high for share in self.scoreboard.seat_shares(self.seats)],
            "ends": self.scoreboard.ends(),
            "forfeits": self.scoreboard.forfeits(),
            "void": self.scoreboard.void_games(),
        }


def play_tournament(
    players: Sequence[str],
    deals: int,
    seed: int,
    *,
    seats: int = 2,
    conditions: Conditions | None = None,
    crew: Crew | None = None,
    watch: Watcher | None = None,
) -> TournamentResult:
    """Let every group of `seats` players play `deals` deal sets. Raises ValueError for players that do not exist."""
    check_players(players)
    jobs = tournament_jobs(players, seats, deals, seed, conditions or Conditions())
    scoreboard = Scoreboard(names_of(players))
    with closing(play_all(jobs, crew or Alone())) as results:
        for result in in_order(results):
            scoreboard.add(result)
            if watch is not None:
                watch(result)
    ratings = rate(scoreboard.deal_sets, len(players))
    entrants = range(len(players))
    entries = [
        TournamentStanding(
            name=scoreboard.names[entrant],
            rating=ratings[entrant],
            share=scoreboard.win_share(entrant),
            rounds=scoreboard.rounds(entrant),
            against=[None if other == entrant else scoreboard.ahead_of(entrant, other) for other in entrants],
        )
        for entrant in entrants
    ]
    return TournamentResult(seed, seats, entries, scoreboard)
