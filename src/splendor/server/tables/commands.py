"""What a player may do at a table, and what it leads to: from a command to the entries for the log.

Nothing changes here. Whatever is not allowed is refused with a code. `due` is what happens by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from splendor.core.state import ACT
from splendor.game import showing
from splendor.game.moves import IllegalMove, play_part
from splendor.notation.errors import NotationError
from splendor.notation.moves import Move, parse_move
from splendor.server import messages as m
from splendor.server.refusal import RequestRefused
from splendor.server.tables import fairness, log
from splendor.server.tables.starting import deal_rest
from splendor.server.tables.table import OnlineTable, SeatState, ends_game

MOST_TURNS = 1000  # of a game; those that people play end before 150
MOST_ENTRIES = 3000  # of a log, after which there are no more offers, take-backs and votes to wait
ABORT_TURNS = 2  # a game may be aborted before this many turns
NONCE_SECONDS = 30.0  # how long the deal waits for nonces


@dataclass(frozen=True, slots=True)
class Manners:
    """How a server treats its tables."""

    substitute: str = "journeyman"  # the level that plays on for who is gone
    absence: float = 60.0  # seconds until the others may vote
    patience: float = 3600.0  # seconds until a table at which nobody plays is removed
    levels: tuple[str, ...] = ()  # the computers on offer, weakest first


Entries = list[log.AnyEntry]


def carry_out(table: OnlineTable, person: str, command: m.Command, now: float, manners: Manners) -> Entries:
    """The entries that a command leads to; raises RequestRefused."""
    match command:
        case m.Play():
            return play(table, person, command, now)
        case m.Commit():
            return commit(table, person, command)
        case m.Reveal():
            return reveal(table, person, command)
        case m.Resign():
            return resign(table, person, command, manners)
        case m.Abort():
            return abort(table, person)
        case m.AskTakeback():
            return ask_takeback(table, person)
        case m.AnswerTakeback():
            return answer_takeback(table, person, command)
        case m.Vote():
            return vote(table, person, command, now, manners)
        case m.Decline():
            return decline(table, person)
        case m.Leave():
            return leave(table, person)
        case m.Fill():
            return fill(table, person, command, manners)
        case m.Empty():
            return empty(table, person, command)
        case m.Rematch():
            raise AssertionError("a rematch is a new table, made by the hub")


# ------------------------------------------------------------------------------------------- sitting down


def join(table: OnlineTable, person: m.Person, wish: m.Join, patience: log.Patience | None = None) -> Entries:
    """Take a seat; nothing happens if the person has one already."""
    if table.seats_of(person.id):
        return []
    if table.status != "open":
        raise RequestRefused("table_full")
    free = [n for n, seat in enumerate(table.seats) if may_take(seat, person) and wish.seat in (None, n)]
    if not free:
        raise RequestRefused("seat_taken" if wish.seat is not None else "table_full")
    invited = [n for n in free if table.seats[n].invited == person.id]
    promise = wish.commit if table.made.position is None else None
    return [log.SatDown(seat=(invited or free)[0], person=person, commit=promise, patience=patience)]


def may_take(seat: SeatState, person: m.Person) -> bool:
    return not seat.is_taken and seat.invited in (None, person.id)


def commit(table: OnlineTable, person: str, command: m.Commit) -> Entries:
    """A promise, as long as nobody has revealed: who knows a nonce could choose what goes with it."""
    seat = own_seats(table, person)[0]
    if table.status not in ("open", "dealing"):
        raise RequestRefused("game_began")
    if table.made.position is not None:
        raise RequestRefused("no_nonce_expected")
    if table.seats[seat].commit is not None:
        raise RequestRefused("already_committed")
    if any(other.nonce is not None for other in table.seats):
        raise RequestRefused("too_late_to_promise")
    return [log.Committed(seat=seat, commit=command.commit)]


def reveal(table: OnlineTable, person: str, command: m.Reveal) -> Entries:
    """A nonce, when all promises are there."""
    seat = own_seats(table, person)[0]
    if table.status != "dealing" or table.seats[seat].commit is None or table.seats[seat].nonce is not None:
        raise RequestRefused("no_nonce_expected")
    if owing(table):
        raise RequestRefused("promises_missing")
    if fairness.commit_to(command.nonce) != table.seats[seat].commit:
        raise RequestRefused("wrong_nonce")
    return [log.Revealed(seat=seat, nonce=command.nonce)]


def owing(table: OnlineTable) -> list[int]:
    """The seats that are waited for to promise, after what they gave was thrown away."""
    return [number for number, seat in enumerate(table.seats) if seat.owes_promise]


def decline(table: OnlineTable, person: str) -> Entries:
    """Turn down an invitation: the seat is then open to anybody with the link."""
    if table.status != "open":
        raise RequestRefused("game_began")
    seats = [n for n, seat in enumerate(table.seats) if seat.invited == person and not seat.is_taken]
    if not seats:
        raise RequestRefused("not_invited")
    return [log.Declined(seat=seat) for seat in seats]


def fill(table: OnlineTable, person: str, command: m.Fill, manners: Manners) -> Entries:
    """A computer for a seat that is open or a computer's."""
    seat = hosted_seat(table, person, command.seat)
    if command.level not in manners.levels:
        raise RequestRefused("no_such_level", levels=list(manners.levels))
    if seat.kind not in ("open", "computer"):
        raise RequestRefused("seat_taken")
    if table.made.pairing and len(table.persons) > 1:
        raise RequestRefused("others_wait")  # for people, perhaps
    return [log.Filled(seat=command.seat, level=command.level)]


