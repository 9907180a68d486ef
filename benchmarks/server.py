"""How many tables can one server carry? Real clients on this machine, two at each table, a move every two seconds.

    python benchmarks/server.py --tables 500 --seconds 30

Starts a server of its own on a free port of 127.0.0.1 with a new SQLite file, seats two people at each table, lets
them play at the given pace for the given time, and prints how long moves took from sending to `done`. The target
is p99 under 100 ms with 500 tables on two cores, clients included. `--search` adds as many again until that fails.

    python benchmarks/server.py --first-move

Starts a server for each level, makes a table at which a computer of this level begins, and prints how long that move
took from the wish for the table on; and how long the server took to start.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from results import machine, write_section
from websockets import Origin
from websockets.asyncio.client import ClientConnection, connect

from splendor.players import LEVELS

TARGET = 0.1  # seconds, p99


def start(folder: Path, database: str | None) -> tuple[subprocess.Popen[bytes], str]:
    environment = os.environ | {
        "SPLENDOR_DATABASE": database or f"sqlite:///{folder / 'splendor.db'}",
        "SPLENDOR_PORT": "0",
        "SPLENDOR_LIMITS": "0",
        "SPLENDOR_LOG_LEVEL": "warning",
        "SPLENDOR_GRACE": "3600",
        "SPLENDOR_COMPUTER_PAUSE": "0",
    }
    command = [sys.executable, "-m", "splendor.server.process.serving"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    assert process.stdout is not None
    url = process.stdout.readline().decode().removeprefix("splendor is at ").strip()
    while True:
        try:
            urllib.request.urlopen(f"{url}/healthz").close()
            return process, url
        except OSError:
            time.sleep(0.1)


def ask(url: str, path: str, body: object, cookie: str = "") -> tuple[dict[str, object], str]:
    headers = {"Origin": url, "Content-Type": "application/json", "Cookie": cookie}
    request = urllib.request.Request(url + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as reply:
        given = reply.headers.get("set-cookie", "").split(";")[0]
        return json.load(reply), given


def processor_seconds(process: int) -> float:
    """What a process has used so far; 0 where that cannot be known."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Table:
    """Two people at a table, who move in turn at a steady pace."""

    def __init__(self, url: str, cookies: tuple[str, str], seed: int) -> None:
        self.url, self.cookies, self.chance = url, cookies, random.Random(seed)
        self.sockets: list[ClientConnection] = []
        self.latencies: list[float] = []
        self.moves: list[dict[str, object]] = []
        self.turn = asyncio.Event()
        self.mover = 0
        self.key = ""
        self.sent = 0.0
        self.answered = asyncio.Event()

    async def open(self) -> None:
        seats = {"seats": [{"kind": "me"}, {"kind": "open"}], "order": "chosen"}
        table, _ = await asyncio.to_thread(ask, self.url, "/api/tables", seats, self.cookies[0])
        await asyncio.to_thread(ask, self.url, f"/api/tables/{table['id']}/join", {}, self.cookies[1])
        address = self.url.replace("http", "ws", 1) + f"/api/tables/{table['id']}/socket"
        for cookie in self.cookies:
            self.sockets.append(
                await connect(
                    address,
                    origin=Origin(self.url),
                    additional_headers={"cookie": cookie},
                    compression=None,
                    ping_interval=None,
                    max_size=2**22,
                )
            )

    async def read(self, number: int) -> None:
        async for text in self.sockets[number]:
            message = json.loads(text)
            if message["type"] == "update" and message["table"]["moves"]:
                self.moves, self.mover = message["table"]["moves"], number
                self.turn.set()
            elif message["type"] == "done" and message["key"] == self.key:
                self.latencies.append(time.perf_counter() - self.sent)
                self.answered.set()
            elif message["type"] == "refused":
                raise RuntimeError(text)

    async def play(self, pace: float, until: float) -> None:
        await asyncio.sleep(self.chance.random() * pace)
        while time.monotonic() < until:
            due = time.monotonic() + pace
            await self.turn.wait()
            self.turn.clear()
            self.key = secrets.token_urlsafe(9)
            self.answered.clear()
            self.sent = time.perf_counter()
            wish = {"type": "play", "key": self.key, "move": self.choose()}
            await self.sockets[self.mover].send(json.dumps(wish))
            await self.answered.wait()
            await asyncio.sleep(max(due - time.monotonic(), 0))

    def choose(self) -> str:
        buys = [move for move in self.moves if move["kind"] == "buy"]
        whole = [move for move in self.moves if move["then"] is None]
        return str(self.chance.choice(buys or whole or self.moves)["text"])


