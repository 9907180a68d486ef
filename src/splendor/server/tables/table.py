"""`OnlineTable`: a table as the fold of its log. Pure: no clock of its own, no storage, no connections.

`apply` takes the entries in order and is the only thing that changes a table. `commands.py` decides which entries
a wish leads to, and `viewers.py` tells what a viewer is shown.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from splendor.core import rules
from splendor.core.components import LEVELS
from splendor.core.hidden import SPECTATOR, is_hidden_buy
from splendor.core.state import State
from splendor.game import showing
from splendor.game.game import Game
from splendor.game.moves import action_of_move
from splendor.game.shown import Reason
from splendor.notation.moves import Move, parse_move
from splendor.server import messages as m
from splendor.server.tables import log
from splendor.server.tables.fairness import commit_to

DAY = 86_400.0

Status = Literal["open", "dealing", "live", "over", "aborted"]


@dataclass(frozen=True, slots=True)
class SeatState:
    """One place at the table and who has it."""

    kind: Literal["open", "invited", "person", "device", "computer"]
    person: m.Person | None
    label: str | None
    commit: str | None = None
    nonce: str | None = None
    owes_promise: bool = False  # gave a nonce that was thrown away, and is waited for to promise another
    seconds: float = 0.0  # left when the present turn began
    forfeit: Literal["resigned", "time", "absent"] | None = None
    invited: str | None = None  # the id of the person for whom the seat is kept
    player: m.Person | None = None  # who sat here when the game began, whoever plays on
    sat_at: float = 0.0
    patience: log.Patience | None = None  # of whom the server brought here
    absent_since: float | None = None
    absent_until: float = 0.0
    votes: Mapping[int, Literal["computer", "end"]] = field(default_factory=dict)

    @property
    def level(self) -> str | None:
        """The level of the computer that plays here."""
        return self.person.level if self.person else None

    @property
    def is_taken(self) -> bool:
        """Does somebody sit here?"""
        return self.person is not None


@dataclass(frozen=True, eq=False)
class Step:
    """A part of a turn that was played: for showing it to anyone, later too."""

    version: int
    seat: int
    turn: int
    move: Move
    before: State
    after: State

    @cached_property
    def reveals(self) -> bool:
        """Did anyone learn a card by it?"""
        action = action_of_move(self.before, self.move)
        if action is None:
            return False
        draws = rules.drawn_level(self.before, action) < LEVELS
        return bool(draws or is_hidden_buy(self.before, action, SPECTATOR))


class OnlineTable:
    """A table; before the first entry, which makes it, nothing can be asked."""

    def __init__(self, id: str) -> None:
        """An empty log."""
        self.id = id
        self.version = 0
        self.status: Status = "open"
        self.seats: list[SeatState] = []
        self.log: list[log.Stored] = []
        self.keys: dict[str, int] = {}  # the version that each command of a person led to
        self.game: Game | None = None
        self.state: State = None  # the full state of a game that has begun, never to be shown as it is
        self._deciding = 0  # the seat that decides in it
        self.steps: dict[int, Step] = {}  # all that were ever played, by version
        self.kept: list[Step] = []  # those that were not taken back
        self.turn_began = 0.0
        self.result: m.Result | None = None
        self.offer: m.Offer | None = None
        self.rematch: str | None = None
        self.order: list[int] | None = None
        self.sat_down: list[tuple[str | None, str | None]] = []  # commits and nonces in the order of sitting down
        self.full_since: float | None = None
        self.declined: frozenset[int] = frozenset()  # the seats that are not kept for whom they were at first
        self.aborted_by: int | None = None  # the seat of a player who ended the game after the deal
        self.updated = 0.0
        self.finished_version: int | None = None

    # ------------------------------------------------------------------------------------------ questions

    @cached_property
    def made(self) -> log.Created:
        """How the table was made."""
        entry = self.log[0].entry
        assert isinstance(entry, log.Created)
        return entry

    @property
    def created(self) -> float:
        """When the table was made."""
        return self.log[0].at

    @cached_property
    def commit(self) -> str:
        """The hash of the server's secret."""
        return commit_to(self.made.secret)

    @property
    def is_finished(self) -> bool:
        """Will nothing more be played here?"""
        return self.status in ("over", "aborted")

    @property
    def turn(self) -> int:
        """How many turns have been completed."""
        return self.game.turns_played if self.game else 0

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is."""
        return self._deciding if self.status == "live" else None

    def seats_of(self, person: str) -> list[int]:
        """The seats in which a person plays."""
        return [n for n, seat in enumerate(self.seats) if seat.person and seat.person.id == person]

    @property
    def persons(self) -> set[str]:
        """The ids of the people who sit here, computers of ours apart."""
        return {seat.person.id for seat in self.seats if seat.person and not seat.level}

    @property
    def host(self) -> str | None:
        """Who may say who else sits here, before the game: who made the table, or whoever sits first if gone."""
        seated = [seat.person.id for seat in self.seats if seat.person and not seat.level]
        makers = [plan.person.id for plan in self.made.seats if plan.person and plan.kind != "computer"]
        return next((person for person in makers if person in seated), seated[0] if seated else None)

    @property
    def fills(self) -> float | None:
        """When computers take the free seats: as soon as everybody whom the server brought has waited long enough."""
        waiting = [seat for seat in self.seats if seat.patience] if self.status == "open" else []
        ends = [seat.sat_at + seat.patience.seconds for seat in waiting if seat.patience and seat.patience.seconds]
        return max(ends) if ends and len(ends) == len(waiting) else None

    @property
    def in_play(self) -> list[int]:
        """The seats that are not forfeited."""
        return [n for n, seat in enumerate(self.seats) if seat.forfeit is None]

    def seconds_left(self, seat: int, now: float) -> float | None:
        """What a clock shows; None without one."""
        if self.made.clock.kind == "none" or self.status == "open":
            return None
        left = self.seats[seat].seconds
        if seat == self.to_move:
            left -= max(now - self.turn_began, 0.0)
        return max(left, 0.0)

    @property
    def flag_falls(self) -> float | None:
        """When the running clock will be out of time."""
        seat = self.to_move
        if seat is None or self.made.clock.kind == "none":
            return None
        return self.turn_began + self.seats[seat].seconds

    def undoable_turns(self, seat: int) -> int | None:
        """How many turns must be undone so that this seat can make its last turn again; None if that cannot be.

        A turn that revealed something cannot be undone: one that drew a card, or that bought a card which the
        others had not seen.
        """
        if self.game is None or self.status != "live":
            return None
        first_kept = len(self.kept)
        for step in reversed(self.kept):
            if step.reveals:
                return None
            first_kept -= 1
            begins_turn = first_kept == 0 or self.kept[first_kept - 1].turn != step.turn
            if begins_turn and step.seat == seat:
                return self.kept[-1].turn - step.turn + 1
        return None

    # ---------------------------------------------------------------------------------------- the one change

    def after(self, entries: Iterable[log.Stored]) -> OnlineTable:
        """The table with further entries of its log; this one stays as it is."""
        table = self._fork()
        for stored in entries:
            table.apply(stored)
        return table

    def _fork(self) -> OnlineTable:
        """A table that goes on for itself. What it holds together with this one never changes."""
        fork = copy.copy(self)
        fork.seats, fork.log, fork.kept = list(self.seats), list(self.log), list(self.kept)
        fork.keys, fork.steps = dict(self.keys), dict(self.steps)
        fork.game = None if self.game is None else self.game.copy()
        return fork

    def apply(self, stored: log.Stored) -> None:
        """Take the next entry of the log."""
        assert stored.version == self.version + 1
        self.log.append(stored)
        self.version = stored.version
        self.updated = stored.at
        if stored.key is not None:
            self.keys[stored.key] = stored.version
        self._seat(stored.entry)
        self._go_on(stored)
        self._settle(stored)
        if self.status in ("open", "dealing"):
            self._fill(stored.at)
        if self.is_finished and self.finished_version is None:
            self.finished_version = self.version

    def _seat(self, entry: log.AnyEntry) -> None:
        """Entries about who sits where, before the game."""
        match entry:
            case log.Created() as made:
                self._create(made)
            case log.SatDown(seat=seat, person=person, commit=commit, patience=patience):
                sat_at = self.updated
                self._reseat(seat, kind="person", person=person, commit=commit, sat_at=sat_at, patience=patience)
            case log.Left(seat=seat):
                self._free(seat)
            case log.Declined(seat=seat):
                self._empty(seat)
            case log.Introduced(person=person):
                self._introduce(person)
            case log.Filled(seat=seat, level=level):
                self._empty(seat)
                self._reseat(seat, kind="computer", person=computer(level))
            case log.Emptied(seat=seat):
                self._empty(seat)
            case log.Committed(seat=seat, commit=commit):
                self._reseat(seat, commit=commit, owes_promise=False)
            case log.Revealed(seat=seat, nonce=nonce):
                self._reseat(seat, nonce=nonce)

    def _go_on(self, stored: log.Stored) -> None:
        """Entries about the game itself."""
        match stored.entry:
            case log.Started() as started:
                self._start(started, stored.at)
            case log.Played() as played:
                self._play(played, stored)
            case log.TakebackOffered(seat=seat):
                self.offer = m.Offer(seat=seat, turns=self.undoable_turns(seat) or 0, agreed=[])
            case log.TakebackAgreed(seat=seat):
                assert self.offer is not None
                self.offer = self.offer.model_copy(update={"agreed": [*self.offer.agreed, seat]})
            case log.TakebackDeclined():
                self.offer = None
            case log.TookBack(turns=turns):
                self._take_back(turns, stored.at)
            case log.ClocksResumed(used=used):
                if self.to_move is not None:
                    self._reseat(self.to_move, seconds=self.seats[self.to_move].seconds - used)
                self.turn_began = stored.at

    def _settle(self, stored: log.Stored) -> None:
        """Entries about players who are gone, and about the end."""
        match stored.entry:
            case log.Forfeited(seat=seat, reason=reason):
                self._forfeit(seat, reason)
            case log.Replaced(seat=seat, level=level):
                self._reseat(seat, kind="computer", person=computer(level))
                self._end_absence(seat)
            case log.WentAbsent(seat=seat, until=until):
                self._reseat(seat, absent_since=stored.at, absent_until=until, votes={})
            case log.CameBack(seat=seat):
                self._end_absence(seat)
            case log.Voted(seat=seat, absent=absent, choice="wait"):
                self._reseat(absent, absent_until=stored.at + self._patience(absent), votes={})
            case log.Voted(seat=seat, absent=absent, choice=("computer" | "end") as choice):
                self._reseat(absent, votes={**self.seats[absent].votes, seat: choice})
            case log.Aborted(seat=seat):
                self.aborted_by = seat if self.game is not None else None
                self.status, self.offer = "aborted", None
            case log.Ended(absent=seat):
                self._reseat(seat, forfeit="absent")
                self._finish("abandoned")
            case log.Rematched(table=table):
                self.rematch = table

    def _reseat(self, seat: int, **changes: Any) -> None:
        self.seats[seat] = replace(self.seats[seat], **changes)

    def _create(self, made: log.Created) -> None:
        for plan in made.seats:
            seat = SeatState(plan.kind, plan.person, plan.label, plan.commit, invited=plan.invited)
            self.seats.append(replace(seat, sat_at=self.updated, patience=plan.patience))

    def _fill(self, at: float) -> None:
        """With every seat taken, the deal waits only for nonces."""
        is_full = all(seat.is_taken for seat in self.seats)
        self.status = "dealing" if is_full else "open"
        if not is_full:
            self.full_since = None
        elif self.full_since is None:
            self.full_since = at

    def _free(self, seat: int) -> None:
        plan = self.made.seats[seat]
        if plan.invited and seat not in self.declined:
            self.seats[seat] = SeatState("invited", None, plan.label, invited=plan.invited)
        else:
            self.seats[seat] = SeatState("open", None, None)
        for number, other in enumerate(self.seats):
            if other.nonce is not None:  # the server knows it, so a newcomer might: it must not be used
                self._reseat(number, commit=None, nonce=None, owes_promise=True)

    def _empty(self, seat: int) -> None:
        """An open seat, kept for nobody any more."""
        self.declined |= {seat}
        self.seats[seat] = SeatState("open", None, None)

    def _introduce(self, person: m.Person) -> None:
        for number, seat in enumerate(self.seats):
            if seat.person and seat.person.id == person.id:
                self._reseat(number, person=person)
            if seat.player and seat.player.id == person.id:
                self._reseat(number, player=person)

    def _start(self, started: log.Started, at: float) -> None:
        self.sat_down = [(seat.commit, seat.nonce) for seat in self.seats]
        self.order = started.order
        clock = self.made.clock
        seconds = clock.seconds if clock.kind == "live" else DAY * clock.days if clock.kind == "days" else 0.0
        seated = [self.seats[old] for old in started.order]
        self.seats = [replace(seat, player=seat.person, seconds=seconds) for seat in seated]
        self.game = Game.from_position(started.position)
        self._follow(self.game)
        self.status = "live"
        self.turn_began = at

    def _follow(self, game: Game) -> None:
        """The state is now that of the game."""
        self.state = game.state
        self._deciding = int(self.state["seat"])

    def _play(self, played: log.Played, stored: log.Stored) -> None:
        assert self.game is not None
        turn, before = self.turn, self.state
        move = parse_move(played.move)
        if played.is_step:
            action = action_of_move(before, move)
            assert action is not None
            self.game.decide(action, move.payment)
        else:
            self.game.play(move)
        self._follow(self.game)
        step = Step(stored.version, played.seat, turn, move, before, self.state)
        self.steps[stored.version] = step
        self.kept.append(step)
        self._press_clock(played.seat, stored.at, is_complete=self.turn > turn)
        self.offer = None
        if rules.is_over(self.state):
            self.status = "over"
            self.result = self._with_forfeits(showing.result(self.state))

    def _press_clock(self, seat: int, at: float, *, is_complete: bool) -> None:
        clock = self.made.clock
        if clock.kind != "none":
            seconds = self.seats[seat].seconds - max(at - self.turn_began, 0.0)
            if is_complete:
                seconds = seconds + clock.increment if clock.kind == "live" else DAY * clock.days
            self._reseat(seat, seconds=seconds)
            if is_complete and clock.kind == "live" and self.game is not None:
                self.game.annotate(-1, clock=round(max(seconds, 0.0), 1))
        self.turn_began = at

    def _take_back(self, turns: int, at: float) -> None:
        assert self.game is not None
        seat = self.to_move
        if seat is not None:
            self._press_clock(seat, at, is_complete=False)
        for _ in range(turns):
            self.game.undo()
        self._follow(self.game)
        self.kept = [step for step in self.kept if step.turn < self.turn]
        self.offer = None

    def _forfeit(self, seat: int, reason: Literal["resigned", "time", "absent"]) -> None:
        """With one seat left in play, or no person, the game is over; otherwise a computer will play on here."""
        self._reseat(seat, forfeit=reason)
        self._end_absence(seat)
        self.offer = None
        if ends_game(self.seats):
            self._finish("time" if reason == "time" else "resignation" if reason == "resigned" else "abandoned")

    def _finish(self, reason: Reason) -> None:
        self.status, self.offer = "over", None
        self.result = self._with_forfeits(replace(showing.standing(self.state, reason), decided_by="forfeit"))

    def _with_forfeits(self, result: m.Result | None) -> m.Result | None:
        """The others first, among themselves by the rules; who forfeited is last, together."""
        if result is None or len(self.in_play) == len(self.seats):
            return result
        rest = self.in_play
        places = [len(rest) + 1] * len(self.seats)
        for seat in rest:
            places[seat] = 1 + sum(result.places[other] < result.places[seat] for other in rest)
        winners = [seat for seat in rest if places[seat] == 1]
        decided_by = result.decided_by if winners == result.winners else "forfeit"
        return replace(result, places=places, winners=winners, decided_by=decided_by)

    def _patience(self, seat: int) -> float:
        """How long the others waited for this absent player before they could vote."""
        state = self.seats[seat]
        return max(state.absent_until - (state.absent_since or state.absent_until), 1.0)

    def _end_absence(self, seat: int) -> None:
        self._reseat(seat, absent_since=None, votes={})


def ends_game(seats: list[SeatState]) -> bool:
    """Is there nobody left to play on with?"""
    rest = [seat for seat in seats if seat.forfeit is None]
    return len(rest) == 1 or all(seat.level for seat in rest)


def computer(level: str) -> m.Person:
    """A computer of ours as a player."""
    return m.Person(id=f"computer:{level}", name=None, is_computer=True, level=level)