def empty(table: OnlineTable, person: str, command: m.Empty) -> Entries:
    """An open seat where a computer sat or somebody was invited."""
    seat = hosted_seat(table, person, command.seat)
    if seat.kind not in ("computer", "invited"):
        raise RequestRefused("seat_taken")
    return [log.Emptied(seat=command.seat)]


def hosted_seat(table: OnlineTable, person: str, seat: int) -> SeatState:
    """A seat about which the host decides before the game."""
    own_seats(table, person)
    if table.status != "open":
        raise RequestRefused("game_began")
    if table.host != person:
        raise RequestRefused("not_host")
    if seat >= len(table.seats):
        raise RequestRefused("no_such_seat", seat=seat)
    need_room(table)
    return table.seats[seat]


def introduce(table: OnlineTable, person: m.Person) -> Entries:
    """Let the others see a player's new name and picture."""
    known = [p for seat in table.seats for p in (seat.person, seat.player) if p and p.id == person.id]
    is_new = any(before != person for before in known)
    return [log.Introduced(person=person)] if is_new and table.version < MOST_ENTRIES else []


def leave(table: OnlineTable, person: str) -> Entries:
    """Free one's seats; the last person to leave closes the table."""
    seats = own_seats(table, person)
    if table.status not in ("open", "dealing"):
        raise RequestRefused("game_began")
    if table.persons == {person}:
        return [log.Aborted(seat=seats[0], reason="abort")]
    return [log.Left(seat=seat, reason="left") for seat in seats]


def stop_waiting(table: OnlineTable, person: str) -> Entries:
    """Free the seat of somebody whom the server brought there, as long as it waits for others."""
    is_waiting = table.made.pairing is not None and table.status == "open" and table.seats_of(person)
    return leave(table, person) if is_waiting else []


# ---------------------------------------------------------------------------------------------- the game


def play(table: OnlineTable, person: str, command: m.Play, now: float) -> Entries:
    """A move, checked against the rules."""
    seat = deciding_seat(table, person)
    if command.turn is not None and command.turn != table.turn:
        raise RequestRefused("stale", turn=table.turn)
    if table.flag_falls is not None and now > table.flag_falls:
        raise RequestRefused("out_of_time")
    move = read_move(command.move)
    try:
        _, played, is_step = play_part(table.state, move)
    except IllegalMove as error:
        raise RequestRefused("illegal_move", reason=error.code, **error.params) from None
    return [log.Played(seat=seat, move=str(played), is_step=is_step)]


def consider(table: OnlineTable, person: str, command: m.Consider) -> list[m.MoveForm]:
    """The whole moves that begin with this one."""
    seat = deciding_seat(table, person)
    try:
        return showing.continuations(table.state, seat, read_move(command.move))
    except IllegalMove as error:
        raise RequestRefused("illegal_move", reason=error.code, **error.params) from None


