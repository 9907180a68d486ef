"""What is stored about a person: handed out as a file, and erased for ever; and what of it comes into the logs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from server.clients import Client
from server.process import Server
from server.test_accounts import PASSWORD
from server.test_overload import LONGEST_GAME, busy
from server.test_signing_in import registered

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


async def test_all_about_a_person_is_one_file(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    name = await registered(ann)
    over, running = [(await ann.make("me", "open"))["id"] for _ in range(2)]
    for table in (over, running):
        await bob.join(table)
    await ann.do(over, "resign")
    await ann.ask("POST", "/api/blocks", {"person": bob.id}, 204)
    await ann.ask("POST", "/api/tokens", {"name": "program", "scopes": ["read"]}, 201)
    reply = await ann.http.get("/api/account/data")
    assert "attachment" in reply.headers["content-disposition"]
    data = reply.json()
    assert data["person"]["name"] == name
    assert {game["id"]: game["status"] for game in data["games"]} == {over: "over", running: "live"}
    assert all((game["record"] is not None) == (game["id"] == over) for game in data["games"])
    assert [one["id"] for one in data["blocked"]] == [bob.id]
    assert len(data["sessions"]) == len(data["tokens"]) == len(data["devices"]) == 1
    assert not {"hash", "password", "secret"} & set(keys(data))


def keys(data: object) -> list[str]:
    if isinstance(data, list):
        return [name for one in data for name in keys(one)]
    return [*data, *keys(list(data.values()))] if isinstance(data, dict) else []


async def test_an_account_is_deleted_by_its_owner_and_nothing_of_it_is_found_again(tmp_path: Path) -> None:
    """With a game that is over, one that runs, a table that waits and an invitation; others play on."""
    with Server(tmp_path) as server:
        ann, bob, cat = [await Client(server.url).guest() for _ in range(3)]
        name = "Erasable Erika"
        await ann.ask("POST", "/api/register", {"name": name, "password": PASSWORD})
        over, running, waiting = [(await ann.make("me", "open", "open"))["id"] for _ in range(3)]
        invited = (await bob.make("me", {"kind": "invited", "name": name}))["id"]
        for table in (over, running):
            await bob.join(table)
            await cat.join(table)
        for client in (ann, bob):
            await client.do(over, "resign")
        await ann.play_first(running)
        async with await bob.socket(running) as socket, await ann.socket(over) as own:
            await ann.ask("DELETE", "/api/account", status=204)
            assert (await socket.until_event("replaced"))["seat"] == 0
            assert (await own.until(lambda message: message["type"] == "bye"))["code"] == "revoked"
        assert await ann.refusal("GET", "/api/me") == "sign_in"
        assert await bob.refusal("POST", "/api/login", {"name": name, "password": PASSWORD}) == "wrong_credentials"
        assert await bob.refusal("GET", f"/api/people/{name}") == "no_such_person"
        assert (await bob.look(invited))["seats"][1]["kind"] == "open"
        assert (await bob.look(waiting))["status"] == "aborted"
        await bob.play_first(running)
        await bob.do(running, "resign")
        for table in (over, running):
            seen = [await bob.look(table), (await bob.http.get(f"/api/games/{table}/record")).text]
            assert name not in json.dumps(seen)
            assert (await bob.ask("GET", f"/api/games/{table}/verify"))["follows"]
        await cat.ask("POST", "/api/register", {"name": name, "password": PASSWORD})  # the name is free
        with sqlite3.connect(tmp_path / "splendor.db") as database:
            database.execute("DELETE FROM people WHERE name = ?", (name,))
            dump = "\n".join(database.iterdump())
        assert "Erika" not in dump
        for client in (ann, bob, cat):
            await client.http.aclose()


async def test_all_games_of_a_person_are_read_and_erased_while_others_play_on(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        async with Client(server.url) as ann, Client(server.url) as bob:
            await bob.guest()
            await ann.guest()
            over = (await ann.make("me", "open", public=True))["id"]
            await bob.join(over)
            await ann.do(over, "resign")
            record = LONGEST_GAME.replace("]\n", ']\n[Seat0 "Ann"]\n', 1)
            with sqlite3.connect(tmp_path / "splendor.db", timeout=60) as database:
                database.execute("UPDATE games SET record = ? WHERE id = ?", (record, over))
                for copied in ("games", "events", "seats"):
                    names = [row[1] for row in database.execute(f"PRAGMA table_info({copied})")]
                    own = {"id": "?", "game": "?"} if copied != "games" else {"id": "?"}
                    shown = ", ".join(own.get(name, name) for name in names)
                    key = "id" if copied == "games" else "game"
                    for number in range(5):
                        database.execute(
                            f"INSERT INTO {copied} SELECT {shown} FROM {copied} WHERE {key} = ?",
                            (f"copy-{number}", over),
                        )
            before = await busy(bob)
            assert len((await ann.ask("GET", "/api/account/data"))["games"]) == 6
            assert await busy(bob) == before
            await ann.ask("DELETE", "/api/account", status=204)
            assert await busy(bob) == before
            with sqlite3.connect(tmp_path / "splendor.db") as database:
                records = [record for (record,) in database.execute("SELECT record FROM games")]
            assert len(records) == 6
            assert all('[Seat0 "guest ' in record for record in records)


async def test_the_security_log_says_what_happened_and_to_whom_by_id_only(tmp_path: Path) -> None:
    with Server(tmp_path, limits=1, log_level="error") as server:
        ann = Client(server.url)
        ann.http.headers["x-forwarded-for"] = "203.0.113.44"
        await ann.guest()
        name = await registered(ann)
        for _ in range(12):
            await ann.http.post("/api/login", json={"name": name, "password": "wrong one"})
        session = (await ann.ask("GET", "/api/sessions"))[0]["id"]
        made = await ann.ask("POST", "/api/tokens", {"name": "program", "scopes": ["read"]}, 201)
        await ann.ask("DELETE", f"/api/tokens/{made['info']['id']}", status=204)
        await ann.ask("DELETE", f"/api/sessions/{session}", status=204)
        lines = [json.loads(line) for line in server.logs().splitlines()]
        events = [line["event"] for line in lines if line.get("log") == "security"]
        wanted = ["registered", "wrong password", "limit reached", "token made", "token revoked", "session revoked"]
        assert list(dict.fromkeys(events)) == wanted
        assert events.count("limit reached") == 1  # not once for each refusal
        assert {line["person"] for line in lines if "person" in line} == {ann.id}
        assert len({line["source"] for line in lines if line["event"] == "wrong password"}) == 1
        for secret in (name, "203.0.113", "wrong one", session, made["info"]["id"]):
            assert secret not in server.logs()
        await ann.http.aclose()


async def test_nothing_private_is_logged_whatever_fails(tmp_path: Path) -> None:
    """Tables of the database are taken away under a running server, requests are broken, and connections are cut."""
    with Server(tmp_path, log_level="info") as server:
        ann = Client(server.url)
        ann.http.headers["x-forwarded-for"] = "203.0.113.44"
        await ann.guest()
        name = await registered(ann)
        token = (await ann.ask("POST", "/api/tokens", {"name": "program", "scopes": ["read"]}, 201))["token"]
        nonce = "ab" * 32
        table = (await ann.make("me", {"kind": "device", "name": "Kitchen"}))["id"]
        waiting = (await ann.make("me", "open"))["id"]
        async with await ann.socket(table) as socket:
            await socket.do("play", move=socket.table["moves"][0]["text"])
            with sqlite3.connect(tmp_path / "splendor.db") as database:
                secrets = [
                    json.loads(entry)["secret"]
                    for (entry,) in database.execute("SELECT entry FROM events WHERE version = 1")
                ]
                database.execute("CREATE TRIGGER e BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END")
                database.execute("CREATE TRIGGER g BEFORE INSERT ON games BEGIN SELECT RAISE(ABORT, 'full'); END")
            await socket.send("play", move=socket.table["moves"][0]["text"])
            for body in ({"seats": [{"kind": "me"}, {"kind": "open"}], "commit": "cd" * 32},):
                assert (await ann.http.post("/api/tables", json=body)).status_code >= 500
            for path, body2 in (
                (f"/api/tables/{waiting}/commands", {"type": "commit", "key": "k" * 8, "commit": nonce}),
            ):
                assert (await ann.http.post(path, json=body2)).status_code >= 500
            await socket.drop()
        with sqlite3.connect(tmp_path / "splendor.db") as database:
            for name_of_table in ("seats", "events"):
                database.execute(f"ALTER TABLE {name_of_table} RENAME TO {name_of_table}_gone")
        assert (await ann.http.get("/api/tables/mine")).status_code >= 500
        assert (await ann.http.get(f"/api/people/{name}")).status_code >= 500
        httpx.get(f"{server.url}/api/tables/{'y' * 22}")
        await ann.http.aclose()
    output = server.logs()
    assert '"level": "error"' in output
    private = [name, PASSWORD, token, nonce, "cd" * 32, "203.0.113", "127.0.0.1", "Kitchen", table, waiting, *secrets]
    private += ann.http.cookies.values()
    assert [word for word in private if word in output] == []
    for line in output.splitlines():
        assert json.loads(line)["event"]


def test_who_to_tell_of_a_weakness_stands_where_it_is_looked_for(tmp_path: Path, server: Server) -> None:
    assert httpx.get(f"{server.url}/.well-known/security.txt").status_code == 404
    with Server(tmp_path, security_contact="mailto:security@example.org") as told:
        reply = httpx.get(f"{told.url}/.well-known/security.txt")
        assert reply.headers["content-type"].startswith("text/plain")
        lines = dict(line.split(": ", 1) for line in reply.text.splitlines())
        assert lines["Contact"] == "mailto:security@example.org"
        assert lines["Expires"].endswith("Z")
