"""Tables: making, finding, joining, playing; for programs also as streams of ndjson."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from splendor.server import messages as m
from splendor.server.access import Calling, Creating, Playing, Reading, Serving, caller_of
from splendor.server.outbox import Outbox, Resync
from splendor.server.refusal import Refused
from splendor.server.seating import plan_seats
from splendor.server.service import Service
from splendor.server.table import OnlineTable

router = APIRouter(prefix="/api", tags=["tables"])

MOST_TABLES = 20  # unfinished ones of one person
NDJSON = "application/x-ndjson"
SOCIAL = (m.AskTakeback, m.AnswerTakeback, m.Vote, m.Leave, m.Rematch, m.Abort)


def stream_of(model: str, description: str) -> dict[int | str, dict[str, Any]]:
    """How a stream stands in the OpenAPI document."""
    schema = {"$ref": f"#/components/schemas/{model}"}
    return {200: {"description": description, "content": {NDJSON: {"schema": schema}}}}


def people_at(table: OnlineTable) -> list[m.Person | None]:
    return [seat.person for seat in table.seats]


def spend_for(service: Service, person: str, command: m.Command | m.Consider) -> None:
    """Count a command against its limit."""
    service.limits.spend("manners" if isinstance(command, SOCIAL) else "command", person)


@router.get("/lobby", dependencies=[Depends(caller_of)])
async def lobby(service: Serving) -> m.Lobby:
    """Public tables: with an open seat, and those that can be watched."""
    return m.Lobby(open=await public_tables(service, "open"), live=await public_tables(service, "live"))


async def public_tables(service: Service, status: Literal["open", "live"]) -> list[m.LobbyTable]:
    shown = []
    for id in await service.archive.public_tables(status):
        table = (await service.hub.find(id)).table
        if table.status == status and (status == "open" or table.made.spectators):
            clock, created = table.made.clock, table.created
            shown.append(m.LobbyTable(id=id, status=status, seats=people_at(table), clock=clock, created=created))
    return shown


@router.post("/tables", status_code=201)
async def make_table(wish: m.NewTable, caller: Creating, service: Serving) -> m.Table:
    """Make a table. If nobody has to come first, the game begins at once."""
    service.limits.spend("table", caller.person.id)
    service.limits.spend("table", caller.address)
    if service.settings.limits and len(await service.archive.tables_of(caller.person.id)) >= MOST_TABLES:
        raise Refused("too_many_tables", most=MOST_TABLES)
    plans = await plan_seats(wish, caller.person, list(service.hub.levels), service.people)
    table = await service.hub.create(caller.person, wish, plans)
    return (await service.hub.look(table.id, caller.id)).table


@router.get("/tables/mine")
async def own_tables(caller: Reading, service: Serving) -> list[m.OwnTable]:
    """Your tables that are not over, and those you are invited to."""
    own = []
    for id in await service.archive.tables_of(caller.person.id):
        table = (await service.hub.find(id)).table
        if table.status in ("open", "dealing", "live"):
            is_turn = table.to_move is not None and table.to_move in table.seats_of(caller.person.id)
            own.append(m.OwnTable(id=id, status=table.status, seats=people_at(table), your_turn=is_turn))
    return own


@router.get("/tables/{table}")
async def look(table: m.TableId, caller: Calling, service: Serving) -> m.Table:
    """A table as you may see it."""
    return (await service.hub.look(table, caller.id)).table


@router.post("/tables/{table}/join")
async def join(table: m.TableId, wish: m.Join, caller: Playing, service: Serving) -> m.Table:
    """Take a seat; with nobody missing, the game begins."""
    service.limits.spend("table", caller.person.id)
    await service.hub.join(table, caller.person, wish)
    return (await service.hub.look(table, caller.id)).table


@router.post("/tables/{table}/commands")
async def command(table: m.TableId, wish: m.AnyCommand, caller: Playing, service: Serving) -> m.Answer:
    """Do something at a table: the same messages as on the socket. Sent twice with one key, it is done once."""
    spend_for(service, caller.person.id, wish)
    return await service.hub.command(table, caller.person, wish)


@router.get("/tables/{table}/stream", responses=stream_of("ServerMessage", "one message on each line"))
async def table_stream(
    table: m.TableId,
    caller: Calling,
    service: Serving,
    since: Annotated[int | None, Query(ge=0, le=10_000_000)] = None,
) -> StreamingResponse:
    """Follow a table: `update`, `presence` and `beat` messages, one on each line."""
    signed_in = caller.signed_in
    if signed_in is not None:
        caller.need("read")
    credential = (signed_in.session or signed_in.token) if signed_in else None
    outbox = Outbox(caller.id, credential)
    live = await service.hub.subscribe(table, outbox, since)
    lines = table_texts(service, outbox, table)
    return Lines(lines, lambda: service.hub.tasks.spawn(service.hub.unsubscribe(live, outbox)))


@router.get("/stream", responses=stream_of("PersonalMessage", "one message on each line"))
async def own_stream(caller: Reading, service: Serving) -> StreamingResponse:
    """Follow all your tables: invitations, games that begin and end, and when it is your turn."""
    signed_in = caller.need("read")
    person = signed_in.account.id
    outbox = Outbox(person, signed_in.session or signed_in.token)
    await service.hub.follow(person, outbox)

    async def lines() -> AsyncIterator[str]:
        for text in await own_news(service, person):  # what happened since `follow` may come twice, and is not missed
            yield text
        async for text in texts(service, outbox, lambda: own_news(service, person)):
            yield text

    return Lines(lines(), lambda: service.hub.tasks.spawn(service.hub.unfollow(person, outbox)))


async def own_news(service: Service, person: str) -> list[str]:
    """How all tables of a person stand."""
    news = await service.hub.how_tables_stand(person, await service.archive.tables_of(person))
    return [message.model_dump_json() for message in news]


class Lines(StreamingResponse):
    """Messages, one on each line; at the end, however it comes, `leave` is called."""

    def __init__(self, texts: AsyncIterator[str], leave: Callable[[], None]) -> None:
        """`leave` must not wait: the connection is gone."""
        super().__init__((text + "\n" async for text in texts), media_type=NDJSON)
        self.leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until one of the two ends it, even if it never begins."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.leave()


def table_texts(service: Service, outbox: Outbox, table: str) -> AsyncIterator[str]:
    """What happens at a table, as it comes."""

    async def anew() -> list[str]:
        with contextlib.suppress(Refused):  # in the meantime it may have become closed to spectators
            return [(await service.hub.look(table, outbox.person)).model_dump_json()]
        return []

    return texts(service, outbox, anew)


async def texts(service: Service, outbox: Outbox, anew: Callable[[], Awaitable[list[str]]]) -> AsyncIterator[str]:
    """What an outbox holds, as it comes: with heartbeats, and a goodbye at the end.

    `anew` makes up for what was dropped because the reader was too slow.
    """
    while True:
        try:
            message = await outbox.next(service.settings.heartbeat)
        except TimeoutError:
            yield beat(service)
            continue
        if message is None:
            yield m.Bye(code=outbox.goodbye or "shutdown").model_dump_json()
            return
        if isinstance(message, Resync):
            service.metrics.resyncs.inc()
            for text in await anew():
                yield text
        else:
            yield message


def beat(service: Service) -> str:
    return m.Beat(at=service.sources.now(), build=service.build).model_dump_json()
