"""Signing in: how it is slowed down, what ends when, second factor, recovery, and the password asked for again."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from positions import deal
from server.clients import Client
from server.process import Rigged, Server
from server.test_accounts import PASSWORD, name_of
from splendor.notation import format_position
from splendor.server.access import totp

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

ANOTHER = "another good one"
DAY = 86_400.0


async def registered(client: Client) -> str:
    name = name_of(client)
    await client.ask("POST", "/api/register", {"name": name, "password": PASSWORD})
    return name


async def test_nobody_elsewhere_locks_the_owner_out(tmp_path: Path) -> None:
    """Wrong tries from many addresses: the owner signs in at home, and at a known device from anywhere."""
    with Server(tmp_path, limits=0.3) as server:  # three tries at once for a name and an address, thirty for a name
        home, elsewhere = Client(server.url), Client(server.url)

        def at(address: str) -> Client:
            elsewhere.http.headers["x-forwarded-for"] = address
            elsewhere.http.cookies.clear()
            return elsewhere

        home.http.headers["x-forwarded-for"] = "203.0.113.1"
        await home.guest()
        name = await registered(home)
        right, wrong = {"name": name, "password": PASSWORD}, {"name": name, "password": "wrong one"}
        codes = [await at("198.51.100.1").refusal("POST", "/api/login", wrong) for _ in range(5)]
        assert codes == ["wrong_credentials"] * 3 + ["too_many"] * 2
        await at("192.0.2.200").ask("POST", "/api/login", right)  # an address that has not tried
        home.http.headers["x-forwarded-for"] = "198.51.100.1"  # the owner, at the very address of the attacker
        await home.ask("POST", "/api/logout", status=204)
        assert (await home.ask("POST", "/api/login", right))["person"]["name"] == name
        while await at(f"192.0.2.{len(codes)}").refusal("POST", "/api/login", wrong) != "too_many":
            codes.append("")  # many addresses, all guessing one name
        assert await at("203.0.113.77").refusal("POST", "/api/login", right) == "too_many"
        await home.ask("POST", "/api/logout", status=204)
        assert (await home.ask("POST", "/api/login", right))["person"]["name"] == name
        codes = [await home.refusal("POST", "/api/login", wrong) for _ in range(4)]
        assert codes[-1] == "too_many"  # tries at a known device are limited too
        for client in (home, elsewhere):
            await client.http.aclose()


async def test_signing_in_ends_the_connections_of_the_session_before(person: NewPerson, server: Server) -> None:
    ann, bob = await person(), await person()
    name = await registered(ann)
    table = (await bob.make("me", {"kind": "device"}))["id"]
    async with await bob.socket(table) as socket:
        await bob.ask("POST", "/api/login", {"name": name, "password": PASSWORD})
        assert (await socket.until(lambda message: message["type"] == "bye"))["code"] == "revoked"


async def test_the_cookie_changes_when_a_guest_registers_and_when_the_password_changes(
    person: NewPerson, server: Server
) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    old = dict(ann.http.cookies)
    async with await ann.socket(table) as socket:
        await registered(ann)
        between = dict(ann.http.cookies)
        await ann.ask("POST", "/api/password", {"old": PASSWORD, "new": ANOTHER}, 204)
        for cookies in (old, between):
            async with Client(server.url) as thief:
                thief.http.cookies.update(cookies)
                assert await thief.refusal("GET", "/api/me") == "sign_in"
        assert (await ann.ask("GET", "/api/me"))["person"]["id"] == ann.id
        await socket.do("play", move=socket.table["moves"][0]["text"])  # the game goes on meanwhile


async def test_tokens_end_with_the_password_unless_they_are_kept(person: NewPerson, server: Server) -> None:
    ann = await person()
    await registered(ann)
    for keep, status in ((True, 200), (False, 401)):
        made = await ann.ask("POST", "/api/tokens", {"name": "program", "scopes": ["read"]}, 201)
        body = {"old": PASSWORD, "new": PASSWORD, "keep_tokens": keep}
        async with Client(server.url, made["token"]) as program, await program.stream("/api/stream") as stream:
            await ann.ask("POST", "/api/password", body, 204)
            assert (await program.http.get("/api/me")).status_code == status
            if not keep:
                assert (await stream.until(lambda message: message["type"] == "bye"))["code"] == "revoked"


async def test_connections_end_with_the_token_they_were_opened_with(tmp_path: Path) -> None:
    with Rigged(tmp_path, [format_position(deal())]) as server:
        ann = await Client(server.url).guest()
        table = (await ann.make("me", {"kind": "device"}))["id"]
        body = {"name": "program", "scopes": ["read", "play"], "days": 1}
        token = (await ann.ask("POST", "/api/tokens", body, 201))["token"]
        async with Client(server.url, token) as program:
            stream = await program.stream(f"/api/tables/{table}/stream")
            async with stream, await program.socket(table) as socket, await program.socket(table) as sender:
                await stream.until(lambda message: message["type"] == "update")
                server.pass_time(DAY + 1)
                await sender.connection.send(json.dumps({"type": "play", "key": "k" * 8, "move": "+wug"}))
                assert (await sender.until(lambda message: message["type"] == "bye"))["code"] == "revoked"
                assert (await ann.look(table))["version"] == 2
                await ann.play_first(table)  # what happens then is not told any more
                for reader in (stream, socket):
                    before = len(reader.seen)
                    assert (await reader.until(lambda message: message["type"] == "bye"))["code"] == "revoked"
                    assert all(message["type"] != "update" for message in reader.seen[before:])
        await ann.http.aclose()


async def test_a_session_ends_when_it_is_not_used_and_in_any_case(tmp_path: Path) -> None:
    with Rigged(tmp_path, [format_position(deal())]) as server:
        ann, guest, idle = [await Client(server.url).guest() for _ in range(3)]
        await registered(ann)
        await registered(idle)
        for _ in range(4):
            server.pass_time(40 * DAY)
            await ann.ask("GET", "/api/me")
        assert await idle.refusal("GET", "/api/me") == "sign_in"
        server.pass_time(40 * DAY)
        assert await ann.refusal("GET", "/api/me") == "sign_in"
        await guest.ask("GET", "/api/me")  # who has no password is not sent away
        for client in (ann, guest, idle):
            await client.http.aclose()


async def test_what_matters_needs_a_password_that_was_given_a_short_time_ago(tmp_path: Path) -> None:
    with Rigged(tmp_path, [format_position(deal())]) as server:
        ann = await Client(server.url).guest()
        name = await registered(ann)
        wish = {"name": "program", "scopes": ["read"]}
        await ann.ask("POST", "/api/tokens", wish, 201)
        server.pass_time(601)
        for method, path in (
            ("POST", "/api/tokens"),
            ("POST", "/api/recovery-codes"),
            ("POST", "/api/second-factor"),
            ("DELETE", "/api/second-factor"),
            ("GET", "/api/account/data"),
            ("DELETE", "/api/account"),
        ):
            assert await ann.refusal(method, path, wish if path == "/api/tokens" else None) == "confirm_password"
        assert await ann.refusal("POST", "/api/confirm", {"password": "wrong one"}) == "wrong_credentials"
        await ann.ask("POST", "/api/confirm", {"password": PASSWORD}, 204)
        await ann.ask("POST", "/api/tokens", wish, 201)
        assert (await ann.ask("GET", "/api/me"))["person"]["name"] == name
        await ann.http.aclose()


async def test_a_recovery_code_sets_a_new_password_once(person: NewPerson, server: Server) -> None:
    ann = await person()
    name = await registered(ann)
    codes = (await ann.ask("POST", "/api/recovery-codes", status=201))["codes"]
    assert len(set(codes)) == 8
    assert (await ann.ask("GET", "/api/account"))["recovery_codes"] == 8
    stored = b"".join(path.read_bytes() for path in server.folder.glob("splendor.db*"))
    assert codes[0].replace("-", "").encode() not in stored
    async with Client(server.url) as anew:
        body = {"name": name, "code": codes[0].lower().replace("-", " "), "new": ANOTHER}
        assert await anew.refusal("POST", "/api/recover", body | {"code": "AAAA-BBBB-CCCC-DDDD"}) == "wrong_credentials"
        assert await anew.refusal("POST", "/api/recover", body | {"name": "nobody"}) == "wrong_credentials"
        assert (await anew.ask("POST", "/api/recover", body))["person"]["id"] == ann.id
        assert await ann.refusal("GET", "/api/me") == "sign_in"
        assert await anew.refusal("POST", "/api/recover", body) == "wrong_credentials"
        assert await anew.refusal("POST", "/api/login", {"name": name, "password": PASSWORD}) == "wrong_credentials"
        await anew.ask("POST", "/api/login", {"name": name, "password": ANOTHER})


@pytest.mark.parametrize(
    ("time", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_one_time_codes_are_those_of_the_standard(time: int, code: str) -> None:
    """The test vectors of RFC 6238, appendix B."""
    secret = base64.b32encode(b"12345678901234567890").decode()
    assert totp.code_at(secret, time // totp.STEP, digits=8) == code


async def test_with_a_second_factor_the_password_is_not_enough(tmp_path: Path) -> None:
    with Rigged(tmp_path, [format_position(deal())]) as server:
        ann = await Client(server.url).guest()
        name = await registered(ann)
        made = await ann.ask("POST", "/api/second-factor", status=201)
        assert made["secret"] in made["address"]

        def code() -> str:
            return totp.code_at(made["secret"], int(server.now) // totp.STEP)

        body = {"name": name, "password": PASSWORD}
        async with Client(server.url) as early:
            await early.ask("POST", "/api/login", body)  # not in use before its first code
        assert await ann.refusal("POST", "/api/second-factor/confirm", {"code": "000000"}) == "wrong_code"
        await ann.ask("POST", "/api/second-factor/confirm", {"code": code()}, 204)
        assert (await ann.ask("GET", "/api/account"))["has_second_factor"]
        (spare, *_) = (await ann.ask("POST", "/api/recovery-codes", status=201))["codes"]
        async with Client(server.url) as phone:
            assert await phone.refusal("POST", "/api/login", body) == "code_needed"
            assert await phone.refusal("POST", "/api/login", body | {"password": "wrong one"}) == "wrong_credentials"
            assert await phone.refusal("POST", "/api/login", body | {"code": code()}) == "wrong_code"  # was used
            server.pass_time(30)
            await phone.ask("POST", "/api/login", body | {"code": code()})
            await phone.ask("POST", "/api/login", body | {"code": spare})
            assert await phone.refusal("POST", "/api/login", body | {"code": spare}) == "wrong_code"
            server.pass_time(601)
            assert await phone.refusal("POST", "/api/confirm", {"password": PASSWORD}) == "code_needed"
            await phone.ask("POST", "/api/confirm", {"password": PASSWORD, "code": code()}, 204)
            await phone.ask("DELETE", "/api/second-factor", status=204)
            await phone.ask("POST", "/api/login", body)
        await ann.http.aclose()


COMMON = ["password", "Password123", "12345678", "abcdefgh", "aaaaaaaaaa", "splendor2026", "iloveyou!"]


@pytest.mark.parametrize("password", COMMON)
async def test_common_passwords_are_refused(person: NewPerson, password: str) -> None:
    ann = await person()
    body = {"name": name_of(ann), "password": password}
    assert await ann.refusal("POST", "/api/register", body) == "password_too_common"
    await registered(ann)
    change = {"old": PASSWORD, "new": password}
    assert await ann.refusal("POST", "/api/password", change) == "password_too_common"


async def test_a_name_is_no_password(person: NewPerson) -> None:
    ann = await person()
    name = name_of(ann)
    assert await ann.refusal("POST", "/api/register", {"name": name, "password": name.lower()}) == "password_too_common"


RESERVED = [
    "admin",
    "Moderator",
    "grandmaster",
    "Großmeister",
    "Guest 4821",
    "gjest12",
    "ѕystem",
    "аdmin",
    "M0derator",
    "computer",
]


@pytest.mark.parametrize("name", RESERVED)
async def test_names_that_speak_for_the_server_a_computer_or_a_guest_are_refused(person: NewPerson, name: str) -> None:
    ann = await person()
    assert await ann.refusal("POST", "/api/register", {"name": name, "password": PASSWORD}) == "name_reserved"


async def test_a_name_that_looks_like_another_is_taken(person: NewPerson) -> None:
    ann, eve = await person(), await person()
    name = "Paco" + name_of(ann)
    await ann.ask("POST", "/api/register", {"name": name, "password": PASSWORD})
    for other in (name.replace("Paco", "Расо"), name.replace("Paco", "Pac0"), name + ".", f"{name[:4]} {name[4:]}"):
        assert await eve.refusal("POST", "/api/register", {"name": other, "password": PASSWORD}) == "name_taken"


@pytest.mark.parametrize(
    "header", [{"host": "["}, {"origin": "http://["}, {"host": "[::1"}, {"origin": "https://[x]:y"}]
)
async def test_a_host_or_origin_that_is_none_is_a_bad_request(server: Server, header: dict[str, str]) -> None:
    for method, path in (("GET", "/api/lobby"), ("POST", "/api/session"), ("GET", "/")):
        reply = httpx.request(method, f"{server.url}{path}", headers={"origin": server.url} | header)
        assert reply.status_code == 400
        assert reply.json()["error"]["code"] == "bad_request"


async def test_every_refusal_is_described_as_the_json_that_it_is(server: Server) -> None:
    document = httpx.get(f"{server.url}/api/openapi.json", timeout=60).json()
    for path, methods in document["paths"].items():
        for operation in methods.values():
            assert list(operation["responses"]["4XX"]["content"]) == ["application/json"], path
    reply = httpx.get(f"{server.url}/api/games/{'x' * 22}/record?format=wrong")
    assert reply.status_code == 422
    assert reply.headers["content-type"] == "application/json"
    assert reply.json()["error"]["code"] == "invalid"
