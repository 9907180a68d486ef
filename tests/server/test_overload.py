"""Attacks from outside on a real server: whatever one visitor sends, the others play on."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from positions import deal, give_tokens
from processes import misbehaving
from server.clients import Client, Socket
from server.process import Server
from server.test_authorisation import COMMANDS, ROUTES
from server.test_scopes import first_lines
from splendor.game.game import Game
from splendor.notation import format_position

pytestmark = pytest.mark.compiled_only


async def test_a_computer_at_a_table_waits_for_nobodys_hints(tmp_path: Path) -> None:
    ready, position = tmp_path / "ready", Game(players=2, seed=1).view(0).position
    order: list[str] = []

    async def hint(guest: Client, level: str) -> None:
        reply = await guest.http.post("/api/hints", json={"position": position, "level": level})
        order.append("hint" if reply.status_code == 200 else str(reply.json()["error"]["code"]))

    with Server(tmp_path, computers=1, engines=f"slow={misbehaving('waits', str(ready))}") as server:
        async with AsyncExitStack() as stack:
            ann, *guests = [await (await stack.enter_async_context(Client(server.url))).guest() for _ in range(5)]
            table = await ann.make("me", "computer")
            async with await ann.socket(table["id"]) as socket:
                slow = [asyncio.create_task(hint(guest, "slow")) for guest in guests[:2]]
                while "splendor_computers_waiting 1.0" not in (await ann.http.get("/metrics")).text:
                    await asyncio.sleep(0.01)  # one of them is underway
                flood = [asyncio.create_task(hint(guest, "apprentice")) for guest in guests for _ in range(5)]
                while len(order) < len(flood) - 6:  # the rest is what a network may have
                    await asyncio.sleep(0.01)
                assert set(order) == {"too_many"}
                await socket.do("play", move=socket.table["moves"][0]["text"])
                ready.touch()
                await socket.until_table(lambda t: t["board"]["turn"] == 2)
                order.append("game")
                await asyncio.gather(*slow, *flood)
    answers = [word for word in order if word != "too_many"]
    assert answers.index("game") <= 2  # after the one underway; another may have been faster to arrive here
    assert answers.count("hint") == 8


async def test_moves_taken_back_end_nobodys_computer(tmp_path: Path) -> None:
    pids, ready = tmp_path / "pids", tmp_path / "ready"
    engines = f"slow={misbehaving('waits', str(ready))};steady={misbehaving('polite', str(pids))}"
    with Server(tmp_path, computers=1, engines=engines) as server:
        async with Client(server.url) as ann, Client(server.url) as bob:
            await ann.guest()
            await bob.guest()
            steady = (await bob.make("me", {"kind": "computer", "level": "steady"}))["id"]
            await bob.play_first(steady)
            async with await bob.socket(steady) as socket:
                await socket.until_table(lambda t: t["board"]["turn"] == 2)
            table = (await ann.make("me", {"kind": "computer", "level": "slow"}))["id"]
            for _ in range(10):
                await ann.play_first(table)
                await ann.do(table, "ask_takeback")
            ready.touch()
            await bob.play_first(steady)
            async with await bob.socket(steady) as socket:
                await socket.until_table(lambda t: t["board"]["turn"] == 4)
            assert "splendor_computer_failures 0.0" in (await ann.http.get("/metrics")).text
    assert len(pids.read_text().split()) == 1  # one and the same engine, in one and the same worker


def endless_position() -> str:
    """Two who have all the tokens they may have, and take and return the same ones for ever."""
    state = deal(players=2)
    give_tokens(state, 0, "1 white 1 blue 1 green 1 red 1 black 5 gold")
    give_tokens(state, 1, "2 white 2 blue 2 green 2 red 2 black")
    return format_position(state)


ENDLESS = endless_position()


def game_file(turns: str, position: str = ENDLESS) -> str:
    return f'[Game "splendor 1"]\n[Position "{position}"]\n\n{turns}'


LARGEST = 990_000
HUGE_RECORDS = {
    "notes without an end": game_file("+wug {" + "[%eval " * (LARGEST // 7) + "}"),
    "notes": game_file("+wug {" + " [%eval 0.5,0.5]" * (LARGEST // 16) + "}"),
    "turns": game_file("+wug-wug " * (LARGEST // 9)),
    "words": game_file("a " * (LARGEST // 2)),
    "comments": game_file("{}" * (LARGEST // 2)),
    "one comment": game_file("+wug {" + "x" * LARGEST + "}"),
    "escapes": game_file("+wug {" + "\\n" * (LARGEST // 2) + "}"),
    "lines": game_file("\n" * LARGEST),
    "tags": '[Game "splendor 1"]\n' + "".join(f'[T{n} ""]\n' for n in range(LARGEST // 12)),
    "digits": game_file("9" * LARGEST),
    "a long move": game_file("+" + "w" * LARGEST),
    "as long as allowed": game_file("+wug-wug " * 1000),
    "JSON, nested": '{"game":' + "[" * LARGEST,
    "JSON, turns": '{"game":"splendor 1","position":"x","turns":[' + "{}," * (LARGEST // 3) + "{}]}",
    "JSON, digits": '{"game":' + "9" * LARGEST + "}",
}


async def busy(client: Client, longer_than: str = "0.1") -> int:
    """How often the event loop has worked for longer than this at a stretch."""
    counts = dict(
        line.rsplit(" ", 1) for line in (await client.http.get("/metrics")).text.splitlines() if line[0] != "#"
    )
    return int(
        float(counts["splendor_loop_busy_seconds_count"])
        - float(counts[f'splendor_loop_busy_seconds_bucket{{le="{longer_than}"}}'])
    )


async def test_the_largest_game_files_make_nobody_wait(tmp_path: Path) -> None:
    with Server(tmp_path, workers=2) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            before = await busy(ann)
            for name, record in HUGE_RECORDS.items():
                for path in ("/api/records/verify", "/api/records/replay"):
                    reply = await ann.http.post(path, json={"record": record})
                    assert reply.status_code in (200, 413, 422), f"{name}: {reply.status_code} {reply.text[:300]}"
                    assert await busy(ann) == before, f"{name}, {path}"


async def test_the_largest_questions_and_bodies_make_nobody_wait(tmp_path: Path) -> None:
    with Server(tmp_path, workers=2) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            table = (await ann.make("me", "open"))["id"]
            before = await busy(ann)
            question = {"position": ENDLESS, "moves": ["+wug-wug"] * 200}
            assert len((await ann.ask("POST", "/api/positions", question))["played"]) == 200
            assert await busy(ann) == before
            bodies = ["[" * 65_000, '{"a":' * 13_000, "9" * 65_000, '"' + "\\u0000" * 10_000 + '"', "\x00" * 65_000]
            bodies += [f'{{"{field}": {"[" * 60_000}' for field in ("position", "record", "seats", "name")]
            paths = ["positions", "hints", "tables", "login", "register", "password", "tokens", "records/replay"]
            for path in [*paths, f"tables/{table}/join", f"tables/{table}/commands"]:
                for body in bodies:
                    headers = {"content-type": "application/json"}
                    reply = await ann.http.post(f"/api/{path}", content=body, headers=headers)
                    assert 400 <= reply.status_code < 500, f"{path} {body[:20]}: {reply.status_code}"
                    assert await busy(ann) == before, f"{path} {body[:20]}"


HEAD = 15_000  # bytes that a head may have
LARGEST_HEADS = {
    "a cookie of backslashes": {"cookie": 'splendor="' + "\\a" * (HEAD // 2) + '"'},
    "a cookie of numbers": {"cookie": 'other="' + "\\101" * (HEAD // 4) + '"'},
    "many cookies": {"cookie": "splendor=a;" * (HEAD // 11)},
    "encodings": {"accept-encoding": "a;q=0.1," * (HEAD // 8)},
    "languages": {"accept-language": "nb;q=0.1," * (HEAD // 9)},
    "a type": {"content-type": "application/json;" + "a=b;" * (HEAD // 4)},
    "ranges": {"range": "bytes=" + ",".join(f"{first}-" for first in range(HEAD // 5))},
    "a token": {"authorization": "Bearer " + "x" * HEAD},
    "a tag": {"if-none-match": '"' + "x" * HEAD},
}


async def test_the_largest_heads_make_nobody_wait(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            table = (await ann.make("me", {"kind": "device"}, public=True))["id"]
            before = await busy(ann)
            for name, headers in LARGEST_HEADS.items():
                for path in ("/api/lobby", "/api/me", f"/api/tables/{table}", f"/t/{table}", "/"):
                    status = (await ann.http.get(path, headers=headers)).status_code
                    assert status < 500, f"{name}, {path}: {status}"
                    assert await busy(ann) == before, f"{name}, {path}"
            for query in ("a&" * (HEAD // 2), "before=" + "x" * HEAD, "%00" * (HEAD // 3)):
                assert (await ann.http.get(f"/api/games?{query}")).status_code < 500
                assert await busy(ann) == before, query[:10]


EVERYTHING = ("/", "/sw.js", "/t/" + "x" * 22, "/nothing.js", "/healthz", "/metrics", "/.well-known/security.txt")
INTERFACE = ("catalogue", "levels", "openapi.json", "lobby", "push", "nothing", "tables/x", "games?player=%00")


async def test_no_address_has_more_requests_answered_than_the_limit_whatever_they_are(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.05) as server:  # 6 requests, and 50 of pages and files
        async with Client(server.url) as eve:
            for number, path in enumerate([*EVERYTHING, *(f"/api/{path}" for path in INTERFACE)]):
                headers = {"x-forwarded-for": f"203.0.113.{number}"}
                count = 12 if path.startswith("/api/") else 100
                replies = await asyncio.gather(*(eve.http.get(path, headers=headers) for _ in range(count)))
                refused = [reply for reply in replies if reply.status_code == 429]
                assert len(refused) > count / 4, path
                assert all(reply.headers["retry-after"] for reply in refused)
            headers = {"x-forwarded-for": "203.0.113.250"}
            assert (await eve.http.get("/healthz", headers=headers)).status_code == 200


PASSWORD = "x" * 128
NAMES = [{"kind": "device", "name": chr(ord("a") + seat) * 24} for seat in range(3)]
LONGEST_GAME = game_file("+wug-wug " * 1000)

# The largest that each route takes; None where nothing is sent. Tables and games in the paths are long ones.
LARGEST_WISHES: dict[tuple[str, str], Any] = {
    **{route: None for route, (_, body) in ROUTES.items() if body is None},
    ("POST", "/api/register"): {"name": "Eve" * 8, "password": PASSWORD},
    ("POST", "/api/login"): {"name": "e" * 64, "password": PASSWORD, "code": "1" * 32},
    ("POST", "/api/recover"): {"name": "e" * 64, "code": "ABCD-" * 6, "new": PASSWORD},
    ("POST", "/api/account/invitations"): {"invitations": "nobody"},
    ("POST", "/api/confirm"): {"password": PASSWORD},
    ("POST", "/api/me"): {"name": "e" * 24, "avatar": "owl"},
    ("POST", "/api/push"): {"endpoint": "https://x.example/" + "x" * 982, "p256dh": "A" * 100, "auth": "A" * 32},
    ("POST", "/api/pairings"): {"speed": "blitz", "players": 4, "fill": None},
    ("POST", "/api/account/chat"): {"chat": True},
    ("POST", "/api/imports"): {"record": LONGEST_GAME + "{" + "x" * 40_000 + "}"},
    ("POST", "/api/reports"): {"line": "x" * 22, "reason": "other"},
    ("POST", "/api/second-factor/confirm"): {"code": "1" * 32},
    ("POST", "/api/blocks"): {"person": "x" * 40},
    ("POST", "/api/password"): {"old": PASSWORD, "new": PASSWORD[1:]},
    ("POST", "/api/tokens"): {"name": "x" * 64, "scopes": ["read", "play", "create"], "days": 366},
    ("POST", "/api/tables"): {"seats": [{"kind": "me"}, *NAMES], "public": True, "commit": "ab" * 32},
    ("POST", "/api/tables/{table}/join"): {"seat": 3},
    ("POST", "/api/tables/{table}/commands"): {"type": "consider", "key": "k" * 64, "move": "+" + "w" * 39},
    ("POST", "/api/positions"): {"position": ENDLESS, "moves": ["+wug-wug"] * 200, "cards": [None] * 200},
    ("POST", "/api/hints"): {"position": ENDLESS, "level": "grandmaster"},
    ("POST", "/api/evaluations"): {"position": ENDLESS, "effort": "quick", "include": ["+wug-wug"] * 4},
    ("POST", "/api/evaluations/check"): {"position": ENDLESS},
    ("POST", "/api/reviews"): {"record": LONGEST_GAME, "effort": "deep"},
    ("POST", "/api/reviews/{game}"): {"effort": "deep"},
    ("POST", "/api/records/replay"): {"record": LONGEST_GAME},
    ("POST", "/api/records/verify"): {"record": LONGEST_GAME},
}
QUESTIONS = {"/api/games": f"?player={'x' * 64}&players=4", "/api/leaderboard": "?players=4"}
LONGEST_MOVES = {"play": {"move": "+" + "w" * 39}, "consider": {"move": "+" + "w" * 39}}


def test_the_largest_of_every_route_is_here() -> None:
    assert set(LARGEST_WISHES) == set(ROUTES)


async def play_on(socket: Socket, turns: int) -> None:
    """Reserve, so that gold is in hand and colors stay on the table; then take and give back, and never end."""
    while socket.table["board"]["turn"] < turns:
        moves = socket.table["moves"]
        liked = [move for kind in ("reserve", "take") for move in moves if move["kind"] == kind] or moves
        whole = [move for move in liked if move["then"] is None] or liked
        done = await socket.do("play", move=whole[0]["text"])
        assert done["type"] == "done"
        await socket.until_version(done["version"])


async def test_the_largest_of_every_route_and_message_makes_nobody_wait(tmp_path: Path) -> None:
    with Server(tmp_path, workers=2, grace=3600) as server:
        async with Client(server.url) as ann, Client(server.url) as eve:
            await ann.guest()
            over, table = [(await ann.make("me", {"kind": "device"}, public=True))["id"] for _ in range(2)]
            for long in (over, table):
                async with await ann.socket(long) as socket:
                    await play_on(socket, 150)
            await ann.do(over, "resign")
            before = await busy(ann)
            session = (await ann.ask("GET", "/api/sessions"))[0]["id"]
            names = {"table": table, "game": over, "session": session, "player": ann.id}
            names |= {"token": "x" * 22, "person": "x" * 40, "secret": "x" * 32}
            for (method, path), wish in LARGEST_WISHES.items():
                await eve.guest()
                asker = ann if method == "GET" or "{table}" in path or "{game}" in path else eve
                where = path.format(**names) + QUESTIONS.get(path, "")
                if path.endswith("/stream"):
                    status, _ = await first_lines(asker, where)
                else:
                    status = (await asker.http.request(method, where, json=wish)).status_code
                assert status < 500, f"{method} {path}: {status}"
                assert await busy(ann) == before, f"{method} {path}: {status}"
            async with await ann.socket(table, since=max(socket.version - 150, 0)) as socket:
                for type, fields in sorted(COMMANDS.items(), key=lambda item: item[0] == "resign"):
                    answer = await socket.do(type, **fields | LONGEST_MOVES.get(type, {}))
                    assert answer["type"] in ("done", "refused", "continuations"), answer
                    assert await busy(ann) == before, type
                for text in ('{"a":' * 800, "[" * 4096, "9" * 10_000, json.dumps({"type": "x" * 4000})):
                    await socket.connection.send(text)
                    await socket.until(lambda message: message["type"] == "refused")
                    assert await busy(ann) == before, text[:20]
