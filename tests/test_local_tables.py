"""What the web client's own host shows of a table is what the server shows: the golden file is read by both.

It holds logs of whole games, and hashes of what the people at the table were told after each entry. The other side of
the comparison is `web/tests/local.test.ts`.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter

from splendor.core.state import ACT
from splendor.game import showing
from splendor.game.moves import play_part
from splendor.server import messages as m
from splendor.server.tables import commands, fairness, log, viewers
from splendor.server.tables.table import OnlineTable, computer

ANY: TypeAdapter[Any] = TypeAdapter(Any)
ME = m.Person(id="here", name=None)
SECRET = "5e" * 32
START = 1_800_000_000.0


class Scenario:
    """A table that is played at random; every entry of its log is noted as the client's host writes it."""

    def __init__(self, seats: list[log.SeatPlan], clock: m.NoClock | m.LiveClock, seed: int) -> None:
        """The cards are dealt."""
        self.table, self.chance, self.at = OnlineTable("local-0123456789abcdef"), random.Random(seed), START
        self.log: list[dict[str, Any]] = []
        self.told: list[list[str]] = []
        made = log.Created(
            seats=seats,
            public=False,
            spectators=False,
            clock=clock,
            order="random",
            secret=SECRET,
            procedure=fairness.PROCEDURE,
        )
        plans = [
            {"kind": plan.kind, "person": plain(plan.person), "label": plan.label}
            for plan in seats
            if plan.person is not None
        ]
        self.add(
            made, type="created", seats=plans, clock=plain(clock), order="random", secret=SECRET, position=None, seed=0
        )
        for entry in commands.due(self.table, self.at, commands.Manners()):
            assert isinstance(entry, log.Started)
            self.add(entry, type="started", position=entry.position, order=entry.order)

    def add(self, entry: log.AnyEntry, **noted: Any) -> None:
        """An entry of both logs; what is told of it is hashed, once the game has begun."""
        version = self.table.version + 1
        self.table = self.table.after([log.Stored(version, self.at, entry)])
        self.log.append({"version": version, "at": self.at, "entry": noted or event_fields(entry)})
        if version > 1:
            update = viewers.update_message(self.table, ME.id, self.at + 0.25, version - 1)
            self.told.append([digest(plain(update.table)), digest(plain(update.events))])

    def play(self) -> None:
        """A move of whoever decides, now and then only a part of a turn."""
        state = self.table.state
        move = self.chance.choice(showing.offered_moves(state, int(state.seat)))
        if state.phase == ACT and move.then and self.chance.random() < 0.5:
            move = self.chance.choice(showing.continuations(state, int(state.seat), commands.read_move(move.text)))
        _, played, is_step = play_part(state, commands.read_move(move.text))
        seat = int(state.seat)
        self.add(log.Played(seat=seat, move=str(played), is_step=is_step), type="played", seat=seat, move=str(played))

    def take_back(self) -> None:
        """As far as it can be."""
        seat = commands.takeback_seat(self.table, ME.id)
        turns = None if seat is None else self.table.undoable_turns(seat)
        if turns is not None:
            self.add(log.TookBack(turns=turns))

    def run(self, turns: int) -> None:
        """Until the game is over, or so many turns."""
        while self.table.status == "live" and self.table.turn < turns:
            self.at += self.chance.choice([0.5, 1, 2.5])
            if self.chance.random() < 0.15:
                self.take_back()
            self.play()


def plain(message: Any) -> Any:
    """As JSON, with whole numbers as JavaScript writes them."""
    return whole(ANY.dump_python(message, mode="json"))


def whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: whole(one) for name, one in value.items()}
    if isinstance(value, list):
        return [whole(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def event_fields(entry: log.AnyEntry) -> dict[str, Any]:
    fields: dict[str, Any] = plain(entry)
    return {name: value for name, value in fields.items() if name not in ("version", "at")}


def scenarios() -> list[Scenario]:
    """Alone against two with a take-back now and then; two at one device who give up; against the clock."""
    me, two = log.SeatPlan(kind="person", person=ME), log.SeatPlan(kind="device", person=ME, label="Bo")
    level = log.SeatPlan(kind="computer", person=computer("journeyman"))
    alone = Scenario([me, level, level], m.NoClock(), 1)
    alone.run(400)
    alone.add(log.Rematched(seat=0, table="local-fedcba9876543210"))
    shared = Scenario([me, two, level, level], m.NoClock(), 2)
    shared.run(17)
    for seat in shared.table.seats_of(ME.id):
        for entry in commands.forfeit(shared.table, seat, "resigned", commands.Manners()):
            shared.add(entry)
        if shared.table.status == "live":
            shared.play()
    timed = Scenario([me, level], m.LiveClock(seconds=300, increment=5), 3)
    timed.run(9)
    timed.add(log.ClocksResumed(used=1.5), type="clocks_resumed", used=1.5)
    timed.run(20)
    timed.at += 400
    for entry in commands.due(timed.table, timed.at, commands.Manners()):
        timed.add(entry)
    aborted = Scenario([level, me], m.NoClock(), 4)
    aborted.run(1)
    aborted.add(log.Aborted(seat=0, reason="abort"))
    return [alone, shared, timed, aborted]


def test_what_a_table_tells_its_people_is_the_same_as_ever(golden: Callable[[str, str], None]) -> None:
    made = scenarios()
    assert [one.table.status for one in made] == ["over", "over", "over", "aborted"]
    assert any(stored["entry"]["type"] == "took_back" for stored in made[0].log)
    lines = [json.dumps({"log": one.log, "told": one.told}, separators=(",", ":")) for one in made]
    golden("local_tables.json", "[\n" + ",\n".join(lines) + "\n]\n")
