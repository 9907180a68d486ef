"""Nothing is lost: killed servers, dead sockets, several tabs, slow readers and floods."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from positions import deal, give_bonuses, give_tokens, lay_nobles, show
from server.clients import Client, Json, Socket, new_key
from server.process import Rigged, Server
from splendor.game.game import Game
from splendor.notation import format_position
from splendor.server.tables import fairness

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

MORE_THAN_WAIT = 150  # updates: more than the buffers of the system and the outbox hold together


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
            with contextlib.suppress(OSError, WebSocketException, TimeoutError, EOFError):
                socket = await self.client.socket(self.table, self.version)
                try:
                    if await self._play(socket, turns):
                        return
                finally:
                    await socket.connection.close()
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
    for moves in (6, 17):
        while sum(len(player.acknowledged) for player in players) < moves:
            await asyncio.sleep(0.001)
            assert not any(game.done() for game in games)
        server.kill()
        await asyncio.to_thread(server.start)
    await asyncio.gather(*games)
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
    with Rigged(tmp_path, [format_position(deal())]) as server:
        ann, bob, table = await two_at_a_table(server.url, clock={"kind": "live", "seconds": 600})
        await ann.play_first(table)
        server.pass_time(100)
        server.stop()
        server.pass_time(10_000)
        server.start()
        after = await ann.look(table)
        assert after["status"] == "live"
        assert after["seats"][1]["clock"] == 500
        server.pass_time(50)
        assert (await ann.look(table))["seats"][1]["clock"] == 450
        server.kill()  # what has passed since it last noted the time is a gift
        server.pass_time(10_000)
        server.start()
        after = await ann.look(table)
        assert after["status"] == "live"
        assert after["seats"][1]["clock"] in (450, 500)
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


class HalfTurn(NamedTuple):
    """A position in which a turn can be played in two parts."""

    position: str
    action: str
    phase: str  # what the turn asks for after the action
    rest: str
    not_allowed: str  # another rest, which is refused


def half_turns() -> list[HalfTurn]:
    noble, both, returning = deal(), deal(), deal()
    lay_nobles(noble, 2, 4, 1)
    show(noble, 0, 23)
    give_bonuses(noble, 0, "3 blue 2 green 3 red 3 black")  # nobles 2 and 4 want one green more
    give_tokens(noble, 0, "2 white 2 gold")
    lay_nobles(both, 2, 4, 8)
    give_bonuses(both, 0, "3 blue 3 green 3 red 3 black")
    give_tokens(both, 0, "2 white 2 blue 3 green 2 red")
    give_tokens(returning, 0, "2 white 2 blue 3 green 2 red")
    return [
        HalfTurn(format_position(noble), "b23", "noble", "@4", "@1"),
        HalfTurn(format_position(noble), "b23=wo", "noble", "@2", "@1"),
        HalfTurn(format_position(both), "+wug", "return", "-rr@4", "-rr"),
        HalfTurn(format_position(returning), "+wug", "return", "-wr", "-w"),
    ]


async def test_a_reload_in_the_middle_of_a_turn_goes_on_there_and_nothing_is_played_twice(tmp_path: Path) -> None:
    cases = half_turns()
    server = Rigged(tmp_path, [case.position for case in cases])
    async with Client(server.start().url) as ann, Client(server.url) as bob:
        await ann.guest()
        await bob.guest()
        nonces = [f"{number:064x}" for number in range(len(cases))]
        made = [await ann.make("me", "open", commit=fairness.commit_to(nonce)) for nonce in nonces]
        tables = [table["id"] for table in made]
        for table, nonce in zip(tables, nonces, strict=True):
            await bob.join(table)
            await ann.do(table, "reveal", nonce=nonce)
        answers = [await begin_turn(ann, table, case) for table, case in zip(tables, cases, strict=True)]
        server.kill()
        server.start()
        try:
            for table, case, (key, version) in zip(tables, cases, answers, strict=True):
                await finish_turn(ann, table, case, key, version)
                await bob.do(table, "resign")
                record = Game.from_record((await bob.http.get(f"/api/games/{table}/record")).text)
                assert [str(move) for move in record.moves] == [case.action + case.rest]
        finally:
            server.stop()


async def begin_turn(ann: Client, table: str, case: HalfTurn) -> tuple[str, int]:
    """The connection is lost behind the action of a turn; the key of that command, and the version after it."""
    async with await ann.socket(table) as socket:
        assert case.phase in [move["then"] for move in socket.table["moves"] if move["text"] == case.action]
        key = await socket.send("play", move=case.action, turn=0)
        await socket.drop()
    async with await ann.socket(table) as again:
        answers = [await again.do("play", key=key, move=case.action, turn=0) for _ in range(2)]
        assert answers[0] == answers[1]
        assert again.table["board"]["phase"] == case.phase
    return key, int(answers[0]["version"])


async def finish_turn(ann: Client, table: str, case: HalfTurn, first_key: str, version: int) -> None:
    """The rest of that turn, after a reload, and again with a connection that is lost."""
    async with await ann.socket(table, since=version) as socket:
        assert socket.seen[0]["events"] == []
        assert socket.table["board"]["phase"] == case.phase
        assert socket.table["board"]["turn"] == 0
        assert case.rest in [move["text"] for move in socket.table["moves"]]
        assert {move["kind"] for move in socket.table["moves"]} == {"finish"}
        for wrong in (case.action, case.not_allowed):
            assert (await socket.do("play", move=wrong))["error"]["code"] == "illegal_move"
        key = await socket.send("play", move=case.rest, turn=0)
        await socket.drop()
    async with await ann.socket(table) as again:
        answers = [await again.do("play", key=key, move=case.rest, turn=0) for _ in range(2)]
        assert answers[0] == answers[1] == {"type": "done", "key": key, "version": version + 1}
        repeated = await again.do("play", key=first_key, move=case.action, turn=0)
        assert repeated == {"type": "done", "key": first_key, "version": version}
    async with await ann.socket(table, since=version - 1) as caught_up:
        played = caught_up.seen[0]["events"]
        assert not caught_up.seen[0]["resync"]
        assert [event["move"]["text"] for event in played] == [case.action, case.rest]
        assert [event["ends_turn"] for event in played] == [False, True]
        nobles = [move["noble"] for event in played for move in event["movements"] if move["what"] == "noble"]
        assert nobles == [int(number) for number in case.rest.partition("@")[2:] if number]
        assert caught_up.table["board"]["hands"][0]["nobles"] == nobles
        assert caught_up.table["board"]["seat"] == 1
        assert caught_up.table["board"]["turn"] == 1


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
    async with await ann.socket(table) as quick:
        for _ in range(MORE_THAN_WAIT):
            assert (await quick.do("play", move=quick.table["moves"][0]["text"]))["type"] == "done"
    end = await eve.look(table)
    while slow.version < end["version"]:
        await slow.next()
    assert slow.table["board"] == end["board"]
    assert any(message.get("resync") for message in slow.seen[1:])
    assert len(slow.seen) < MORE_THAN_WAIT
    await slow.drop()


async def test_whoever_leaves_a_stream_before_it_begins_is_not_there(person: NewPerson, server: Server) -> None:
    ann = await person()
    table = (await ann.make("me", "open"))["id"]
    request = f"GET /api/tables/{table}/stream HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode()
    for _ in range(100):
        with socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1]))) as hasty:
            hasty.sendall(request)
    async with await ann.socket(table) as watching:
        await watching.until(lambda message: message["type"] == "presence" and message["spectators"] == 0)


async def test_a_flood_of_nonsense_ends_that_connection_only(person: NewPerson) -> None:
    ann, eve = await person(), await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    async with await ann.socket(table) as good:
        flood = await eve.socket(table)
        with contextlib.suppress(ConnectionClosed):
            for _ in range(200):
                await flood.connection.send("nonsense")
        assert (await flood.closed()).code == 1008
        answer = await good.do("play", move=good.table["moves"][0]["text"])
        assert answer["type"] == "done"


async def test_a_flood_of_moves_is_limited(tmp_path: Path) -> None:
    with Server(tmp_path, limits=0.3) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            table = (await ann.make("me", {"kind": "device"}))["id"]
            async with await ann.socket(table) as socket:
                with contextlib.suppress(ConnectionClosed):
                    for _ in range(55):
                        await socket.send("play", move="+www")
                await socket.closed()
                codes = [message["error"]["code"] for message in socket.seen if message["type"] == "refused"]
                assert socket.seen[-1] == {"type": "bye", "code": "flood"}
                assert "too_many" in codes
                assert codes[0] == "illegal_move"


async def test_a_server_that_starts_reads_no_game_before_somebody_needs_it(tmp_path: Path) -> None:
    with Server(tmp_path, grace=3600) as server:
        ann = await Client(server.url).guest()
        tables = [(await ann.make("me", {"kind": "device"}))["id"] for _ in range(10)]
        await ann.make("me", "computer")
        for table in tables:
            await ann.play_first(table)
            await ann.play_first(table)
        server.kill()
        server.start()
        assert (await ann.ask("GET", "/healthz"))["tables"] == 0
        assert (await ann.look(tables[3]))["board"]["turn"] == 2
        await ann.play_first(tables[3])
        assert len(await ann.ask("GET", "/api/tables/mine")) == 11
        await ann.http.aclose()
