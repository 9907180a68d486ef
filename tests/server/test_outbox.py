"""Outboxes: a reader who keeps up is sent to at once, one who is behind later; nothing overtakes anything."""

from __future__ import annotations

import asyncio

import pytest

from splendor.server.live.outbox import MOST, RESYNC, Outbox

pytestmark = pytest.mark.compiled_only


class Wire:
    """A connection that takes messages at once while it is free."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.is_free = True

    def send_now(self, text: str) -> bool:
        if self.is_free:
            self.sent.append(text)
        return self.is_free


async def test_a_message_goes_at_once_only_when_none_is_on_its_way() -> None:
    outbox, wire = Outbox(None), Wire()
    outbox.send_now = wire.send_now
    outbox.push("1")
    assert wire.sent == []  # nobody has begun to take messages, and what was pushed before comes first
    assert await outbox.next(1) == "1"
    outbox.push("2")
    assert wire.sent == []  # the first may still be on its way
    assert await outbox.next(1) == "2"
    taker = asyncio.create_task(outbox.next(5))
    await asyncio.sleep(0)
    outbox.push("3")
    assert wire.sent == ["3"]
    wire.is_free = False
    outbox.push("4")
    wire.is_free = True
    outbox.push("5")
    assert wire.sent == ["3"]
    assert await taker == "4"
    assert await outbox.next(1) == "5"


async def test_a_reader_who_is_too_far_behind_starts_anew() -> None:
    outbox, wire = Outbox(None), Wire()
    outbox.send_now = wire.send_now
    wire.is_free = False
    taker = asyncio.create_task(outbox.next(5))
    await asyncio.sleep(0)
    for number in range(MOST + 1):
        outbox.push(str(number))
    assert await taker is RESYNC
    assert wire.sent == []


async def test_after_a_goodbye_nothing_goes_past_what_waits() -> None:
    outbox, wire = Outbox(None), Wire()
    outbox.send_now = wire.send_now
    taker = asyncio.create_task(outbox.next(5))
    await asyncio.sleep(0)
    outbox.close("revoked")
    outbox.push("late")
    assert wire.sent == []
    assert await taker == "late"
    assert await outbox.next(1) is None


async def test_a_connection_is_quiet_only_if_nothing_was_sent_at_once_either() -> None:
    outbox, wire = Outbox(None), Wire()
    outbox.send_now = wire.send_now
    taker = asyncio.create_task(outbox.next(0.5))
    for _ in range(4):
        await asyncio.sleep(0.2)
        outbox.push("still here")
        assert not taker.done()
    with pytest.raises(TimeoutError):
        await taker
    assert len(wire.sent) == 4
