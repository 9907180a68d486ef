"""Computers as players: outside the event loop, limited, restarted, and replaced when they fail."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from processes import has_ended, misbehaving
from server.clients import Client
from server.process import Server
from splendor.game import Game
from splendor.server.computers import ComputerFailed, Computers

pytestmark = pytest.mark.compiled_only

TABLES = 100


@pytest.fixture(scope="module")
def position() -> str:
    return Game(players=2, seed=1).view(0).position


async def test_a_failing_player_is_reported_and_the_next_question_is_answered(position: str) -> None:
    pool = Computers(1, thinking_time=20)
    try:
        with pytest.raises(ComputerFailed):
            await pool.choose(f"engine:{sys.executable} -c pass", position, 0)
        assert (await pool.choose("random", position, 0))[0] in "+r"
        assert pool.failures == 1
    finally:
        await pool.close()


async def test_a_player_that_thinks_too_long_is_ended(position: str) -> None:
    pool = Computers(1, thinking_time=0.5)
    try:
        assert await pool.choose("random", position, 0)
        (process,) = pool._processes
        with pytest.raises(ComputerFailed):
            await pool.choose(f"engine:{misbehaving('hang')}", position, 0)
        assert process.returncode is not None
        assert await pool.choose("random", position, 0)
    finally:
        await pool.close()


async def test_a_player_that_is_ended_leaves_no_engine_behind(position: str, tmp_path: Path) -> None:
    pool, note = Computers(1, thinking_time=600), tmp_path / "child"
    try:
        asking = asyncio.create_task(pool.choose(f"engine:{misbehaving('family', str(note))}", position, 0))
        while not note.exists() or not note.read_text():
            await asyncio.sleep(0.02)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert has_ended(int(note.read_text()))
    finally:
        await pool.close()


async def test_a_crashing_engine_is_replaced_and_the_table_is_told(tmp_path: Path) -> None:
    with Server(tmp_path, engines=f"crasher={sys.executable} -c pass", computers=1) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            assert "crasher" in [level["level"] for level in await ann.ask("GET", "/api/levels")]
            table = (await ann.make("me", {"kind": "computer", "level": "crasher"}))["id"]
            async with await ann.socket(table) as socket:
                await socket.send("play", move=socket.table["moves"][0]["text"])
                trouble = await socket.until_event("engine_trouble")
                assert trouble["level"] == "crasher"
                assert trouble["instead"] == "journeyman"
                await socket.until_table(lambda t: t["board"]["turn"] == 2 and bool(t["moves"]))


async def test_while_computers_think_at_a_hundred_tables_people_play_on(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    engines = f"thinker={misbehaving('waits', str(ready))}"
    with Server(tmp_path, engines=engines, computers=1, thinking_time=600, grace=3600) as server:
        async with Client(server.url) as ann, Client(server.url) as bob:
            await ann.guest()
            await bob.guest()
            seats = ("me", {"kind": "computer", "level": "thinker"})
            tables = [await ann.make(*seats) for _ in range(TABLES)]
            for table in tables:
                await ann.do(table["id"], "play", move=table["moves"][0]["text"])
            among_people = (await ann.make("me", "open"))["id"]
            await bob.join(among_people)
            for _ in range(10):
                await ann.play_first(among_people)
                await bob.play_first(among_people)
            assert (await bob.ask("GET", "/healthz"))["status"] == "ok"
            assert f"splendor_computers_waiting {TABLES - 1}.0" in (await bob.http.get("/metrics")).text
            ready.touch()
            for table in tables:
                async with await ann.socket(table["id"]) as socket:
                    await socket.until_table(lambda t: bool(t["moves"]) and t["board"]["turn"] == 2)
