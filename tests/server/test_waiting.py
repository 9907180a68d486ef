"""Before the game: names and pictures of guests, and a host who has computers sit down."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.clients import Client
from server.process import Server
from server.test_accounts import PASSWORD

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


async def test_a_guest_is_called_and_pictured_as_wished_wherever_seen(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    table = (await ann.make("me", "open", public=True))["id"]
    async with await ann.socket(table) as seen:
        me = await bob.ask("POST", "/api/me", {"name": "  Quick   Quinn ", "avatar": "owl"})
        assert (me["person"]["name"], me["person"]["avatar"], me["is_registered"]) == ("Quick Quinn", "owl", False)
        assert isinstance(me["person"]["guest"], int)
        await bob.join(table)
        await seen.until_table(lambda now: now["seats"][1]["person"] == me["person"])
        await bob.ask("POST", "/api/me", {"name": "Quieter Quinn", "avatar": "fox"})
        changed = await seen.until_event("introduced")
        assert changed["person"]["name"] == "Quieter Quinn"
        assert seen.table["seats"][1]["player"]["avatar"] == "fox"
    await bob.do(table, "resign")
    archived = await ann.ask("GET", f"/api/games/{table}")
    assert [seat["person"]["avatar"] for seat in archived["seats"]] == [None, "fox"]
    assert (await bob.ask("POST", "/api/me", {}))["person"]["name"] is None


async def test_a_name_of_a_guest_passes_for_nobody_with_an_account(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    await bob.ask("POST", "/api/me", {"name": "Wanda Wandering"})
    await ann.ask("POST", "/api/register", {"name": "Wanda  wandering", "password": PASSWORD})
    assert (await bob.ask("GET", "/api/me"))["person"]["name"] is None  # it is an account's now
    assert await bob.refusal("POST", "/api/me", {"name": "VVanda Wandering"}) == "name_taken"
    assert await bob.refusal("POST", "/api/me", {"name": "Grandmaster"}) == "name_reserved"
    assert await bob.refusal("POST", "/api/me", {"avatar": "dragon"}) == "invalid"
    assert await ann.refusal("POST", "/api/me", {"name": "Somebody else"}) == "already_registered"
    assert (await ann.ask("POST", "/api/me", {"avatar": "hare"}))["person"]["name"] == "Wanda wandering"


async def test_the_host_has_computers_sit_down_and_leave(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    table = (await ann.make("me", "open", "computer"))["id"]
    assert (await ann.look(table))["is_host"]
    assert not (await bob.look(table))["is_host"]
    assert await bob.fail(table, "fill", seat=1, level="apprentice") == "not_seated"
    await ann.do(table, "fill", seat=2, level="artisan")
    assert (await ann.look(table))["seats"][2]["person"]["level"] == "artisan"
    await ann.do(table, "empty", seat=2)
    assert (await ann.look(table))["seats"][2]["kind"] == "open"
    assert await ann.fail(table, "empty", seat=2) == "seat_taken"
    await bob.join(table)
    assert await bob.fail(table, "fill", seat=2, level="apprentice") == "not_host"
    assert await ann.fail(table, "fill", seat=1, level="apprentice") == "seat_taken"
    assert await ann.fail(table, "fill", seat=2, level="nobody") == "no_such_level"
    await ann.do(table, "leave")
    assert (await bob.look(table))["is_host"]  # whoever is left
    await bob.do(table, "fill", seat=0, level="apprentice")
    assert (await bob.look(table))["status"] == "open"
    await bob.do(table, "fill", seat=2, level="apprentice")
    started = await bob.look(table)
    assert (started["status"], started["is_host"]) == ("live", False)
    assert await bob.fail(table, "empty", seat=2) == "game_began"


async def test_an_invitation_is_withdrawn(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        ann, bob = [await Client(server.url).guest() for _ in range(2)]
        await bob.ask("POST", "/api/register", {"name": "Bob", "password": PASSWORD})
        table = (await ann.make("me", {"kind": "invited", "name": "Bob"}))["id"]
        assert [one["id"] for one in await bob.ask("GET", "/api/tables/mine")] == [table]
        await ann.do(table, "empty", seat=1)
        assert await bob.ask("GET", "/api/tables/mine") == []
        await ann.do(table, "fill", seat=1, level="apprentice")
        assert (await ann.look(table))["status"] == "live"
        for client in (ann, bob):
            await client.http.aclose()