async def measure(
    url: str, process: int, tables: int, seconds: float, pace: float, people: int
) -> tuple[list[float], float]:
    """Latencies of all moves at so many tables, and the processor time of the server for one move."""
    cookies = [ask(url, "/api/session", {})[1] for _ in range(people)]
    games = [Table(url, (cookies[i % people], cookies[(i + 1) % people]), i) for i in range(tables)]
    for first in range(0, tables, 20):
        await asyncio.gather(*(game.open() for game in games[first : first + 20]))
    readers = [asyncio.create_task(game.read(seat)) for game in games for seat in range(2)]
    until, before = time.monotonic() + seconds, processor_seconds(process)
    await asyncio.gather(*(game.play(pace, until) for game in games))
    used = processor_seconds(process) - before
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    for game in games:
        for socket in game.sockets:
            socket.transport.abort()
    latencies = sorted(latency for game in games for latency in game.latencies)
    return latencies, used / len(latencies)


async def first_move(url: str, level: str) -> float:
    """Seconds from the wish for a table to the first move of the computer that begins there."""
    cookie = ask(url, "/api/session", {})[1]
    began = time.perf_counter()
    seats = {"seats": [{"kind": "computer", "level": level}, {"kind": "me"}], "order": "chosen"}
    table, _ = await asyncio.to_thread(ask, url, "/api/tables", seats, cookie)
    address = url.replace("http", "ws", 1) + f"/api/tables/{table['id']}/socket"
    async with connect(address, origin=Origin(url), additional_headers={"cookie": cookie}, max_size=2**22) as socket:
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "update" and message["table"]["moves"]:
                return time.perf_counter() - began
    raise RuntimeError("the server closed the connection")


def first_moves(write: bool) -> None:
    """The first move of each level, each on a server of its own."""
    lines = []
    for level in LEVELS:
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            process, url = start(Path(folder), None)
            try:
                started = time.perf_counter() - began
                took = asyncio.run(first_move(url, level))
            finally:
                process.terminate()
                process.wait(20)
        lines.append(f"- {level}: {took:.2f} s; the server was up after {started:.1f} s")
        print(lines[-1], flush=True)
    if write:
        text = "`python benchmarks/server.py --first-move`: a new server, from the wish for a table to the first move."
        write_section("First move", f"{text}\n\n- {machine()}\n" + "\n".join(lines))


def report(tables: int, seconds: float, latencies: list[float], used: float) -> tuple[str, bool]:
    """The figures in a line, and whether they are within the target."""
    p50, p99 = latencies[len(latencies) // 2], latencies[int(len(latencies) * 0.99)]
    line = (
        f"{tables} tables, {2 * tables} connections: {len(latencies)} moves in {seconds:g} s,"
        f" p50 {1000 * p50:.1f} ms, p99 {1000 * p99:.1f} ms, longest {1000 * latencies[-1]:.0f} ms,"
        f" {1000 * used:.2f} ms of the server's processor for each"
    )
    return line, p99 <= TARGET


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between moves at a table")
    parser.add_argument("--search", action="store_true", help="add as many tables again until p99 is above 100 ms")
    parser.add_argument("--write", action="store_true", help="put the figures into results.md")
    parser.add_argument("--database", help="a PostgreSQL URL instead of a new SQLite file")
    parser.add_argument("--first-move", action="store_true", help="measure the first move of a new server instead")
    options = parser.parse_args()
    if options.first_move:
        first_moves(options.write)
        return
    gc.disable()  # pauses of the clients are not the server's
    tables, lines = options.tables, []
    while True:
        with tempfile.TemporaryDirectory() as folder:
            process, url = start(Path(folder), options.database)
            try:
                people = max(tables // 8, 2)
                work = measure(url, process.pid, tables, options.seconds, options.pace, people)
                latencies, used = asyncio.run(work)
            finally:
                process.terminate()
                process.wait(20)
        line, is_good = report(tables, options.seconds, latencies, used)
        print(line, flush=True)
        lines.append(f"- {line}")
        if not options.search or not is_good:
            break
        tables += options.tables
    if options.write:
        arguments = " ".join(argument for argument in sys.argv[1:] if argument != "--write")
        kind = "PostgreSQL" if options.database else "SQLite"
        text = (
            f"`python benchmarks/server.py {arguments}`, {kind}, server and clients on the same cores.\n\n- {machine()}"
        )
        write_section("Server", "\n".join([text, *lines]))


if __name__ == "__main__":
    main()
