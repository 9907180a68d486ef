"""Faces and phrases: codes that everybody at the table hears now, and that are stored nowhere."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from server.clients import Client
from server.process import Server

pytestmark = pytest.mark.compiled_only


async def test_players_are_heard_by_all_and_nothing_is_kept(tmp_path: Path) -> None:
    with Server(tmp_path, limits=1) as server:
        ann, bob, eve = [await Client(server.url).guest() for _ in range(3)]
        table = (await ann.make("me", "open"))["id"]
        await bob.join(table)
        async with await ann.socket(table) as a, await eve.socket(table) as e:
            before = a.version
            assert (await a.do("say", what="good_move"))["type"] == "done"
            await bob.do(table, "say", what="thanks")
            for ear in (a, e):
                said = [m for m in ear.seen if m["type"] == "said"]
                while len(said) < 2:
                    said.append(await ear.until(lambda message: message["type"] == "said"))
                assert [(one["seat"], one["what"]) for one in said] == [(0, "good_move"), (1, "thanks")]
            assert (await e.do("say", what="hello"))["error"]["code"] == "not_seated"
            assert await ann.fail(table, "say", what="an own text") == "invalid"
            answers = [await a.do("say", what="wow") for _ in range(40)]
            assert next(one["error"]["code"] for one in answers if one["type"] == "refused") == "too_many"
            assert (await ann.look(table))["version"] == before
        with sqlite3.connect(tmp_path / "splendor.db") as database:
            assert not any("good_move" in line for line in database.iterdump())
        for client in (ann, bob, eve):
            await client.http.aclose()
