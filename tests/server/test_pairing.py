"""People who look for the same kind of game find each other; who goes away waits no longer; computers fill up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from server.clients import Client, Json
from server.process import Server

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


@pytest.fixture(scope="module")
def lively(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server that soon notes who is gone."""
    with Server(tmp_path_factory.mktemp("lively"), grace=1, heartbeat=5, computers=1) as running:
        yield running


@pytest.fixture
async def seeker(lively: Server) -> AsyncIterator[NewPerson]:
    async with AsyncExitStack() as stack:

        async def new() -> Client:
            return await (await stack.enter_async_context(Client(lively.url))).guest()

        yield new


async def seek(client: Client, speed: str = "live", **wish: Any) -> Json:
    table: Json = await client.ask("POST", "/api/pairings", {"speed": speed, **wish})
    return table


async def test_two_who_look_for_the_same_find_each_other_and_others_do_not(seeker: NewPerson) -> None:
    ann, bob, cat, dan = [await seeker() for _ in range(4)]
    first = await seek(ann)
    assert (first["status"], first["pairing"]["speed"], first["clock"]["seconds"]) == ("open", "live", 900)
    async with await ann.socket(first["id"]) as waiting:
        assert (await seek(cat, "blitz"))["id"] != first["id"]
        assert (await seek(dan, players=3))["id"] != first["id"]
        assert (await seek(ann))["id"] == first["id"]  # asked again
        lobby = await bob.ask("GET", "/api/lobby")
        assert [one["pairing"] for one in lobby["open"] if one["id"] == first["id"]] == ["live"]
        assert (await seek(bob))["id"] == first["id"]
        await waiting.until_table(lambda table: table["status"] == "live")
        again = await seek(ann, waiting=first["id"])  # asked just before it began
        assert (again["id"], again["status"]) == (first["id"], "live")


async def test_who_goes_away_waits_no_longer(seeker: NewPerson) -> None:
    ann, bob = await seeker(), await seeker()
    table = (await seek(ann, "slow"))["id"]
    async with await ann.socket(table):
        pass
    async with await bob.socket(table) as seen:
        await seen.until_table(lambda now: now["status"] == "aborted")
    gone = (await seek(bob, "slow"))["id"]
    assert gone != table
    async with await bob.socket(gone) as waiting:
        await waiting.do("leave")
    assert await bob.ask("GET", "/api/tables/mine") == []


async def test_nobody_waits_at_two_tables_or_with_whom_they_have_blocked(seeker: NewPerson) -> None:
    ann, bob = await seeker(), await seeker()
    async with await ann.socket((await seek(ann, "blitz", players=4))["id"]) as before:
        moved = await seek(ann, "slow", players=4)
        await before.until_table(lambda now: now["status"] == "aborted")
    await ann.ask("POST", "/api/blocks", {"person": bob.id}, 204)
    async with await ann.socket(moved["id"]):
        apart = await seek(bob, "slow", players=4)
        assert apart["id"] != moved["id"]
        await ann.ask("DELETE", f"/api/blocks/{bob.id}", status=204)
        async with await bob.socket(apart["id"]):
            together = await seek(bob, "slow", players=4, waiting=apart["id"])  # to the older of the two
            assert together["id"] == moved["id"]
            assert (await seek(ann, "slow", players=4, waiting=moved["id"]))["id"] == moved["id"]
    await bob.do(moved["id"], "leave")


async def test_computers_come_when_everybody_has_waited_long_enough(seeker: NewPerson) -> None:
    ann, bob = await seeker(), await seeker()
    table = (await seek(ann, players=4, fill=600, level="apprentice"))["id"]
    async with await ann.socket(table) as a:
        assert a.table["pairing"]["fills"] == pytest.approx(a.table["created"] + 600)
        assert (await seek(bob, players=4, fill=5))["id"] == table
        async with await bob.socket(table) as b:
            assert b.table["pairing"]["fills"] == a.table["pairing"]["fills"]
            assert await ann.fail(table, "fill", seat=2, level="apprentice") == "others_wait"
            await b.do("leave")
        for seat in (1, 2):
            await a.do("fill", seat=seat, level="apprentice")  # alone one need not wait
        await a.do("leave")
    table = (await seek(ann, players=3, fill=5, level="apprentice"))["id"]
    async with await ann.socket(table) as a:
        await a.until_table(lambda now: now["status"] == "live")
        assert sorted(seat["kind"] for seat in a.table["seats"]) == ["computer", "computer", "person"]


async def test_a_crowd_that_comes_at_once_is_paired_off(lively: Server, seeker: NewPerson) -> None:
    people = [await seeker() for _ in range(9)]
    tables = await asyncio.gather(*(seek(one, "blitz") for one in people))
    sizes = sorted([table["id"] for table in tables].count(id) for id in {table["id"] for table in tables})
    assert sizes == [1, 2, 2, 2, 2]


async def test_limits_keep_a_flood_of_searches_away(tmp_path: Path) -> None:
    with Server(tmp_path, limits=1) as server:
        ann = await Client(server.url).guest()
        wish = {"speed": "live"}
        replies = await asyncio.gather(*(ann.http.post("/api/pairings", json=wish) for _ in range(80)))
        assert {reply.status_code for reply in replies} == {200, 429}
        await ann.http.aclose()


async def test_whoever_looks_for_one_kind_of_game_after_the_other_makes_no_more_tables_than_others(
    tmp_path: Path,
) -> None:
    with Server(tmp_path, limits=0.3) as server:  # three tables at once, six searches
        async with Client(server.url) as ann:
            await ann.guest()
            wishes = [{"speed": speed, "players": players} for players in (2, 3) for speed in ("blitz", "live", "slow")]
            replies = [await ann.http.post("/api/pairings", json=wish) for wish in wishes]
            assert [reply.status_code for reply in replies] == [200] * 3 + [429] * 3
            assert replies[-1].json()["error"]["params"]["what"] == "table"
