"""A token does what its scopes say and no more: every route and every message, with every set of scopes.

A game is on in which the owner of the tokens holds a card that nobody else has seen. Whoever may not read must not
find it in any answer, whatever else the token is good for.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import InvalidStatus

from server.clients import Client, Json, new_key
from server.process import Server
from server.test_authorisation import COMMANDS, ROUTES

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

SCOPES = ("read", "play", "create")
SETS = [scopes for size in (1, 2, 3) for scopes in combinations(SCOPES, size)]

# What a token must have for each route; None where a token is not asked for anything.
NEEDED: dict[tuple[str, str], str | None] = {
    ("POST", "/api/session"): "read",
    ("GET", "/api/me"): "read",
    ("POST", "/api/me"): "account",
    ("POST", "/api/register"): "account",
    ("POST", "/api/login"): None,
    ("POST", "/api/logout"): "account",
    ("POST", "/api/recover"): None,
    ("GET", "/api/account"): "account",
    ("DELETE", "/api/account"): "account",
    ("GET", "/api/account/data"): "account",
    ("POST", "/api/account/invitations"): "account",
    ("POST", "/api/account/chat"): "account",
    ("POST", "/api/reports"): "account",
    ("POST", "/api/confirm"): "account",
    ("POST", "/api/recovery-codes"): "account",
    ("POST", "/api/second-factor"): "account",
    ("POST", "/api/second-factor/confirm"): "account",
    ("DELETE", "/api/second-factor"): "account",
    ("GET", "/api/blocks"): "account",
    ("POST", "/api/blocks"): "account",
    ("DELETE", "/api/blocks/{person}"): "account",
    ("POST", "/api/password"): "account",
    ("GET", "/api/sessions"): "account",
    ("DELETE", "/api/sessions/{session}"): "account",
    ("POST", "/api/me/computer"): "account",
    ("GET", "/api/tokens"): "account",
    ("POST", "/api/tokens"): "account",
    ("DELETE", "/api/tokens/{token}"): "account",
    ("GET", "/api/lobby"): None,
    ("POST", "/api/tables"): "create",
    ("POST", "/api/pairings"): "create",
    ("GET", "/api/tables/mine"): "read",
    ("GET", "/api/tables/{table}"): "read",
    ("POST", "/api/tables/{table}/join"): "play",
    ("POST", "/api/tables/{table}/commands"): "play",
    ("GET", "/api/tables/{table}/stream"): "read",
    ("GET", "/api/stream"): "read",
    ("GET", "/api/catalogue"): None,
    ("GET", "/api/levels"): None,
    ("POST", "/api/positions"): None,
    ("POST", "/api/hints"): None,
    ("POST", "/api/records/replay"): None,
    ("POST", "/api/records/verify"): None,
    ("POST", "/api/evaluations"): "read",
    ("POST", "/api/evaluations/check"): "read",
    ("POST", "/api/reviews"): "read",
    ("GET", "/api/reviews/{game}"): "read",
    ("POST", "/api/reviews/{game}"): "read",
    ("GET", "/api/reviews/{game}/record"): "read",
    ("GET", "/api/reviews/{game}/stream"): "read",
    ("GET", "/api/games"): None,
    ("GET", "/api/games/{game}"): None,
    ("GET", "/api/games/{game}/record"): None,
    ("GET", "/api/games/{game}/replay"): None,
    ("GET", "/api/games/{game}/verify"): None,
    ("GET", "/api/imports"): "read",
    ("POST", "/api/imports"): "account",
    ("DELETE", "/api/imports/{game}"): "account",
    ("GET", "/api/imports/{game}/record"): "read",
    ("GET", "/api/people/{player}"): None,
    ("GET", "/api/people/{player}/statistics"): None,
    ("GET", "/api/leaderboard"): None,
    ("GET", "/api/pictures/{table}.png"): None,
    ("GET", "/api/oembed"): None,
    ("GET", "/api/push"): None,
    ("GET", "/api/calendar"): "read",
    ("POST", "/api/calendar"): "account",
    ("DELETE", "/api/calendar"): "account",
    ("GET", "/api/calendar/{secret}.ics"): None,
    ("POST", "/api/push"): "account",
    ("DELETE", "/api/push"): "account",
    ("GET", "/api/export.jsonl.zst"): None,
    ("GET", "/healthz"): None,
}
COMMANDS_NEED = {
    "consider": {"play", "read"},
    "rematch": {"play", "create"},
    "allow_chat": {"play", "account"},  # which no token has
    "write": {"play", "account"},
}


class Game(NamedTuple):
    """A running game, and a private one of the same owner that is over."""

    owner: Client
    table: str
    over: str
    hidden: int  # the id of the card that only the owner knows

    async def token(self, scopes: tuple[str, ...]) -> Client:
        body = {"name": "program", "scopes": list(scopes)}
        return Client(self.owner.url, (await self.owner.ask("POST", "/api/tokens", body, 201))["token"])


@pytest.fixture
async def game(person: NewPerson) -> Game:
    ann, bob = await person(), await person()
    over = (await ann.make("me", "open", public=False))["id"]
    await bob.join(over)
    await ann.play_first(over)
    await bob.do(over, "resign")
    table = (await ann.make("me", "open", spectators=False))["id"]
    await bob.join(table)
    await ann.do(table, "play", move="rd1")
    await bob.do(table, "play", move="rd1")
    hidden = (await ann.look(table))["board"]["hands"][0]["reserved"][0]["id"]
    return Game(ann, table, over, hidden)


def shows(answer: Any, card: int) -> bool:
    """Does an answer name this card, or is it made for the eyes of a seat?"""
    if isinstance(answer, list):
        return any(shows(part, card) for part in answer)
    if not isinstance(answer, dict):
        return False
    if card in (answer.get("id"), answer.get("card")) or answer.get("viewer") is not None or answer.get("you"):
        return True
    return any(shows(part, card) for part in answer.values())


def test_every_route_is_listed_here() -> None:
    assert set(NEEDED) == set(ROUTES)


async def first_lines(client: Client, path: str) -> tuple[int, Any]:
    """The status of an answer, and of a stream what comes at first."""
    async with client.http.stream("GET", path) as reply:
        if not reply.headers["content-type"].startswith("application/x-ndjson"):
            await reply.aread()
            return reply.status_code, reply.json()
        async for line in reply.aiter_lines():
            return reply.status_code, json.loads(line)
    return reply.status_code, None


@pytest.mark.parametrize("scopes", SETS, ids="+".join)
async def test_no_route_gives_a_token_more_than_its_scopes(game: Game, scopes: tuple[str, ...]) -> None:
    async with await game.token(scopes) as program:
        for (method, path), needed in NEEDED.items():
            body = ROUTES[method, path][1]
            over = "/api/games/" in path
            names = {"table": game.table, "game": game.over if over else game.table, "player": game.owner.id}
            names |= {"session": "x" * 22, "token": "x" * 22, "person": "x" * 22, "secret": "x" * 32}
            where = path.format(**names)
            if path.endswith("/stream"):
                if path == "/api/stream" and needed in scopes:
                    continue  # its news is tried below
                status, answer = await first_lines(program, where)
            elif path.endswith("/commands"):
                continue  # every command is tried below
            else:
                reply = await program.http.request(method, where, json=body)
                status = reply.status_code
                is_json = reply.headers.get("content-type", "").startswith("application/json")
                answer = reply.json() if is_json else None
            is_refused = isinstance(answer, dict) and answer.get("error", {}).get("code") == "missing_scope"
            assert is_refused == (needed is not None and needed not in scopes), (method, path, status, answer)
            if "read" not in scopes and "{table}" in path:
                assert not shows(answer, game.hidden), (method, path)


@pytest.mark.parametrize("scopes", SETS, ids="+".join)
async def test_private_games_are_listed_for_a_token_that_may_read_only(game: Game, scopes: tuple[str, ...]) -> None:
    async with await game.token(scopes) as program:
        listed = (await program.ask("GET", f"/api/games?player={game.owner.id}"))["games"]
        assert [one["id"] for one in listed] == ([game.over] if "read" in scopes else [])


@pytest.mark.parametrize("scopes", SETS, ids="+".join)
async def test_no_command_gives_a_token_more_than_its_scopes(game: Game, scopes: tuple[str, ...]) -> None:
    async with await game.token(scopes) as program:
        for type, fields in COMMANDS.items():
            if type in ("resign", "abort", "leave"):
                continue  # would end the game; they need what all commands need
            reply = await program.http.post(
                f"/api/tables/{game.table}/commands", json={"type": type, "key": new_key(), **fields}
            )
            code = reply.json().get("error", {}).get("code")
            assert (code == "missing_scope") == (not COMMANDS_NEED.get(type, {"play"}) <= set(scopes)), (type, code)
            assert "read" in scopes or not shows(reply.json(), game.hidden)


@pytest.mark.parametrize("scopes", SETS, ids="+".join)
async def test_the_socket_is_for_who_may_read_and_its_commands_for_who_may_play(
    game: Game, scopes: tuple[str, ...]
) -> None:
    async with await game.token(scopes) as program:
        if "read" not in scopes:
            with pytest.raises(InvalidStatus):
                await program.socket(game.table)
            return
        async with await program.socket(game.table) as socket:
            assert shows(socket.table, game.hidden)
            for type in ("vote", "consider", "rematch", "allow_chat", "write", "play"):
                answer = await socket.do(type, **COMMANDS[type])
                is_refused = answer.get("error", {}).get("code") == "missing_scope"
                assert is_refused == (not COMMANDS_NEED.get(type, {"play"}) <= set(scopes)), type


async def test_refusals_of_moves_do_not_tell_a_player_who_may_not_read_what_is_in_hand(game: Game) -> None:
    async with await game.token(("play",)) as program:
        answers = []
        for card in range(1, 91):
            answers.append(await refusal(program, game.table, f"b{card}"))
            if answers[-1] is None:
                break
        assert all(answer == {"code": "illegal_move", "params": {}} for answer in answers if answer)
    async with await game.token(("play", "read")) as program:
        answer = await refusal(program, game.table, f"b{game.hidden}")
        assert answer is None or answer["params"]["reason"] == "too_expensive"


async def refusal(program: Client, table: str, move: str) -> Json | None:
    body = {"type": "play", "key": new_key(), "move": move}
    reply = await program.http.post(f"/api/tables/{table}/commands", json=body)
    return None if reply.status_code == 200 else dict(reply.json()["error"])


async def test_a_program_that_only_makes_tables_is_shown_no_board(server: Server, game: Game) -> None:
    async with await game.token(("create",)) as program:
        seats = [{"kind": "me"}, {"kind": "device"}]
        made = await program.ask("POST", "/api/tables", {"seats": seats, "spectators": False}, 201)
        assert made["status"] == "live"
        assert made["board"] is None
        assert made["moves"] == []
        assert made["you"] == []
    assert (await game.owner.look(made["id"]))["board"] is not None
