"""Free chat at tables: who can write with whom, and each line passed on to those who are meant, and to nobody else.

Two people can write when both have an account, have turned chat on for it, are seated at the table, have said there
that they are willing, and neither has blocked the other. All of it is asked again for every line.
"""

from __future__ import annotations

from collections.abc import Iterator

from splendor.server import messages as m
from splendor.server.access.plain_text import plain_line
from splendor.server.database.chats import AFTER_END, Chats, Line, Standing, new_line
from splendor.server.live.keeper import Keeper
from splendor.server.live.live import Live
from splendor.server.live.outbox import Outbox
from splendor.server.refusal import RequestRefused
from splendor.server.tables import commands
from splendor.server.tables.table import OnlineTable


class Chatting:
    """The chat at all tables in the memory of one process."""

    def __init__(self, keeper: Keeper, chats: Chats) -> None:
        """Beside whoever keeps the tables."""
        self.keeper, self.chats = keeper, chats

    # ------------------------------------------------------------------------------------------ what is done

    async def allow(self, live: Live, person: str, wish: m.AllowChat) -> None:
        """Be willing to write with another player, or not; raises RequestRefused."""
        table = live.table
        self._insist_time(table, person)
        other = table.seats[wish.seat].person if wish.seat < len(table.seats) else None
        if other is None or other.level or other.id == person:
            raise RequestRefused("no_such_seat", seat=wish.seat)
        if wish.allow:
            standing = await self._standing(table)
            await self._insist_able(standing, person)
            if standing.state(person, other.id) == "unable":
                raise RequestRefused("cannot_chat")
        await self.chats.wish(table.id, person, other.id, wish.allow)
        await self.tell(live)
        await self._announce(f"chat {table.id}")

    async def write(self, live: Live, person: str, wish: m.Write) -> None:
        """Pass a line on to all who are willing, once for each key; raises RequestRefused."""
        table = live.table
        self._insist_time(table, person)
        text = plain_line(wish.text, m.LONGEST_LINE)
        if not text:
            raise RequestRefused("line_empty")
        standing = await self._standing(table)
        await self._insist_able(standing, person)
        readers = standing.readers(person)
        if not readers:
            raise RequestRefused("cannot_chat")
        line = await self.chats.add(new_line(table.id, person, readers, self.keeper.sources.now(), text), wish.key)
        if line is not None:
            self._deliver(live, line)
            await self._announce(f"written {table.id} {line.id}")

    def _insist_time(self, table: OnlineTable, person: str) -> None:
        """Only players write, and only until a day after the end; raises RequestRefused."""
        commands.own_seats(table, person)
        if table.is_finished and self.keeper.sources.now() > table.updated + AFTER_END:
            raise RequestRefused("chat_closed")

    async def _insist_able(self, standing: Standing, person: str) -> None:
        """Say what is missing; raises RequestRefused."""
        if person in standing.able:
            return
        setting = await self.chats.setting_of(person)
        if not setting.has_account:
            raise RequestRefused("chat_needs_account")
        if not setting.is_on:
            raise RequestRefused("chat_off")
        raise RequestRefused("chat_paused", until=setting.paused)

    async def _standing(self, table: OnlineTable) -> Standing:
        return await self.chats.standing(table.id, table.persons, self.keeper.sources.now())

    async def _announce(self, words: str) -> None:
        await self.keeper.log_store.announce(words)

    # ------------------------------------------------------------------------------------------ what is told

    async def tell(self, live: Live) -> None:
        """Tell all players at a table how it stands for them."""
        async with live.telling:
            outboxes = [outbox for outbox in live.outboxes if outbox.has_chat]
            for person in {outbox.person for outbox in outboxes}:
                text = await self.text_for(live.table, person)
                for outbox in outboxes:
                    if text is not None and outbox.person == person:
                        outbox.push(text)

    async def show(self, live: Live, outbox: Outbox) -> None:
        """Tell who has just come how it stands."""
        if outbox.has_chat:
            async with live.telling:
                text = await self.text_for(live.table, outbox.person)
                if text is not None:
                    outbox.push(text)

    async def text_for(self, table: OnlineTable, person: str | None) -> str | None:
        """How it stands for a player; None for whoever is none, and where nobody else is."""
        if person is None or person not in table.persons or table.persons == {person}:
            return None
        standing = await self._standing(table)
        setting, now = await self.chats.setting_of(person), self.keeper.sources.now()
        others = [n for n, s in enumerate(table.seats) if s.person and not s.level and s.person.id != person]
        lines = [
            shown
            for line in await self.chats.lines(table.id, person)
            if frozenset((person, line.person)) not in standing.apart
            for shown in shown_line(table, line)
        ]
        return m.Chat(
            is_on=setting.is_on,
            paused=setting.paused if setting.paused is not None and setting.paused > now else None,
            people=[m.Correspondent(seat=n, state=standing.state(person, person_at(table, n))) for n in others],
            lines=lines,
        ).model_dump_json()

    async def refresh(self, person: str) -> None:
        """Something has changed for a person: tell it at all tables, here and in all other processes."""
        await self.hear_of_person(person)
        await self._announce(f"chatter {person}")

    def _deliver(self, live: Live, line: Line) -> None:
        """Send a line to whoever wrote it and to its readers."""
        for shown in shown_line(live.table, line):
            text = m.Written(line=shown).model_dump_json()
            for outbox in live.outboxes:
                if outbox.has_chat and outbox.person is not None and outbox.person in {line.person, *line.readers}:
                    outbox.push(text)

    # --------------------------------------------------------------------------------------- other processes

    async def hear_of(self, id: str) -> None:
        """At a table somebody has become willing to write, or not."""
        live = self.keeper.lives.get(id)
        if live is not None:
            await self.tell(live)

    async def hear_written(self, id: str, line: str) -> None:
        """At a table a line was written."""
        live = self.keeper.lives.get(id)
        if live is not None and any(outbox.has_chat for outbox in live.outboxes):
            written = await self.chats.line(line)
            if written is not None:
                self._deliver(live, written)

    async def hear_of_person(self, person: str) -> None:
        """Something has changed for a person."""
        for live in list(self.keeper.lives.values()):
            if person in live.table.persons:
                await self.tell(live)


def person_at(table: OnlineTable, seat: int) -> str:
    person = table.seats[seat].person
    assert person is not None
    return person.id


def shown_line(table: OnlineTable, line: Line) -> Iterator[m.ChatLine]:
    """A line as it is shown, if whoever wrote it sits at the table, or did when the game began."""
    for number, seat in enumerate(table.seats):
        if line.person in (seat.person and seat.person.id, seat.player and seat.player.id):
            yield m.ChatLine(id=line.id, seat=number, at=line.at, text=line.text)
            return
