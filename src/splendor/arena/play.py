"""Play one job: a whole game between players that may fail.

Whoever raises an error, breaks the protocol or the rules loses that game, and the result says why. The others
share the win, since the game cannot be finished fairly.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from splendor.analysis.luck import luck_of
from splendor.analysis.value import package_value
from splendor.arena.schedule import Job
from splendor.game.game import Game
from splendor.players import Player, load
from splendor.protocol.client import EngineFailure, EnginePlayer

MAX_REASON = 500  # characters


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Who could not go on, and why."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended; `end` is the phase of the finished game, "forfeit", or "void" if it could not be played."""

    job: Job
    end: str
    shares: tuple[float, ...] = ()  # of the win, 1 in all          [seat]
    places: tuple[int, ...] = ()  # 1 for the best, level ones share  [seat]
    points: tuple[int, ...] = ()  # [seat]
    rounds: int = 0
    forfeit: Forfeit | None = None
    record: str | None = None
    luck: tuple[float, ...] = ()  # what the cards that came were worth, if the conditions ask for it  [seat]
    void_reason: str = ""

    @property
    def is_void(self) -> bool:
        """Was the game given up without a result?"""
        return self.end == "void"

    def share_of(self, entrant: int) -> float:
        """The share of the win of somebody who played."""
        return self.shares[self.job.entrants.index(entrant)]

    def adjusted_share_of(self, entrant: int) -> float:
        """The same less the luck of the cards that came."""
        seat = self.job.entrants.index(entrant)
        return self.shares[seat] - self.luck[seat]

    def place_of(self, entrant: int) -> int:
        """The place of somebody who played."""
        return self.places[self.job.entrants.index(entrant)]


class PlayerFailed(Exception):
    """A player could not make its move; the message says why."""


@dataclass(slots=True)
class Lineup:
    """Seats players. An external engine keeps its seat from game to game, so that it starts once.

    One program never sits twice at a table: it would see two hands.
    """

    _engines: dict[tuple[str, int], EnginePlayer] = field(default_factory=dict)

    def player(self, job: Job, seat: int) -> Player:
        """The player of a seat, ready for a new game."""
        spec, seed = job.players[seat], job.player_seeds[seat]
        if not spec.startswith("engine:"):
            return load(spec, seed=seed)
        engine = self._engines.get((spec, seat))
        if engine is None:
            engine = self._engines[spec, seat] = EnginePlayer(spec.removeprefix("engine:"))
        engine.limits = job.conditions.limits
        engine.new_game(seed)
        return engine

    def close(self) -> None:
        """End all engines."""
        for engine in self._engines.values():
            engine.close()
        self._engines.clear()


def play_job(job: Job, lineup: Lineup) -> GameResult:
    """Play the game of a job to its end, or until a player fails."""
    game = Game(len(job.players), seed=job.seed, round_cap=job.conditions.round_cap)
    players: list[Player] = []
    forfeit = None
    try:
        for seat in range(game.players):
            players.append(_seated(job, seat, lineup))
        while not game.is_over:
            _take_turn(game, players[game.seat])
    except PlayerFailed as failure:
        reason = " ".join(str(failure).split())[:MAX_REASON]
        forfeit = Forfeit(game.seat if len(players) == game.players else len(players), _printable(reason))
    return _result(job, game, forfeit)


def _seated(job: Job, seat: int, lineup: Lineup) -> Player:
    try:
        return lineup.player(job, seat)
    except Exception as error:
        raise PlayerFailed(f"{type(error).__name__}: {error}") from error


def _take_turn(game: Game, player: Player) -> None:
    try:
        game.play(player.choose(game.view(game.seat)))
    except EngineFailure as error:
        raise PlayerFailed(str(error)) from error
    except Exception as error:
        raise PlayerFailed(f"{type(error).__name__}: {error}") from error


def _result(job: Job, game: Game, forfeit: Forfeit | None) -> GameResult:
    seats = range(game.players)
    if forfeit is None:
        places, end, shares = game.placement, game.phase, game.win_shares
    else:
        places, end = tuple(2 if seat == forfeit.seat else 1 for seat in seats), "forfeit"
        shares = tuple(0.0 if seat == forfeit.seat else 1 / (game.players - 1) for seat in seats)
    return GameResult(
        job=job,
        end=end,
        shares=shares,
        places=places,
        points=game.points,
        rounds=game.round,
        forfeit=forfeit,
        record=_record(job, game, forfeit) if job.conditions.keep_records else None,
        luck=luck_of(game, package_value()) if job.conditions.adjusted else (),
    )


def _record(job: Job, game: Game, forfeit: Forfeit | None) -> str:
    """The game as text, with all that is needed to play it again."""
    game.tag("Number", str(job.number))
    for seat, player in enumerate(job.players):
        game.tag(f"Seat{seat}", _printable(player))
        game.tag(f"Seed{seat}", str(job.player_seeds[seat]))
    if forfeit is not None:
        game.tag("Forfeit", f"seat {forfeit.seat}: {forfeit.reason}")
    return game.record()


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)
