"""What anyone is shown is stored: while the disk is slow the table is as it was, and if it fails it stays so."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from splendor.server import messages as m
from splendor.server.access.limits import RateLimits
from splendor.server.config import Settings
from splendor.server.database.appending import Change
from splendor.server.database.chats import Chats
from splendor.server.database.connect import connect, migrate
from splendor.server.database.log_store import LogStore
from splendor.server.database.subscriptions import Subscriptions
from splendor.server.live.attendance import Attendance
from splendor.server.live.computers import Computers
from splendor.server.live.herald import Herald
from splendor.server.live.hub import Hub
from splendor.server.live.outbox import Outbox
from splendor.server.live.sources import Sources
from splendor.server.metrics import Metrics
from splendor.server.tables import log

pytestmark = pytest.mark.compiled_only

ANN, BEN = (m.Person(id=letter * 22, name=None, guest=n) for n, letter in enumerate("ab"))


class DiskFull(Exception):
    """What a disk may say."""


class SlowLogStore(LogStore):
    """Stores when it is let, or fails."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.asked, self.may_store = asyncio.Event(), asyncio.Event()
        self.may_store.set()
        self.is_full = False

    async def append(self, change: Change) -> None:
        self.asked.set()
        await self.may_store.wait()
        if self.is_full:
            raise DiskFull
        await super().append(change)


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[Hub]:
    """The tables of a server, over a database file."""
    settings = Settings(database=f"sqlite:///{tmp_path / 'splendor.db'}")
    engine = connect(settings.database)
    await migrate(engine)
    log_store, sources = SlowLogStore(engine), Sources()
    attendance, computers = Attendance(engine, "test", sources.now), Computers(0, 1.0)
    metrics = Metrics()
    herald = Herald(settings, Subscriptions(engine), metrics, RateLimits(0), sources.now)
    hub = Hub(settings, log_store, attendance, computers, metrics, sources, herald, Chats(engine))
    yield hub
    await hub.close()
    await log_store.close()
    await engine.dispose()


async def seat_two(hub: Hub) -> str:
    seats = [log.SeatPlan(kind="person", person=person) for person in (ANN, BEN)]
    wish = m.NewTable(seats=[m.SeatWish(kind="me"), m.SeatWish(kind="open")], order="chosen")
    return (await hub.create(wish, seats)).id


def slow(hub: Hub) -> SlowLogStore:
    log_store = hub.keeper.log_store
    assert isinstance(log_store, SlowLogStore)
    log_store.asked.clear()
    return log_store


def play(hub: Hub, id: str, move: m.MoveForm, key: str) -> asyncio.Task[object]:
    return asyncio.create_task(hub.command(id, ANN, m.Play(key=key, move=move.text)))


async def test_who_looks_while_a_move_is_being_stored_sees_the_table_without_it(hub: Hub) -> None:
    id = await seat_two(hub)
    before = await hub.look(id, ANN.id)
    log_store = slow(hub)
    log_store.may_store.clear()
    playing = play(hub, id, before.table.moves[0], "a" * 8)
    await log_store.asked.wait()

    table = await hub.table(id)  # as the lobby and the list of one's own tables look at it
    assert (table.version, table.turn, table.to_move) == (before.version, 0, 0)
    outbox = Outbox(BEN.id)
    async with asyncio.timeout(10):
        await hub.subscribe(id, outbox, None)  # nobody has to wait for the disk in order to look
        assert json.loads(str(await outbox.next(1)))["table"]["board"]["turn"] == 0
        assert (await hub.look(id, BEN.id)).version == before.version
    assert [stored.version for stored in await log_store.read(id)] == list(range(1, before.version + 1))

    log_store.may_store.set()
    await playing
    assert ((await hub.table(id)).turn, (await hub.table(id)).to_move) == (1, 1)
    assert json.loads(str(await outbox.next(1)))["type"] == "presence"
    update = json.loads(str(await outbox.next(1)))
    assert (update["version"], update["resync"]) == (before.version + 1, False)


async def test_a_move_that_could_not_be_stored_was_never_played(hub: Hub) -> None:
    id = await seat_two(hub)
    before = await hub.table(id)
    shown = await hub.look(id, ANN.id)
    log_store = slow(hub)
    log_store.is_full = True
    with pytest.raises(DiskFull):
        await play(hub, id, shown.table.moves[0], "a" * 8)
    assert await hub.table(id) is before

    log_store.is_full = False
    await play(hub, id, shown.table.moves[0], "a" * 8)
    assert (await hub.table(id)).turn == 1


async def test_a_table_that_could_not_be_stored_is_none(hub: Hub) -> None:
    slow(hub).is_full = True
    with pytest.raises(DiskFull):
        await seat_two(hub)
    assert hub.tables == []
