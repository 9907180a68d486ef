"""What is due when at games by days: as a list, and as a calendar whose address is secret and can be revoked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from server.clients import Client
from splendor.server.tables.calendar import Due, calendar_of, folded

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]
DAYS = {"kind": "days", "days": 3}


async def test_what_is_due_is_listed_for_its_players_and_for_whoever_has_the_address(person: NewPerson) -> None:
    ann, bob, eve = await person(), await person(), await person()
    await ann.make("me", {"kind": "device"})  # without a clock nothing is due
    table = (await ann.make("me", "open", clock=DAYS))["id"]
    assert (await ann.ask("GET", "/api/calendar"))["entries"] == []
    await bob.join(table)
    (mine,) = (await ann.ask("GET", "/api/calendar"))["entries"]
    (theirs,) = (await bob.ask("GET", "/api/calendar"))["entries"]
    assert (mine["table"], mine["your_turn"], theirs["your_turn"]) == (table, True, False)
    seen = await ann.look(table)
    assert abs(mine["until"] - seen["now"] - seen["seats"][0]["clock"]) < 1

    address = (await bob.ask("POST", "/api/calendar?lang=de", status=201))["address"]
    path = address.removeprefix(bob.url)
    reply = await eve.http.get(path)
    assert reply.headers["content-type"].startswith("text/calendar")
    lines = reply.text.split("\r\n")
    number = seen["seats"][0]["person"]["guest"]
    assert f"SUMMARY:Splendor: Gast {number} ist am Zug" in lines
    assert f"URL:{bob.url}/t/{table}" in lines
    await ann.play_first(table)
    assert f"SUMMARY:Splendor: dein Zug gegen Gast {number}" in (await eve.http.get(path)).text.split("\r\n")

    anew = (await bob.ask("POST", "/api/calendar", status=201))["address"].removeprefix(bob.url)
    assert await eve.refusal("GET", path) == "not_found"
    assert (await eve.http.get(anew)).status_code == 200
    await bob.ask("DELETE", "/api/calendar", status=204)
    assert await eve.refusal("GET", anew) == "not_found"
    assert not (await bob.ask("GET", "/api/calendar"))["has_address"]


def test_names_cannot_become_lines_of_the_calendar_and_long_lines_are_folded() -> None:
    text = calendar_of([Due("x", 0.0, "a,b;c\\d\r\nEND:VEVENT" + "ß" * 60, "https://x.example")], "Splendor", 0.0)
    assert text.count("END:VEVENT\r\n") == 1
    assert "SUMMARY:a\\,b\\;c\\\\d\\nEND:VEVENT" in text
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "".join(part.removeprefix(" ") for part in folded("ß" * 60)) == "ß" * 60
