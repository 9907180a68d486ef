"""Reviews of finished games and of records from elsewhere, and evaluations of positions.

A review is for those who played and, after a public game, for everybody; never for a game that goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from splendor.analysis.model import Review
from splendor.server import messages as m
from splendor.server.database.reviews import Subject
from splendor.server.labor.kinds import QUICK
from splendor.server.live.reviewers import unpacked
from splendor.server.live.service import Service
from splendor.server.live.study import last_position
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Caller, Looking, Serving
from splendor.server.routes.encoding import accepted
from splendor.server.routes.library import insist_not_played
from splendor.server.routes.tables import NDJSON, stream_of
from splendor.server.tables.questions import read_position

router = APIRouter(prefix="/api", tags=["reviews"])


async def insist(service: Service, game: str, caller: Caller) -> Subject:
    """Only what this caller may see; raises RequestRefused."""
    subject = await service.reviewers.store.subject(game)
    if subject is None:
        raise RequestRefused("not_found")
    if not subject.is_public and caller.eyes not in subject.persons:
        raise RequestRefused("not_allowed")
    return subject


@router.post("/reviews")
async def bring(wish: m.RecordToReview, caller: Looking, service: Serving) -> m.ReviewStatus:
    """Review a record from elsewhere. Its id is known to you alone; the review is kept for 30 days."""
    service.limits.spend("analysis", caller.visitor, caller.network)
    try:
        end = await service.labor.run(QUICK, caller.asker, last_position, wish.record)
    except ValueError:
        end = None
    if end is not None:
        await insist_not_played(service, read_position(end))
    service.limits.spend("record", caller.network)
    return await service.reviewers.bring(wish.record, wish.effort, caller.asker)


@router.get("/reviews/{game}", response_model=Review)
async def read(game: m.TableId, request: Request, caller: Looking, service: Serving) -> Response:
    """A review, as far as it has come. Its id is that of the game."""
    await insist(service, game, caller)
    stored = await service.reviewers.find(game)
    assert stored.body is not None
    headers = {"vary": "accept-encoding", "cache-control": "no-store"}
    if "gzip" in accepted(request.headers.get("accept-encoding", "")):
        return Response(stored.body, headers=headers | {"content-encoding": "gzip"}, media_type="application/json")
    text = await asyncio.to_thread(unpacked, stored.body)
    return Response(text, headers=headers, media_type="application/json")


@router.get("/reviews/{game}/record", response_class=PlainTextResponse)
async def record(game: m.TableId, caller: Looking, service: Serving) -> Response:
    """The game file that is reviewed."""
    return PlainTextResponse((await insist(service, game, caller)).record)


@router.post("/reviews/{game}")
async def want(game: m.TableId, wish: m.ReviewWish, caller: Looking, service: Serving) -> m.ReviewStatus:
    """Have a finished game reviewed, or looked at more closely. Finished games get a quick review by themselves."""
    service.limits.spend("analysis", caller.visitor, caller.network)
    await insist(service, game, caller)
    return await service.reviewers.want(game, wish.effort, caller.asker)


@router.get("/reviews/{game}/stream", responses=stream_of("ReviewMessage", "one message on each line"))
async def follow(game: m.TableId, caller: Looking, service: Serving) -> StreamingResponse:
    """Read a review while it grows: `review`, then `growth`, and `end` when nothing more comes."""
    await insist(service, game, caller)
    return StreamingResponse(lines(lambda: service.reviewers.follow(game)), media_type=NDJSON)


@router.post("/evaluations/check", status_code=204)
async def check(wish: m.PositionToStudy, caller: Looking, service: Serving) -> None:
    """May this position be studied now? For a page that has an engine of its own; refused while people play it."""
    service.limits.spend("command", caller.visitor, caller.network)
    await insist_not_played(service, read_position(wish.position))


@router.post("/evaluations", responses=stream_of("Evaluation", "one evaluation on each line, the last is the best"))
async def evaluate(question: m.EvaluationQuestion, caller: Looking, service: Serving) -> StreamingResponse:
    """What each decision is worth in a position, told as it becomes clearer. It ends when you close the connection."""
    service.limits.spend("analysis", caller.visitor, caller.network)
    await insist_not_played(service, read_position(question.position))
    found = service.reviewers.evaluate(caller.asker, question)
    first = await anext(found)  # a refusal is an answer of its own
    return StreamingResponse(lines(lambda: found, first), media_type=NDJSON)


async def lines(made: Callable[[], AsyncIterator[str]], first: str | None = None) -> AsyncIterator[str]:
    """Texts as lines; however it ends, their maker ends too."""
    async with aclosing(made()) as texts:  # type: ignore[type-var]
        if first is not None:
            yield first + "\n"
        async for text in texts:
            yield text + "\n"
