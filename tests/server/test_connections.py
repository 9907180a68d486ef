"""What one connection may do, tried through raw sockets: headers without an end, silence, floods, slow reading."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import select
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from server.clients import PATIENCE, Client
from server.process import Server

pytestmark = pytest.mark.compiled_only

FAR_AWAY = "192.0.2.1"  # the only proxy, so that addresses of this machine are counted


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with limits, reached without a proxy."""
    with Server(tmp_path_factory.mktemp("guarded"), proxies=FAR_AWAY, limits=1, grace=3600) as running:
        yield running


def memory_of(server: Server) -> int:
    """Bytes that the server's process has in memory."""
    assert server.process is not None
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * 4096


class Raw:
    """A connection without any manners."""

    def __init__(self, server: Server, receive_buffer: int | None = None) -> None:
        parts = urlsplit(server.url)
        self.socket = socket.socket()
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(60)
        self.socket.connect((parts.hostname, parts.port))
        self.host = f"{parts.hostname}:{parts.port}"

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, text: str | bytes) -> bool:
        """Send; False if the server has closed the connection."""
        try:
            self.socket.sendall(text.encode() if isinstance(text, str) else text)
        except OSError:
            return False
        return True

    def answer(self) -> bytes:
        """All that comes until the server closes the connection."""
        parts = []
        with contextlib.suppress(OSError):
            while part := self.socket.recv(65536):
                parts.append(part)
        return b"".join(parts)

    @property
    def is_silent(self) -> bool:
        """Nothing has come, not even the end."""
        poll = select.poll()
        poll.register(self.socket, select.POLLIN)
        return not poll.poll(0)


@pytest.mark.parametrize("kind", ["many", "one", "address", "behind the body"])
def test_headers_without_an_end_are_refused_and_not_kept(guarded: Server, kind: str) -> None:
    begins = {
        "many": ("GET / HTTP/1.1\r\nHost: {host}\r\n", b"a: bcdefghijkl\r\n" * 4096),
        "one": ("GET / HTTP/1.1\r\nHost: {host}\r\na: ", b"b" * 65536),
        "address": ("GET /", b"b" * 65536),
        "behind the body": (
            "POST /api/hints HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n",
            b"a: bcdefghijkl\r\n" * 4096,
        ),
    }
    begin, more = begins[kind]
    before = memory_of(guarded)
    with Raw(guarded) as raw:
        assert raw.send(begin.format(host=raw.host))
        sent = 0
        while sent < 60_000_000 and raw.send(more):
            sent += len(more)
        assert sent < 30_000_000  # what the buffers of the system hold, and no more
    assert memory_of(guarded) - before < 20_000_000


def test_whoever_says_nothing_is_closed_out(tmp_path: Path) -> None:
    with Server(tmp_path) as server, contextlib.ExitStack() as stack:
        silent = [stack.enter_context(Raw(server)) for _ in range(20)]
        half = stack.enter_context(Raw(server))
        half.send("GET / HTTP/1.1\r\nHost:")
        body = stack.enter_context(Raw(server))
        body.send(f"POST /api/hints HTTP/1.1\r\nHost: {body.host}\r\nOrigin: {server.url}\r\n")
        body.send("Content-Length: 1000\r\n\r\nx")
        empty = stack.enter_context(Raw(server))
        empty.send(f"GET /healthz HTTP/1.1\r\nHost: {empty.host}\r\n\r\n")
        reply = b""
        while not reply.endswith(b"}"):  # head and body may come apart
            reply += empty.socket.recv(65536)
        assert b"200 OK" in reply
        empty.send("\r\n")
        handshake = stack.enter_context(Raw(server))
        handshake.send(
            f"GET /api/tables/{'x' * 22}/socket HTTP/1.1\r\nHost: {handshake.host}\r\nOrigin: {server.url}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: {'a,' * 5000}a\r\n\r\n"
        )
        for raw in [*silent, half, body, empty, handshake]:
            assert raw.answer() == b""  # which ends when the server closes it


def test_one_address_has_so_many_connections_and_others_come_in(guarded: Server) -> None:
    with contextlib.ExitStack() as stack:
        raws = [stack.enter_context(Raw(guarded)) for _ in range(300)]
        while len(inside := [raw for raw in raws if raw.is_silent]) > 100:
            time.sleep(0.05)
        for raw in inside:
            raw.send(f"GET /healthz HTTP/1.1\r\nHost: {raw.host}\r\nConnection: close\r\n\r\n")
        assert any(b"200 OK" in raw.answer() for raw in inside)
    with Raw(guarded) as raw:
        raw.send(f"GET /healthz HTTP/1.1\r\nHost: {raw.host}\r\nConnection: close\r\n\r\n")
        assert b"200 OK" in raw.answer()


def test_requests_before_an_answer_are_limited(guarded: Server) -> None:
    with Raw(guarded) as raw:
        raw.send(f"GET /healthz HTTP/1.1\r\nHost: {raw.host}\r\n\r\n" * 5000)
        assert raw.answer().count(b"200 OK") <= 10