def read_move(text: str) -> Move:
    try:
        return parse_move(text)
    except NotationError as error:
        raise RequestRefused("bad_notation", column=error.column) from None


def resign(table: OnlineTable, person: str, command: m.Resign, manners: Manners) -> Entries:
    seats = [seat for seat in own_seats(table, person) if table.seats[seat].forfeit is None]
    need_live(table)
    if command.seat is not None and command.seat not in seats:
        raise RequestRefused("not_your_seat", seat=command.seat)
    seat = command.seat if command.seat is not None else table.to_move if table.to_move in seats else seats[0]
    assert seat is not None
    return forfeit(table, seat, "resigned", manners)


def forfeit(table: OnlineTable, seat: int, reason: str, manners: Manners) -> Entries:
    """A player is out; in a game that goes on a computer takes the seat."""
    entries: Entries = [log.Forfeited.model_validate({"seat": seat, "reason": reason})]
    after = [replace(s, forfeit="resigned") if n == seat else s for n, s in enumerate(table.seats)]
    if not ends_game(after):
        entries.append(log.Replaced(seat=seat, level=manners.substitute))
    return entries


def withdraw(table: OnlineTable, person: str, manners: Manners) -> Entries:
    """Give up all of a person at an unfinished table: invitations, seats, or the game, one after the other."""
    seats = table.seats_of(person)
    if table.is_finished:
        return []
    if not seats:
        invited = [n for n, seat in enumerate(table.seats) if seat.invited == person and not seat.is_taken]
        return [log.Declined(seat=seat) for seat in invited] if table.status == "open" else []
    if table.status != "live":
        return leave(table, person)
    rest = [seat for seat in seats if table.seats[seat].forfeit is None]
    entries: Entries = []
    for seat in rest:
        if not table.is_finished:
            more = forfeit(table, seat, "resigned", manners)
            entries += more
            table = table.after(log.Stored(table.version + n, table.updated, one) for n, one in enumerate(more, 1))
    return entries


def abort(table: OnlineTable, person: str) -> Entries:
    seat = own_seats(table, person)[0]
    need_live(table)
    if not can_abort(table):
        raise RequestRefused("too_late_to_abort")
    return [log.Aborted(seat=seat, reason="abort")]


def can_abort(table: OnlineTable) -> bool:
    return table.status == "live" and table.turn < ABORT_TURNS


# --------------------------------------------------------------------------------------------- take-backs


def ask_takeback(table: OnlineTable, person: str) -> Entries:
    """Undo one's last turn, if nothing was revealed since: at once when there is nobody to ask."""
    own_seats(table, person)
    need_live(table)
    if table.offer is not None:
        raise RequestRefused("offer_pending")
    need_room(table)
    seat = takeback_seat(table, person)
    turns = None if seat is None else table.undoable_turns(seat)
    if seat is None or turns is None:
        raise RequestRefused("nothing_to_take_back")
    is_own_unfinished = turns == 1 and table.state.phase != ACT and table.to_move == seat
    if is_own_unfinished or not asked_people(table, person):
        return [log.TookBack(turns=turns)]
    return [log.TakebackOffered(seat=seat)]


def takeback_seat(table: OnlineTable, person: str) -> int | None:
    """The person's seat that played last."""
    seats = table.seats_of(person)
    return next((step.seat for step in reversed(table.kept) if step.seat in seats), None)


def asked_people(table: OnlineTable, person: str) -> set[str]:
    """Those who must agree: the other people still in the game. Computers always agree."""
    return {
        seat.person.id
        for seat in table.seats
        if seat.person and not seat.level and seat.forfeit is None and seat.person.id != person
    }


def answer_takeback(table: OnlineTable, person: str, command: m.AnswerTakeback) -> Entries:
    seats = own_seats(table, person)
    need_live(table)
    if table.offer is None:
        raise RequestRefused("no_offer")
    asker = table.seats[table.offer.seat].person
    if not command.accept:
        return [log.TakebackDeclined(seat=seats[0])]
    if asker and asker.id == person:
        raise RequestRefused("own_offer")
    agreed = {table.seats[seat].person for seat in table.offer.agreed}
    agreed_ids = {other.id for other in agreed if other} | {person}
    entries: Entries = [log.TakebackAgreed(seat=seats[0])]
    if asker and asked_people(table, asker.id) <= agreed_ids:
        entries.append(log.TookBack(turns=table.offer.turns))
    return entries


