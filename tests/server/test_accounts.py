"""Accounts: guests who register, sessions, tokens with scopes, names, and what the cookie looks like."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from server.clients import Client, new_key
from server.process import Server

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

PASSWORD = "correct horse battery"


def name_of(client: Client) -> str:
    return "N" + "".join(sign for sign in client.id if sign.isalnum())[:10]


async def test_the_cookie_of_a_guest_cannot_be_read_by_scripts_or_sent_by_other_sites(server: Server) -> None:
    reply = httpx.post(f"{server.url}/api/session", headers={"origin": server.url})
    cookie = reply.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie
    assert len(reply.cookies["splendor"]) >= 22  # 128 bits and more


def test_behind_https_the_cookie_is_secure_and_bound_to_the_host(tmp_path: Path) -> None:
    with Server(tmp_path, origins="https://play.example.org") as server:
        ours = {"host": "play.example.org", "origin": "https://play.example.org"}
        reply = httpx.post(f"{server.url}/api/session", headers=ours)
        cookie = reply.headers["set-cookie"]
        assert cookie.startswith("__Host-splendor=")
        assert {"Secure", "HttpOnly", "Path=/"} <= {part.strip() for part in cookie.split(";")}
        assert "domain" not in cookie.lower()
        assert reply.headers["strict-transport-security"] == "max-age=31536000"
        for origin in (server.url, "http://play.example.org", "https://play.example.org.evil.example"):
            reply = httpx.post(f"{server.url}/api/session", headers=ours | {"origin": origin})
            assert reply.json()["error"]["code"] == "wrong_origin"


def test_only_a_known_proxy_is_believed_where_a_request_comes_from(tmp_path: Path) -> None:
    with Server(tmp_path, limits=1) as server:

        def guests(address: str, forwarded: str) -> list[int]:
            """Ask for many new guests, the most that one address is given being ten."""
            with httpx.Client(transport=httpx.HTTPTransport(local_address=address)) as client:
                headers = [{"origin": server.url, "x-forwarded-for": forwarded.format(n)} for n in range(15)]
                replies = [httpx_post(client, f"{server.url}/api/session", header) for header in headers]
            return [reply.status_code for reply in replies]

        assert guests("127.0.0.1", "203.0.113.{}") == [200] * 15
        assert 429 in guests("127.0.0.1", "198.51.100.1")
        assert 429 in guests("127.0.0.2", "192.0.2.{}")


def httpx_post(client: httpx.Client, url: str, headers: dict[str, str]) -> httpx.Response:
    client.cookies.clear()
    return client.post(url, headers=headers)


async def test_a_guest_registers_and_keeps_the_games(person: NewPerson) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    name = name_of(ann)
    me = await ann.ask("POST", "/api/register", {"name": f"  {name} ", "password": PASSWORD})
    assert me["person"]["id"] == ann.id
    assert me["person"]["name"] == name
    assert [own["id"] for own in await ann.ask("GET", "/api/tables/mine")] == [table]
    body = {"name": name, "password": PASSWORD}
    assert await ann.refusal("POST", "/api/register", body) == "already_registered"


async def test_a_guest_who_registers_twice_at_once_is_registered_once(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    names = [f"{name_of(ann)} {which}" for which in ("one", "two")]
    bodies = [{"name": name[-20:], "password": PASSWORD} for name in names]
    replies = await asyncio.gather(*(ann.http.post("/api/register", json=body) for body in bodies))
    assert sorted(reply.status_code for reply in replies) == [200, 422]
    found = [(await bob.http.get(f"/api/people/{body['name']}")).status_code for body in bodies]
    assert found == [reply.status_code if reply.status_code == 200 else 422 for reply in replies]


async def test_names_differ_by_more_than_case_and_accents(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    name = name_of(ann)
    await ann.ask("POST", "/api/register", {"name": name + "é", "password": PASSWORD})
    body = {"name": name.upper() + " E", "password": PASSWORD}
    assert await bob.refusal("POST", "/api/register", body) == "name_taken"
    assert await bob.refusal("POST", "/api/register", {"name": "x" * 30, "password": PASSWORD}) == "name_too_long"
    assert await bob.refusal("POST", "/api/register", {"name": "a\u200bb", "password": PASSWORD}) == "name_signs"
    assert (
        await bob.refusal("POST", "/api/register", {"name": "ok" + name, "password": "short"}) == "password_too_short"
    )


async def test_signing_in_elsewhere_listing_and_revoking_sessions(person: NewPerson, server: Server) -> None:
    ann = await person()
    name = name_of(ann)
    await ann.ask("POST", "/api/register", {"name": name, "password": PASSWORD})
    table = (await ann.make("me", "open"))["id"]
    async with Client(server.url) as phone:
        assert await phone.refusal("POST", "/api/login", {"name": name, "password": "wrong one"}) == "wrong_credentials"
        assert await phone.refusal("POST", "/api/login", {"name": "nobody", "password": "x"}) == "wrong_credentials"
        me = await phone.ask("POST", "/api/login", {"name": name.lower(), "password": PASSWORD})
        assert me["person"]["id"] == ann.id
        async with await phone.socket(table) as socket:
            sessions = await ann.ask("GET", "/api/sessions")
            assert len(sessions) == 2
            other = next(session["id"] for session in sessions if not session["is_this"])
            await ann.ask("DELETE", f"/api/sessions/{other}", status=204)
            assert (await socket.until(lambda message: message["type"] == "bye"))["code"] == "revoked"
        assert await phone.refusal("GET", "/api/me") == "sign_in"
    assert (await ann.ask("GET", "/api/me"))["person"]["id"] == ann.id


async def test_a_new_password_signs_everyone_else_out(person: NewPerson, server: Server) -> None:
    ann = await person()
    name = name_of(ann)
    await ann.ask("POST", "/api/register", {"name": name, "password": PASSWORD})
    async with Client(server.url) as phone:
        await phone.ask("POST", "/api/login", {"name": name, "password": PASSWORD})
        body = {"old": "wrong one", "new": "another good one"}
        assert await ann.refusal("POST", "/api/password", body) == "wrong_credentials"
        await ann.ask("POST", "/api/password", {"old": PASSWORD, "new": "another good one"}, 204)
        assert await phone.refusal("GET", "/api/me") == "sign_in"
        assert await phone.refusal("POST", "/api/login", {"name": name, "password": PASSWORD}) == "wrong_credentials"


async def test_signing_out_ends_the_session(person: NewPerson) -> None:
    ann = await person()
    cookies = dict(ann.http.cookies)
    await ann.ask("POST", "/api/logout", status=204)
    ann.http.cookies.update(cookies)
    assert await ann.refusal("GET", "/api/me") == "sign_in"


async def test_a_token_may_do_what_its_scopes_say_and_no_more(person: NewPerson, server: Server) -> None:
    ann = await person()
    made = await ann.ask("POST", "/api/tokens", {"name": "reader", "scopes": ["read"]}, 201)
    table = (await ann.make("me", {"kind": "device"}))["id"]
    async with Client(server.url, made["token"]) as program:
        assert (await program.ask("GET", "/api/me"))["person"]["id"] == ann.id
        assert (await program.look(table))["you"] == [0, 1]
        assert await program.fail(table, "play", move="+wug") == "missing_scope"
        seats = {"seats": [{"kind": "me"}, {"kind": "open"}]}
        assert await program.refusal("POST", "/api/tables", seats) == "missing_scope"
        assert await program.refusal("GET", "/api/tokens") == "missing_scope"
        assert await program.refusal("GET", "/api/sessions") == "missing_scope"
        body = {"name": "more", "scopes": ["play"]}
        assert await program.refusal("POST", "/api/tokens", body) == "missing_scope"
    listed = await ann.ask("GET", "/api/tokens")
    assert [token["id"] for token in listed] == [made["info"]["id"]]
    assert "token" not in listed[0]
    await ann.ask("DELETE", f"/api/tokens/{made['info']['id']}", status=204)
    async with Client(server.url, made["token"]) as program:
        assert await program.refusal("GET", "/api/me") == "sign_in"


async def test_only_hashes_of_cookies_and_tokens_are_stored(person: NewPerson, server: Server) -> None:
    ann = await person()
    made = await ann.ask("POST", "/api/tokens", {"name": "reader", "scopes": ["read"]}, 201)
    await ann.ask("POST", "/api/register", {"name": name_of(ann), "password": PASSWORD})
    stored = b"".join(path.read_bytes() for path in server.folder.glob("splendor.db*"))
    for secret in (ann.http.cookies["splendor"], made["token"], PASSWORD):
        assert secret.encode() not in stored
        assert secret not in server.logs()


async def test_an_account_is_marked_as_a_computer_before_its_first_game_only(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    assert await ann.refusal("POST", "/api/me/computer") == "not_registered"
    await ann.ask("POST", "/api/register", {"name": name_of(ann), "password": PASSWORD})
    assert (await ann.ask("POST", "/api/me/computer"))["person"]["is_computer"]
    await bob.ask("POST", "/api/register", {"name": name_of(bob), "password": PASSWORD})
    await bob.make("me", "open")
    assert await bob.refusal("POST", "/api/me/computer") == "has_played"


@pytest.mark.parametrize("origin", [None, "https://evil.example", "null", "http://127.0.0.1"])
async def test_a_request_from_another_site_is_refused(server: Server, origin: str | None) -> None:
    headers = {} if origin is None else {"origin": origin}
    reply = httpx.post(f"{server.url}/api/session", headers=headers)
    assert reply.status_code == 403
    assert reply.json()["error"]["code"] == "wrong_origin"


async def test_a_name_that_is_not_the_servers_is_refused(server: Server) -> None:
    reply = httpx.get(f"{server.url}/api/lobby", headers={"host": "evil.example"})
    assert reply.json()["error"]["code"] == "wrong_host"


async def test_bodies_have_a_limit_and_unknown_fields_are_refused(person: NewPerson) -> None:
    ann = await person()
    body = {"seats": [{"kind": "me"}, {"kind": "open"}], "extra": 1}
    assert await ann.refusal("POST", "/api/tables", body) == "invalid"
    assert await ann.refusal("POST", "/api/tables", {"seats": ["x" * 70_000]}) == "too_large"

    async def endless() -> object:
        for _ in range(100):
            yield b" " * 1024

    reply = await ann.http.post("/api/tables", content=endless())  # type: ignore[arg-type]
    assert reply.json()["error"]["code"] == "too_large"


async def test_every_answer_tells_browsers_to_be_strict(server: Server) -> None:
    for path in ("/", "/api/lobby", "/api/nothing", "/table/whatever"):
        headers = httpx.get(f"{server.url}{path}").headers
        assert "unsafe-inline" not in headers["content-security-policy"]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert headers.get("cache-control") == "no-store" or not path.startswith("/api/")


async def test_limits_hold_for_each_kind_of_deed(tmp_path: Path) -> None:
    with Server(tmp_path, limits=1) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            codes = [await _make(ann) for _ in range(15)]
            assert codes[:10] == [201] * 10
            assert 429 in codes
            for _ in range(20):
                reply = await ann.http.post("/api/login", json={"name": "ann", "password": "wrong"})
            assert reply.status_code == 429
            assert reply.json()["error"]["params"]["what"] == "account"
            assert "retry-after" in reply.headers


async def _make(client: Client) -> int:
    body = {"seats": [{"kind": "me"}, {"kind": "open"}]}
    return (await client.http.post("/api/tables", json=body)).status_code


async def test_a_key_is_a_key(person: NewPerson) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    for key in ("short", "x" * 65, "with space", "<script>"):
        body = {"type": "play", "key": key, "move": "+wug"}
        assert await ann.refusal("POST", f"/api/tables/{table}/commands", body) == "invalid"
    assert (
        await ann.refusal("POST", f"/api/tables/{table}/commands", {"type": "nothing", "key": new_key()}) == "invalid"
    )
