"""Nobody can play, see or resign another's seat: every route and every message, tried by a third party."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, get_args

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from server.clients import Client, new_key
from server.process import Server
from splendor.server import messages as m

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

COMMANDS: dict[str, dict[str, Any]] = {
    "play": {"move": "+wug"},
    "consider": {"move": "+wug"},
    "commit": {"commit": "ab" * 32},
    "reveal": {"nonce": "ab" * 32},
    "resign": {},
    "abort": {},
    "ask_takeback": {},
    "answer_takeback": {"accept": True},
    "vote": {"absent": 0, "choice": "end"},
    "decline": {},
    "leave": {},
    "fill": {"seat": 1, "level": "journeyman"},
    "empty": {"seat": 1},
    "rematch": {},
    "say": {"what": "thanks"},
    "allow_chat": {"seat": 0, "allow": True},
    "write": {"text": "Hello"},
}

# What a stranger gets from each route: a code, or None for what is open to all.
ROUTES: dict[tuple[str, str], tuple[str | None, Any]] = {
    ("POST", "/api/session"): (None, None),
    ("GET", "/api/me"): ("sign_in", None),
    ("POST", "/api/me"): ("sign_in", {"name": "Eve", "avatar": "fox"}),
    ("POST", "/api/register"): ("sign_in", {"name": "Eve", "password": "long enough"}),
    ("POST", "/api/login"): ("wrong_credentials", {"name": "Eve", "password": "long enough"}),
    ("POST", "/api/logout"): ("sign_in", None),
    ("POST", "/api/recover"): ("wrong_credentials", {"name": "Eve", "code": "ABCD-EFGH", "new": "long enough"}),
    ("GET", "/api/account"): ("sign_in", None),
    ("DELETE", "/api/account"): ("sign_in", None),
    ("GET", "/api/account/data"): ("sign_in", None),
    ("POST", "/api/account/invitations"): ("sign_in", {"invitations": "nobody"}),
    ("POST", "/api/account/chat"): ("sign_in", {"chat": True}),
    ("POST", "/api/reports"): ("sign_in", {"line": "x" * 22, "reason": "spam"}),
    ("POST", "/api/confirm"): ("sign_in", {"password": "long enough"}),
    ("POST", "/api/recovery-codes"): ("sign_in", None),
    ("POST", "/api/second-factor"): ("sign_in", None),
    ("POST", "/api/second-factor/confirm"): ("sign_in", {"code": "123456"}),
    ("DELETE", "/api/second-factor"): ("sign_in", None),
    ("GET", "/api/blocks"): ("sign_in", None),
    ("POST", "/api/blocks"): ("sign_in", {"person": "x" * 22}),
    ("DELETE", "/api/blocks/{person}"): ("sign_in", None),
    ("POST", "/api/password"): ("sign_in", {"old": "long enough", "new": "long enough"}),
    ("GET", "/api/sessions"): ("sign_in", None),
    ("DELETE", "/api/sessions/{session}"): ("sign_in", None),
    ("POST", "/api/me/computer"): ("sign_in", None),
    ("GET", "/api/tokens"): ("sign_in", None),
    ("POST", "/api/tokens"): ("sign_in", {"name": "x", "scopes": ["read"]}),
    ("DELETE", "/api/tokens/{token}"): ("sign_in", None),
    ("GET", "/api/lobby"): (None, None),
    ("POST", "/api/tables"): ("sign_in", {"seats": [{"kind": "me"}, {"kind": "open"}]}),
    ("POST", "/api/pairings"): ("sign_in", {"speed": "blitz"}),
    ("GET", "/api/tables/mine"): ("sign_in", None),
    ("GET", "/api/tables/{table}"): ("not_allowed", None),
    ("POST", "/api/tables/{table}/join"): ("sign_in", {}),
    ("POST", "/api/tables/{table}/commands"): ("sign_in", {"type": "resign", "key": "abcdefgh"}),
    ("GET", "/api/tables/{table}/stream"): ("not_allowed", None),
    ("GET", "/api/stream"): ("sign_in", None),
    ("GET", "/api/catalogue"): (None, None),
    ("GET", "/api/levels"): (None, None),
    ("POST", "/api/positions"): ("bad_position", {"position": "x"}),
    ("POST", "/api/hints"): ("bad_position", {"position": "x"}),
    ("POST", "/api/evaluations"): ("bad_position", {"position": "x"}),
    ("POST", "/api/evaluations/check"): ("bad_position", {"position": "x"}),
    ("POST", "/api/reviews"): ("bad_record", {"record": "x"}),
    ("GET", "/api/reviews/{game}"): ("not_found", None),
    ("POST", "/api/reviews/{game}"): ("not_found", {"effort": "quick"}),
    ("GET", "/api/reviews/{game}/record"): ("not_found", None),
    ("GET", "/api/reviews/{game}/stream"): ("not_found", None),
    ("POST", "/api/records/replay"): ("bad_record", {"record": "x"}),
    ("POST", "/api/records/verify"): ("bad_record", {"record": "x"}),
    ("GET", "/api/games"): (None, None),
    ("GET", "/api/games/{game}"): ("not_found", None),
    ("GET", "/api/games/{game}/record"): ("not_found", None),
    ("GET", "/api/games/{game}/replay"): ("not_found", None),
    ("GET", "/api/games/{game}/verify"): ("not_found", None),
    ("GET", "/api/imports"): ("sign_in", None),
    ("POST", "/api/imports"): ("sign_in", {"record": "x"}),
    ("DELETE", "/api/imports/{game}"): ("sign_in", None),
    ("GET", "/api/imports/{game}/record"): ("sign_in", None),
    ("GET", "/api/people/{player}"): ("no_such_person", None),
    ("GET", "/api/people/{player}/statistics"): ("no_such_person", None),
    ("GET", "/api/leaderboard"): (None, None),
    ("GET", "/api/pictures/{table}.png"): (None, None),
    ("GET", "/api/oembed"): ("invalid", None),
    ("GET", "/api/push"): (None, None),
    ("GET", "/api/calendar"): ("sign_in", None),
    ("POST", "/api/calendar"): ("sign_in", None),
    ("DELETE", "/api/calendar"): ("sign_in", None),
    ("GET", "/api/calendar/{secret}.ics"): ("not_found", None),
    ("POST", "/api/push"): ("sign_in", {"endpoint": "https://x.example/", "p256dh": "x", "auth": "x"}),
    ("DELETE", "/api/push"): ("sign_in", None),
    ("GET", "/api/export.jsonl.zst"): (None, None),
    ("GET", "/healthz"): (None, None),
}


async def private_game(person: NewPerson) -> tuple[Client, Client, str]:
    """A running game that nobody else may watch."""
    ann, bob = await person(), await person()
    table = (await ann.make("me", "open", spectators=False))["id"]
    await bob.join(table)
    return ann, bob, table


def test_every_command_is_tried_here() -> None:
    kinds = {get_args(model.model_fields["type"].annotation)[0] for model in get_args(m.Deed)}
    assert set(COMMANDS) == kinds


def test_every_route_is_tried_here(server: Server) -> None:
    document = httpx.get(f"{server.url}/api/openapi.json", timeout=60).json()
    routes = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert set(ROUTES) == routes


@pytest.mark.parametrize("route", ROUTES, ids=" ".join)
async def test_a_stranger_gets_no_further_than_is_meant(
    person: NewPerson, server: Server, route: tuple[str, str]
) -> None:
    ann, _, table = await private_game(person)
    session = (await ann.ask("GET", "/api/sessions"))[0]["id"]
    names = {
        "table": table,
        "game": table,
        "session": session,
        "token": "x" * 22,
        "player": "nobody at all",
        "person": "x" * 22,
        "secret": "x" * 32,
    }
    method, path = route
    code, body = ROUTES[route]
    async with Client(server.url) as eve:
        reply = await eve.http.request(method, path.format(**names), json=body)
        assert (reply.json()["error"]["code"] if reply.status_code >= 400 else None) == code


@pytest.mark.parametrize("type", COMMANDS)
async def test_no_command_of_a_third_party_does_anything(person: NewPerson, type: str) -> None:
    ann, bob, table = await private_game(person)
    eve = await person()
    before = await ann.look(table)
    expected = ("not_seated", "not_over", "game_began")
    assert await eve.fail(table, type, **COMMANDS[type]) in expected
    after = await ann.look(table)
    assert after["version"] == before["version"]
    await bob.http.aclose()


@pytest.mark.parametrize("type", COMMANDS)
async def test_no_message_of_a_spectator_does_anything(person: NewPerson, type: str) -> None:
    ann, bob, eve = await person(), await person(), await person()
    table = (await ann.make("me", "open"))["id"]
    await bob.join(table)
    async with await eve.socket(table) as socket:
        answer = await socket.do(type, **COMMANDS[type])
        assert answer["type"] == "refused"
        assert answer["error"]["code"] in ("not_seated", "not_over", "game_began")
    assert (await ann.look(table))["version"] == 3


async def test_one_player_cannot_act_for_the_other(person: NewPerson) -> None:
    ann, bob, table = await private_game(person)
    assert await bob.fail(table, "play", move="+wug") == "not_your_turn"
    assert await bob.fail(table, "consider", move="+wug") == "not_your_turn"
    assert await bob.fail(table, "resign", seat=0) == "not_your_seat"
    await ann.play_first(table)
    assert await bob.fail(table, "ask_takeback") == "nothing_to_take_back"
    assert await ann.fail(table, "play", move="+wug") == "not_your_turn"


async def test_the_key_of_one_person_says_nothing_about_another(person: NewPerson) -> None:
    ann, bob, table = await private_game(person)
    key = new_key()
    move = (await ann.look(table))["moves"][0]["text"]
    body = {"type": "play", "key": key, "move": move}
    await ann.ask("POST", f"/api/tables/{table}/commands", body)
    body["move"] = (await bob.look(table))["moves"][0]["text"]
    await bob.ask("POST", f"/api/tables/{table}/commands", body)
    assert (await ann.look(table))["board"]["turn"] == 2


async def test_sessions_and_tokens_of_others_cannot_be_ended(person: NewPerson) -> None:
    ann, eve = await person(), await person()
    session = (await ann.ask("GET", "/api/sessions"))[0]["id"]
    assert await eve.refusal("DELETE", f"/api/sessions/{session}") == "not_found"
    token = await ann.ask("POST", "/api/tokens", {"name": "mine", "scopes": ["read"]}, 201)
    assert await eve.refusal("DELETE", f"/api/tokens/{token['info']['id']}") == "not_found"
    assert len(await ann.ask("GET", "/api/tokens")) == 1


async def test_a_socket_needs_our_origin_and_a_table_that_may_be_watched(person: NewPerson, server: Server) -> None:
    _, _, table = await private_game(person)
    eve = await person()
    with pytest.raises(InvalidStatus):
        await eve.socket(table)
    with pytest.raises(InvalidStatus):
        await eve.socket("x" * 22)
    open_table = (await eve.make("me", "open"))["id"]
    eve.url = "http://evil.example"
    address = server.url.replace("http", "ws", 1)
    from websockets import Origin
    from websockets.asyncio.client import connect

    with pytest.raises(InvalidStatus):
        await connect(f"{address}/api/tables/{open_table}/socket", origin=Origin("http://evil.example"))
    with pytest.raises(InvalidStatus):
        await connect(f"{address}/api/tables/{open_table}/socket")


async def test_private_games_are_listed_for_their_players_only(person: NewPerson) -> None:
    ann, bob, table = await private_game(person)
    eve = await person()
    await ann.play_first(table)
    await bob.do(table, "resign")
    assert [g["id"] for g in (await ann.ask("GET", f"/api/games?player={ann.id}"))["games"]] == [table]
    assert (await eve.ask("GET", f"/api/games?player={ann.id}"))["games"] == []


async def test_a_reader_without_the_scope_to_play_cannot_play_by_socket(person: NewPerson, server: Server) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    token = (await ann.ask("POST", "/api/tokens", {"name": "reader", "scopes": ["read"]}, 201))["token"]
    async with Client(server.url, token) as program, await program.socket(table) as socket:
        assert (await socket.do("play", move="+wug"))["error"]["code"] == "missing_scope"
        await socket.connection.send(json.dumps({"type": "ping"}))
        await socket.until(lambda message: message["type"] == "beat")
