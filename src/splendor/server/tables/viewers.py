"""What one viewer is told about a table: the only place where a table becomes messages.

A viewer is a person at the table or a spectator. Whoever has one seat sees as that seat; whoever has several,
sharing a screen, sees as the one whose turn it is; everybody else sees what is public.
"""

from __future__ import annotations

from hashlib import blake2b

from splendor.core.state import State
from splendor.game import showing
from splendor.server import messages as m
from splendor.server.tables import commands, log
from splendor.server.tables.table import OnlineTable

MOST_MISSED = 150  # events that are told afterwards; whoever missed more gets the table as it is
SEEN_BY_ALL = ("bank", "market", "tokens", "bonuses", "points")


def may_watch(table: OnlineTable, person: str | None) -> bool:
    """May this person see the table? Finished games and open tables are open to all who have the link."""
    if table.made.spectators or table.status != "live":
        return True
    return person is not None and any(
        person in (s.person and s.person.id, s.player and s.player.id) for s in table.seats
    )


def sight(state: State) -> str:
    """A short word for all that everybody can see of a position: equal for positions that look alike."""
    return blake2b(b"".join(state[field].tobytes() for field in SEEN_BY_ALL), digest_size=12).hexdigest()


def sight_among_people(table: OnlineTable) -> str | None:
    """The same of a game that people play against each other; None if nobody could be wronged by looking at it."""
    return sight(table.state) if table.status == "live" and len(table.persons) > 1 else None


def seat_of_viewer(table: OnlineTable, seats: list[int]) -> int | None:
    """The seat through whose eyes the holder of these seats looks."""
    if len(seats) == 1:
        return seats[0]
    return table.to_move if table.to_move in seats else None


def table_message(table: OnlineTable, person: str | None, now: float) -> m.Table:
    """The table as a person may see it; without the board for whoever may not watch."""
    seats = table.seats_of(person) if person else []
    viewer = seat_of_viewer(table, seats)
    is_shown = may_watch(table, person)
    return m.Table.model_construct(
        id=table.id,
        version=table.version,
        status=table.status,
        public=table.made.public,
        spectators=table.made.spectators,
        clock=table.made.clock,
        order=table.made.order,
        created=table.created,
        now=now,
        seats=[seat_message(table, seat, now) for seat in range(len(table.seats))],
        you=seats,
        viewer=viewer,
        board=showing.board(table.state, viewer, table.turn) if table.game and is_shown else None,
        moves=showing.offered_moves(table.state, viewer) if table.status == "live" and is_shown else [],
        can_undo=person is not None and can_undo(table, person),
        can_abort=bool(seats) and commands.can_abort(table),
        offer=table.offer,
        result=table.result,
        fairness=fairness_message(table),
        rematch=table.rematch,
        pairing=pairing_message(table),
        is_host=person is not None and table.status == "open" and table.host == person,
    )


def can_undo(table: OnlineTable, person: str) -> bool:
    seat = commands.takeback_seat(table, person)
    return seat is not None and table.offer is None and table.undoable_turns(seat) is not None


def seat_message(table: OnlineTable, number: int, now: float) -> m.Seat:
    seat = table.seats[number]
    absence = None
    if seat.absent_since is not None:
        absence = m.Absence(since=seat.absent_since, until=seat.absent_until, votes=dict(seat.votes))
    return m.Seat.model_construct(
        seat=number,
        kind=seat.kind,
        person=seat.person,
        player=seat.player,
        label=seat.label,
        clock=table.seconds_left(number, now),
        forfeit=seat.forfeit,
        absence=absence,
        has_committed=seat.commit is not None,
        has_revealed=seat.nonce is not None,
        owes_promise=seat.owes_promise,
    )


def fairness_message(table: OnlineTable) -> m.Fairness | None:
    """The promises, and after the end what keeps them; None if the game begins from a position."""
    if table.made.position is not None:
        return None
    pairs = table.sat_down or [(seat.commit, seat.nonce) for seat in table.seats]
    return m.Fairness.model_construct(
        procedure=table.made.procedure,
        commit=table.commit,
        secret=table.made.secret if table.is_finished else None,
        commits=[commit for commit, _ in pairs],
        nonces=[nonce if table.is_finished else None for _, nonce in pairs],
        order=table.order,
    )


def pairing_message(table: OnlineTable) -> m.Pairing | None:
    """What the players look for whom the server brings together."""
    return m.Pairing(speed=table.made.pairing, fills=table.fills) if table.made.pairing else None


def events_since(table: OnlineTable, person: str | None, since: int) -> list[m.AnyEvent]:
    """What happened after a version, as a person may know it."""
    seats = table.seats_of(person) if person else []
    viewer = seats[0] if len(seats) == 1 else None
    return [event_message(table, stored, viewer) for stored in table.log[since:]]


def event_message(table: OnlineTable, stored: log.Stored, viewer: int | None) -> m.AnyEvent:
    """One entry of the log for a viewer: of most nothing has to be hidden."""
    version, at = stored.version, stored.at
    match stored.entry:
        case log.Created():
            return m.Created(version=version, at=at)
        case log.SatDown(seat=seat, person=person):
            return m.SatDown(version=version, at=at, seat=seat, person=person)
        case log.Committed(seat=seat):
            return m.NonceCommitted(version=version, at=at, seat=seat)
        case log.Revealed(seat=seat):
            return m.NonceRevealed(version=version, at=at, seat=seat)
        case log.Started(order=order):
            return m.Started(version=version, at=at, order=order)
        case log.Played():
            return played_message(table, stored, viewer)
        case log.ClocksResumed():
            return m.ClocksResumed(version=version, at=at)
        case shown:
            return shown.model_copy(update={"version": version, "at": at})


def played_message(table: OnlineTable, stored: log.Stored, viewer: int | None) -> m.Played:
    """A move with what it moved. A card that was drawn unseen shows its level."""
    step = table.steps[stored.version]
    return m.Played.model_construct(
        version=stored.version,
        at=stored.at,
        seat=step.seat,
        turn=step.turn,
        move=showing.move_form(step.before, step.move),
        movements=showing.movements(step.before, step.after, step.move, viewer),
        ends_turn=not (isinstance(stored.entry, log.Played) and stored.entry.is_step),
    )


def update_message(table: OnlineTable, person: str | None, now: float, since: int | None) -> m.Update:
    """The table with what happened after `since`; None, or a version not of this log or long ago, asks for all anew."""
    is_known = since is not None and max(table.version - MOST_MISSED, 0) <= since <= table.version
    return m.Update.model_construct(
        version=table.version,
        resync=not is_known,
        events=events_since(table, person, since) if is_known and since is not None else [],
        table=table_message(table, person, now),
    )
