"""Table manners: resigning, leaving, taking back, being absent, running out of time, and what becomes of the seat."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from server.clients import Client, Json, Socket
from splendor.game.game import Game
from splendor.server import messages as m
from splendor.server.refusal import RequestRefused
from splendor.server.tables import commands, log
from splendor.server.tables.table import OnlineTable

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


async def seated(person: NewPerson, count: int, **options: object) -> tuple[str, list[Client]]:
    """A table with so many people, seat by seat."""
    people = [await person() for _ in range(count)]
    table = await people[0].make("me", *["open"] * (count - 1), **options)
    for client in people[1:]:
        await client.join(table["id"])
    return table["id"], people


async def test_who_resigns_with_two_players_loses(person: NewPerson) -> None:
    table, (ann, bob) = await seated(person, 2)
    await bob.do(table, "resign")
    end = await ann.look(table)
    assert end["status"] == "over"
    assert end["result"]["reason"] == "resignation"
    assert end["result"]["places"] == [1, 2]
    assert end["result"]["decided_by"] == "forfeit"
    assert await ann.fail(table, "play", move="+wug") == "game_over"


async def test_with_three_players_a_computer_plays_on_for_who_resigns(person: NewPerson) -> None:
    table, (ann, bob, cleo) = await seated(person, 3)
    await bob.do(table, "resign")
    shown = await ann.look(table)
    assert shown["status"] == "live"
    assert shown["seats"][1]["forfeit"] == "resigned"
    assert shown["seats"][1]["person"]["level"]
    assert shown["seats"][1]["player"]["id"] == bob.id
    assert await bob.fail(table, "play", move="+wug") == "not_seated"
    await ann.do(table, "play", move=shown["moves"][0]["text"])
    async with await cleo.socket(table) as socket:
        await socket.until_table(lambda t: bool(t["moves"]))
    await cleo.do(table, "resign")
    end = await ann.look(table)
    assert end["result"]["places"] == [1, 2, 2]


async def test_a_game_can_be_aborted_before_the_second_move_only(person: NewPerson) -> None:
    table, (ann, bob) = await seated(person, 2)
    await ann.play_first(table)
    assert (await bob.look(table))["can_abort"]
    await bob.do(table, "abort")
    assert (await ann.look(table))["status"] == "aborted"
    table, (ann, bob) = await seated(person, 2)
    await ann.play_first(table)
    await bob.play_first(table)
    assert await ann.fail(table, "abort") == "too_late_to_abort"


async def test_the_last_to_leave_an_open_table_closes_it(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    table = (await ann.make("me", "open", "open"))["id"]
    await bob.join(table)
    await ann.do(table, "leave")
    assert [seat["kind"] for seat in (await bob.look(table))["seats"]] == ["open", "person", "open"]
    await bob.do(table, "leave")
    assert (await bob.look(table))["status"] == "aborted"


# --------------------------------------------------------------------------------------------------- take-backs


async def test_a_take_back_needs_the_consent_of_the_other(person: NewPerson) -> None:
    table, (ann, bob) = await seated(person, 2)
    before = await ann.look(table)
    take = next(move["text"] for move in before["moves"] if move["kind"] == "take")
    await ann.do(table, "play", move=take)
    assert await bob.fail(table, "ask_takeback") == "nothing_to_take_back"
    await ann.do(table, "ask_takeback")
    assert (await bob.look(table))["offer"] == {"seat": 0, "turns": 1, "agreed": []}
    assert await ann.fail(table, "answer_takeback", accept=True) == "own_offer"
    await bob.do(table, "answer_takeback", accept=False)
    assert (await ann.look(table))["board"]["turn"] == 1
    await ann.do(table, "ask_takeback")
    await bob.do(table, "answer_takeback", accept=True)
    after = await ann.look(table)
    assert after["board"]["position"] == before["board"]["position"]
    assert after["moves"] == before["moves"]


async def test_a_move_of_the_other_ends_the_offer(person: NewPerson) -> None:
    table, (ann, bob) = await seated(person, 2)
    await ann.do(table, "play", move=(await ann.look(table))["moves"][0]["text"])
    await ann.do(table, "ask_takeback")
    await bob.play_first(table)
    assert await bob.fail(table, "answer_takeback", accept=True) == "no_offer"


async def test_nothing_is_taken_back_past_a_revealed_card(person: NewPerson) -> None:
    table, (ann, bob) = await seated(person, 2)
    card = (await ann.look(table))["board"]["market"][0][0]["id"]
    await ann.do(table, "play", move=f"r{card}")
    assert not (await ann.look(table))["can_undo"]
    assert await ann.fail(table, "ask_takeback") == "nothing_to_take_back"
    take = next(move["text"] for move in (await bob.look(table))["moves"] if move["kind"] == "take")
    await bob.do(table, "play", move=take)
    assert await ann.fail(table, "ask_takeback") == "nothing_to_take_back"
    assert (await bob.look(table))["can_undo"]


async def test_alone_with_computers_nobody_has_to_be_asked(person: NewPerson) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    take = next(move["text"] for move in (await ann.look(table))["moves"] if move["kind"] == "take")
    await ann.do(table, "play", move=take)
    await ann.do(table, "ask_takeback")
    assert (await ann.look(table))["board"]["turn"] == 0


async def test_the_begun_part_of_a_turn_can_be_undone_without_asking(person: NewPerson) -> None:
    table, (ann, bob) = await seated(person, 2)
    for _ in range(3):
        takes = [move for move in (await ann.look(table))["moves"] if len(move["taken"] or ()) == 3]
        await ann.do(table, "play", move=takes[0]["text"])
        await bob.do(table, "play", move="rd2")
    before = await ann.look(table)
    take = next(m["text"] for m in before["moves"] if m["kind"] == "take" and m["then"] == "return")
    await ann.do(table, "play", move=take)
    assert (await ann.look(table))["board"]["phase"] == "return"
    await ann.do(table, "ask_takeback")
    assert (await ann.look(table))["board"]["position"] == before["board"]["position"]


# ------------------------------------------------------------------------------------------------------ absence


def is_away(seat: int) -> Callable[[Json], bool]:
    return lambda table: table["seats"][seat]["absence"] is not None


def is_there(seat: int) -> Callable[[Json], bool]:
    return lambda table: table["seats"][seat]["absence"] is None


async def vote_when_time(socket: Socket, absent: int, choice: str) -> Json:
    """Vote again and again until it is no longer too early, and return the answer."""
    while True:
        answer = await socket.do("vote", absent=absent, choice=choice)
        if answer["type"] != "refused" or answer["error"]["code"] != "too_early":
            return answer
        await asyncio.sleep(0.2)


async def test_the_others_decide_about_an_absent_player(person_there: NewPerson) -> None:
    table, (ann, bob) = await seated(person_there, 2)
    async with await ann.socket(table) as a:
        async with await bob.socket(table):
            await ann.play_first(table)
            await a.until(lambda message: message["type"] == "presence" and message["online"] == [0, 1])
            await a.until_table(is_there(1))
        await a.until_table(is_away(1))
        absence = a.table["seats"][1]["absence"]
        assert absence["until"] > absence["since"]
        await a.do("vote", absent=1, choice="wait")
        assert (await a.do("vote", absent=0, choice="end"))["error"]["code"] == "not_absent"
        assert (await vote_when_time(a, 1, "computer"))["type"] == "done"
        await a.until_table(lambda t: t["seats"][1]["kind"] == "computer" and t["board"]["turn"] >= 2)
    assert await bob.fail(table, "play", move="+wug") == "not_seated"


async def test_who_comes_back_in_time_keeps_the_seat(person_there: NewPerson) -> None:
    table, (ann, bob) = await seated(person_there, 2)
    async with await ann.socket(table) as a:
        await a.until_table(is_away(1))
        async with await bob.socket(table):
            await a.until_table(is_there(1))
            assert a.table["seats"][1]["person"]["id"] == bob.id
            assert (await a.do("vote", absent=1, choice="end"))["error"]["code"] == "not_absent"


async def test_two_of_three_must_agree_about_the_third(person_there: NewPerson) -> None:
    table, (ann, bob, cleo) = await seated(person_there, 3)
    async with await ann.socket(table) as a, await bob.socket(table) as b:
        await a.until_table(is_away(2))
        assert (await vote_when_time(a, 2, "end"))["type"] == "done"
        assert a.table["status"] == "live"
        await b.do("vote", absent=2, choice="end")
        await a.until_table(lambda t: t["status"] == "over")
        assert a.table["result"]["reason"] == "abandoned"
        assert a.table["result"]["places"][2] == 3
    assert (await cleo.look(table))["status"] == "over"


def absent_table() -> OnlineTable:
    """The first of two players is there, the second has been away since 1000 and may be voted about from 1060 on."""
    table = OnlineTable("t" * 22)
    plans = [log.SeatPlan(kind="person", person=m.Person(id=name, name=name)) for name in ("ann", "bob")]
    entries: list[log.AnyEntry] = [
        log.Created(seats=plans, public=False, spectators=True, clock=m.NoClock(), order="chosen", secret="11" * 32),
        log.Started(position=Game(players=2, seed=1).position, order=[0, 1]),
        log.WentAbsent(seat=1, until=1060.0),
    ]
    for version, entry in enumerate(entries, 1):
        table.apply(log.Stored(version, 1000.0, entry))
    return table


def test_an_absent_player_has_time_to_come_back_before_the_others_decide() -> None:
    table, wish = absent_table(), m.Vote(key="abcdefgh", absent=1, choice="computer")
    with pytest.raises(RequestRefused) as refusal:
        commands.vote(table, "ann", wish, 1059.0, commands.Manners())
    assert (refusal.value.code, refusal.value.params) == ("too_early", {"until": 1060.0})
    voted = log.Voted(seat=0, absent=1, choice="computer")
    replaced = log.Replaced(seat=1, level=commands.Manners().substitute)
    assert commands.vote(table, "ann", wish, 1060.0, commands.Manners()) == [voted, replaced]


def test_a_vote_to_wait_gives_the_same_time_again() -> None:
    table = absent_table()
    table.apply(log.Stored(4, 1100.0, log.Voted(seat=0, absent=1, choice="wait")))
    assert table.seats[1].absent_until == 1160.0


# ------------------------------------------------------------------------------------------------------- clocks


async def test_the_flag_falls_without_anyone_asking(person: NewPerson) -> None:
    table, (ann, bob) = await seated(person, 2, clock={"kind": "live", "seconds": 10, "increment": 5})
    shown = await ann.look(table)
    assert shown["seats"][0]["clock"] <= 10
    assert shown["seats"][1]["clock"] == 10
    await ann.play_first(table)
    shown = await ann.look(table)
    assert 10 < shown["seats"][0]["clock"] <= 15
    async with await ann.socket(table) as a, await bob.socket(table):
        await a.until_table(lambda t: t["status"] == "over")
    assert a.table["result"]["reason"] == "time"
    assert a.table["result"]["places"] == [1, 2]


async def test_days_for_each_turn_are_whole_again_after_it(person: NewPerson) -> None:
    table, (ann, bob) = await seated(person, 2, clock={"kind": "days", "days": 3})
    await ann.play_first(table)
    await bob.play_first(table)
    shown = await ann.look(table)
    assert shown["seats"][1]["clock"] == 3 * 86_400
    assert 3 * 86_400 - 60 < shown["seats"][0]["clock"] <= 3 * 86_400
