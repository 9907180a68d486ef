"""Tables: making, finding, joining, playing; for programs also as streams of ndjson."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from splendor.notation.json import JsonObject
from splendor.server import messages as m
from splendor.server.live.outbox import Outbox, Resync
from splendor.server.live.seating import plan_seats
from splendor.server.live.service import Service
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Caller, Creating, Looking, Playing, Reading, Serving, caller_of
from splendor.server.routes.callers import Scope as Grant
from splendor.server.tables.table import OnlineTable

router = APIRouter(prefix="/api", tags=["tables"])

MOST_TABLES = 20  # unfinished ones of one person
NDJSON = "application/x-ndjson"
SOCIAL = (m.AskTakeback, m.AnswerTakeback, m.Vote, m.Decline, m.Leave, m.Fill, m.Empty, m.Rematch, m.Abort, m.AllowChat)
SCOPES: dict[type[m.Message], Grant] = {  # needed beside the one to play; no token has that of an account
    m.Consider: "read",
    m.Rematch: "create",
    m.AllowChat: "account",
    m.Write: "account",
}


def stream_of(model: str, description: str) -> dict[int | str, JsonObject]:
    """How a stream stands in the OpenAPI document."""
    schema = {"$ref": f"#/components/schemas/{model}"}
    return {200: {"description": description, "content": {NDJSON: {"schema": schema}}}}


def people_at(table: OnlineTable) -> list[m.Person | None]:
    return [seat.person for seat in table.seats]


def spend_for(service: Service, table: str, caller: Caller, command: m.Deed) -> None:
    """Count a command against its limit."""
    if isinstance(command, m.Write):
        service.limits.spend("chat", caller.person.id)
        service.limits.spend("chat_table", f"{caller.person.id} {table}")
        return
    kind = "talk" if isinstance(command, m.Say) else "manners" if isinstance(command, SOCIAL) else "command"
    service.limits.spend(kind, caller.person.id, caller.network)


async def carry_out(
    service: Service, table: str, caller: Caller, wish: m.Deed
) -> m.Done | m.Continuations | m.RematchReady:
    """Do what the caller wants at a table. Who may not read learns of a move only that it is not legal."""
    person = caller.need("play").account.person
    if type(wish) in SCOPES:
        caller.need(SCOPES[type(wish)])
    spend_for(service, table, caller, wish)
    if isinstance(wish, m.Rematch):
        await need_welcome(service, table, person.id)
    try:
        return await service.hub.command(table, person, wish, caller.network)
    except RequestRefused as refusal:
        if refusal.code == "illegal_move" and caller.eyes is None:
            raise RequestRefused("illegal_move") from None
        raise


async def need_welcome(service: Service, table: str, person: str) -> None:
    """A rematch keeps seats for the others: none of them may have blocked whoever asks. Raises RequestRefused."""
    for seat in (await service.hub.table(table)).seats:
        if seat.player and not seat.player.level and await service.invitations.is_blocked(person, by=seat.player.id):
            raise RequestRefused("cannot_invite")


@router.get("/lobby", dependencies=[Depends(caller_of)])
async def lobby(service: Serving) -> m.Lobby:
    """Public tables: with an open seat, and those that can be watched."""
    return m.Lobby(open=await public_tables(service, "open"), live=await public_tables(service, "live"))


async def public_tables(service: Service, status: Literal["open", "live"]) -> list[m.LobbyTable]:
    shown = []
    for id in await service.archive.public_tables(status):
        table = await service.hub.table(id)
        if table.status == status and (status == "open" or table.made.spectators):
            made, seats = table.made, people_at(table)
            shown.append(
                m.LobbyTable(
                    id=id, status=status, seats=seats, clock=made.clock, created=table.created, pairing=made.pairing
                )
            )
    return shown


@router.post("/tables", status_code=201)
async def make_table(wish: m.NewTable, caller: Creating, service: Serving) -> m.Table:
    """Make a table. If nobody has to come first, the game begins at once."""
    service.limits.spend("table", caller.person.id)
    service.limits.spend("table", caller.network)
    await need_room_for_tables(service, caller.person.id)
    host, levels = caller.need().account, list(service.hub.levels)
    plans = await plan_seats(wish, host, levels, service.people, service.invitations)
    table = await service.hub.create(wish, plans)
    return await service.hub.glance(table.id, caller.eyes)


@router.post("/pairings")
async def find_game(wish: m.Seek, caller: Creating, service: Serving) -> m.Table:
    """A table with whoever else looks for such a game; the command `leave` ends the search, and so does going away."""
    service.limits.spend("pairing", caller.person.id, caller.network)
    await need_room_for_tables(service, caller.person.id)
    table = await service.hub.tasks.undisturbed(service.pairing.seek(caller.person, wish, caller.network))
    return await service.hub.glance(table.id, caller.eyes)


async def need_room_for_tables(service: Service, person: str) -> None:
    """Nobody has too many tables at once; raises RequestRefused."""
    if service.settings.limits and len(await service.archive.tables_of(person)) >= MOST_TABLES:
        raise RequestRefused("too_many_tables", most=MOST_TABLES)


@router.get("/tables/mine")
async def own_tables(caller: Reading, service: Serving) -> list[m.OwnTable]:
    """Your tables that are not over, and those you are invited to."""
    person, own = caller.person.id, []
    for id in await service.archive.tables_of(person) + await service.invitations.waiting(person):
        table = await service.hub.table(id)
        if table.status in ("open", "dealing", "live"):
            is_seated = bool(table.seats_of(person))
            is_turn = table.to_move is not None and table.to_move in table.seats_of(person)
            host = None if is_seated else next((seat.person for seat in table.made.seats if seat.person), None)
            seats = people_at(table)
            own.append(m.OwnTable(id=id, status=table.status, seats=seats, your_turn=is_turn, invited_by=host))
    return own


@router.get("/tables/{table}")
async def look(table: m.TableId, caller: Looking, service: Serving) -> m.Table:
    """A table as you may see it."""
    return (await service.hub.look(table, caller.eyes)).table


@router.post("/tables/{table}/join")
async def join(table: m.TableId, wish: m.Join, caller: Playing, service: Serving) -> m.Table:
    """Take a seat; with nobody missing, the game begins."""
    service.limits.spend("table", caller.person.id)
    await service.hub.join(table, caller.person, wish)
    return await service.hub.glance(table, caller.eyes)


@router.post("/tables/{table}/commands")
async def command(table: m.TableId, wish: m.AnyCommand, caller: Playing, service: Serving) -> m.Answer:
    """Do something at a table: the same messages as on the socket. Sent twice with one key, it is done once."""
    return await carry_out(service, table, caller, wish)


@router.get("/tables/{table}/stream", responses=stream_of("ServerMessage", "one message on each line"))
async def table_stream(
    table: m.TableId,
    caller: Looking,
    service: Serving,
    since: Annotated[int | None, Query(ge=0, le=10_000_000)] = None,
) -> StreamingResponse:
    """Follow a table: `update`, `presence` and `beat` messages, one on each line."""
    give_back = service.places.take(caller.asker)
    outbox = Outbox(caller.eyes, caller.credential, caller.until)
    try:
        live = await service.hub.subscribe(table, outbox, since)
    except BaseException:
        give_back()
        raise

    def leave() -> None:
        give_back()
        service.hub.tasks.spawn(service.hub.unsubscribe(live, outbox))

    return Lines(table_texts(service, outbox, table), leave)


@router.get("/stream", responses=stream_of("PersonalMessage", "one message on each line"))
async def own_stream(caller: Reading, service: Serving) -> StreamingResponse:
    """Follow all your tables: invitations, games that begin and end, and when it is your turn."""
    person = caller.person.id
    give_back = service.places.take(caller.asker)
    outbox = Outbox(person, caller.credential, caller.until)
    await service.hub.follow(person, outbox)

    def leave() -> None:
        give_back()
        service.hub.tasks.spawn(service.hub.unfollow(person, outbox))

    async def lines() -> AsyncIterator[str]:
        for text in await own_news(service, person):  # what happened since `follow` may come twice, and is not missed
            yield text
        async for text in texts(service, outbox, lambda: own_news(service, person)):
            yield text

    return Lines(lines(), leave)


async def own_news(service: Service, person: str) -> list[str]:
    """How all tables of a person stand."""
    tables = await service.archive.tables_of(person) + await service.invitations.waiting(person)
    news = await service.hub.how_tables_stand(person, tables)
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
        with contextlib.suppress(RequestRefused):  # in the meantime it may have become closed to spectators
            update = (await service.hub.look(table, outbox.person)).model_dump_json()
            chat = await service.hub.chat_for(table, outbox)
            return [update] if chat is None else [update, chat]
        return []

    return texts(service, outbox, anew)


async def texts(service: Service, outbox: Outbox, anew: Callable[[], Awaitable[list[str]]]) -> AsyncIterator[str]:
    """What an outbox holds, as it comes: with heartbeats, and a goodbye at the end, or when a token or session is over.

    `anew` makes up for what was dropped because the reader was too slow.
    """
    while True:
        try:
            message = await outbox.next(service.settings.heartbeat)
        except TimeoutError:
            message = beat(service)
        if service.sources.now() > outbox.until:
            outbox.close("revoked")
            message = None
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
