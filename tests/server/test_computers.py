"""Computers as players: outside the event loop, limited, restarted, and replaced when they fail."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from processes import children, has_ended, misbehaving
from server.clients import PATIENCE, Client
from server.nursery import a_fork_server
from server.process import Server
from splendor.game.game import Game
from splendor.game.position import View
from splendor.players import load
from splendor.server.labor import kinds
from splendor.server.labor.queue import Visitor
from splendor.server.labor.starting import Starter
from splendor.server.live.computers import ComputerFailed, Computers
from splendor.server.live.thinker import in_time
from splendor.server.refusal import RequestRefused

pytestmark = pytest.mark.compiled_only

TABLES = 100
ANN, BOB = Visitor("ann", "here"), Visitor("bob", "there")


@pytest.fixture(scope="module")
def position() -> str:
    return Game(players=2, seed=1).view(0).position


@pytest.fixture(scope="module")
def start() -> Iterator[Starter]:
    """Workers are forked, since each would read for seconds."""
    with a_fork_server("from splendor.server.live.warm import warm_up; warm_up()") as fork_server:
        yield fork_server.start


@pytest.fixture
async def computers(start: Starter, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Computers]:
    """A single worker, and hints that wait for it also on a machine that is very busy."""
    monkeypatch.setattr(kinds, "THINKING", (kinds.GAME, replace(kinds.HINT, patience=PATIENCE)))
    some = Computers(1, PATIENCE, start)
    yield some
    await some.close()


async def test_a_failing_player_is_reported_and_the_next_question_is_answered(
    computers: Computers, position: str
) -> None:
    with pytest.raises(ComputerFailed):
        await computers.play(ANN, f"engine:{sys.executable} -c pass", position, 0)
    assert (await computers.play(ANN, "random", position, 0))[0] in "+r"
    assert computers.failures == 1


async def test_a_player_that_thinks_too_long_is_ended(start: Starter, position: str) -> None:
    computers = Computers(1, 0.5, start)
    try:
        assert await computers.play(ANN, "random", position, 0)
        with pytest.raises(ComputerFailed):
            await computers.play(ANN, f"engine:{misbehaving('hang')}", position, 0)
        assert await computers.play(ANN, "random", position, 0)
    finally:
        await computers.close()


async def test_a_worker_that_is_ended_leaves_no_engine_behind(start: Starter, position: str, tmp_path: Path) -> None:
    computers, note = Computers(1, 600, start), tmp_path / "child"
    asking = asyncio.create_task(computers.play(ANN, f"engine:{misbehaving('family', str(note))}", position, 0))
    while not note.exists() or not note.read_text():
        await asyncio.sleep(0.02)
    await computers.close()
    asking.cancel()
    await asyncio.wait([asking])
    assert has_ended(int(note.read_text()))


async def test_giving_up_a_question_ends_nobodys_worker(computers: Computers, position: str, tmp_path: Path) -> None:
    pids, ready = tmp_path / "pids", tmp_path / "ready"
    engine = f"engine:{misbehaving('polite', str(pids))}"
    assert await computers.play(ANN, engine, position, 0)
    for _ in range(20):
        asking = asyncio.create_task(computers.play(ANN, f"engine:{misbehaving('waits', str(ready))}", position, 0))
        await asyncio.sleep(0.01)
        asking.cancel()
    ready.touch()
    assert await computers.play(BOB, engine, position, 0)
    assert len(pids.read_text().split()) == 1  # the same worker, with the same engine


async def test_a_table_goes_before_all_hints_and_a_flood_of_hints_is_refused(
    computers: Computers, position: str, tmp_path: Path
) -> None:
    ready = tmp_path / "ready"
    engine, order = f"engine:{misbehaving('waits', str(ready))}", []

    async def ask(name: str, question: Awaitable[str]) -> None:
        try:
            await question
            order.append(name)
        except RequestRefused as refused:
            order.append(refused.code)

    first = asyncio.create_task(ask("underway", computers.advise(ANN, engine, position, 0)))
    await asyncio.sleep(0)
    hints = [
        asyncio.create_task(ask("hint", computers.advise(Visitor(f"guest {n}", "flood"), "random", position, 0)))
        for n in range(30)
    ]
    await asyncio.sleep(0)
    game = asyncio.create_task(ask("game", computers.play(BOB, "random", position, 0)))
    await asyncio.sleep(0)
    refused, order[:] = list(order), []
    assert refused == ["too_many"] * 22
    ready.touch()
    await asyncio.gather(first, game, *hints)
    assert order == ["underway", "game", *["hint"] * 8]


def test_a_computer_in_a_hurry_plays_for_a_share_of_its_time_and_not_at_random(position: str) -> None:
    view = View.from_position(position, 0)
    player = load("network:time=600")
    assert str(in_time(player, view, 0.0)) in [str(move) for move in view.legal_moves]
    assert getattr(player, "time") == 600  # noqa: B009


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


@pytest.mark.parametrize("fault", ["its fork server is gone", "a worker is gone"])
async def test_a_server_starts_a_worker_whatever_becomes_of_the_first(tmp_path: Path, fault: str) -> None:
    with Server(tmp_path, computers=1) as server:
        assert server.process is not None
        (fork_server,) = children(server.process.pid)
        (worker,) = children(fork_server)
        async with Client(server.url) as ann:
            await ann.guest()
            table = (await ann.make("me", "computer"))["id"]
            os.kill(fork_server if "fork" in fault else worker, signal.SIGKILL)
            assert has_ended(worker)
            async with await ann.socket(table) as socket:
                await socket.send("play", move=socket.table["moves"][0]["text"])
                await socket.until_table(lambda t: t["board"]["turn"] == 2 and bool(t["moves"]))
            assert children(fork_server if "fork" not in fault else server.process.pid)


async def test_a_server_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    note = tmp_path / "child"
    with Server(tmp_path, engines=f"family={misbehaving('family', str(note))}", computers=1) as server:
        assert server.process is not None
        (fork_server,) = children(server.process.pid)
        (worker,) = children(fork_server)
        async with Client(server.url) as ann:
            await ann.guest()
            table = (await ann.make("me", {"kind": "computer", "level": "family"}))["id"]
            async with await ann.socket(table) as socket:
                await socket.send("play", move=socket.table["moves"][0]["text"])
                while not note.exists() or not note.read_text():
                    await asyncio.sleep(0.02)
        server.kill()
        assert all(has_ended(pid) for pid in (fork_server, worker, int(note.read_text())))
