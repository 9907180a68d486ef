"""Games that begin from a position: what is not seen is dealt anew, nothing is promised, and they do not count."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from server.clients import Client
from splendor import Game
from splendor.notation import parse_position
from splendor.notation.positions import has_unseen_cards
from splendor.players import load
from splendor.server import messages as m
from splendor.server.tables import log
from splendor.server.tables.starting import deal_rest
from splendor.server.tables.table import OnlineTable

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


def middle(players: int = 2, turns: int = 16) -> Game:
    """A game in which somebody has drawn a card that the others have not seen."""
    game, greedy = Game(players, seed=7), load("greedy:noise=1", seed=7)
    game.play("rd2")
    for _ in range(turns):
        game.play(greedy.choose(game.view(game.seat)))
    return game


async def test_a_game_begins_from_a_position_with_the_decks_shuffled_anew(person: NewPerson) -> None:
    ann = await person()
    game = middle()
    decks = set()
    for _ in range(3):
        me = {"kind": "me"}
        table = await ann.make({"kind": "computer"}, me, position=game.position, order="random", commit="ab" * 32)
        assert table["status"] == "live"
        assert table["you"] == [1]
        assert table["fairness"] is None
        assert table["board"]["round"] == game.round
        await ann.do(table["id"], "resign")
        record = Game.from_record((await ann.http.get(f"/api/games/{table['id']}/record")).text)
        while record.moves:
            record.undo()
        begun, given = record.position.split(), game.position.split()
        assert begun[:8] + begun[9:] == given[:8] + given[9:]
        assert [sorted(deck.split(",")) for deck in begun[8].split("/")] == [
            sorted(deck.split(",")) for deck in given[8].split("/")
        ]
        assert not {"Deal", "Secret", "Commit"} & set(record.tags)
        decks |= {begun[8], given[8]}
        verdict = await ann.ask("GET", f"/api/games/{table['id']}/verify")
        assert not verdict["follows"]
    assert len(decks) == 4


async def test_of_what_a_viewer_does_not_see_nothing_comes_along(person: NewPerson) -> None:
    """The position of a game as a seat sees it: the card that the other one drew is a new one each time."""
    ann = await person()
    seen = middle().view(1).position
    cards = set()
    for _ in range(6):
        table = await ann.make({"kind": "computer"}, "me", position=seen)
        await ann.do(table["id"], "resign")
        record = Game.from_record((await ann.http.get(f"/api/games/{table['id']}/record")).text)
        while record.moves:
            record.undo()
        assert not has_unseen_cards(parse_position(record.position))
        cards.add(record.position.split()[10])
    assert len(cards) > 1


async def test_it_does_not_count_and_a_rematch_begins_from_there_again(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    game = middle()
    table = (await ann.make("me", "open", position=game.position))["id"]
    joined = await bob.join(table, commit="cd" * 32)
    assert joined["status"] == "live"
    players = [ann, bob]
    for turn in range(4):
        await players[(game.seat + turn) % 2].play_first(table)
    await bob.do(table, "resign")
    assert not (await ann.ask("GET", f"/api/games/{table}"))["is_rated"]
    again = (await ann.do(table, "rematch"))["table"]
    assert (await ann.look(again))["you"] == [0]
    await bob.join(again)
    board = (await bob.look(again))["board"]
    assert board["position"].split()[:8] == game.position.split()[:8]


async def test_a_position_from_which_no_game_can_begin_is_refused(person: NewPerson) -> None:
    ann, bob, eve = await person(), await person(), await person()
    over = middle()
    while not over.is_over:
        over.play(over.legal_moves[-1])
    full = "2 0 1 0 act 0 222235 1,2,3,4/41,42,43,44/71,72,73,74 ?36/?26/?16 1,2,3 222210:-:- 000000:-:-"
    begun = Game.from_position(deal_rest(full, "22" * 32))
    begun.decide(begun.legal_actions[0])
    wish = {"seats": [{"kind": "me"}, {"kind": "computer", "level": "apprentice"}]}
    for position, code in (
        ("what?", "bad_position"),
        (middle().position.replace("act", "return"), "bad_position"),
        (middle(3).position, "other_players"),
        (over.position, "game_over"),
        (begun.position, "unfinished_turn"),
    ):
        assert await ann.refusal("POST", "/api/tables", {**wish, "position": position}) == code, position
    table = (await ann.make("me", "open"))["id"]
    await bob.join(table)
    played = (await eve.look(table))["board"]["position"]
    assert await eve.refusal("POST", "/api/tables", {**wish, "position": played}) == "still_played"


def test_the_log_knows_the_position_and_logs_without_one_stay_readable() -> None:
    game = middle()
    person = m.Person(id="ann", name="Ann")
    fields = {"public": False, "spectators": True, "clock": m.NoClock(), "order": "chosen", "secret": "11" * 32}
    seats = [log.SeatPlan(kind="person", person=person), log.SeatPlan(kind="device", person=person)]
    made = log.Created.model_validate({"seats": seats, "position": game.view(0).position, **fields})
    assert log.parse_entry(log.format_entry(made)) == made
    old = log.format_entry(made.model_copy(update={"position": None})).replace(',"position":null', "")
    assert log.parse_entry(old) == made.model_copy(update={"position": None})
    assert made.position
    table = OnlineTable("t" * 22)
    started = log.Started(position=deal_rest(made.position, made.secret), order=[0, 1])
    entries: list[log.AnyEntry] = [made, started]
    for version, entry in enumerate(entries, 1):
        table.apply(log.Stored(version, 100.0, entry))
    assert table.status == "live"
    assert table.turn == 0
