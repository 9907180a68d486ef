"""The WebSocket of a table, for people: updates one way, commands the other.

The query says which version was seen last; the first message brings what was missed. Every message that comes in
is answered, and what is not understood is refused and changes nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from splendor.server import messages as m
from splendor.server.database.connect import STORAGE_ERRORS
from splendor.server.live.outbox import SEND_NOW, Goodbye, Outbox
from splendor.server.live.service import Service
from splendor.server.logs import logger
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Caller, Serving, caller_of, looking
from splendor.server.routes.tables import beat, carry_out, table_texts

router = APIRouter()

LARGEST_MESSAGE = 4096  # bytes
SEND_SECONDS = 20.0  # for a message to leave; then the reader is gone
GOODBYE_SECONDS = 2.0  # for the last words
CLOSE_CODES: dict[Goodbye, int] = {"shutdown": 1012, "slow": 1013, "revoked": 1008, "flood": 1008}
FLOOD = 50  # refused messages, more than others


@router.websocket("/api/tables/{table}/socket")
async def socket(
    websocket: WebSocket,
    table: m.TableId,
    service: Serving,
    since: Annotated[int | None, Query(ge=0, le=10_000_000)] = None,
) -> None:
    """Look at a table, and play if one has a seat."""
    try:
        caller = await looking(await caller_of(websocket, service))
        give_back = service.places.take(caller.asker)
    except RequestRefused as refusal:
        await websocket.close(1008, refusal.code)
        return
    try:
        await converse(websocket, service, table, caller, since)
    except RequestRefused as refusal:
        await websocket.close(1008, refusal.code)
    finally:
        give_back()


async def converse(websocket: WebSocket, service: Service, table: str, caller: Caller, since: int | None) -> None:
    """Updates one way, commands the other, until one of the two ends it; raises RequestRefused before it begins."""
    outbox = Outbox(caller.eyes, caller.credential, caller.until, has_chat=caller.has_chat)
    live = await service.hub.subscribe(table, outbox, since)
    sender: asyncio.Task[None] | None = None
    try:
        await websocket.accept()
        outbox.send_now = at_once(websocket, service, outbox)
        sender = asyncio.create_task(send(websocket, service, outbox, table))
        await receive(websocket, service, outbox, table, caller)
        if outbox.goodbye is not None:
            await asyncio.wait([sender], timeout=GOODBYE_SECONDS)
    except WebSocketDisconnect:
        pass
    finally:
        if sender is not None:
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sender
        await service.hub.unsubscribe(live, outbox)


def at_once(websocket: WebSocket, service: Service, outbox: Outbox) -> Callable[[str], bool] | None:
    """The way to send without waiting, as long as the caller may look on; None where the server has none."""
    send_now: Callable[[str], bool] | None = websocket.scope.get("extensions", {}).get(SEND_NOW)
    if send_now is None:
        return None
    return lambda text: service.sources.now() <= outbox.until and send_now(text)


async def send(websocket: WebSocket, service: Service, outbox: Outbox, table: str) -> None:
    """Send what is in the outbox, and close at its end. A reader who takes nothing is given up."""
    try:
        async for text in table_texts(service, outbox, table):
            async with asyncio.timeout(SEND_SECONDS):
                await websocket.send_text(text)
        await websocket.close(CLOSE_CODES[outbox.goodbye or "shutdown"])
    except TimeoutError:
        with contextlib.suppress(RuntimeError):
            await websocket.close(CLOSE_CODES["slow"])
    except (WebSocketDisconnect, RuntimeError):
        pass  # it is gone


async def receive(websocket: WebSocket, service: Service, outbox: Outbox, table: str, caller: Caller) -> None:
    """Answer every message until the connection ends."""
    refusals = 0
    while outbox.goodbye is None:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        if service.sources.now() > outbox.until:
            outbox.close("revoked")
            return
        text = message.get("text")
        reply = await answer(service, table, caller, text)
        refusals = refusals + 1 if isinstance(reply, m.Refused) else max(refusals - 1, 0)
        if refusals >= FLOOD:
            outbox.close("flood")
            return
        outbox.push(reply if isinstance(reply, str) else reply.model_dump_json())


async def answer(service: Service, table: str, caller: Caller, text: str | None) -> m.Message | str:
    """The reply to one message."""
    key = None
    try:
        service.limits.spend("message", caller.visitor, caller.network)
        if text is None or len(text) > LARGEST_MESSAGE:
            raise RequestRefused("too_large", bytes=LARGEST_MESSAGE)
        try:
            wish = m.client_message.validate_json(text)
        except ValidationError as error:
            raise RequestRefused("invalid", problems=problems(error)) from None
        if isinstance(wish, m.Ping):
            return beat(service)
        key = wish.key
        return await carry_out(service, table, caller, wish)
    except RequestRefused as refusal:
        return m.Refused(key=key, error=m.Problem(code=refusal.code, params=refusal.params))
    except STORAGE_ERRORS as error:
        logger.error("the database failed", extra={"error": type(error).__name__})
        return m.Refused(key=key, error=m.Problem(code="busy", params={}))


def problems(error: ValidationError) -> list[dict[str, str]]:
    """Where a message is wrong, without repeating what it said."""
    return [
        {"where": ".".join(str(part) for part in problem["loc"])[:100], "problem": problem["type"]}
        for problem in error.errors(include_url=False, include_input=False, include_context=False)[:5]
    ]
