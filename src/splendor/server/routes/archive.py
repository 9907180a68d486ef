"""Finished games, players and ratings."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from splendor.game import Game
from splendor.server import export, names, records
from splendor.server import messages as m
from splendor.server.access import Calling, Serving, caller_of
from splendor.server.database.people import person_of
from splendor.server.refusal import Refused
from splendor.server.routes.encoding import PackedRoute
from splendor.server.routes.library import Reveal, Viewer
from splendor.server.service import Service

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
        raise Refused("no_such_person")
    return account.id


async def record_text(service: Service, game: str) -> str:
    text = await service.archive.record(game)
    if text is None:
        raise Refused("not_found")
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
    person = None if player is None else await person_id(service, player)
    found = await service.archive.finished(
        person, players, before, with_private=person is not None and person == caller.id
    )
    return m.Archive(games=found, before=found[-1].id if found else None)


@router.get("/games/{game}")
async def game(game: m.TableId, service: Serving) -> m.ArchivedGame:
    """One finished game."""
    found = await service.archive.game(game)
    if found is None:
        raise Refused("not_found")
    return found


@router.get("/games/{game}/record", response_class=PlainTextResponse)
async def record(game: m.TableId, service: Serving, format: Literal["text", "json"] = "text") -> Response:
    """The game file, with the secrets of its deal."""
    text = await record_text(service, game)
    if format == "json":
        return Response(Game.from_record(text).record(as_json=True), media_type="application/json")
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="splendor-{game}.txt"'})


@router.get("/games/{game}/replay")
async def replay(
    game: m.TableId, caller: Calling, service: Serving, viewer: Viewer = None, reveal: Reveal = True
) -> m.Replay:
    """A finished game step by step."""
    service.limits.spend("analysis", caller.id or caller.address)
    text = await record_text(service, game)
    try:
        shown = records.replay(text, viewer, reveal=reveal and viewer is None)
    except ValueError:
        raise Refused("no_such_seat", seat=viewer) from None
    table = (await service.hub.find(game)).table
    return shown.model_copy(update={"result": table.result})


@router.get("/games/{game}/verify")
async def verify(game: m.TableId, caller: Calling, service: Serving) -> m.Verdict:
    """Does the deal follow from the secrets? Anyone can repeat this with `splendor verify`."""
    service.limits.spend("analysis", caller.id or caller.address)
    return records.verify(await record_text(service, game))


@router.get("/people/{player}")
async def profile(player: Annotated[str, Path(max_length=64)], service: Serving) -> m.Profile:
    """A player with ratings."""
    id = await person_id(service, player)
    account = await service.people.by_id(id)
    person = account.person if account else person_of(id, None, True)
    return m.Profile(person=person, ratings=await service.archive.ratings_of(id))


@router.get("/leaderboard")
async def leaderboard(service: Serving, players: Players = 2) -> m.Leaderboard:
    """The best players at tables of one size, computers among them."""
    return m.Leaderboard(players=players, lines=await service.archive.leaderboard(players))


@router.get(
    "/export.jsonl.zst",
    response_class=Response,
    responses={
        200: {"description": "all public finished games, one on each line", "content": {"application/zstd": {}}}
    },
)
async def everything(caller: Calling, service: Serving) -> StreamingResponse:
    """All public finished games as one compressed file."""
    service.limits.spend("account", caller.address)

    async def pieces() -> AsyncIterator[bytes]:
        async for piece in export.compressed_lines(service.archive.all_finished(with_private=False)):
            yield piece

    return StreamingResponse(pieces(), media_type="application/zstd")
