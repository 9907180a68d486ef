"""What the games of one person come to: won shares, streaks, favourites and ratings over time.

For a worker, which opens the database for itself. Only games count in which every person had one seat and
played to the end. A victory that is shared counts in parts.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from splendor.game.game import Game
from splendor.game.showing import board
from splendor.server import messages as m
from splendor.server.database.connect import connect
from splendor.server.database.schema import Query, Row, games, people, seats
from splendor.server.tables.rating import Rating

MOST_GAMES = 2000  # the latest, which are counted
MOST_READ = 60  # the latest, whose cards are looked at
MOST_STEPS = 300  # of a rating over time
CARDS, NOBLES = 6, 3  # favourites that are named


def statistics_of(database: str, person: str) -> bytes:
    """The statistics of a person, as they go out."""

    async def read() -> m.Statistics:
        engine = connect(database)
        try:
            async with engine.connect() as connection:
                mine = await connection.execute(own_games(person))
                own = mine.all()
                others = (await connection.execute(other_seats(person))).all()
                records = (await connection.execute(latest_records(person))).all()
        finally:
            await engine.dispose()
        return summed_up(own, others, records)

    return asyncio.run(read()).model_dump_json().encode()


def _counted(person: str, *columns: sa.ColumnElement[Any]) -> Query:
    joined = seats.join(games, games.c.id == seats.c.game)
    query = sa.select(*columns).select_from(joined).where(seats.c.person == person, games.c.status == "over")
    return query.where(games.c.is_counted, games.c.record.is_not(None)).order_by(games.c.finished.desc(), games.c.id)


def own_games(person: str) -> Query:
    """The seats of a person in games that count, the latest first."""
    seat = (seats.c.game, seats.c.place, seats.c.mu, seats.c.sigma)
    return _counted(person, *seat, games.c.players, games.c.turns, games.c.finished).limit(MOST_GAMES)


def other_seats(person: str) -> Query:
    """Who else sat there."""
    joined = seats.outerjoin(people, people.c.id == seats.c.person)
    query = sa.select(seats.c.game, seats.c.person, seats.c.place, people.c.is_computer).select_from(joined)
    return query.where(seats.c.game.in_(_counted(person, games.c.id).limit(MOST_GAMES)), seats.c.person != person)


def latest_records(person: str) -> Query:
    """The latest games as game files, with the seat that the person had."""
    return _counted(person, seats.c.seat, games.c.record).limit(MOST_READ)


# --------------------------------------------------------------------------------------------------- summing up


def summed_up(own: Sequence[Row], others: Iterable[Row], records: Iterable[Row]) -> m.Statistics:
    """All of it."""
    company: defaultdict[str, list[Row]] = defaultdict(list)
    for other in others:
        company[other.game].append(other)
    won = {row.game: share_of(row, company[row.game]) for row in own}
    sizes: defaultdict[int, list[float]] = defaultdict(list)
    levels: defaultdict[str, list[float]] = defaultdict(list)
    for row in own:
        sizes[row.players].append(won[row.game])
        levels[against(company[row.game])].append(won[row.game])
    cards, nobles = favourites(records)
    present, longest = streaks([won[row.game] == 1.0 for row in reversed(own)])
    return m.Statistics(
        games=len(own),
        won=sum(won.values()),
        sizes=[m.SizeTally(players=size, games=len(all), won=sum(all)) for size, all in sorted(sizes.items())],
        levels=[m.LevelTally(against=who, games=len(all), won=sum(all)) for who, all in sorted(levels.items())],
        streak=present,
        longest_streak=longest,
        rounds=sum(row.turns / row.players for row in own) / len(own) if own else None,
        cards=[m.Favourite(id=id, games=count) for id, count in cards],
        nobles=[m.Favourite(id=id, games=count) for id, count in nobles],
        ratings=[step_of(row, company[row.game]) for row in own[:MOST_STEPS] if row.mu is not None][::-1],
    )


def share_of(row: Row, company: Iterable[Row]) -> float:
    """The part of the win."""
    return 0.0 if row.place != 1 else 1 / (1 + sum(other.place == 1 for other in company))


def against(company: Iterable[Row]) -> str:
    """A level, if all others were computers of that one; `computers` or `people`, if there was one or none of ours."""
    levels = {o.person.removeprefix("computer:") if o.person.startswith("computer:") else None for o in company}
    if len(levels) == 1 and None not in levels:
        return str(levels.pop())
    return pool_of(company)


def pool_of(company: Iterable[Row]) -> str:
    """In which of the two ratings a game counts."""
    is_any = any(bool(other.is_computer) or other.person.startswith("computer:") for other in company)
    return "computers" if is_any else "people"


def streaks(wins: Iterable[bool]) -> tuple[int, int]:
    """Games won in a row: at the end, and at most.

    >>> streaks([True, True, False, True])
    (1, 2)
    """
    present = longest = 0
    for is_won in wins:
        present = present + 1 if is_won else 0
        longest = max(longest, present)
    return present, longest


def step_of(row: Row, company: Iterable[Row]) -> m.RatingStep:
    """The rating after one game."""
    cautious = round(Rating(row.mu, row.sigma).cautious, 2)
    pool = pool_of(company)
    return m.RatingStep.model_validate(
        {"at": row.finished, "players": row.players, "against": pool, "rating": cautious}
    )


def favourites(records: Iterable[Row]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The cards and nobles that were had most often, by their printed numbers."""
    cards: Counter[int] = Counter()
    nobles: Counter[int] = Counter()
    for row in records:
        state = Game.from_record(row.record).state
        hand = board(state, None, 0).hands[row.seat]
        cards.update(card.id for card in hand.bought)
        nobles.update(hand.nobles)
    return cards.most_common(CARDS), nobles.most_common(NOBLES)
