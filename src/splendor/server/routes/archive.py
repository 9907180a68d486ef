"""Finished games, players and ratings."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from splendor.server import messages as m
from splendor.server.access import names
from splendor.server.database.people import person_of
from splendor.server.live.service import Service
from splendor.server.refusal import RequestRefused
from splendor.server.routes.answers import answered
from splendor.server.routes.callers import Calling, Serving, caller_of
from splendor.server.routes.encoding import PackedRoute
from splendor.server.routes.library import Reveal, Viewer, strengths
from splendor.server.tables import questions

router = APIRouter(prefix="/api", tags=["archive"], dependencies=[Depends(caller_of)], route_class=PackedRoute)

ID = re.compile(r"[A-Za-z0-9_-]{22}")
COMPUTER = re.compile(r"computer:[a-z0-9-]{1,32}")
Players = Annotated[int, Query(ge=2, le=4)]


async def person_id(service: Service, player: str) -> str:
    """A player by name, or a computer by `computer:LEVEL`, or anyone by id."""
    if COMPUTER.fullmatch(player):
        return player
    account = await service.people.by_name(names.key_of(player))
    if account is None and ID.fullmatch(player):
        account = await service.people.by_id(player)
    if account is None:
        raise RequestRefused("no_such_person")
    return account.id


async def record_text(service: Service, game: str) -> str:
    text = await service.archive.record(game)
    if text is None:
        raise RequestRefused("not_found")
    return text


@router.get("/games")
async def games(
    caller: Calling,
    service: Serving,
    player: Annotated[str | None, Query(min_length=1, max_length=64)] = None,
    players: Annotated[int | None, Query(ge=2, le=4)] = None,
    before: m.TableId | None = None,
) -> m.Archive:
    """Finished games, newest first; private ones are shown to their own players only.

    `before` is the last id of the page before.
    """
    service.limits.spend("list", caller.network)
    person = None if player is None else await person_id(service, player)
    found = await service.archive.finished(
        person, players, before, with_private=person is not None and person == caller.eyes
    )
    return m.Archive(games=found, before=found[-1].id if found else None)


@router.get("/games/{game}")
async def game(game: m.TableId, service: Serving) -> m.ArchivedGame:
    """One finished game."""
    found = await service.archive.game(game)
    if found is None:
        raise RequestRefused("not_found")
    return found


@router.get("/games/{game}/record", response_class=PlainTextResponse)
async def record(
    game: m.TableId, request: Request, caller: Calling, service: Serving, format: Literal["text", "json"] = "text"
) -> Response:
    """The game file, with the secrets of its deal."""
    text = await record_text(service, game)
    if format == "json":
        return await answered(request, service, caller, questions.asking(questions.as_json, text))
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="splendor-{game}.txt"'})


@router.get("/games/{game}/replay", response_model=m.Replay)
async def replay(
    game: m.TableId, request: Request, caller: Calling, service: Serving, viewer: Viewer = None, reveal: Reveal = True
) -> Response:
    """A finished game step by step."""
    text, table = await record_text(service, game), await service.hub.table(game)
    return await answered(
        request, service, caller, questions.asking(questions.replay, text, viewer, reveal, table.result)
    )


@router.get("/games/{game}/verify", response_model=m.Verdict)
async def verify(game: m.TableId, request: Request, caller: Calling, service: Serving) -> Response:
    """Does the deal follow from the secrets? Anyone can repeat this with `splendor verify`."""
    text = await record_text(service, game)
    return await answered(request, service, caller, questions.asking(questions.verify, text))


@router.get("/people/{player}")
async def profile(player: Annotated[str, Path(max_length=64)], caller: Calling, service: Serving) -> m.Profile:
    """A player with ratings."""
    service.limits.spend("list", caller.network)
    id = await person_id(service, player)
    account = await service.people.by_id(id)
    person = account.person if account else person_of(id)
    games, aborted = await service.archive.aborts_of(id)
    return m.Profile(person=person, ratings=(await service.archive.ratings_of(id))[id], games=games, aborted=aborted)


@router.get("/people/{player}/statistics", response_model=m.Statistics)
async def statistics(player: Annotated[str, Path(max_length=64)], caller: Calling, service: Serving) -> Response:
    """What the rated games of a player come to: shares of the win, streaks, favourites, ratings over time."""
    service.limits.spend("list", caller.network)
    id = await person_id(service, player)
    games, _ = await service.archive.aborts_of(id)
    body = service.profiles.find(id, games)
    if body is None:
        service.limits.spend("analysis", caller.visitor, caller.network)
        body = await service.profiles.make(id, games, caller.asker)
    return Response(body, media_type="application/json")


@router.get("/leaderboard")
async def leaderboard(
    caller: Calling, service: Serving, players: Players = 2, against: m.Pool = "people"
) -> m.Leaderboard:
    """The best players at tables of one size, among people or against computers, and the strength of the levels."""
    service.limits.spend("list", caller.network)
    lines = await service.archive.leaderboard(players, against)
    return m.Leaderboard(players=players, against=against, lines=lines, strength=strengths(players))


@router.get(
    "/export.jsonl.zst",
    response_class=Response,
    responses={
        200: {"description": "all public finished games, one on each line", "content": {"application/zstd": {}}}
    },
)
async def everything(caller: Calling, service: Serving) -> FileResponse:
    """All public finished games as one compressed file, made at most once in some minutes."""
    service.limits.spend("account", caller.network)
    return FileResponse(await service.export.file(), media_type="application/zstd")
