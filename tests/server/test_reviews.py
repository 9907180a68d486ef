"""Reviews on a server: made by themselves, closer on request, kept, shown to whoever may see them, never of a game
that goes on.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from server.clients import PATIENCE, Client, Json
from server.process import Server
from splendor import Game
from splendor.analysis import Review, review
from splendor.core.chance import new_rng
from splendor.core.hidden import redeal
from splendor.notation import format_position, parse_position
from splendor.players import load
from splendor.server.live.study import MOST_TEXT, check
from splendor.server.refusal import RequestRefused

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


@pytest.fixture(scope="module")
def reviewing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that reviews finished games by itself."""
    with Server(tmp_path_factory.mktemp("reviewing"), grace=3600, reviews=True) as running:
        yield running


@pytest.fixture
async def player(reviewing: Server) -> AsyncIterator[NewPerson]:
    async with AsyncExitStack() as stack:

        async def new() -> Client:
            return await (await stack.enter_async_context(Client(reviewing.url))).guest()

        yield new


async def finished(ann: Client, bob: Client, *, public: bool = True, turns: int = 4) -> str:
    """A game in which the second player resigns."""
    table = str((await ann.make("me", "open", public=public))["id"])
    await bob.join(table)
    for turn in range(turns):
        await (bob if turn % 2 else ann).play_first(table)
    await bob.do(table, "resign")
    return table


async def whole(client: Client, id: str, effort: str = "quick") -> Review:
    """Wait until a review is there and has every decision."""
    async with asyncio.timeout(PATIENCE):
        while True:
            reply = await client.http.get(f"/api/reviews/{id}")
            if reply.status_code == 200:
                found = Review.from_json(reply.text)
                if found.is_complete and found.effort == effort:
                    return found
            await asyncio.sleep(0.2)


def played(turns: int) -> Game:
    game, greedy = Game(2, seed=5), load("greedy:noise=1", seed=5)
    for _ in range(turns):
        game.play(greedy.choose(game.view(game.seat)))
    return game


async def test_a_finished_game_is_reviewed_by_itself_as_the_library_does(player: NewPerson) -> None:
    ann, bob, eve = await player(), await player(), await player()
    table = await finished(ann, bob)
    found = await whole(eve, table)
    text = (await eve.http.get(f"/api/games/{table}/record")).text
    assert found.turns == review(text, "quick").turns
    assert found.is_over, "who resigned has lost, whatever the position promised"
    assert [seat.result for seat in found.summary] == [1.0, 0.0]
    assert [note.code for note in found.notes] == ["given_up"]
    for seat in found.summary:
        parts = seat.deal + seat.luck + seat.own_errors + seat.others_errors + seat.rest
        assert parts == pytest.approx(seat.result - seat.average, abs=1e-9)
    again = await ann.ask("POST", f"/api/reviews/{table}", {"effort": "quick"})
    assert (again["state"], again["done"], again["total"]) == ("done", 4, 4)


async def test_a_private_game_is_reviewed_for_those_who_played_it(player: NewPerson) -> None:
    ann, bob, eve = await player(), await player(), await player()
    table = await finished(ann, bob, public=False)
    assert (await whole(bob, table)).players == 2
    assert await eve.refusal("GET", f"/api/reviews/{table}") == "not_allowed"
    assert await eve.refusal("POST", f"/api/reviews/{table}", {"effort": "deep"}) == "not_allowed"
    assert await eve.refusal("GET", f"/api/reviews/{table}/stream") == "not_allowed"


async def test_nothing_about_a_running_game_can_be_analysed(player: NewPerson) -> None:
    ann, bob = await player(), await player()
    table = str((await ann.make("me", "open", public=True))["id"])
    await bob.join(table)
    await ann.play_first(table)
    for client in (ann, bob):
        assert await client.refusal("GET", f"/api/reviews/{table}") == "not_found"
        assert await client.refusal("POST", f"/api/reviews/{table}", {"effort": "quick"}) == "not_found"
        assert await client.refusal("GET", f"/api/reviews/{table}/stream") == "not_found"
    position = (await bob.look(table))["board"]["position"]
    assert await bob.refusal("POST", "/api/evaluations", {"position": position}) == "still_played"
    assert await bob.refusal("POST", "/api/evaluations/check", {"position": position}) == "still_played"
    state = parse_position(position)
    redeal(state, new_rng(1))  # what is hidden, made up
    rebuilt = Game.from_position(format_position(state)).record()
    assert await bob.refusal("POST", "/api/reviews", {"record": rebuilt}) == "still_played"
    assert await bob.refusal("POST", "/api/hints", {"position": position}) == "still_played"


