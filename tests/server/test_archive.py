"""Finished games: found again, downloaded, replayed, rated and exported."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import zstandard

from server.clients import Client, Json
from server.process import Server, splendor
from splendor.game.game import Game
from splendor.server.database.archive import GameArchive
from splendor.server.database.connect import READING, connect, migrate
from splendor.server.database.people import People

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


async def finished_game(ann: Client, bob: Client, turns: int = 6) -> str:
    """A public game in which the second player resigns."""
    table = (await ann.make("me", "open", public=True))["id"]
    await bob.join(table)
    for turn in range(turns):
        await (bob if turn % 2 else ann).play_first(table)
    await bob.do(table, "resign")
    return str(table)


async def test_a_finished_game_is_found_by_its_players_and_read_in_every_form(person: NewPerson) -> None:
    ann, bob, eve = await person(), await person(), await person()
    name = "A" + "".join(sign for sign in ann.id if sign.isalnum())[:10]
    await ann.ask("POST", "/api/register", {"name": name, "password": "long enough"})
    table = await finished_game(ann, bob)
    (found,) = (await eve.ask("GET", f"/api/games?player={name}"))["games"]
    assert found["id"] == table
    assert found["reason"] == "resignation"
    assert [seat["place"] for seat in found["seats"]] == [1, 2]
    assert found["seats"][0]["person"]["name"] == name
    text = (await eve.http.get(f"/api/games/{table}/record")).text
    twin = (await eve.http.get(f"/api/games/{table}/record?format=json")).text
    assert Game.from_record(text).record() == Game.from_record(twin).record()
    assert Game.from_record(text).tags["Termination"] == "resignation"
    replay = await eve.ask("GET", f"/api/games/{table}/replay")
    assert [frame["turn"] for frame in replay["frames"]] == list(range(7))
    assert replay["result"]["winners"] == [0]
    again = await eve.ask("POST", "/api/records/replay", {"record": text})
    assert again["frames"] == replay["frames"]
    first_page = await eve.ask("GET", "/api/games?players=2")
    assert table in [game["id"] for game in first_page["games"]]
    assert (await eve.ask("GET", f"/api/games?player={name}&before={table}"))["games"] == []


async def test_a_replay_can_be_seen_as_a_seat_saw_it(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    table = (await ann.make("me", "open", public=True))["id"]
    await bob.join(table)
    await ann.do(table, "play", move="rd3")
    await bob.do(table, "play", move="rd2")
    await ann.do(table, "resign")

    async def hands(query: str) -> list[list[bool]]:
        frame = (await ann.ask("GET", f"/api/games/{table}/replay?{query}"))["frames"][-1]
        return [[card["id"] is not None for card in hand["reserved"]] for hand in frame["board"]["hands"]]

    assert await hands("") == [[True], [True]]
    assert await hands("viewer=0") == [[True], [False]]
    assert await hands("viewer=1") == [[False], [True]]
    assert await hands("reveal=false") == [[False], [False]]
    assert await ann.refusal("GET", f"/api/games/{table}/replay?viewer=3") == "no_such_seat"


async def test_ratings_move_once_for_each_game_also_those_of_computers(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    name = "R" + "".join(sign for sign in ann.id if sign.isalnum())[:10]
    await ann.ask("POST", "/api/register", {"name": name, "password": "long enough"})
    for games in (1, 2, 3):
        await finished_game(ann, bob)
        (rating,) = (await bob.ask("GET", f"/api/people/{name}"))["ratings"]
        assert rating["games"] == games
        assert rating["mu"] > 25
        game = (await ann.ask("GET", f"/api/games?player={name}"))["games"][0]
        (mine,) = [seat for seat in game["seats"] if seat["person"]["name"] == name]
        assert mine["rated_after"] == pytest.approx(rating["mu"] - 3 * rating["sigma"], abs=0.05)
        assert mine["rated_before"] < mine["rated_after"]
    leaders = await bob.ask("GET", "/api/leaderboard?players=2")
    assert next(line["level"] for line in leaders["strength"]) == "apprentice"
    assert name in [line["person"]["name"] for line in leaders["lines"]]
    assert bob.id not in [line["person"]["id"] for line in leaders["lines"]]  # guests are not listed
    before = await computers_games(bob)
    table = (await ann.make("me", "computer"))["id"]
    async with await ann.socket(table) as socket:
        for _ in range(2):
            await socket.until_table(lambda t: bool(t["moves"]))
            await socket.do("play", move=socket.table["moves"][0]["text"])
        await socket.until_table(lambda t: bool(t["moves"]))
    await ann.do(table, "resign")
    assert await computers_games(bob) == before + 1
    ratings = (await bob.ask("GET", f"/api/people/{name}"))["ratings"]
    assert [(rating["against"], rating["games"]) for rating in ratings] == [("computers", 1), ("people", 3)]
    elsewhere = await bob.ask("GET", "/api/leaderboard?players=2&against=computers")
    assert name not in [line["person"]["name"] for line in elsewhere["lines"]], "one game there is too few"
    await the_statistics_are_right(bob, name)


async def the_statistics_are_right(client: Client, name: str) -> None:
    """Of three games won against a guest, and a fourth lost against a computer."""
    found = await client.ask("GET", f"/api/people/{name}/statistics")
    assert (found["games"], found["won"], found["streak"], found["longest_streak"]) == (4, 3.0, 0, 3)
    assert found["levels"] == [
        {"against": "apprentice", "games": 1, "won": 0.0},
        {"against": "people", "games": 3, "won": 3.0},
    ]
    assert found["sizes"] == [{"players": 2, "games": 4, "won": 3.0}]
    assert [step["against"] for step in found["ratings"]] == ["people"] * 3 + ["computers"]
    first, second, third, lost = (step["rating"] for step in found["ratings"])
    assert lost < first < second < third
    assert found["rounds"] > 0
    again = await client.ask("GET", f"/api/people/{name}/statistics")
    assert again == found


async def test_a_guest_has_a_profile_too_and_favourites_are_what_was_bought_most(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    nothing = await ann.ask("GET", f"/api/people/{ann.id}/statistics")
    assert (nothing["games"], nothing["rounds"], nothing["cards"]) == (0, None, [])
    table = (await ann.make("me", "open", public=True))["id"]
    await bob.join(table)
    bought: list[int] = []
    while len(bought) < 2:
        for player in (ann, bob):
            moves = (await player.look(table))["moves"]
            whole = [one for one in moves if one["then"] is None] or moves
            move = next((one for one in whole if one["kind"] == "buy"), whole[0])
            await player.do(table, "play", move=move["text"])
            if move["then"]:
                await player.play_first(table)
            if player is ann and move["kind"] == "buy":
                bought.append(move["card"])
    await bob.do(table, "resign")
    found = await bob.ask("GET", f"/api/people/{ann.id}/statistics")
    assert sorted(one["id"] for one in found["cards"]) == sorted(bought)
    assert table not in json.dumps(found), "the id of a game is the key to a private one"


async def computers_games(client: Client) -> int:
    levels = await client.ask("GET", "/api/levels")
    ratings = next(level["ratings"] for level in levels if level["level"] == "apprentice")
    return sum(int(rating["games"]) for rating in ratings if rating["players"] == 2)


async def test_an_aborted_game_or_one_at_a_single_screen_is_not_rated(person: NewPerson) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}, public=True))["id"]
    for _ in range(4):
        await ann.play_first(table)
    await ann.do(table, "resign")
    game = await ann.ask("GET", f"/api/games/{table}")
    assert not game["is_rated"]
    assert [seat["rated_after"] for seat in game["seats"]] == [None, None]
    assert (await ann.ask("GET", f"/api/people/{ann.id}"))["ratings"] == []


async def test_all_public_games_can_be_exported(person: NewPerson, server: Server, tmp_path: Path) -> None:
    ann, bob = await person(), await person()
    table = await finished_game(ann, bob)
    lines = read_lines((await ann.http.get("/api/export.jsonl.zst")).content)
    (line,) = [line for line in lines if line["id"] == table]
    assert Game.from_record(json.dumps(line["record"])).tags["Table"] == table
    for name in ("games.jsonl.zst", "games.parquet"):
        file = tmp_path / name
        done = splendor("export", str(file), "--database", str(server.settings["database"]))
        assert done.returncode == 0, done.stderr
    assert table in [line["id"] for line in read_lines((tmp_path / "games.jsonl.zst").read_bytes())]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    rows = pq.read_table(tmp_path / "games.parquet").to_pylist()
    (row,) = [row for row in rows if row["id"] == table]
    assert Game.from_record(row["record"]).tags["Table"] == table


def read_lines(packed: bytes) -> list[Json]:
    with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed)) as stream:
        return [json.loads(line) for line in stream.read().splitlines()]


async def test_whoever_reads_long_lists_has_a_limit_and_holds_no_connection_that_players_need(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'splendor.db'}"
    engine, reading = connect(database), connect(database, connections=READING)
    await migrate(engine)
    archive = GameArchive(engine, reading)
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(READING):
            await stack.enter_async_context(reading.connect())
        lists = [archive.finished(None, None, None, with_private=False), archive.leaderboard(2, "people")]
        waiting = [asyncio.create_task(one) for one in lists]
        assert await archive.public_tables("open") == []
        assert await People(engine).by_name("x") is None
        assert not any(task.done() for task in waiting)
    assert await asyncio.gather(*waiting) == [[], []]
    await reading.dispose()
    await engine.dispose()
    with Server(tmp_path / "limited", limits=0.1) as server:  # four lists at once
        async with Client(server.url) as eve:
            for path in ("games", "leaderboard", "people/computer:master", "people/computer:master/statistics"):
                headers = {"x-forwarded-for": f"203.0.113.{len(path)}"}
                replies = [await eve.http.get(f"/api/{path}", headers=headers) for _ in range(6)]
                assert replies[-1].status_code == 429, path
                assert replies[-1].json()["error"]["params"]["what"] == "list"
