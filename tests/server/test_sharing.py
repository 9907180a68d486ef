"""Links that are pasted somewhere: what they say, the picture of a position, and the viewer for other pages."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Awaitable, Callable

import httpx
import pytest

from server.clients import Client
from server.process import Server
from server.test_archive import finished_game
from splendor.server.build import WEB
from splendor.server.pictures.drawings import drawings

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

PNG = b"\x89PNG\r\n\x1a\n"


def told(page: str) -> dict[str, str]:
    """The tags of a page by name."""
    return {
        name: html.unescape(value)
        for name, value in re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)"', page)
    }


async def page(client: Client, path: str, language: str = "en") -> httpx.Response:
    return await client.http.get(path, headers={"accept-language": language})


async def picture(client: Client, table: str, query: str = "") -> bytes:
    reply = await client.http.get(f"/api/pictures/{table}.png{query}")
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"] == "image/png"
    assert reply.headers["cross-origin-resource-policy"] == "cross-origin"
    assert reply.content.startswith(PNG)
    assert [int.from_bytes(reply.content[at : at + 4]) for at in (16, 20)] == [1200, 630]
    return reply.content


async def test_a_public_game_says_who_plays_and_shows_the_position(person: NewPerson) -> None:
    ann, bob, eve = await person(), await person(), await person()
    table = (await ann.make("me", "open", public=True))["id"]
    assert told((await page(eve, f"/t/{table}")).text)["og:title"] == "Take a seat: a game of Splendor"
    nothing = await picture(eve, table)
    await bob.join(table)
    numbers = [seat["person"]["guest"] for seat in (await ann.look(table))["seats"]]
    reply = await page(eve, f"/t/{table}", "de-DE,de;q=0.9")
    tags = told(reply.text)
    assert tags["og:title"] == f"Splendor: Gast {numbers[0]} – Gast {numbers[1]}"
    assert tags["og:image"] == f"{eve.url}/api/pictures/{table}.png?step=0&lang=de"
    assert reply.text.count("<title>") == 1
    assert "robots" not in tags
    begun = await picture(eve, table)
    await ann.play_first(table)
    moved = await picture(eve, table)
    assert len({nothing, begun, moved}) == 3
    assert await picture(ann, table) == moved, "the player is shown what a spectator sees"


async def test_a_private_table_tells_neither_names_nor_the_position(person: NewPerson) -> None:
    ann, eve = await person(), await person()
    for options in ({"public": False}, {"public": True, "spectators": False}):
        table = (await ann.make("me", {"kind": "device", "name": "Secret Sue"}, **options))["id"]
        reply = await page(eve, f"/t/{table}")
        assert "Sue" not in reply.text
        assert told(reply.text)["robots"] == "noindex"
        before = await picture(eve, table)
        await ann.play_first(table)
        assert await picture(eve, table) == before
        assert await picture(ann, table) == before


async def test_a_finished_game_has_a_picture_of_each_step(person: NewPerson) -> None:
    ann, bob, eve = await person(), await person(), await person()
    table = await finished_game(ann, bob)
    tags = told((await page(eve, f"/replay/{table}?step=2")).text)
    assert tags["og:image"].endswith("step=2&lang=en")
    assert tags["og:url"] == f"{eve.url}/replay/{table}"
    assert len({await picture(eve, table, f"?step={step}") for step in (0, 2, 6)}) == 3
    etag = (await eve.http.get(f"/api/pictures/{table}.png?step=2")).headers["etag"]
    again = await eve.http.get(f"/api/pictures/{table}.png?step=2", headers={"if-none-match": etag})
    assert again.status_code == 304


async def test_a_page_finds_out_how_to_embed_a_game(person: NewPerson) -> None:
    ann, bob, eve = await person(), await person(), await person()
    table = await finished_game(ann, bob)
    (asked,) = re.findall(r'json\+oembed" href="([^"]*)"', (await page(eve, f"/replay/{table}")).text)
    path = html.unescape(asked).removeprefix(eve.url)
    answer = await eve.ask("GET", f"{path}&maxwidth=500")
    assert (answer["type"], answer["version"], answer["width"]) == ("rich", "1.0", 500)
    assert f'src="{eve.url}/embed/{table}"' in answer["html"]
    private = (await ann.make("me", {"kind": "device"}))["id"]
    await ann.do(private, "resign")
    assert await eve.refusal("GET", f"/api/oembed?url={eve.url}/replay/{private}") == "not_allowed"
    assert await eve.refusal("GET", f"/api/oembed?url=https://elsewhere.example/replay/{table}") == "not_found"
    assert await eve.refusal("GET", f"/api/oembed?url={eve.url}/settings") == "not_found"


async def test_only_the_viewer_may_be_framed(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    table = await finished_game(ann, bob)
    for kind, allowed in (("embed", "*"), ("replay", "'none'")):
        policy = (await page(ann, f"/{kind}/{table}")).headers["content-security-policy"]
        assert f"frame-ancestors {allowed}" in policy


async def test_names_cannot_become_part_of_the_page(person: NewPerson) -> None:
    ann, eve = await person(), await person()
    sly = '"><script>1'
    table = (await ann.make("me", {"kind": "device", "name": sly}, public=True))["id"]
    reply = await page(eve, f"/t/{table}")
    assert sly not in reply.text
    assert html.escape(sly) in reply.text
    await picture(eve, table)


async def test_pictures_are_limited_for_each_address(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Server(tmp_path_factory.mktemp("pictures"), limits=0.2, computers=1) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            tables = [(await ann.make("me", {"kind": "device"}, public=True))["id"] for _ in range(2)]
            wanted = [f"/api/pictures/{table}.png?lang={lang}" for table in tables for lang in ("en", "de", "nl", "nb")]
            codes = [reply.status_code for reply in await asyncio.gather(*(ann.http.get(path) for path in wanted))]
            assert set(codes) == {200, 429}
            there = wanted[codes.index(200)]
            assert (await ann.http.get(there)).status_code == 200, "one that is there costs nothing"


def test_every_language_has_the_words_of_a_link() -> None:
    found = drawings()
    assert found is not None, f"{WEB} has no drawings: the client has not been built"
    english = set(found.words["en"])
    assert all(set(words) == english for words in found.words.values())
    assert {"link.join", "level.master", "person.guest"} <= english