async def test_a_game_that_is_not_in_memory_is_known_to_be_played_and_one_against_a_computer_may_be_asked_about(
    tmp_path: Path,
) -> None:
    server = Server(tmp_path, computers=1)
    with server:
        ann, bob = await Client(server.url).guest(), await Client(server.url).guest()
        table = str((await ann.make("me", "open", clock={"kind": "days", "days": 3}))["id"])
        await bob.join(table)
        await ann.play_first(table)
        position = (await bob.look(table))["board"]["position"]
        alone = await ann.make("me", "computer")
        shared = await ann.make("me", {"kind": "device"})
    with server:  # started again, it has no table in memory
        question = {"position": position, "level": "apprentice"}
        assert await bob.refusal("POST", "/api/hints", question) == "still_played"
        assert await bob.refusal("POST", "/api/evaluations", {"position": position}) == "still_played"
        for other in (alone, shared):
            hint = await ann.ask("POST", "/api/hints", {**question, "position": other["board"]["position"]})
            assert hint["move"]["text"]
        await bob.do(table, "resign")
        assert (await bob.ask("POST", "/api/hints", question))["move"]["text"]
        for client in (ann, bob):
            await client.http.aclose()


async def test_a_review_is_read_while_it_grows(player: NewPerson) -> None:
    ann = await player()
    record = played(12).record()
    status = await ann.ask("POST", "/api/reviews", {"record": record, "effort": "normal"})
    stream = await ann.stream(f"/api/reviews/{status['id']}/stream")
    lines: list[Json] = []
    async with stream:
        while not lines or lines[-1]["type"] != "end":
            lines.append(json.loads(await stream.receive()))
    assert lines[-1] == {"type": "end", "state": "done"}
    grown = [line for line in lines if line["type"] == "growth"]
    assert [line["done"] for line in grown] == sorted(line["done"] for line in grown)
    turns: dict[int, Json] = {}
    for line in lines[:-1]:
        turns |= {turn["number"]: turn for turn in (line["review"] if line["type"] == "review" else line)["turns"]}
    found = await whole(ann, status["id"], "normal")
    assert [turns[number] for number in sorted(turns)] == found.to_json()["turns"]
    assert grown[-1]["summary"] == found.to_json()["summary"]


async def test_records_that_cannot_be_reviewed_get_a_sentence(player: NewPerson) -> None:
    ann = await player()
    for record, code in (
        ("no game at all", "bad_record"),
        (Game(2, seed=1).record(), "not_reviewable"),
        (played(3).record().replace("+", "-", 1), "not_reviewable"),
    ):
        assert await ann.refusal("POST", "/api/reviews", {"record": record}) == code, record
    illegal = played(3).record().replace("+", "-", 1)
    reply = (await ann.http.post("/api/reviews", json={"record": illegal})).json()["error"]["params"]
    assert reply["why"] == "illegal_turn", "said as a code, so that everybody reads it in their own language"
    assert reply["turn"] == 1
    assert await ann.refusal("GET", "/api/reviews/" + "a" * 22) == "not_found"
    assert await ann.refusal("POST", "/api/evaluations", {"position": "nonsense"}) == "bad_position"


def test_a_record_with_endless_comments_is_not_kept() -> None:
    text = played(3).record()
    assert check(text) == text
    with pytest.raises(RequestRefused, match="not_reviewable"):
        check(text.rstrip() + " {" + "x" * MOST_TEXT + "}\n")


async def test_a_position_is_evaluated_more_and_more_clearly(player: NewPerson) -> None:
    ann = await player()
    game = played(6)
    body = {"position": game.view(game.seat).position, "effort": "normal", "include": [str(game.legal_moves[0])]}
    async with ann.http.stream("POST", "/api/evaluations", json=body) as reply:
        lines = [json.loads(line) async for line in reply.aiter_lines()]
    assert [line["simulations"] for line in lines] == sorted(line["simulations"] for line in lines)
    assert lines[-1]["simulations"] >= 400
    assert str(game.legal_moves[0]) in [candidate["move"] for candidate in lines[-1]["candidates"]]
    worths = [candidate["worth"] for candidate in lines[-1]["candidates"]]
    assert worths == sorted(worths, reverse=True)


async def test_a_killed_server_goes_on_with_what_was_shown(tmp_path: Path) -> None:
    record = played(40).record()
    with Server(tmp_path / "server", reviews=True) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            status = await ann.ask("POST", "/api/reviews", {"record": record, "effort": "normal"})
            stream = await ann.stream(f"/api/reviews/{status['id']}/stream")
            looked: set[int] = set()
            while len(looked) < 3:
                line = json.loads(await stream.receive())
                found = line["review"] if line["type"] == "review" else line
                looked |= {turn["number"] for turn in found["turns"] if turn["effort"] == "quick"}
            server.kill()
            await stream.reply.aclose()
        server.start()
        async with Client(server.url) as ann:
            await ann.guest()
            kept = Review.from_json((await ann.http.get(f"/api/reviews/{status['id']}")).text)
            assert looked <= {turn.number for turn in kept.turns if turn.effort is not None}
            assert (await ann.ask("POST", f"/api/reviews/{status['id']}", {"effort": "normal"}))["state"] == "underway"
