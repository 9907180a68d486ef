"""What is due when at one's games by days: as a list, and as a calendar with a secret address."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from splendor.server import messages as m
from splendor.server.live.service import Service
from splendor.server.pictures.captions import names_at, said
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Calling, Owning, Reading, Serving
from splendor.server.routes.sharing import Language, origin_of
from splendor.server.tables.calendar import Due, calendar_of
from splendor.server.tables.table import OnlineTable

router = APIRouter(prefix="/api/calendar", tags=["calendar"])

SECRET_BYTES = 24
Secret = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{32}$")]


async def running(service: Service, person: str) -> list[tuple[float, OnlineTable]]:
    """The games by days of a person that run, with the time until which a move is due, the first one first."""
    found = []
    for id in await service.archive.tables_of(person):
        table = await service.hub.table(id)
        until = table.flag_falls if table.status == "live" and table.made.clock.kind == "days" else None
        if until is not None:
            found.append((until, table))
    return sorted(found, key=lambda due: (due[0], due[1].id))


@router.get("")
async def calendar(caller: Reading, service: Serving) -> m.Calendar:
    """One's running games by days, and whether there is an address for calendars."""
    person = caller.person.id
    entries = [
        m.CalendarEntry(
            table=table.id,
            until=until,
            seats=[seat.person for seat in table.seats],
            to_move=int(table.to_move or 0),
            your_turn=table.to_move in table.seats_of(person),
        )
        for until, table in await running(service, person)
    ]
    return m.Calendar(entries=entries, has_address=await service.people.has_calendar(person))


@router.post("", status_code=201)
async def make_address(request: Request, caller: Owning, service: Serving, lang: Language = "en") -> m.CalendarAddress:
    """A secret address at which a calendar finds this; it is shown this once. One of before is void."""
    service.limits.spend("manners", caller.person.id, caller.network)
    secret = secrets.token_urlsafe(SECRET_BYTES)
    await service.people.set_calendar(caller.person.id, secret)
    origin = origin_of(request, service.settings)
    return m.CalendarAddress(address=f"{origin}/api/calendar/{secret}.ics?lang={lang}")


@router.delete("", status_code=204)
async def revoke_address(caller: Owning, service: Serving) -> None:
    """The address is void."""
    await service.people.set_calendar(caller.person.id, None)


@router.get("/{secret}.ics", response_class=Response, responses={200: {"content": {"text/calendar": {}}}})
async def feed(
    secret: Secret, request: Request, caller: Calling, service: Serving, lang: Annotated[Language, Query()] = "en"
) -> Response:
    """The calendar of whose address this is."""
    service.limits.spend("analysis", caller.network)
    person = await service.people.by_calendar(secret)
    if person is None:
        raise RequestRefused("not_found")
    origin = origin_of(request, service.settings)
    dues = []
    for until, table in await running(service, person):
        names, mine = names_at(table, lang), table.seats_of(person)
        seat = int(table.to_move or 0)
        others = ", ".join(name for n, name in enumerate(names) if n not in mine)
        summary = (
            said(lang, "link.due_you", names=others) if seat in mine else said(lang, "link.due_other", name=names[seat])
        )
        dues.append(Due(table.id, until, summary, f"{origin}/t/{table.id}"))
    return Response(calendar_of(dues, "Splendor", service.sources.now()), media_type="text/calendar")