# ------------------------------------------------------------------------------------------ absent players


def vote(table: OnlineTable, person: str, command: m.Vote, now: float, manners: Manners) -> Entries:
    """What happens about an absent player: wait if anyone wants to, otherwise what all the others agree on."""
    seats = own_seats(table, person)
    need_live(table)
    if command.absent >= len(table.seats) or table.seats[command.absent].absent_since is None:
        raise RequestRefused("not_absent", seat=command.absent)
    if command.absent in seats:
        raise RequestRefused("not_allowed")
    absent = table.seats[command.absent]
    entries: Entries = [log.Voted(seat=seats[0], absent=command.absent, choice=command.choice)]
    if command.choice == "wait":
        need_room(table)
        return entries
    if now < absent.absent_until:
        raise RequestRefused("too_early", until=absent.absent_until)
    votes = {**absent.votes, seats[0]: command.choice}
    voters = {
        other.person.id: seat
        for seat, other in reversed(list(enumerate(table.seats)))
        if other.person and not other.level and other.forfeit is None and other.absent_since is None
    }
    if all(votes.get(seat) == command.choice for seat in voters.values()):
        if command.choice == "computer":
            entries.append(log.Replaced(seat=command.absent, level=manners.substitute))
        else:
            entries.append(log.Ended(absent=command.absent))
    return entries


# -------------------------------------------------------------------------------------------- who may speak


def own_seats(table: OnlineTable, person: str) -> list[int]:
    """The seats of a person, who must have one."""
    seats = table.seats_of(person)
    if not seats:
        raise RequestRefused("not_seated")
    return seats


def need_live(table: OnlineTable) -> None:
    if table.is_finished:
        raise RequestRefused("game_over")
    if table.status != "live":
        raise RequestRefused("not_started")


def need_room(table: OnlineTable) -> None:
    """What people can do again and again has an end, so that no log grows for ever."""
    if table.version >= MOST_ENTRIES:
        raise RequestRefused("too_many_offers")


def deciding_seat(table: OnlineTable, person: str) -> int:
    """The seat whose turn it is, which must be the person's."""
    seats = own_seats(table, person)
    need_live(table)
    seat = table.to_move
    if seat is None or seat not in seats:
        raise RequestRefused("not_your_turn", seat=seat)
    return seat


# ------------------------------------------------------------------------------------ what happens by itself


def due(table: OnlineTable, now: float, manners: Manners, deal: fairness.DealMaker = fairness.deal) -> Entries:
    """What has to happen now without anyone's command: the deal, a flag that fell, a nonce that never came."""
    if table.status == "dealing":
        unrevealed = [n for n, seat in enumerate(table.seats) if seat.commit is not None and seat.nonce is None]
        waiting = owing(table) or unrevealed
        if not waiting:
            nonces, made = [seat.nonce for seat in table.seats], table.made
            if made.position is not None:
                return [log.Started(position=deal_rest(made.position, made.secret), order=list(range(len(nonces))))]
            dealt = deal(made.secret, nonces, shuffle_seats=made.order == "random", procedure=made.procedure)
            return [log.Started(position=dealt.position, order=list(dealt.order))]
        if table.full_since is not None and now >= table.full_since + NONCE_SECONDS:
            return [log.Left(seat=seat, reason="no_nonce") for seat in waiting]
    if table.fills is not None and now >= table.fills:
        level = next(seat.patience.level for seat in table.seats if seat.patience)
        return [log.Filled(seat=n, level=level) for n, seat in enumerate(table.seats) if not seat.is_taken]
    if table.status == "live" and table.turn >= MOST_TURNS:
        return [log.Aborted(seat=None, reason="endless")]
    if table.flag_falls is not None and now >= table.flag_falls:
        assert table.to_move is not None
        return forfeit(table, table.to_move, "time", manners)
    return []


def next_due(table: OnlineTable) -> float | None:
    """When `due` should be asked again, if nothing happens before."""
    if table.status == "dealing" and table.full_since is not None:
        return table.full_since + NONCE_SECONDS
    return table.flag_falls if table.fills is None else table.fills
