"""The interface is as documented: OpenAPI, the examples of `docs/api.md`, and whatever else is thrown at it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from pydantic import TypeAdapter

from server.clients import PATIENCE, Client
from server.process import Server
from splendor.server import messages as m
from splendor.server.config import Settings
from splendor.server.process.app import create_app
from splendor.server.routes.openapi import document

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

ROOT = Path(__file__).parents[2]
API = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"#### (\w+)\n.*?```json\n(.*?)```", API, re.DOTALL)

schema = schemathesis.openapi.from_dict(document(create_app(Settings(database="sqlite://"))))


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_every_example_is_a_message(name: str, text: str) -> None:
    model: type[m.Message] = getattr(m, name)
    example = json.loads(text)
    assert json.loads(model.model_validate(example).model_dump_json(exclude_unset=True)) == example


def test_every_message_of_the_socket_has_an_example() -> None:
    documented = {name for name, _ in EXAMPLES}
    adapter: TypeAdapter[object] = TypeAdapter(m.ServerMessage | m.ClientMessage | m.PersonalMessage | m.AnyEvent)
    kinds = {name for name, model in adapter.json_schema()["$defs"].items() if "type" in model.get("properties", {})}
    assert kinds <= documented


def test_every_code_that_can_be_sent_is_documented() -> None:
    sources = (ROOT / "src" / "splendor" / "server").rglob("*.py")
    codes = {code for path in sources for code in re.findall(r'Refused\(\s*"(\w+)"', path.read_text(encoding="utf-8"))}
    refusals = (ROOT / "src" / "splendor" / "game" / "refusals.py").read_text(encoding="utf-8")
    codes |= set(re.findall(r'^\s+"([a-z_]+)",$', refusals, re.MULTILINE))
    assert len(codes) > 50
    assert {code for code in codes if f"`{code}`" not in API} == set()


def test_every_route_is_documented(server: Server) -> None:
    paths = httpx.get(f"{server.url}/api/openapi.json", timeout=60).json()["paths"]
    for path in paths:
        assert re.sub(r"\{\w+\}", "", path).rstrip("/").split("/")[-1] in API


@schema.exclude(path_regex="stream$|export").parametrize()
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_fits_the_document_is_answered_as_documented(case: schemathesis.Case[Any], server: Server) -> None:
    session = _session(server)
    response = case.call(base_url=server.url, headers={"origin": server.url}, cookies=session, timeout=PATIENCE)
    assert response.status_code < 500, response.text
    kind = str(response.headers.get("content-type", ""))
    assert "application/json" in kind or "text/plain" in kind or response.status_code == 204
    if response.status_code >= 400:
        assert set(response.json()["error"]) == {"code", "params"}
    elif "application/json" in kind:
        case.validate_response(response, checks=[schemathesis.checks.response_schema_conformance])


_sessions: dict[str, dict[str, str]] = {}


def _session(server: Server) -> dict[str, str]:
    """A guest for all of these; whoever signs out gets a new one."""
    cookies = _sessions.get(server.url)
    if cookies is None or httpx.get(f"{server.url}/api/me", cookies=cookies).status_code == 401:
        reply = httpx.post(f"{server.url}/api/session", headers={"origin": server.url})
        _sessions[server.url] = cookies = dict(reply.cookies)
    return cookies


# ------------------------------------------------------------------------------------------- a fuzzed socket


async def test_fuzzed_messages_change_nothing_and_break_nothing(person: NewPerson) -> None:
    ann, eve = await person(), await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    before = await ann.look(table)
    sent = 0
    for seed in range(40):
        socket = await (ann if seed % 2 else eve).socket(table)
        for message in fuzz(seed, is_player=bool(seed % 2)):
            await socket.connection.send(message)
            sent += 1
        await socket.connection.send('{"type": "ping"}')
        await socket.until(lambda seen: seen["type"] in ("beat", "bye"))
        await socket.connection.close()
    assert sent > 500
    assert {**await ann.look(table), "now": 0} == {**before, "now": 0}
    answer = await ann.do(table, "play", move=before["moves"][0]["text"])
    assert answer["type"] == "done"


def fuzz(seed: int, *, is_player: bool) -> list[str | bytes]:
    """Messages that no client of ours sends; a player's are none that could be meant."""
    chance = random.Random(seed)
    kinds = ["play", "consider", "reveal", "commit", "ping", "vote", "x", 7, None, ["play"]]
    moves = ["+www", "b99", "@@", "-w", "rd4", "b1=" + "w" * 30, "pass", "", "\u202e", 12, None, {"a": 1}]
    if not is_player:
        kinds += ["resign", "abort", "leave", "rematch", "ask_takeback"]
    made: list[str | bytes] = []
    for _ in range(15):
        message: dict[str, object] = {
            "type": chance.choice(kinds),
            "key": chance.choice(["abcdefgh", "", 5, None, "x" * 200]),
        }
        for name in ("move", "turn", "seat", "absent", "choice", "nonce", "commit", "extra"):
            if chance.random() < 0.4:
                message[name] = chance.choice([*moves, -1, 10**30, 1.5, True, "ab" * 32])
        text = json.dumps(message)
        forms: list[str | bytes] = [text, text[:-3], "[" * 500, "\0", text.encode(), b"\xff\xfe", "x" * 5000, "{}"]
        made.append(chance.choice(forms))
    return made


def test_every_test_that_the_security_page_names_is_there() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/.]*test\w*\.(?:py|ts))`", page))
    assert len(named) > 10
    places = (ROOT / "tests" / "server", ROOT / "tests", ROOT)
    assert [name for name in named if not any((place / name).exists() for place in places)] == []
