"""What workers do for reviews and evaluations: the analysis itself, and how its results are told and packed.

A review is made in slices, so that those of many visitors grow side by side. A slice goes on from what the last one
has found.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from threading import Event, Timer
from typing import NamedTuple

from splendor.analysis import Review, evaluate, review
from splendor.analysis.model import Effort, TurnReview
from splendor.analysis.reviewer import NotReviewable
from splendor.game.game import Game, IllegalRecord
from splendor.game.moves import IllegalMove
from splendor.notation import NotationError
from splendor.server import messages as m
from splendor.server.refusal import RequestRefused

SLICE_SECONDS = 8.0
MOST_TEXT = 50_000  # signs of a record that is kept: many times a real game, so that nobody fills the disk
PACKING = 5  # nearly as small as the best, in a fraction of the time


class Growth(NamedTuple):
    """A review has grown: the line for whoever follows it, and the whole of it."""

    line: str  # a ReviewGrowth
    body: bytes  # the review as JSON, packed by gzip
    done: int
    total: int


def pack(text: str) -> bytes:
    """JSON as it is stored and sent."""
    return gzip.compress(text.encode(), PACKING, mtime=0)


def check(record: str) -> str:
    """The same record as this program writes it; raises RequestRefused if it is none that can be reviewed."""
    try:
        game = Game.from_record(record)
        review(game, "curve")
    except NotationError as error:
        raise RequestRefused("bad_record", line=error.line, column=error.column) from None
    except (IllegalRecord, NotReviewable) as error:
        raise RequestRefused("not_reviewable", why=error.code, **error.params) from None
    text = game.record()
    if len(text) > MOST_TEXT:
        raise RequestRefused("not_reviewable", why="comments", signs=len(text), most=MOST_TEXT)
    return text


def last_position(record: str) -> str:
    """Where a record ends."""
    return Game.from_record(record).position


def study(record: str, effort: Effort, body: bytes | None, *, tell: Callable[[Growth], None]) -> Growth:
    """Go on with a review for a while; returns all of it so far."""
    seen: dict[int, TurnReview] = {}

    def growth(found: Review) -> Growth:
        fresh = [turn for turn in found.turns if seen.get(turn.number) != turn]
        seen.update((turn.number, turn) for turn in fresh)
        line = m.ReviewGrowth(
            effort=found.effort,
            turns=fresh,
            summary=list(found.summary),
            key_moments=list(found.key_moments),
            decided_by=found.decided_by,
            done=found.done,
            total=found.total,
        )
        return Growth(line.model_dump_json(), pack(found.model_dump_json()), found.done, found.total)

    def run(resume: Review | None) -> Review:
        return review(record, effort, resume=resume, stop=stop, progress=lambda found: tell(growth(found)))

    stop = Event()
    timer = Timer(SLICE_SECONDS, stop.set)
    timer.start()
    try:
        before = Review.from_json(gzip.decompress(body)) if body else None
        try:
            return growth(run(before))
        except ValueError:
            if before is None:
                raise
            return growth(run(None))  # it was made by another version
    finally:
        timer.cancel()


def look(position: str, effort: Effort, include: list[str], *, tell: Callable[[str], None]) -> str:
    """What each decision is worth in a position, told as it becomes clearer: lines of JSON."""
    try:
        found = evaluate(position, effort, include=include, progress=lambda so_far: tell(so_far.model_dump_json()))
    except IllegalMove as error:
        raise RequestRefused("illegal_move", reason=error.code, **error.params) from None
    return found.model_dump_json()
