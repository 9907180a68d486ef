"""What happens at tables, sent to all who look on; and the news of people who follow all their tables.

Messages go into outboxes, from where each connection takes them at its own pace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from splendor.server import messages as m
from splendor.server.live.live import Live
from splendor.server.live.outbox import Goodbye, Outbox
from splendor.server.tables import log, viewers, writing
from splendor.server.tables.table import OnlineTable


class Post:
    """Everything that is sent without being asked for."""

    def __init__(self) -> None:
        """Nobody follows yet."""
        self.personal: dict[str, set[Outbox]] = {}

    def send(self, live: Live, since: int, now: float) -> None:
        """Tell everyone who looks on what happened after a version, each what they may know."""
        table = live.table
        update = writing.Update(table, now, since)
        texts: dict[tuple[int, ...], str] = {}
        for outbox in list(live.outboxes):
            if not viewers.may_watch(table, outbox.person):
                outbox.close("revoked")
                continue
            seats = tuple(table.seats_of(outbox.person)) if outbox.person else ()
            if seats not in texts:
                texts[seats] = update.for_person(outbox.person)
            outbox.push(texts[seats])
        self.tell_people(table, since)

    def say(self, live: Live, seat: int, what: m.Saying, apart: set[str]) -> None:
        """Pass on what a player says to everyone who looks on, but for those who are apart from the player."""
        text = m.Said(seat=seat, what=what).model_dump_json()
        for outbox in live.outboxes:
            if outbox.person not in apart:
                outbox.push(text)

    def tell_people(self, table: OnlineTable, since: int) -> None:
        """The same for people's own streams."""
        if not self.personal:
            return
        news: list[tuple[str, m.Message]] = []
        for stored in table.log[since:]:
            match stored.entry:
                case log.Created(seats=plans):
                    news += [(p.invited, m.Invited(table=table.id, seat=n)) for n, p in enumerate(plans) if p.invited]
                case log.Started():
                    news += [(person, m.TableStarted(table=table.id)) for person in table.persons]
        if table.is_finished and len(table.log) > since:
            everyone = {seat.player.id for seat in table.seats if seat.player}
            news += [(person, m.TableEnded(table=table.id, result=table.result)) for person in everyone]
        turn = your_turn(table)
        if turn is not None:
            news.append(turn)
        for person, message in news:
            for outbox in self.personal.get(person, ()):
                outbox.push(message.model_dump_json())

    def follow(self, person: str, outbox: Outbox) -> None:
        """Send a person's news to an outbox from now on."""
        self.personal.setdefault(person, set()).add(outbox)

    def unfollow(self, person: str, outbox: Outbox) -> None:
        """The person's stream is gone."""
        self.personal[person].discard(outbox)
        if not self.personal[person]:
            del self.personal[person]

    def close(self, lives: Iterable[Live], goodbye: Goodbye, credential: str | None = None) -> None:
        """Close all outboxes, or those of one session or token."""
        for outbox in self._outboxes(lives):
            if credential in (None, outbox.credential):
                outbox.close(goodbye)

    def _outboxes(self, lives: Iterable[Live]) -> Iterator[Outbox]:
        for outboxes in [*(live.outboxes for live in lives), *self.personal.values()]:
            yield from outboxes


def how_it_stands(table: OnlineTable, person: str) -> list[m.Message]:
    """What a person's own stream says first about an unfinished table."""
    invited = [n for n, seat in enumerate(table.seats) if seat.invited == person and not seat.is_taken]
    news: list[m.Message] = [m.Invited(table=table.id, seat=seat) for seat in invited]
    if table.status == "live":
        news.append(m.TableStarted(table=table.id))
    turn = your_turn(table)
    if turn is not None and turn[0] == person:
        news.append(turn[1])
    return news


def your_turn(table: OnlineTable) -> tuple[str, m.YourTurn] | None:
    """Whose turn it is, if it is a person's."""
    seat = table.to_move
    if seat is None or table.seats[seat].level:
        return None
    person = table.seats[seat].person
    assert person is not None
    return person.id, m.YourTurn(table=table.id, seat=seat, turn=table.turn)
