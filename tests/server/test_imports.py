"""Games from elsewhere that an account keeps: read in full, kept once, for their owner alone, and never counted."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from server.clients import Client, Json
from server.process import Server
from server.test_accounts import PASSWORD
from server.test_signing_in import registered
from splendor.game.game import Game
from splendor.server.database.imports import MOST_OF_ONE

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


def finished(seed: int = 1) -> Game:
    """A game against a computer, as a browser writes it down, played to its end at random."""
    game, chance = Game(seed=seed), random.Random(seed)
    while not game.is_over:
        game.play(chance.choice(game.legal_moves))
    game.tag("Seat0", "Ann")
    game.tag("Seat1", "grandmaster")
    game.tag("Date", "2026-11-19")
    game.tag("Table", "local-3q8Vt1yLk9aR2cHn")
    return game


def given_up(seed: int) -> str:
    """One that ended before its first move."""
    game = Game(seed=seed)
    game.tag("Termination", "resignation")
    game.tag("Winners", "1")
    return game.record()


async def keep(client: Client, record: str) -> Json:
    kept: Json = await client.ask("POST", "/api/imports", {"record": record}, 201)
    return kept


async def test_a_game_from_a_browser_is_kept_listed_read_and_forgotten(person: NewPerson) -> None:
    ann = await person()
    await registered(ann)
    game = finished()
    kept = await keep(ann, game.record())
    assert (kept["origin"], kept["date"]) == ("local-3q8Vt1yLk9aR2cHn", "2026-11-19")
    assert (kept["turns"], kept["reason"]) == (len(game.turns), "points")
    assert [seat["name"] for seat in kept["seats"]] == ["Ann", "grandmaster"]
    assert [seat["points"] for seat in kept["seats"]] == list(game.points)
    assert [seat for seat, told in enumerate(kept["seats"]) if told["has_won"]] == list(game.winners)
    later = await keep(ann, given_up(2))
    assert [seat["has_won"] for seat in later["seats"]] == [False, True]
    assert await ann.ask("GET", "/api/imports") == [later, kept]
    text = (await ann.http.get(f"/api/imports/{kept['id']}/record")).text
    assert text == game.record()
    await ann.ask("DELETE", f"/api/imports/{kept['id']}", status=204)
    assert await ann.ask("GET", "/api/imports") == [later]
    assert await ann.refusal("GET", f"/api/imports/{kept['id']}/record") == "not_found"
    assert await ann.refusal("DELETE", f"/api/imports/{kept['id']}") == "not_found"


async def test_the_same_game_is_kept_once_whatever_is_written_about_it(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    for client in (ann, bob):
        await registered(client)
    game = finished(3)
    first, *others = await asyncio.gather(*(keep(ann, game.record()) for _ in range(4)))
    assert all(other == first for other in others)
    game.tag("Seat0", "Anna")
    game.annotate(-1, comment="a fine move")
    assert await keep(ann, game.record()) == first
    assert await keep(ann, game.record(as_json=True)) == first
    assert (await keep(bob, game.record()))["id"] != first["id"]
    assert len(await ann.ask("GET", "/api/imports")) == len(await bob.ask("GET", "/api/imports")) == 1


async def test_what_is_no_finished_game_is_refused_and_nothing_is_kept(person: NewPerson) -> None:
    ann, guest = await person(), await person()
    await registered(ann)
    whole = finished().record()
    running = Game(seed=1).record()
    tagged = running.replace("[Position", '[Termination "resignation"]\n[Winners "{}"]\n[Position')
    stretched = finished()
    stretched.annotate(0, comment="}" * 26_000)  # which the text writes as two signs each
    for record, code in (
        ("no game", "bad_record"),
        (whole[: len(whole) // 2], "bad_record"),
        (whole.replace("1. ", "1. b90 ", 1), "illegal_record"),
        (running, "not_over"),
        (tagged.format(""), "not_over"),
        (tagged.format("2"), "not_over"),
        (tagged.format("1").replace("resignation", "points"), "not_over"),
        ("x" * 50_001, "invalid"),
        (stretched.record(as_json=True), "too_long"),
    ):
        assert await ann.refusal("POST", "/api/imports", {"record": record}) == code, record[:300]
    assert await ann.ask("GET", "/api/imports") == []
    assert await guest.refusal("POST", "/api/imports", {"record": whole}) == "not_registered"


async def test_an_account_keeps_so_many_and_no_more_even_if_they_come_at_once(person: NewPerson) -> None:
    ann = await person()
    await registered(ann)
    for start in range(0, MOST_OF_ONE - 1, 4):
        seeds = range(start, min(start + 4, MOST_OF_ONE - 1))
        await asyncio.gather(*(keep(ann, given_up(seed)) for seed in seeds))
    replies = await asyncio.gather(
        *(ann.http.post("/api/imports", json={"record": given_up(1000 + n)}) for n in range(4))
    )
    assert sorted(reply.status_code for reply in replies) == [201, 422, 422, 422]
    refused = next(reply.json() for reply in replies if reply.status_code == 422)
    assert refused["error"] == {"code": "too_many_imports", "params": {"most": MOST_OF_ONE}}
    assert len(await ann.ask("GET", "/api/imports")) == MOST_OF_ONE
    await keep(ann, given_up(0))  # is there already


async def test_nobody_else_sees_it_and_it_counts_nowhere(person: NewPerson) -> None:
    ann, eve = await person(), await person()
    name = await registered(ann)
    await registered(eve)
    kept = await keep(ann, finished(5).record())
    for method, path in (("GET", f"/api/imports/{kept['id']}/record"), ("DELETE", f"/api/imports/{kept['id']}")):
        assert await eve.refusal(method, path) == "not_found"
    for path in ("/record", "", "/replay", "/verify"):
        assert await ann.refusal("GET", f"/api/games/{kept['id']}{path}") == "not_found"
    assert await ann.refusal("GET", f"/api/reviews/{kept['id']}") == "not_found"
    assert await eve.ask("GET", "/api/imports") == []
    assert (await ann.ask("GET", f"/api/games?player={name}"))["games"] == []
    profile = await eve.ask("GET", f"/api/people/{name}")
    assert (profile["games"], profile["ratings"]) == (0, [])
    assert (await eve.ask("GET", f"/api/people/{name}/statistics"))["games"] == 0
    (own,) = (await ann.ask("GET", "/api/account/data"))["imports"]
    assert own == {"id": kept["id"], "at": kept["at"], "record": finished(5).record()}


async def test_it_is_gone_with_the_account(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            await ann.ask("POST", "/api/register", {"name": "Erasable Erika", "password": PASSWORD})
            game = finished()
            game.tag("Seat0", "Erasable Erika")
            await keep(ann, game.record())
            with sqlite3.connect(tmp_path / "splendor.db") as database:
                assert "Erika" in json.dumps(database.execute("SELECT seats, record FROM imports").fetchall())
            await ann.ask("DELETE", "/api/account", status=204)
        with sqlite3.connect(tmp_path / "splendor.db") as database:
            assert database.execute("SELECT count(*) FROM imports").fetchone() == (0,)


async def test_a_flood_of_games_is_slowed_down_and_says_for_how_long(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.2) as server:  # twenty at once
        async with Client(server.url) as ann:
            await ann.guest()
            await registered(ann)
            replies: list[httpx.Response] = []
            while not replies or replies[-1].status_code == 201:
                replies.append(await ann.http.post("/api/imports", json={"record": given_up(1)}))
            error = replies[-1].json()["error"]
            assert error["code"] == "too_many"
            assert error["params"]["what"] == "import"
            assert error["params"]["seconds"] > 0
            assert len(replies) > 20
