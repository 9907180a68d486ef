"""Endurance from outside: honest players, attackers and a server that is killed again and again.

    python benchmarks/attack.py --minutes 20 [--write]

Starts a server of its own with limits, and plays at tables of two while others ask for hints, verify and replay large
game files, read the export slowly, send broken frames and headers without an end, ask for more than anybody may, and
say nothing. Every attacker has an address of its own, as a proxy would name it. The server is killed every few
minutes and started again. In the end every acknowledged move must be in the log of its table, no request may have
been answered with 500, and the memory of the server must not have grown from one quarter to the next. The longest
stretch of its event loop is processor time, and so does not depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from results import machine, write_section
from websockets import Origin
from websockets.asyncio.client import connect

from splendor.game.game import Game

TABLES = 8
PACE = 1.0  # seconds between moves at a table
PAUSE = 1.0  # seconds that an attacker waits after having been closed out, or while the server is down
STRETCH = re.compile(r'splendor_loop_busy_seconds_bucket\{le="(.+)"\} (.+)')
AWAY = (OSError, httpx.HTTPError, EOFError, TimeoutError)  # the server is down, or has closed the connection


class Server:
    """A server process that is killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.kills = folder, 0
        self.memory: list[int] = []
        self.stretches: Counter[str] = Counter()  # of the event loop, by seconds that they took at most
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        environment = os.environ | {
            "SPLENDOR_DATABASE": f"sqlite:///{self.folder / 'splendor.db'}",
            "SPLENDOR_PORT": str(self.port),
            "SPLENDOR_LOG_LEVEL": "warning",
            "SPLENDOR_GRACE": "3600",
            "SPLENDOR_COMPUTER_PAUSE": "0",
        }
        with (self.folder / "log").open("ab") as log:
            command = [sys.executable, "-m", "splendor.server.process.serving"]
            self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=log)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.kills += 1
        self.start()

    def note_memory(self) -> None:
        with contextlib.suppress(OSError, IndexError):
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
            self.memory.append(pages * os.sysconf("SC_PAGE_SIZE"))

    async def note_stretches(self) -> None:
        """Of the process that runs now."""
        with contextlib.suppress(*AWAY):
            async with visitor(self.url, "127.0.0.1") as client:
                text = (await client.get("/metrics")).text
            before = 0.0
            for most, count in STRETCH.findall(text):
                self.stretches[most] += int(float(count) - before)
                before = float(count)

    @property
    def errors(self) -> int:
        """Lines of the log that say that something of the server's own went wrong."""
        lines = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        return sum('"level": "error"' in line for line in lines)


