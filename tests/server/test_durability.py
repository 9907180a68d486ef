"""Nothing is lost: killed servers, dead sockets, several tabs, slow readers and floods."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from server.clients import Client, Json, Socket, new_key
from server.process import Server

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


async def two_at_a_table(url: str, **options: object) -> tuple[Client, Client, str]:
    ann, bob = await Client(url).guest(), await Client(url).guest()
    table = (await ann.make("me", "open", **options))["id"]
    await bob.join(table)
    return ann, bob, table


class Player:
    """Plays at a table through thick and thin: connects again, sends unanswered moves again with the same key."""

    def __init__(self, client: Client, table: str) -> None:
        self.client, self.table = client, table
        self.acknowledged: dict[str, int] = {}
        self.waiting: tuple[str, str, int] | None = None
        self.events: dict[int, Json] = {}
        self.version: int | None = None

    async def run(self, turns: int) -> None:
        while True:
            try:
                socket = await self.client.socket(self.table, self.version)
                try:
                    if await self._play(socket, turns):
                        return
                finally:
                    await socket.connection.close()
            except (OSError, ConnectionClosed, TimeoutError, EOFError, Exception) as error:
                if isinstance(error, AssertionError):
                    raise
                await asyncio.sleep(0.1)

    async def _play(self, socket: Socket, turns: int) -> bool:
        if self.waiting is not None:
            await self._send(socket)  # the answer may have been lost with the old connection
        while True:
            message = await socket.next()
            if message["type"] == "update":
                self.note(message)
            elif message["type"] == "done":
                self.acknowledged[message["key"]] = message["version"]
                if self.waiting and self.waiting[0] == message["key"]:
                    self.waiting = None
            elif message["type"] == "refused":
                raise AssertionError(message)
            if self.waiting is None and socket.table:
                board, moves = socket.table["board"], socket.table["moves"]
                if board["turn"] >= turns:
                    return True
                if moves:
                    self.waiting = (new_key(), moves[board["turn"] % len(moves)]["text"], board["turn"])
                    await self._send(socket)

    async def _send(self, socket: Socket) -> None:
        assert self.waiting is not None
        key, move, turn = self.waiting
        await socket.send("play", key=key, move=move, turn=turn)

    def note(self, message: Json) -> None:
        assert not message["resync"] or self.version is None
        for event in message["events"]:
            assert self.version is None or event["version"] > self.version
            self.events[event["version"]] = event
        self.version = message["version"]


async def kill_in_mid_game(server: Server) -> None:
    """The server is killed several times while two play; every acknowledged move is there, once, for both."""
    ann, bob, table = await two_at_a_table(server.url)
    players = [Player(ann, table), Player(bob, table)]
    games = [asyncio.create_task(player.run(30)) for player in players]
    for pause in (0.25, 0.4):
        await asyncio.sleep(pause)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
    await asyncio.wait_for(asyncio.gather(*games), 60)
    end = await ann.look(table)
    async with await ann.socket(table, since=0) as socket:
        log = {event["version"]: event for event in socket.seen[0]["events"]}
    assert sorted(log) == list(range(1, end["version"] + 1))
    played = [event for event in log.values() if event["type"] == "played"]
    for player in players:
        versions = list(player.acknowledged.values())
        assert len(set(versions)) == len(versions)
        assert all(log[version]["type"] == "played" for version in versions)
        assert [e["version"] for e in player.events.values() if e["type"] == "played"] == [
            event["version"] for event in played if event["version"] in player.events
        ]
    assert sum(len(player.acknowledged) for player in players) == len(played)
    await ann.http.aclose()
    await bob.http.aclose()


async def test_every_acknowledged_move_survives_kill_minus_nine_with_sqlite(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server:
        await kill_in_mid_game(server)


async def test_clocks_stand_still_while_the_server_is_down(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server:
        ann, bob, table = await two_at_a_table(server.url, clock={"kind": "live", "seconds": 30})
        await ann.play_first(table)
        before = (await ann.look(table))["seats"][1]["clock"]
        server.kill()
        await asyncio.sleep(3)
        server.start()
        after = await ann.look(table)
        assert after["status"] == "live"
        assert before - 3 < after["seats"][1]["clock"] <= before + 0.1
        await bob.play_first(table)
        await ann.http.aclose()
        await bob.http.aclose()


async def test_a_graceful_end_says_goodbye_and_a_computers_game_goes_on_after_it(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server:
        ann = await Client(server.url).guest()
        table = (await ann.make("me", "computer"))["id"]
        async with await ann.socket(table) as socket:
            await socket.send("play", move=socket.table["moves"][0]["text"])
            await socket.until(lambda message: message["type"] == "done")
            ending = asyncio.create_task(asyncio.to_thread(server.stop))
            assert (await socket.until(lambda message: message["type"] == "bye"))["code"] == "shutdown"
            assert (await socket.closed()).code == 1012
            assert await ending in (0, -15)  # uvicorn ends by the signal that ended it
        server.start()
        async with await ann.socket(table, since=socket.version) as again:
            await again.until_table(lambda t: bool(t["moves"]) and t["board"]["turn"] >= 2)
        await ann.http.aclose()


async def test_a_socket_that_dies_after_sending_plays_the_move_exactly_once(person: NewPerson) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    for turn in range(6):
        socket = await ann.socket(table)
        await socket.until(lambda message: message["type"] == "update")
        key, move = new_key(), next(move["text"] for move in socket.table["moves"] if move["then"] is None)
        await socket.send("play", key=key, move=move, turn=turn)
        await socket.drop()
        async with await ann.socket(table) as again:
            first = await again.do("play", key=key, move=move, turn=turn)
            second = await again.do("play", key=key, move=move, turn=turn)
            assert first == second
            assert first["type"] == "done"
            assert again.table["board"]["turn"] == turn + 1 or (await ann.look(table))["board"]["turn"] == turn + 1


async def test_the_same_key_at_the_same_moment_from_two_connections_plays_once(person: NewPerson) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    move = (await ann.look(table))["moves"][0]["text"]
    body = {"type": "play", "key": new_key(), "move": move}
    answers = await asyncio.gather(*(ann.ask("POST", f"/api/tables/{table}/commands", body) for _ in range(8)))
    assert len({answer["version"] for answer in answers}) == 1
    assert (await ann.look(table))["board"]["turn"] == 1


async def test_of_two_different_moves_at_the_same_moment_one_is_stale(person: NewPerson) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    moves = [move["text"] for move in (await ann.look(table))["moves"][:2]]
    bodies = [{"type": "play", "key": new_key(), "move": move, "turn": 0} for move in moves]
    replies = await asyncio.gather(*(ann.http.post(f"/api/tables/{table}/commands", json=body) for body in bodies))
    assert sorted(reply.status_code for reply in replies) == [200, 409]


async def test_two_tabs_of_one_person_show_the_same(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    table = (await ann.make("me", "open"))["id"]
    await bob.join(table)
    async with await ann.socket(table) as left, await ann.socket(table) as right, await bob.socket(table) as other:
        for one, two in [(left, right), (right, left), (left, right)]:
            answer = await one.do("play", move=one.table["moves"][0]["text"])
            await two.until_version(answer["version"])
            await other.until_version(answer["version"])
            assert {**one.table, "now": 0} == {**two.table, "now": 0}
            answer = await other.do("play", move=other.table["moves"][0]["text"])
            await one.until_version(answer["version"])
            await two.until_version(answer["version"])
        stale = await right.do("play", move="+wug", turn=0)
        assert stale["error"]["code"] == "stale"


async def test_a_reload_in_the_middle_of_a_return_goes_on_there(person: NewPerson) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    for _ in range(3):
        takes = [move for move in (await ann.look(table))["moves"] if len(move["taken"] or ()) == 3]
        await ann.do(table, "play", move=takes[0]["text"])
        await ann.do(table, "play", move="rd1")
    async with await ann.socket(table) as socket:
        take = next(move for move in socket.table["moves"] if move["then"] == "return")
        await socket.send("play", move=take["text"])
        await socket.until(lambda message: message["type"] == "done")
        version = socket.version
        await socket.drop()
    async with await ann.socket(table) as again:
        assert again.table["board"]["phase"] == "return"
        assert all(move["kind"] == "finish" for move in again.table["moves"])
        await again.do("play", move=again.table["moves"][0]["text"])
    async with await ann.socket(table, since=version) as caught_up:
        first = caught_up.seen[0]
        assert not first["resync"]
        assert [event["move"]["kind"] for event in first["events"]][-1] == "finish"


async def test_who_was_away_gets_what_was_missed_and_a_stranger_to_the_log_gets_all_anew(person: NewPerson) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    for _ in range(5):
        await ann.play_first(table)
    now = (await ann.look(table))["version"]
    async with await ann.socket(table, since=now - 3) as socket:
        assert [event["version"] for event in socket.seen[0]["events"]] == [now - 2, now - 1, now]
        assert not socket.seen[0]["resync"]
    async with await ann.socket(table, since=now + 1000) as socket:
        assert socket.seen[0]["resync"]
        assert socket.seen[0]["events"] == []


async def test_a_slow_reader_costs_little_and_finds_the_table_as_it_is(person: NewPerson, server: Server) -> None:
    ann, eve = await person(), await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.connect(("127.0.0.1", int(server.url.rsplit(":", 1)[1])))
    narrow.setblocking(False)
    slow = await eve.socket(table, max_queue=1, sock=narrow)
    for _ in range(400):
        shown = await ann.look(table)
        if not shown["moves"]:
            break
        await ann.do(table, "play", move=shown["moves"][0]["text"])
    end = await ann.look(table)
    async with asyncio.timeout(30):
        while slow.version < end["version"]:
            await slow.next()
    assert slow.table["board"] == (await eve.look(table))["board"]
    assert any(message.get("resync") for message in slow.seen[1:])
    await slow.connection.close()


async def test_a_flood_of_nonsense_ends_that_connection_only(person: NewPerson) -> None:
    ann, eve = await person(), await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    async with await ann.socket(table) as good:
        flood = await eve.socket(table)
        for _ in range(200):
            await flood.connection.send("nonsense")
        assert (await flood.closed()).code == 1008
        answer = await good.do("play", move=good.table["moves"][0]["text"])
        assert answer["type"] == "done"


async def test_a_flood_of_moves_is_limited(tmp_path: Path) -> None:
    with Server(tmp_path, limits=1) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            table = (await ann.make("me", {"kind": "device"}))["id"]
            async with await ann.socket(table) as socket:
                for _ in range(55):
                    await socket.connection.send(json.dumps({"type": "play", "key": new_key(), "move": "+www"}))
                await socket.closed()
                codes = [message["error"]["code"] for message in socket.seen if message["type"] == "refused"]
                assert socket.seen[-1] == {"type": "bye", "code": "flood"}
                assert "too_many" in codes
                assert codes[0] == "illegal_move"
