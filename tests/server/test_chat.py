"""Free chat: only between two accounts at one table who both want it, shown to nobody else, kept no longer than needed,
and reported to the operator.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from positions import deal
from server.clients import Client, Json, Socket, new_key
from server.process import Rigged, Server
from server.test_accounts import PASSWORD
from server.test_operations import run
from server.test_signing_in import registered
from splendor.notation import format_position
from splendor.server.access.plain_text import plain_line
from splendor.server.database.chats import Chats
from splendor.server.database.connect import connect, migrate
from splendor.server.database.reports import Reports

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

DAY = 86_400.0
SECRET = "a word that nobody else may see"


async def talker(client: Client, *, wants: bool = True) -> str:
    """Somebody with an account and chat turned on; the name."""
    name = await registered(client)
    await client.ask("POST", "/api/account/chat", {"chat": wants}, 204)
    return name


class Pair(NamedTuple):
    """Two who are willing, at their table."""

    ann: Client
    bob: Client
    table: str
    a: Socket
    b: Socket


def is_chat(message: Json) -> bool:
    return bool(message["type"] == "chat")


def is_line(message: Json) -> bool:
    return bool(message["type"] == "written")


async def lines(socket: Socket, count: int) -> list[Json]:
    """The lines that have come, so many at least."""
    while len(came := [message["line"] for message in socket.seen if is_line(message)]) < count:
        await socket.until(is_line)
    return came


async def until_state(socket: Socket, seat: int, state: str) -> Json:
    """Read on until it stands so with the player of a seat."""
    wanted = {"seat": seat, "state": state}
    known = [message for message in socket.seen if is_chat(message)]
    if known and wanted in known[-1]["people"]:
        return known[-1]
    return await socket.until(lambda message: is_chat(message) and wanted in message["people"])


async def states(client: Client, table: str) -> list[str]:
    """How it stands for somebody who comes to a table now."""
    async with await client.socket(table) as socket:
        return [one["state"] for one in (await socket.until(is_chat))["people"]]


@asynccontextmanager
async def willing(ann: Client, bob: Client, *more: str) -> AsyncIterator[Pair]:
    table = (await ann.make("me", "open", *more))["id"]
    await bob.join(table)
    async with await ann.socket(table) as a, await bob.socket(table) as b:
        await a.do("allow_chat", seat=1, allow=True)
        await until_state(b, 0, "asks")
        await b.do("allow_chat", seat=0, allow=True)
        for socket, seat in ((a, 1), (b, 0)):
            await until_state(socket, seat, "open")
        yield Pair(ann, bob, table, a, b)


async def test_two_who_both_want_it_write_to_each_other(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    for one in (ann, bob):
        await talker(one)
    async with willing(ann, bob) as pair:
        await pair.a.do("write", text="  Well,\nthat was \u202eclose!  ")
        (line,) = await lines(pair.b, 1)
        assert (line["seat"], line["text"]) == (0, "Well, that was close!")
        assert await lines(pair.a, 1) == [line]
        key = new_key()
        for _ in range(2):
            await pair.b.do("write", text="Indeed.", key=key)
        await pair.b.do("write", text="Again?")
        texts = [one["text"] for one in await lines(pair.a, 3)]
        assert texts[1:] == ["Indeed.", "Again?"]  # sent twice with one key, written once
        async with await bob.socket(pair.table) as again:  # who comes back finds what was written
            kept = (await again.until(is_chat))["lines"]
            assert [(one["seat"], one["text"]) for one in kept] == [
                (0, "Well, that was close!"),
                (1, "Indeed."),
                (1, "Again?"),
            ]
        await pair.b.do("allow_chat", seat=0, allow=False)
        await until_state(pair.a, 1, "asked")  # nothing tells that the other would rather not
        assert (await pair.a.do("write", text="Hello?"))["error"]["code"] == "cannot_chat"
        await pair.a.do("allow_chat", seat=1, allow=True)
        assert await states(bob, pair.table) == ["able"]  # and the other is not asked a second time


async def test_it_is_off_until_both_accounts_turn_it_on(person: NewPerson) -> None:
    ann, bob, guest = await person(), await person(), await person()
    assert await ann.refusal("POST", "/api/account/chat", {"chat": True}) == "chat_needs_account"
    await registered(ann)
    await talker(bob, wants=False)
    table = (await ann.make("me", "open", "open", "computer"))["id"]
    for one in (bob, guest):
        await one.join(table)
    assert not (await ann.ask("GET", "/api/account"))["chat"]
    assert await ann.fail(table, "allow_chat", seat=1, allow=True) == "chat_off"
    await ann.ask("POST", "/api/account/chat", {"chat": True}, 204)
    assert (await ann.ask("GET", "/api/account"))["chat"]
    for seat in (1, 2):  # whoever has it off, and a guest
        assert await ann.fail(table, "allow_chat", seat=seat, allow=True) == "cannot_chat"
    assert await ann.fail(table, "allow_chat", seat=3, allow=True) == "no_such_seat"
    assert await ann.fail(table, "allow_chat", seat=0, allow=True) == "no_such_seat"
    assert await guest.fail(table, "allow_chat", seat=0, allow=True) == "chat_needs_account"
    assert await guest.fail(table, "write", text="Hello") == "chat_needs_account"
    assert await states(ann, table) == ["unable", "unable"]
    async with await ann.socket(table) as a:
        await bob.ask("POST", "/api/account/chat", {"chat": True}, 204)
        await until_state(a, 1, "able")  # is told at once
        await ann.do(table, "allow_chat", seat=1, allow=True)
        await bob.do(table, "allow_chat", seat=0, allow=True)
        await until_state(a, 1, "open")
        await bob.ask("POST", "/api/account/chat", {"chat": False}, 204)
        await until_state(a, 1, "unable")
        assert (await a.do("write", text="Hello"))["error"]["code"] == "cannot_chat"


async def test_nobody_else_sees_a_line_by_any_way(person: NewPerson) -> None:
    """A third player with chat, a guest at the table, a spectator, a stranger, and programs of the two."""
    ann, bob, third, guest, eve = [await person() for _ in range(5)]
    for one in (ann, bob, third, eve):
        await talker(one)
    scopes = ["read", "play", "create"]
    token = (await ann.ask("POST", "/api/tokens", {"name": "program", "scopes": scopes}, 201))["token"]
    async with AsyncExitStack() as stack:
        table = (await ann.make("me", "open", "open", "open"))["id"]
        for one in (bob, third, guest):
            await one.join(table)
        program = await stack.enter_async_context(Client(ann.url, token))
        stranger = await stack.enter_async_context(Client(ann.url))
        ears = [
            await stack.enter_async_context(await one.socket(table)) for one in (third, guest, eve, program, stranger)
        ]
        streams = [
            await stack.enter_async_context(await one.stream(f"/api/tables/{table}/stream"))
            for one in (ann, bob, program)
        ]
        for one, seat in ((ann, 1), (ann, 2), (bob, 0)):
            await one.do(table, "allow_chat", seat=seat, allow=True)
        await until_state(ears[0], 0, "asks")
        await ann.do(table, "write", text=SECRET)
        await ann.do(table, "say", what="thanks")
        heard = [*ears, *streams]
        for ear in heard:  # what was said afterwards has come, so the line had come as well
            await ear.until(lambda message: message["type"] == "said")
            assert not any(SECRET in text for text in ear.raw)
        for ear in [*ears[1:], *streams]:
            assert not any(is_chat(message) for message in ear.seen)
        for one in (third, guest, eve, program, stranger):
            async with await one.socket(table) as late:
                await late.connection.send('{"type": "ping"}')
                await late.until(lambda message: message["type"] == "beat")
                assert not any(SECRET in text for text in late.raw)
        assert await program.fail(table, "write", text="Hello") == "missing_scope"
        assert await program.fail(table, "allow_chat", seat=1, allow=True) == "missing_scope"
        for path in (f"/api/tables/{table}", f"/api/games/{table}/record", f"/api/people/{ann.id}"):
            assert SECRET not in (await bob.http.get(path)).text


async def test_a_block_keeps_lines_faces_and_phrases_away_both_ways(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    for one in (ann, bob):
        await talker(one)
    async with willing(ann, bob) as pair:
        await pair.b.do("write", text="You are no good.")
        await lines(pair.a, 1)
        await ann.ask("POST", "/api/blocks", {"person": bob.id}, 204)
        assert (await until_state(pair.a, 1, "unable"))["lines"] == []  # what was written is gone with it
        await until_state(pair.b, 0, "unable")
        for socket in (pair.a, pair.b):
            assert (await socket.do("write", text="Hello"))["error"]["code"] == "cannot_chat"
        for socket in (pair.a, pair.b):
            await socket.do("say", what="laugh")
        for socket, own in ((pair.a, 0), (pair.b, 1)):
            await socket.connection.send('{"type": "ping"}')
            await socket.until(lambda message: message["type"] == "beat")
            assert [one["seat"] for one in socket.seen if one["type"] == "said"] == [own]
        await ann.ask("DELETE", f"/api/blocks/{bob.id}", status=204)
        await until_state(pair.a, 1, "open")
        await pair.b.do("say", what="oops")
        assert (await pair.a.until(lambda message: message["type"] == "said"))["what"] == "oops"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\tb\nc\r\nd\u2028e", "a b c d e"),
        ("\u202eabc\u2066d\u2069\u200f\u061c", "abcd"),
        ("\x1b[2Jabc\x07\x00", "[2Jabc"),
        ("a\u200bb\ufeffc\u00ad", "abc"),
        ("e\u0301" + "\u0300" * 50, "\u00e9" + "\u0300" * 4),
        ("👩\u200d🚀 ok ❤\ufe0f", "👩\u200d🚀 ok ❤\ufe0f"),
        ("\u200d\u200d", ""),
        ("  \u3000 ", ""),
        ("\ud800x", "x"),
        ("https://example.org <b>", "https://example.org <b>"),
    ],
)
def test_a_line_is_plain_text(text: str, kept: str) -> None:
    assert plain_line(text, 300) == kept
    assert len(plain_line(text * 100, 300)) <= 300


async def test_what_is_no_line_is_refused(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    for one in (ann, bob):
        await talker(one)
    async with willing(ann, bob) as pair:
        for text, code in (("", "invalid"), ("x" * 301, "invalid"), ("\u202e \u200b", "line_empty")):
            assert await ann.fail(pair.table, "write", text=text) == code
        for number, text in enumerate(("x" * 300, "🚀" * 300), 1):
            await pair.a.do("write", text=text)
            assert (await lines(pair.b, number))[-1]["text"] == text


async def test_lines_are_limited_for_each_person_at_each_table(tmp_path: Path) -> None:
    with Server(tmp_path, limits=1) as server:
        async with Client(server.url) as ann, Client(server.url) as bob:
            for one in (ann, bob):
                await one.guest()
                await talker(one)
            async with willing(ann, bob) as pair:
                answers = [await pair.a.do("write", text=f"line {n}") for n in range(10)]
                refused = [one["error"] for one in answers if one["type"] == "refused"]
                assert refused[0]["params"]["what"] == "chat_table"
                assert (await pair.b.do("write", text="I am not in your way"))["type"] == "done"
                reports = [
                    await ann.http.post("/api/reports", json={"line": "x" * 22, "reason": "spam"}) for _ in range(8)
                ]
                assert reports[-1].json()["error"]["params"]["what"] == "report"


async def test_a_report_has_what_came_before_and_the_operator_reads_closes_and_mutes(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'splendor.db'}"
    with Server(tmp_path, log_level="debug") as server:
        async with AsyncExitStack() as stack:
            ann, bob, eve = [await stack.enter_async_context(Client(server.url)) for _ in range(3)]
            for one in (ann, bob, eve):
                await one.guest()
            names = [await talker(one) for one in (ann, bob)]
            async with willing(ann, bob) as pair:
                for socket, text in (
                    (pair.a, "Good luck"),
                    (pair.b, "You fool"),
                    (pair.a, "Be polite"),
                    (pair.b, SECRET),
                ):
                    await socket.do("write", text=text)
                line = (await lines(pair.a, 4))[-1]["id"]
                await pair.b.do("write", text="And what came later")
                wish = {"line": line, "reason": "insult"}
                for one in (bob, eve):  # one's own, and somebody else's
                    assert await one.refusal("POST", "/api/reports", wish) == "not_found"
                assert await ann.refusal("POST", "/api/reports", {**wish, "reason": "because"}) == "invalid"
                assert await ann.refusal("POST", "/api/reports", {**wish, "line": "x" * 22}) == "not_found"
                for _ in range(2):  # of one line a person makes one report
                    await ann.ask("POST", "/api/reports", wish, 204)
                shown = run("reports", "--database", database)
                assert shown.strip().endswith("1 report")
                assert f"{names[0]} reports {names[1]}" in shown
                texts = ["Good luck", "You fool", "Be polite", SECRET]
                assert [shown.index(text) for text in texts] == sorted(shown.index(text) for text in texts)
                assert "And what came later" not in shown
                assert "splendor_reports_total" in (await ann.http.get("/metrics")).text

                assert "cannot write until" in run(
                    "reports", "mute", names[1].upper(), "--days", "3", "--database", database
                )
                assert (await pair.b.do("write", text="Hello"))["error"]["code"] == "chat_paused"
                assert await bob.fail(pair.table, "allow_chat", seat=0, allow=True) == "chat_paused"
                assert (await pair.a.do("write", text="Hello"))["error"]["code"] == "cannot_chat"
                assert (await bob.ask("GET", "/api/account"))["chat_paused"] is not None
                async with await bob.socket(pair.table) as again:
                    assert (await again.until(is_chat))["paused"] is not None
                move = pair.a.table["moves"][0]["text"]
                assert (await pair.a.do("play", move=move))["type"] == "done"  # the game goes on
                assert "can write again" in run("reports", "unmute", names[1], "--database", database)
                assert (await pair.b.do("write", text="Sorry"))["type"] == "done"
                id = shown.split()[0]
                assert "is closed" in run("reports", "close", id, "--database", database)
                assert run("reports", "--database", database).strip() == "0 reports"
                assert ", closed " in run("reports", "--all", "--database", database)
    assert [text for text in (SECRET, "You fool", *names) if text in server.logs()] == []
    security = [json.loads(one) for one in server.logs().splitlines() if '"line reported"' in one]
    assert {one["person"] for one in security} == {ann.id}


async def test_reports_that_nobody_closes_are_limited(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    for one in (ann, bob):
        await talker(one)
    async with willing(ann, bob) as pair:
        codes = []
        for number in range(21):
            await pair.b.do("write", text=f"line {number}")
            line = (await lines(pair.a, number + 1))[-1]["id"]
            reply = await ann.http.post("/api/reports", json={"line": line, "reason": "other"})
            codes.append(reply.status_code if reply.status_code == 204 else reply.json()["error"]["code"])
        assert codes == [204] * 20 + ["too_many_reports"]


async def test_lines_are_in_no_log_and_no_record_and_are_forgotten_with_the_game(tmp_path: Path) -> None:
    """For two who come back to a finished game the lines are there for a day."""
    server = Rigged(tmp_path, [format_position(deal())])
    file = tmp_path / "splendor.db"
    with server:
        async with Client(server.url) as ann, Client(server.url) as bob:
            for one in (ann, bob):
                await one.guest()
                await talker(one)
            async with willing(ann, bob) as pair:
                before = (await ann.look(pair.table))["version"]
                for number in range(105):
                    await pair.a.do("write", text=f"{SECRET} {number}")
                assert (await ann.look(pair.table))["version"] == before
                for client in (ann, bob, ann):
                    await client.play_first(pair.table)
                await ann.do(pair.table, "resign")
                assert (await pair.b.do("write", text="A good game"))["type"] == "done"
                record = (await ann.http.get(f"/api/games/{pair.table}/record")).text
                assert SECRET not in record
                async with await bob.socket(pair.table) as again:
                    assert len((await again.until(is_chat))["lines"]) == 100  # the latest
                with sqlite3.connect(file) as database:
                    events = database.execute("SELECT entry FROM events").fetchall()
                    assert not any(SECRET in entry for (entry,) in events)
                    last = database.execute("SELECT id FROM chat_lines WHERE text LIKE '%104'").fetchone()[0]
                await bob.ask("POST", "/api/reports", {"line": last, "reason": "spam"}, 204)
                server.pass_time(DAY + 60)
                assert (await pair.b.do("write", text="Still there?"))["error"]["code"] == "chat_closed"
    assert await counts_after(file, server.now) == [0, 0, 1]
    assert await counts_after(file, server.now + 181 * DAY) == [0, 0, 0]


async def counts_after(file: Path, now: float) -> list[int]:
    """How many lines, wishes and reports are left when the server has tidied up."""
    engine = connect(f"sqlite:///{file}")
    await Chats(engine).forget(now)
    await Reports(engine).forget(now)
    await engine.dispose()
    tables = ("chat_lines", "chat_wishes", "reports")
    with sqlite3.connect(file) as database:
        return [database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]


async def test_the_file_about_a_person_has_it_and_deletion_removes_it(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        async with Client(server.url) as ann, Client(server.url) as bob:
            for one in (ann, bob):
                await one.guest()
                await talker(one)
            async with willing(ann, bob) as pair:
                for socket, text in ((pair.a, "from Ann to Bob"), (pair.b, "from Bob to Ann")):
                    await socket.do("write", text=text)
                line = (await lines(pair.a, 2))[1]["id"]
                await ann.ask("POST", "/api/reports", {"line": line, "reason": "threat"}, 204)
            data = await ann.ask("GET", "/api/account/data")
            assert data["chat"] is True
            assert [one["text"] for one in data["lines"]] == ["from Ann to Bob"]
            assert [(one["person"], one["allow"]) for one in data["chats"]] == [(bob.id, True)]
            assert [(one["text"], one["reason"]) for one in data["reports"]] == [("from Bob to Ann", "threat")]
            assert (await bob.ask("GET", "/api/account/data"))["reports"] == []  # who reported is told to nobody
            await bob.ask("POST", "/api/confirm", {"password": PASSWORD}, 204)
            await bob.ask("DELETE", "/api/account", status=204)
            with sqlite3.connect(tmp_path / "splendor.db") as database:
                dump = "\n".join(database.iterdump())
            assert "from Bob to Ann" not in dump
            assert "from Ann to Bob" in dump  # in nobody else's report any more, but it is Ann's line
            await ann.ask("DELETE", "/api/account", status=204)
            with sqlite3.connect(tmp_path / "splendor.db") as database:
                assert "from Ann to Bob" not in "\n".join(database.iterdump())


async def test_what_the_operator_names_must_be_there(tmp_path: Path) -> None:
    file = tmp_path / "splendor.db"
    database = f"sqlite:///{file}"
    assert "there is no database" in run("reports", "--database", database, status=2)
    engine = connect(database)
    await migrate(engine)
    await engine.dispose()
    assert "no report" in run("reports", "close", "x" * 22, "--database", database, status=2)
    assert "no account" in run("reports", "mute", "Bob", "--database", database, status=2)
