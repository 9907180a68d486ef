"""A disk that is full, and has room again: nothing is lost, everyone is told, and every game goes on."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from processes import misbehaving
from server.clients import Client, new_key
from server.process import Server

pytestmark = pytest.mark.compiled_only


@contextlib.contextmanager
def full_disk(server: Server) -> Iterator[None]:
    """The system lets the server write to no file."""
    assert server.process is not None
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


async def until_healthz(client: Client, status: int) -> None:
    while (await client.http.get("/healthz")).status_code != status:
        await asyncio.sleep(0.1)


async def test_a_computer_whose_move_could_not_be_stored_moves_when_the_disk_has_room(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    with Server(tmp_path, engines=f"slow={misbehaving('waits', str(ready))}", computers=1, grace=3600) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            table = (await ann.make("me", {"kind": "computer", "level": "slow"}))["id"]
            await ann.play_first(table)
            with full_disk(server):
                takeback = {"type": "ask_takeback", "key": new_key()}
                reply = await ann.http.post(f"/api/tables/{table}/commands", json=takeback)
                assert (reply.status_code, reply.json()["error"]["code"]) == (503, "busy")
                ready.touch()
                await until_healthz(ann, 503)
                assert (await ann.look(table))["board"]["turn"] == 1
            async with await ann.socket(table) as socket:
                await socket.until_table(lambda t: t["board"]["turn"] == 2)
            await until_healthz(ann, 200)


async def test_a_move_that_cannot_be_stored_is_refused_as_busy_and_played_when_sent_again(tmp_path: Path) -> None:
    with Server(tmp_path, grace=3600) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            table = (await ann.make("me", {"kind": "device"}))["id"]
            async with await ann.socket(table) as socket:
                move = socket.table["moves"][0]["text"]
                with full_disk(server):
                    key = await socket.send("play", move=move)
                    refused = await socket.until(lambda message: message.get("key") == key)
                    assert (refused["type"], refused["error"]["code"]) == ("refused", "busy")
                await socket.send("play", key=key, move=move)
                done = await socket.until(lambda message: message.get("key") == key)
                assert done["type"] == "done"
                await socket.until_table(lambda t: t["board"]["turn"] == 1)