async def test_one_person_has_so_many_sockets(guarded: Server) -> None:
    async with Client(guarded.url) as ann, Client(guarded.url) as bob, contextlib.AsyncExitStack() as stack:
        await ann.guest()
        await bob.guest()
        table = (await ann.make("me", "open"))["id"]
        await bob.join(table)
        for _ in range(30):
            await stack.enter_async_context(await ann.socket(table))
        reply = await ann.http.get(f"/api/tables/{table}/stream")
        assert (reply.status_code, reply.json()["error"]["params"]["what"]) == (429, "connections")
        async with await bob.socket(table) as socket:
            assert socket.table["id"] == table


@pytest.mark.parametrize("frame", [b"\x89\x80aaaa", b"\x01\x80aaaa", b"\x81\x80aaaa"])
async def test_a_flood_of_tiny_frames_is_ended_and_makes_nobody_wait(server: Server, frame: bytes) -> None:
    async with Client(server.url) as ann:
        await ann.guest()
        table = (await ann.make("me", "open"))["id"]
        async with await ann.socket(table) as attacker, await ann.socket(table) as honest:
            raw = attacker.connection.transport
            if frame[0] == 1:
                raw.write(frame)  # a message begins, and goes on in parts without an end
                frame = b"\x00" + frame[1:]
            for _ in range(1000):
                if raw.is_closing():
                    break
                raw.write(frame * 10_000)
                await asyncio.sleep(0.001)
            assert (await attacker.closed()).code == 1008
            assert (await honest.do("abort"))["type"] == "refused"


@pytest.mark.parametrize("frame", [b"\x89\x80aaaa", b"\x8a\x80aaaa", b"\x00\x80aaaa"])
async def test_frames_without_a_message_are_few_however_short_they_are(server: Server, frame: bytes) -> None:
    async with Client(server.url) as ann:
        await ann.guest()
        table = (await ann.make("me", "open"))["id"]
        async with await ann.socket(table) as attacker, await ann.socket(table) as honest:
            attacker.connection.transport.write(b"\x01\x80aaaa" + frame * 500)  # 3 kB
            assert (await attacker.closed()).code == 1008
            for _ in range(20):
                await (await honest.connection.ping())
            assert (await honest.do("abort"))["type"] == "refused"


def add_large_games(server: Server, game: str, count: int) -> None:
    """Copies of a finished game, made large by a tag that cannot be compressed much."""
    path = str(server.settings["database"]).removeprefix("sqlite:///")
    with contextlib.closing(sqlite3.connect(path, timeout=60)) as database, database:
        (record,) = database.execute("SELECT record FROM games WHERE id = ?", [game]).fetchone()
        columns = [row[1] for row in database.execute("PRAGMA table_info(games)")]
        copied = ", ".join({"id": ":id", "record": ":record"}.get(name, name) for name in columns)
        for number in range(count):
            large = f'[Noise "{secrets.token_urlsafe(300_000)}"]\n'
            head, _, tags = record.partition("\n")
            new = {"id": f"large-{number}", "record": f"{head}\n{large}{tags}", "game": game}
            database.execute(
                f"INSERT INTO games ({', '.join(columns)}) SELECT {copied} FROM games WHERE id = :game", new
            )


def held(raws: list[Raw]) -> int:
    """How many of these connections the server's process has not let go of."""
    ours = {f"{raw.socket.getsockname()[1]:04X}" for raw in raws}
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[2].rpartition(":")[2] in ours and row[9] != "0" for row in rows)  # 9: whose file it is, if anyone's


async def test_readers_of_the_export_who_never_read_stop_nobody_and_are_dropped(tmp_path: Path) -> None:
    readers = 40  # more than there are connections to the database
    with Server(tmp_path, grace=3600) as server, contextlib.ExitStack() as stack:
        async with Client(server.url) as ann, Client(server.url) as bob:
            await ann.guest()
            await bob.guest()
            over, table = [(await ann.make("me", "open", public=True))["id"] for _ in range(2)]
            await bob.join(over)
            await ann.play_first(over)
            await bob.play_first(over)
            await ann.do(over, "resign")
            await bob.join(table)
            add_large_games(server, over, 20)
            whole = len((await ann.http.get("/api/export.jsonl.zst")).content)
            assert whole > 4_000_000
            async with await ann.socket(table) as a, await bob.socket(table) as b:
                slow = [stack.enter_context(Raw(server, receive_buffer=2048)) for _ in range(readers)]
                for raw in slow:
                    assert raw.send(f"GET /api/export.jsonl.zst HTTP/1.1\r\nHost: {raw.host}\r\n\r\n")
                async with asyncio.timeout(PATIENCE):
                    while held(slow) < readers:
                        await asyncio.sleep(0.05)
                for turn in range(20):
                    mover = (a, b)[turn % 2]
                    await mover.until_table(lambda t, turn=turn: bool(t["board"]["turn"] == turn))  # type: ignore[misc]
                    whole_moves = [move["text"] for move in mover.table["moves"] if move["then"] is None]
                    assert (await mover.do("play", move=whole_moves[0]))["type"] == "done"
                    assert (await ann.http.get("/healthz")).status_code == 200
                async with asyncio.timeout(PATIENCE):
                    while held(slow):
                        await asyncio.sleep(0.2)
                assert (await a.do("resign"))["type"] == "done"
        for raw in slow:
            assert len(raw.answer()) < whole / 2
