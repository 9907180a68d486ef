"""Programs as players: the bridge for engines, the example bot, and the streams they live on."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.clients import PATIENCE, Client, Json
from server.process import Server

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

MANY = 70  # more than the messages that may wait for a slow reader
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
            assert await asyncio.to_thread(bot.wait, PATIENCE) == 0
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
    table = (await ann.make("me", "open"))["id"]
    async with (
        await bob.stream("/api/stream") as news,
        await bob.stream(f"/api/tables/{table}/stream?since=0") as at_table,
    ):
        await bob.join(table)
        await ann.play_first(table)
        await news.until(lambda message: message["type"] == "your_turn")
        await bob.do(table, "resign")
        ended = await news.until(lambda message: message["type"] == "table_ended")
        assert ended["result"]["winners"] == [0]
        await at_table.until_table(lambda shown: shown["status"] == "over")
    kinds = dict.fromkeys(message["type"] for message in news.seen if message["type"] != "beat")
    assert list(kinds) == ["table_started", "your_turn", "table_ended"]
    events = [event["version"] for line in at_table.seen if line["type"] == "update" for event in line["events"]]
    assert events == list(range(1, len(events) + 1))


async def test_a_stream_begins_with_how_all_tables_stand_however_many_there_are(person: NewPerson) -> None:
    bob = await person()
    tables = [(await bob.make("me", {"kind": "device"}))["id"] for _ in range(MANY)]
    async with await bob.stream("/api/stream") as news:
        for _ in tables:
            await news.until(lambda message: message["type"] == "table_started")
    assert {message["table"] for message in news.seen if message["type"] == "table_started"} == set(tables)


async def test_a_stream_counts_as_being_there(person_there: NewPerson) -> None:
    ann, bob = await person_there(), await person_there()
    table = (await ann.make("me", "open"))["id"]
    news = await bob.stream("/api/stream")
    await bob.join(table)
    async with await ann.socket(table) as socket:
        await asyncio.sleep(2)  # longer than the server waits for someone who is away
        await socket.do("play", move=socket.table["moves"][0]["text"])
        assert socket.table["seats"][1]["absence"] is None
        await news.reply.aclose()
        assert (await socket.until_event("went_absent"))["seat"] == 1
