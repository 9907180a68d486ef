"""What an earlier version stored is opened by this one, and its games go on.

`earlier/` holds a database, a backup of it and a game file, made on 2026-11-18 by the version of commit 48a5cee: two
accounts, Ann and Bob, with a rated game between them that is over, a game that runs, one of three with a clock from
which a guest has resigned, one against a computer, and a table to which Bob is invited.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import zstandard

from positions import deal
from server.clients import Client, Json
from server.process import Rigged
from server.test_operations import run
from splendor.game.game import Game
from splendor.notation import format_position
from splendor.server.tables import proof

pytestmark = pytest.mark.compiled_only

EARLIER = Path(__file__).parent / "earlier"
DATABASE, BACKUP, RECORD = (EARLIER / f"2026-11-18.{kind}" for kind in ("db.zst", "backup", "record.txt"))
A_MINUTE_LATER = 1_795_053_260.0  # than the last move in it
PASSWORDS = {"Ann": "correct horse", "Bob": "battery staple"}
RATED = "FJqxStJt0PCGijCZ0xeNdA"
OWN_TABLES = {  # of Ann, with the positions as she saw them; one has not begun
    "teuzrVNfTpxSYmCq4WwAug": "2 0 3 1 act 0 000444 29,38,17,21/42,49,50,48/73,72,84,76 ?35/?26/?16 1,10,7"
    " 222001:-:16d 222000:-:-",
    "dhaKi5uSVue_WzZKGWdGrA": "3 0 3 1 act 0 000335 27,30,35,28/64,50,69,52/74,72,84,73 ?36/?26/?16 2,5,1,10"
    " 222110:-:- 222000:-:- 111110:-:-",
    "8PmdSYQFHhLACs_8GnwwNQ": "2 0 5 0 act 0 100133 3,38,11,25/42,69,67,63/84,86,74,75 ?36/?25/?15 7,6,4"
    " 233110:-:- 111202:-:68,89",
    "kDYVq1Ll4nHsWPeb94XFKQ": None,
}
RUNNING, THREE, COMPUTER, INVITED = OWN_TABLES


@pytest.fixture(params=["database", "backup"])
async def people(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[dict[str, Client]]:
    """Ann and Bob, signed in at a server of today with their tables of then."""
    file = tmp_path / "splendor.db"
    if request.param == "database":
        file.write_bytes(zstandard.ZstdDecompressor().decompress(DATABASE.read_bytes()))
    else:
        run("restore", str(BACKUP), "--database", f"sqlite:///{file}")
    server = Rigged(tmp_path, [format_position(deal())])
    server.pass_time(A_MINUTE_LATER - server.now)
    with server:
        signed_in = {name: Client(server.url) for name in PASSWORDS}
        for name, client in signed_in.items():
            me = await client.ask("POST", "/api/login", {"name": name, "password": PASSWORDS[name]})
            assert me["person"]["name"] == name
        yield signed_in
        for client in signed_in.values():
            await client.http.aclose()


def test_a_game_file_of_then_is_read_written_and_proved() -> None:
    text = RECORD.read_text(encoding="utf-8")
    assert Game.from_record(text).record() == text
    verdict = proof.verify(text)
    assert verdict.follows
    assert verdict.procedure == "splendor-deal-1"
    assert verdict.seating == "random"


async def test_a_database_of_then_is_opened_and_its_games_go_on(people: dict[str, Client]) -> None:
    ann, bob = people["Ann"], people["Bob"]
    await the_finished_game_is_there(ann)
    assert {table["id"] for table in await ann.ask("GET", "/api/tables/mine")} == set(OWN_TABLES)
    (invited,) = [table for table in await bob.ask("GET", "/api/tables/mine") if table["invited_by"]]
    assert (invited["id"], invited["invited_by"]["name"]) == (INVITED, "Ann")
    for id, position in OWN_TABLES.items():
        board = (await ann.look(id))["board"]
        assert position == (board and board["position"])
    await ann.play_first(THREE)
    await bob.play_first(THREE)
    await until_its_turn(ann, THREE)  # for the guest a computer has moved
    await ann.play_first(COMPUTER)
    await until_its_turn(ann, COMPUTER)
    assert (await bob.join(INVITED))["status"] == "live"
    await bob.play_first(RUNNING)
    await ann.do(RUNNING, "resign")
    for client in (ann, bob):
        assert (await rating_of(client))["games"] == 2


async def the_finished_game_is_there(ann: Client) -> None:
    assert (await ann.http.get(f"/api/games/{RATED}/record")).text == RECORD.read_text(encoding="utf-8")
    assert (await ann.ask("GET", f"/api/games/{RATED}/verify"))["follows"]
    assert len((await ann.ask("GET", f"/api/games/{RATED}/replay"))["frames"]) == 63
    assert (await ann.look(RATED))["result"]["winners"] == [1]
    assert (await rating_of(ann))["games"] == 1


async def rating_of(client: Client) -> Json:
    me = (await client.ask("GET", "/api/me"))["person"]
    (rating,) = (await client.ask("GET", f"/api/people/{me['name']}"))["ratings"]
    return dict(rating)


async def until_its_turn(client: Client, table: str) -> None:
    while not (await client.look(table))["moves"]:
        await asyncio.sleep(0.02)
