"""Computers as players: outside the event loop, limited, restarted, and replaced when they fail."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.clients import Client
from server.process import Server
from splendor.game import Game
from splendor.server.computers import ComputerFailed, Computers

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

CRASHING = 'python -c "import sys; sys.exit(3)"'
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
        sleeper = f'engine:{sys.executable} -c "import time; time.sleep(60)"'
        began = time.monotonic()
        with pytest.raises(ComputerFailed):
            await pool.choose(sleeper, position, 0)
        assert time.monotonic() - began < 10
        assert process.returncode is not None
        assert await pool.choose("random", position, 0)
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


async def test_a_hundred_tables_with_computers_leave_the_server_responsive(person: NewPerson) -> None:
    people = [await person() for _ in range(10)]

    async def play(client: Client) -> None:
        table = (await client.make("me", "computer"))["id"]
        async with await client.socket(table) as socket:
            for _ in range(3):
                await socket.until_table(lambda t: bool(t["moves"]))
                await socket.do("play", move=socket.table["moves"][0]["text"])

    games = [asyncio.create_task(play(people[number % 10])) for number in range(TABLES)]
    waits = []
    while not all(game.done() for game in games):
        began = time.perf_counter()
        await people[0].ask("GET", "/healthz")
        waits.append(time.perf_counter() - began)
        await asyncio.sleep(0.1)
    await asyncio.gather(*games)
    assert sorted(waits)[int(len(waits) * 0.9)] < 1.5
