"""Free chat, beside what is written by the socket: turned on and off for an account, and lines reported."""

from __future__ import annotations

from fastapi import APIRouter

from splendor.server import messages as m
from splendor.server.database.reports import TooManyReports
from splendor.server.logs import note
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Owning, Serving

router = APIRouter(prefix="/api", tags=["chat"])


@router.post("/account/chat", status_code=204)
async def choose_chat(wish: m.ChatWish, caller: Owning, service: Serving) -> None:
    """Say whether others with an account may ask to write with you, and you them. It is off at first."""
    account = caller.need().account
    service.limits.spend("manners", account.id)
    if not account.is_registered or account.is_computer:
        raise RequestRefused("chat_needs_account")
    await service.people.change(account.id, chat=wish.chat)
    await service.hub.chatting.refresh(account.id)


@router.post("/reports", status_code=204)
async def report(wish: m.NewReport, caller: Owning, service: Serving) -> None:
    """Show a line that you were sent to the operator, with the lines of you two before it."""
    person = caller.person.id
    service.limits.spend("report", person)
    line = await service.chats.line(wish.line)
    if line is None or person not in line.readers:
        raise RequestRefused("not_found")
    before = [one for one in await service.chats.lines(line.game, person) if one.at < line.at]
    try:
        await service.reports.add(person, line, before, wish.reason, service.sources.now())
    except TooManyReports:
        raise RequestRefused("too_many_reports") from None
    service.metrics.reports.inc()
    note("line reported", person=person)
