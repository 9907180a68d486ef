"""The updates of a running game, joined from kept pieces: the same bytes as pydantic makes of the messages."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

from splendor.server import messages as m
from splendor.server.tables import commands, fairness, log, viewers, writing
from splendor.server.tables.commands import Manners
from splendor.server.tables.table import OnlineTable, computer

pytestmark = pytest.mark.compiled_only

BEGAN = 1_700_000_000.0
MANNERS = Manners(levels=("journeyman",))
CLOCKS: list[m.Clock] = [m.NoClock(), m.LiveClock(seconds=900, increment=7), m.DaysClock(days=3)]
PEOPLE = [
    m.Person(id="a" * 22, name="Ann", avatar="fox"),
    m.Person(id="b" * 22, name=None, guest=7),
    m.Person(id="c" * 22, name='Zoë "Q" \\ €\x7f', guest=8),
    m.Person(id="d" * 22, name=None, guest=9),
]


def dealt(players: int, clock: m.Clock, *, shared: bool = False) -> OnlineTable:
    """A game that has just begun; with a shared screen the second seat is the first player's too."""
    people = [PEOPLE[0] if shared and n == 1 else PEOPLE[n] for n in range(players)]
    plans = [log.SeatPlan(kind="person", person=person, commit="ab" * 32) for person in people]
    if shared:
        plans[1] = log.SeatPlan(kind="device", person=PEOPLE[0], label='the "other"\n')
    made = log.Created(
        seats=plans,
        public=True,
        spectators=True,
        clock=clock,
        order="chosen",
        secret="00" * 32,
        procedure=fairness.PROCEDURE,
        pairing="live" if players == 3 else None,
    )
    deal = fairness.deal("00" * 32, [None] * players, shuffle_seats=False)
    started = log.Started(position=deal.position, order=list(deal.order))
    return OnlineTable("T" * 22).after([log.Stored(1, BEGAN, made), log.Stored(2, BEGAN + 0.125, started)])


def with_entries(table: OnlineTable, entries: list[log.AnyEntry]) -> OnlineTable:
    at = table.updated + 1 / 3
    return table.after([log.Stored(table.version + n, at, entry) for n, entry in enumerate(entries, 1)])


def game(table: OnlineTable, chance: random.Random) -> Iterator[OnlineTable]:
    """The table after each move, or part of one, of a game in which everything occurs."""
    while table.status == "live":
        mover = table.seats[table.to_move or 0].person
        assert mover is not None
        offered = viewers.table_message(table, mover.id, table.updated).moves
        kind = chance.choice(("buy", "buy", "draw", "reserve", "take"))
        wish = m.Play(key="k" * 12, move=chance.choice([move for move in offered if move.kind == kind] or offered).text)
        table = with_entries(table, commands.carry_out(table, mover.id, wish, table.updated, MANNERS))
        yield table


def all_viewers(table: OnlineTable) -> list[str | None]:
    return [None, "somebody else", *(person.id for person in PEOPLE)]


def check(table: OnlineTable, since: int) -> None:
    """Every viewer is sent the same as by pydantic."""
    now = table.updated + 0.7
    update = writing.Update(table, now, since)
    for person in all_viewers(table):
        expected = viewers.update_message(table, person, now, since).model_dump_json()
        assert update.for_person(person) == expected


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind)
def test_an_update_is_what_pydantic_makes_of_the_message(players: int, clock: m.Clock) -> None:
    table, kinds = dealt(players, clock, shared=players == 4), set()
    check(table, 1)
    for after in game(table, random.Random(players)):
        check(after, table.version)
        check(after, max(after.version - 5, 0))
        kinds |= {step.move.kind for step in after.kept[-1:]}
        table = after
    assert {"take", "buy", "draw", "reserve"} <= kinds


def test_what_is_rare_is_in_an_update_too() -> None:
    table = dealt(4, CLOCKS[1])
    for after in game(table, random.Random(5)):
        table = after
        if table.turn == 30:
            break
    entries: list[log.AnyEntry] = [
        m.TakebackOffered(seat=1),
        m.TakebackAgreed(seat=2),
        m.TakebackDeclined(seat=3),
        m.WentAbsent(seat=0, until=BEGAN + 60),
        m.Voted(seat=1, absent=0, choice="computer"),
        m.CameBack(seat=0),
        m.Forfeited(seat=2, reason="resigned"),
        m.Replaced(seat=2, level="journeyman"),
        m.Introduced(person=PEOPLE[1].model_copy(update={"name": "Ben"})),
        log.ClocksResumed(used=0.00001),
        m.EngineTrouble(seat=2, level="journeyman", instead="apprentice"),
    ]
    for entry in entries:
        table = with_entries(table, [entry])
        check(table, table.version - 1)
        check(table, 0)
    assert table.seats[2].person == computer("journeyman")
    table = with_entries(table, [m.Aborted(seat=0, reason="abort")])
    check(table, table.version - 1)


COUNT = """
import gc, random
from numba.core.dispatcher import Dispatcher
from splendor.server.live.warm import warm_up
from server.test_writing import CLOCKS, check, dealt, game

def compiled():
    return {(one.py_func.__name__, str(signature)) for one in gc.get_objects() if isinstance(one, Dispatcher)
            for signature in one.signatures}

warm_up()
before = compiled()
for seed in range(4):
    table = dealt(2 + seed % 3, CLOCKS[1])
    for after in game(table, random.Random(seed)):
        check(after, table.version)
        table = after
print(len(before), sorted(compiled() - before))
"""


def test_nothing_is_compiled_while_people_play() -> None:
    """It would hold up everybody for seconds; the server gets ready before it lets anyone in."""
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True, cwd="tests")
    count, _, new = done.stdout.strip().partition(" ")
    assert int(count) > 20
    assert new == "[]"
