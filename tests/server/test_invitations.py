"""Invitations cannot be turned against who is invited: they are declined, blocked, and do not count."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.clients import Client
from server.process import Server
from server.test_accounts import PASSWORD, name_of
from server.test_signing_in import registered

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


def seat_for(name: str) -> dict[str, str]:
    return {"kind": "invited", "name": name}


async def test_twenty_invitations_lock_nobody_out(tmp_path: Path) -> None:
    with Server(tmp_path, limits=1) as server:
        victim = await Client(server.url).guest()
        name = await registered(victim)
        for number in range(2):
            attacker = Client(server.url)
            attacker.http.headers["x-forwarded-for"] = f"198.51.100.{number}"
            await attacker.guest()
            for _ in range(10):
                await attacker.make("me", seat_for(name))
            await attacker.http.aclose()
        invited = await victim.ask("GET", "/api/tables/mine")
        assert len(invited) == 20
        assert all(table["invited_by"]["id"] != victim.id for table in invited)
        made = (await victim.make("me", "open"))["id"]
        assert made in [table["id"] for table in await victim.ask("GET", "/api/tables/mine")]
        friend = Client(server.url)
        friend.http.headers["x-forwarded-for"] = "203.0.113.5"
        await friend.guest()
        seats = {"seats": [{"kind": "me"}, seat_for(name)]}
        assert await friend.refusal("POST", "/api/tables", seats) == "cannot_invite"  # too many wait
        await victim.do(invited[0]["id"], "decline")
        await friend.make("me", seat_for(name))
        for client in (victim, friend):
            await client.http.aclose()


async def test_an_invitation_is_declined_and_the_seat_is_open_then(person: NewPerson) -> None:
    ann, bob, cat = await person(), await person(), await person()
    table = (await ann.make("me", seat_for(await registered(bob))))["id"]
    assert await cat.refusal("POST", f"/api/tables/{table}/join", {}) == "table_full"
    assert await cat.fail(table, "decline") == "not_invited"
    async with await ann.socket(table) as socket:
        await bob.do(table, "decline")
        assert (await socket.until_event("declined"))["seat"] == 1
    assert (await ann.look(table))["seats"][1]["kind"] == "open"
    assert await bob.ask("GET", "/api/tables/mine") == []
    assert await bob.fail(table, "decline") == "not_invited"
    await cat.join(table)
    assert await bob.fail(table, "decline") == "game_began"


async def test_who_is_blocked_cannot_invite_any_more(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    name = await registered(bob)
    seats = {"seats": [{"kind": "me"}, seat_for(name)]}
    await bob.ask("POST", "/api/blocks", {"person": ann.id}, 204)
    await bob.ask("POST", "/api/blocks", {"person": ann.id}, 204)
    assert [one["id"] for one in await bob.ask("GET", "/api/blocks")] == [ann.id]
    assert await ann.refusal("POST", "/api/tables", seats) == "cannot_invite"
    await bob.ask("DELETE", f"/api/blocks/{ann.id}", status=204)
    await ann.make("me", seat_for(name))
    over = (await ann.make("me", "open"))["id"]
    await bob.join(over)
    await ann.do(over, "resign")
    await bob.ask("POST", "/api/blocks", {"person": ann.id}, 204)
    assert await ann.fail(over, "rematch") == "cannot_invite"  # which would keep a seat for Bob
    await bob.ask("DELETE", f"/api/blocks/{ann.id}", status=204)
    await ann.do(over, "rematch")
    assert await bob.refusal("POST", "/api/blocks", {"person": bob.id}) == "no_such_person"
    assert await bob.refusal("DELETE", f"/api/blocks/{ann.id}") == "not_found"


async def test_who_may_invite_is_for_the_invited_to_say(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    name = await registered(bob)
    seats = {"seats": [{"kind": "me"}, seat_for(name)]}
    await bob.ask("POST", "/api/account/invitations", {"invitations": "registered"}, 204)
    assert await ann.refusal("POST", "/api/tables", seats) == "cannot_invite"
    await ann.ask("POST", "/api/register", {"name": name_of(ann), "password": PASSWORD})
    await ann.make("me", seat_for(name))
    await bob.ask("POST", "/api/account/invitations", {"invitations": "nobody"}, 204)
    assert await ann.refusal("POST", "/api/tables", seats) == "cannot_invite"
    assert (await bob.ask("GET", "/api/account"))["invitations"] == "nobody"


async def test_who_aborts_after_the_deal_is_seen_to_do_so(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    name = await registered(ann)

    async def profile() -> tuple[int, int]:
        shown = await bob.ask("GET", f"/api/people/{name}")
        return shown["games"], shown["aborted"]

    for ends, counts in (("leave", (0, 0)), ("abort", (1, 1)), ("resign", (2, 1))):
        table = (await ann.make("me", "open"))["id"]
        if ends != "leave":
            await bob.join(table)
        await ann.do(table, ends)
        assert await profile() == counts
