"""Who may keep a seat for the caller, and who is to keep away.

An invitation itself is turned down by the command `decline`.
"""

from __future__ import annotations

from fastapi import APIRouter

from splendor.server import messages as m
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Owning, Serving

router = APIRouter(prefix="/api", tags=["invitations"])


@router.post("/account/invitations", status_code=204)
async def choose_inviters(wish: m.WhoInvites, caller: Owning, service: Serving) -> None:
    """Say who may invite you: everyone, people with an account, or nobody."""
    await service.people.change(caller.person.id, invitations=wish.invitations)


@router.get("/blocks")
async def blocks(caller: Owning, service: Serving) -> list[m.Person]:
    """Whom you have blocked."""
    return await service.invitations.blocked(caller.person.id)


@router.post("/blocks", status_code=204)
async def block(wish: m.WhoIsMeant, caller: Owning, service: Serving) -> None:
    """Let somebody invite you no more; neither of you hears at a table what the other says or writes."""
    service.limits.spend("manners", caller.person.id, caller.network)
    if wish.person == caller.person.id or await service.people.by_id(wish.person) is None:
        raise RequestRefused("no_such_person")
    if not await service.invitations.block(caller.person.id, wish.person, service.sources.now()):
        raise RequestRefused("too_many_blocked")
    await service.hub.chatting.refresh(caller.person.id)


@router.delete("/blocks/{person}", status_code=204)
async def unblock(person: m.TableId, caller: Owning, service: Serving) -> None:
    """Let somebody invite you and talk to you again."""
    if not await service.invitations.unblock(caller.person.id, person):
        raise RequestRefused("not_found")
    await service.hub.chatting.refresh(caller.person.id)
