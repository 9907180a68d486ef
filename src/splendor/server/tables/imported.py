"""A finished game from elsewhere: read from its game file, and told in short. Nothing in it is vouched for."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import NamedTuple, get_args

from splendor.game import showing
from splendor.game.game import Game
from splendor.game.shown import Reason
from splendor.notation import format_record, parse_record
from splendor.notation.records import Turn
from splendor.server import messages as m
from splendor.server.refusal import RequestRefused
from splendor.server.tables.questions import check

LONGEST_TAG = 64  # of a name, an id or a date, as it is listed
FORFEITS = ("resignation", "time", "abandoned")  # how a game ends before its end


class FoundGame(NamedTuple):
    """What a game file says."""

    digest: str  # of the deal and the moves alone: the same game with other names or comments has the same
    record: str  # as this program writes it
    origin: str | None  # the id of the table where it was played
    date: str | None
    turns: int
    reason: str
    seats: list[m.ImportedSeat]


def read_import(text: str) -> FoundGame:
    """A finished game out of a game file; raises RequestRefused."""
    players = check(text)
    try:
        game = Game.from_record(text)
    except ValueError:
        raise RequestRefused("illegal_record") from None
    ended = showing.result(game.state) or forfeited(game)
    record = game.record()
    if len(record) > m.MOST_IMPORTED:
        raise RequestRefused("too_long")
    return FoundGame(
        digest=digest_of(record),
        record=record,
        origin=short(game.tags.get("Table")),
        date=short(game.tags.get("Date")),
        turns=len(game.turns),
        reason=ended.reason,
        seats=[
            m.ImportedSeat(
                name=short(game.tags.get(f"Seat{seat}")), points=ended.points[seat], has_won=seat in ended.winners
            )
            for seat in range(players)
        ],
    )


def forfeited(game: Game) -> m.Result:
    """How a game ended that somebody gave up, as its tags say; raises RequestRefused for one that goes on."""
    reason = next((one for one in get_args(Reason) if one == game.tags.get("Termination") and one in FORFEITS), None)
    winners = game.tags.get("Winners", "").split(",")
    seats = [str(seat) for seat in range(game.players)]
    if reason is None or not set(winners) <= set(seats):
        raise RequestRefused("not_over")
    return replace(showing.standing(game.state, reason), winners=[int(seat) for seat in winners])


def digest_of(record: str) -> str:
    """By what the same game is known again."""
    read = parse_record(record)
    bare = replace(read, tags={}, turns=[Turn(turn.move, turn.drawn) for turn in read.turns])
    return hashlib.sha256(format_record(bare).encode()).hexdigest()


def short(text: str | None) -> str | None:
    return None if text is None else text[:LONGEST_TAG]