class Tally:
    """What has happened."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.acknowledged: dict[str, dict[str, int]] = {}  # by table: keys of moves, with the version they led to
        self.answers: Counter[str] = Counter()

    def note(self, what: str, status: int) -> None:
        self.answers[f"{what} {status}"] += 1


def visitor(url: str, address: str) -> httpx.AsyncClient:
    """Somebody with an address of their own; the server takes us for its proxy."""
    return httpx.AsyncClient(base_url=url, headers={"origin": url, "x-forwarded-for": address}, timeout=60)


async def patiently(client: httpx.AsyncClient, path: str, body: object) -> Any:
    """What a request gives, sent again until it is answered well."""
    while True:
        with contextlib.suppress(*AWAY):
            reply = await client.post(path, json=body)
            if reply.is_success:
                return reply.json()
        await asyncio.sleep(1)


async def honest_table(server: Server, tally: Tally, number: int, until: float) -> None:
    """Two people, one game after the other; every move has a key, and is sent again until it is answered."""
    people = [visitor(server.url, f"198.51.{number}.{seat}") for seat in (1, 2)]
    chance = random.Random(number)
    for person in people:
        await patiently(person, "/api/session", {})
    while time.monotonic() < until:
        seats = {"seats": [{"kind": "me"}, {"kind": "open"}], "order": "chosen"}
        table = (await patiently(people[0], "/api/tables", seats))["id"]
        await patiently(people[1], f"/api/tables/{table}/join", {})
        keys = tally.acknowledged.setdefault(table, {})
        while time.monotonic() < until:
            await asyncio.sleep(PACE * chance.uniform(0.5, 1.5))
            with contextlib.suppress(*AWAY):
                shown = (await people[0].get(f"/api/tables/{table}")).json()
                if shown["status"] != "live":
                    break
                mover = people[shown["board"]["seat"]]
                moves = (await mover.get(f"/api/tables/{table}")).json()["moves"]
                if moves:
                    await honest_move(mover, tally, table, keys, chance.choice(moves)["text"])
    for person in people:
        await person.aclose()


async def honest_move(mover: httpx.AsyncClient, tally: Tally, table: str, keys: dict[str, int], move: str) -> None:
    command = {"type": "play", "key": secrets.token_urlsafe(9), "move": move}
    began = time.perf_counter()
    for _ in range(30):
        with contextlib.suppress(*AWAY):
            reply = await mover.post(f"/api/tables/{table}/commands", json=command)
            tally.note("move", reply.status_code)
            if reply.status_code == 200:
                keys[command["key"]] = reply.json()["version"]
                tally.latencies.append(time.perf_counter() - began)
                return
            if reply.status_code not in (429, 503):
                return
        began = time.perf_counter()
        await asyncio.sleep(0.5)


async def asks(server: Server, tally: Tally, number: int, until: float) -> None:
    """Hints, replays and verifications as large as they may be."""
    position = Game(players=2, seed=number).view(0).position
    head = f'[Game "splendor 1"]\n[Position "{Game(players=2, seed=1).position}"]\n\n'
    records = [head + "+wug {" + "[%eval " * 140_000 + "}", head + "+wug-wug " * 100_000, '{"a":' + "[" * 900_000]
    async with visitor(server.url, f"203.0.113.{number}") as client:
        while time.monotonic() < until:
            with contextlib.suppress(*AWAY):
                level = random.choice(("apprentice", "grandmaster"))
                reply = await client.post("/api/hints", json={"position": position, "level": level})
                tally.note("hint", reply.status_code)
                path = random.choice(("/api/records/verify", "/api/records/replay"))
                reply = await client.post(path, json={"record": random.choice(records)})
                tally.note("record", reply.status_code)
            await asyncio.sleep(0.2)


async def reads_slowly(server: Server, tally: Tally, number: int, until: float) -> None:
    """The export, a few bytes at a time."""
    while time.monotonic() < until:
        with contextlib.suppress(*AWAY):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1024)
            head = f"GET /api/export.jsonl.zst HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            writer.write(f"{head}X-Forwarded-For: 192.0.2.{number}\r\n\r\n".encode())
            status = (await reader.readline()).split()
            if len(status) > 1:
                tally.note("export", int(status[1]))
            for _ in range(30):
                await reader.read(64)
                await asyncio.sleep(1)
            writer.close()
        await asyncio.sleep(PAUSE)


async def breaks_frames(server: Server, number: int, until: float) -> None:
    """Floods of frames that are no messages, at a table that everyone may see."""
    async with visitor(server.url, f"203.0.114.{number}") as client:
        await patiently(client, "/api/session", {})
        table = (await patiently(client, "/api/tables", {"seats": [{"kind": "me"}, {"kind": "open"}]}))["id"]
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        address = server.url.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
        while time.monotonic() < until:
            with contextlib.suppress(Exception):
                headers = {"cookie": cookie, "x-forwarded-for": f"203.0.114.{number}"}
                async with connect(address, origin=Origin(server.url), additional_headers=headers) as broken:
                    raw = random.choice((b"\x89\x80aaaa" * 3000, secrets.token_bytes(4000), b"\x81\x80aaaa" * 3000))
                    for _ in range(20):
                        if broken.transport.is_closing():
                            break
                        broken.transport.write(raw)
                        await asyncio.sleep(0.05)
            await asyncio.sleep(PAUSE)


async def floods(server: Server, tally: Tally, number: int, until: float) -> None:
    """More requests than anybody may have answered, over many connections, some with heads that are hard to read."""
    heads = ({}, {"cookie": 'splendor="' + "\\a" * 7000 + '"'}, {"range": "bytes=" + "0-," * 4000 + "0-"})
    paths = ("/", "/api/levels", "/api/catalogue", "/api/openapi.json", "/api/leaderboard", "/api/games", "/api/lobby")
    async with visitor(server.url, f"203.0.115.{number}") as client:

        async def one() -> None:
            while time.monotonic() < until:
                try:
                    reply = await client.get(random.choice(paths), headers=random.choice(heads))
                    tally.note("flood", reply.status_code)
                except AWAY:
                    await asyncio.sleep(PAUSE)
                await asyncio.sleep(0.01)

        await asyncio.gather(*(one() for _ in range(20)))


async def says_nothing(server: Server, until: float) -> None:
    """Silent connections, and heads without an end."""
    parts = urlsplit(server.url)
    while time.monotonic() < until:
        writers = []
        with contextlib.suppress(*AWAY):
            for _ in range(100):
                writers.append((await asyncio.open_connection(parts.hostname, parts.port))[1])
            writers[0].write(b"GET / HTTP/1.1\r\n" + b"a: bcdef\r\n" * 200_000)
            await asyncio.sleep(15)
        for writer in writers:
            writer.close()
        await asyncio.sleep(PAUSE)


async def kills(server: Server, until: float, every: float) -> None:
    """The power goes, and comes back."""
    while time.monotonic() < until - every:
        for _ in range(int(every)):
            await asyncio.sleep(1)
            server.note_memory()
        await server.note_stretches()
        server.kill()


async def lost(server: Server, tally: Tally) -> int:
    """Acknowledged moves that are not in the logs."""
    missing = 0
    async with visitor(server.url, "198.51.100.250") as client:
        for table, keys in tally.acknowledged.items():
            while True:
                with contextlib.suppress(*AWAY):
                    reply = await client.get(f"/api/tables/{table}")
                    if reply.status_code == 200:
                        break
                await asyncio.sleep(1)
            missing += sum(version > reply.json()["version"] for version in keys.values())
    import sqlite3

    with sqlite3.connect(server.folder / "splendor.db") as database:
        stored = {key.rsplit(":", 1)[1] for (key,) in database.execute("SELECT key FROM events WHERE key IS NOT NULL")}
    return missing + sum(key not in stored for keys in tally.acknowledged.values() for key in keys)


async def endure(server: Server, minutes: float, kill_every: float) -> Tally:
    tally, until = Tally(), time.monotonic() + 60 * minutes
    await asyncio.gather(
        *(honest_table(server, tally, number, until) for number in range(TABLES)),
        *(asks(server, tally, number, until) for number in range(1, 5)),
        *(reads_slowly(server, tally, number, until) for number in range(1, 5)),
        *(breaks_frames(server, number, until) for number in range(1, 3)),
        *(floods(server, tally, number, until) for number in range(1, 3)),
        says_nothing(server, until),
        kills(server, until, kill_every),
    )
    server.note_memory()
    await server.note_stretches()
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--kill-every", type=float, default=240.0, help="seconds between kills of the server")
    parser.add_argument("--write", action="store_true", help="put the figures into results.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            tally = asyncio.run(endure(server, options.minutes, options.kill_every))
            missing = asyncio.run(lost(server, tally))
            logged = server.errors
        finally:
            server.process.kill()
            server.process.wait()
    moves, latencies = sum(map(len, tally.acknowledged.values())), sorted(tally.latencies)
    errors = sum(count for answer, count in tally.answers.items() if answer.endswith(" 500"))
    highest = [max(part) // 2**20 for part in quarters(server.memory)]
    load = ", ".join(f"{load:.0f}" for load in os.getloadavg())
    lines = [
        f"- {machine()}; load averages {load} at the end",
        f"- {server.kills} kills; {moves} acknowledged moves, of which {missing} are lost; {errors} answers with 500, "
        f"{logged} errors in the log",
        f"- an honest move took {1000 * latencies[len(latencies) // 2]:.0f} ms at the median and "
        f"{1000 * latencies[int(len(latencies) * 0.99)]:.0f} ms at p99",
        f"- the event loop at a stretch, in processor time: {stretches_in_words(server.stretches)}",
        f"- the most memory of the server's process, by quarters of the time: {highest} MiB",
        f"- answers: {json.dumps(dict(sorted(tally.answers.items())))}",
    ]
    text = f"`python benchmarks/attack.py --minutes {options.minutes:g} --kill-every {options.kill_every:g}`"
    text += ", SQLite, with limits."
    lines = ["\n".join(textwrap.wrap(line, 118, subsequent_indent="  ")) for line in lines]
    section = "\n".join([text, "", *lines])
    print(f"## Under attack\n\n{section}")
    if options.write:
        write_section("Under attack", section)
    if missing or errors:
        raise SystemExit(1)


def stretches_in_words(stretches: Counter[str]) -> str:
    """How often it took how long."""
    found = [f"{count} of up to {most} s" for most, count in stretches.items() if count and most != "0.01"]
    return ", ".join(found) or "never more than 0.01 s"


def quarters(values: list[int]) -> list[list[int]]:
    """The values in four parts, without empty ones."""
    size = max(len(values) // 4, 1)
    return [values[start : start + size] for start in range(0, len(values), size)][:4]


if __name__ == "__main__":
    main()
