"""Games from elsewhere, as from a browser without a connection, kept in an account: unrated, for its owner."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import PlainTextResponse, Response

from splendor.server import messages as m
from splendor.server.database.imports import MOST_OF_ONE, TooManyImports
from splendor.server.labor.kinds import QUICK
from splendor.server.refusal import RequestRefused
from splendor.server.routes.account import need_registered
from splendor.server.routes.callers import Owning, Reading, Serving
from splendor.server.tables.imported import read_import

router = APIRouter(prefix="/api", tags=["imports"])


@router.post("/imports", status_code=201)
async def keep(wish: m.RecordToKeep, caller: Owning, service: Serving) -> m.ImportedGame:
    """Keep a finished game from elsewhere in the caller's account. One that is kept already is kept once."""
    need_registered(caller)
    service.limits.spend("import", caller.visitor)
    found = await service.labor.run(QUICK, caller.asker, read_import, wish.record)
    try:
        return await service.imports.keep(caller.person.id, found, service.sources.now())
    except TooManyImports:
        raise RequestRefused("too_many_imports", most=MOST_OF_ONE) from None


@router.get("/imports")
async def kept(caller: Reading, service: Serving) -> list[m.ImportedGame]:
    """The games from elsewhere in the caller's account, the newest first. Nobody else sees them."""
    return await service.imports.of(caller.person.id)


@router.get("/imports/{game}/record", response_class=PlainTextResponse)
async def record(game: m.TableId, caller: Reading, service: Serving) -> Response:
    """The game file of one of them."""
    text = await service.imports.record(caller.person.id, game)
    if text is None:
        raise RequestRefused("not_found")
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="splendor-{game}.txt"'})


@router.delete("/imports/{game}", status_code=204)
async def remove(game: m.TableId, caller: Owning, service: Serving) -> None:
    """Forget one of them."""
    if not await service.imports.remove(caller.person.id, game):
        raise RequestRefused("not_found")
