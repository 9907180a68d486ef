"""Programs as players: the bridge for engines, the example bot, and the streams they live on."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.clients import Client, Json
from server.process import Server

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

EXAMPLE = Path(__file__).parents[2] / "examples" / "bot.py"


async def program_of(client: Client, name: str) -> str:
    """Make an account a computer's, and a token for it."""
    await client.ask("POST", "/api/register", {"name": name, "password": "long enough"})
    await client.ask("POST", "/api/me/computer")
    made = await client.ask("POST", "/api/tokens", {"name": "bot", "scopes": ["read", "play"]}, 201)
    return str(made["token"])


async def play_against(client: Client, table: str, turns: int) -> Json:
    async with await client.socket(table) as socket:
        while True:
            await socket.until_table(
                lambda t: bool(t["moves"]) or t["status"] == "over" or (t["board"] or {}).get("turn", 0) >= turns
            )
            if socket.table["status"] == "over" or socket.table["board"]["turn"] >= turns:
                return socket.table
            await socket.do("play", move=socket.table["moves"][0]["text"])


def name_for(client: Client, prefix: str) -> str:
    return prefix + "".join(sign for sign in client.id if sign.isalnum())[:8]


@pytest.mark.parametrize("kind", ["bridge", "engine", "example"])
async def test_a_program_accepts_an_invitation_and_plays(person: NewPerson, server: Server, kind: str) -> None:
    ann, owner = await person(), await person()
    name = name_for(owner, "Bot")
    token = await program_of(owner, name)
    command = {
        "bridge": [
            sys.executable,
            "-m",
            "splendor",
            "bot",
            "--server",
            server.url,
            "--token",
            token,
            "--player",
            "greedy",
        ],
        "engine": [
            *[sys.executable, "-m", "splendor", "bot", "--server", server.url, "--token", token],
            *["--engine", f"{sys.executable} -m splendor engine --player random", "--games", "1"],
        ],
        "example": [sys.executable, str(EXAMPLE), server.url, token],
    }[kind]
    bot = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        table = (await ann.make("me", {"kind": "invited", "name": name}))["id"]
        shown = await play_against(ann, table, 8)
        assert shown["seats"][1]["person"]["is_computer"]
        assert shown["board"]["turn"] >= 8
        if kind == "engine":
            await ann.do(table, "resign")
            assert await asyncio.to_thread(bot.wait, 30) == 0
    finally:
        bot.kill()
        output, _ = bot.communicate()
    if kind != "example":
        assert table in output.decode()


def test_the_example_bot_has_thirty_lines() -> None:
    lines = [line for line in EXAMPLE.read_text().split('"""')[2].splitlines() if line.strip()]
    assert len(lines) <= 30


async def test_the_streams_are_lines_of_json(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    news: list[Json] = []
    table_lines: list[Json] = []

    async def follow(path: str, into: list[Json]) -> None:
        async with bob.http.stream("GET", path) as reply:
            assert reply.headers["content-type"].startswith("application/x-ndjson")
            async for line in reply.aiter_lines():
                into.append(json.loads(line))

    table = (await ann.make("me", "open"))["id"]
    tasks = [asyncio.create_task(follow("/api/stream", news))]
    tasks.append(asyncio.create_task(follow(f"/api/tables/{table}/stream?since=0", table_lines)))
    while not table_lines:
        await asyncio.sleep(0.02)
    await bob.join(table)
    await ann.play_first(table)
    while not any(message["type"] == "your_turn" for message in news):
        await asyncio.sleep(0.02)
    await bob.do(table, "resign")
    while news[-1]["type"] != "table_ended":
        await asyncio.sleep(0.02)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert [message["type"] for message in news if message["type"] != "beat"][:3] == [
        "table_started",
        "your_turn",
        "table_ended",
    ]
    events = [event["version"] for line in table_lines if line["type"] == "update" for event in line["events"]]
    assert events == list(range(1, len(events) + 1))


async def test_a_stream_counts_as_being_there(person_there: NewPerson) -> None:
    ann, bob = await person_there(), await person_there()
    table = (await ann.make("me", "open"))["id"]
    is_following = asyncio.Event()

    async def follow() -> None:
        async with bob.http.stream("GET", "/api/stream") as reply:
            is_following.set()
            async for _ in reply.aiter_lines():
                pass

    task = asyncio.create_task(follow())
    await is_following.wait()
    await bob.join(table)
    async with await ann.socket(table) as socket:
        await asyncio.sleep(2)  # longer than the server waits for someone who is away
        await socket.do("play", move=socket.table["moves"][0]["text"])
        assert socket.table["seats"][1]["absence"] is None
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert (await socket.until_event("went_absent"))["seat"] == 1
