"""A match: two to four players at one table, game after game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from splendor.arena.dispatch import Alone, Crew, in_order, play_all
from splendor.arena.intervals import CONFIDENCE, Interval
from splendor.arena.play import GameResult
from splendor.arena.ratings import RatingInterval, rate
from splendor.arena.results import Scoreboard, mean
from splendor.arena.schedule import Conditions, Job, match_jobs, names_of
from splendor.arena.sequential import FairShareTest
from splendor.notation.json import JsonObject
from splendor.players import load

Watcher = Callable[[GameResult], None]  # is shown every game that counts, in order


@dataclass(frozen=True, slots=True)
class Standing:
    """One player of a match."""

    name: str
    share: Interval
    rating: RatingInterval
    forfeits: int
    adjusted: Interval | None = None  # the share freed of luck


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended."""

    seed: int
    players: list[Standing]
    scoreboard: Scoreboard = field(repr=False)
    is_certain: bool | None = None  # with sequential stopping: did it end because somebody is certainly better?

    @property
    def games(self) -> int:
        """The games that count."""
        return len(self.scoreboard.results)

    def to_json(self) -> JsonObject:
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
                    **adjusted_json(player.adjusted),
                }
                for player in self.players
            ],
            "rounds": self.scoreboard.rounds(),
            "seat_share": [share.value for share in self.scoreboard.seat_shares(len(self.players))],
            "seat_low": [share.low for share in self.scoreboard.seat_shares(len(self.players))],
            "seat_high": [share.high for share in self.scoreboard.seat_shares(len(self.players))],
            "ends": self.scoreboard.ends(),
            "certain": self.is_certain,
            "forfeits": self.scoreboard.forfeits(),
            "void": self.scoreboard.void_games(),
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
    conditions = conditions or Conditions()
    jobs = match_jobs(players, games, seed, conditions)
    scoreboard = Scoreboard(names_of(players))
    test = MatchTest(len(players), conditions.adjusted) if until_certain else None
    with closing(play_all(jobs, crew or Alone())) as results:
        for result in in_order(results):
            scoreboard.add(result)
            if watch is not None:
                watch(result)
            if test is not None and ends_deal_set(jobs, result):
                deal_set = scoreboard.deal_sets[result.job.deal]
                if len(deal_set) == len(players):
                    test.add(deal_set)
                if test.is_certain:
                    break
    ratings = rate(scoreboard.deal_sets, len(players))
    entrants = range(len(players))
    shares = [scoreboard.win_share(entrant) for entrant in entrants] if test is None else test.raw.intervals
    adjusted: list[Interval | None] = [None] * len(players)
    if conditions.adjusted:
        adjusted = [*map(scoreboard.adjusted_share, entrants)] if test is None else [*test.decisive.intervals]
    forfeits = [forfeit["player"] for forfeit in scoreboard.forfeits()]
    standings = [
        Standing(name, shares[entrant], ratings[entrant], forfeits.count(name), adjusted[entrant])
        for entrant, name in enumerate(scoreboard.names)
    ]
    return MatchResult(seed, standings, scoreboard, None if test is None else test.is_certain)


class MatchTest:
    """The sequential test of a match, by raw shares or by those freed of luck; the raw ones are reported anyway."""

    def __init__(self, players: int, adjusted: bool) -> None:
        """Nothing is certain at first."""
        self._players, self._adjusted = players, adjusted
        self.raw = FairShareTest(players)
        self.decisive = FairShareTest(players, adjusted=True) if adjusted else self.raw

    def add(self, deal_set: Sequence[GameResult]) -> None:
        """The games of the next deal set, all of which count."""
        entrants = range(self._players)
        self.raw.add([mean([game.share_of(entrant) for game in deal_set]) for entrant in entrants])
        if self._adjusted:
            self.decisive.add([mean([game.adjusted_share_of(entrant) for game in deal_set]) for entrant in entrants])

    @property
    def is_certain(self) -> bool:
        """Does somebody win more than a fair share?"""
        return self.decisive.is_certain


def adjusted_json(share: Interval | None) -> dict[str, float]:
    """The fields of a player whose share was freed of luck."""
    if share is None:
        return {}
    return {"adjusted_win_share": share.value, "adjusted_low": share.low, "adjusted_high": share.high}


def check_players(players: Sequence[str]) -> None:
    """Raise ValueError unless all of them can be loaded; external programs are not started for that."""
    for player in players:
        load(player)


def ends_deal_set(jobs: Sequence[Job], result: GameResult) -> bool:
    number = result.job.number
    return number + 1 == len(jobs) or jobs[number + 1].deal != result.job.deal
