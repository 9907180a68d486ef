"""Entries into the logs of tables, many tables in one transaction: the statements, for whoever holds a connection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from splendor.server.database.schema import Columns, events, games, ratings, seats, upsert
from splendor.server.tables.log import Stored, format_entry
from splendor.server.tables.rating import START, Rating, rate

CHANNEL = "splendor"  # of PostgreSQL's notifications

# Statements of every move, made once: SQLAlchemy looks each up by its structure, which it works out per object.
ADD_EVENTS = events.insert()
LOCK_VERSIONS = (
    sa.select(games.c.id, games.c.version)
    .where(games.c.id.in_(sa.bindparam("ids", expanding=True)))
    .order_by(games.c.id)
    .with_for_update()
)

NOTE_RATING = (
    seats.update()
    .where(seats.c.game == sa.bindparam("of_game"), seats.c.person == sa.bindparam("of_person"))
    .values(mu=sa.bindparam("new_mu"), sigma=sa.bindparam("new_sigma"), rated_before=sa.bindparam("before"))
)


@lru_cache
def _update_game(columns: tuple[str, ...]) -> sa.Update:
    values: Columns = {name: sa.bindparam(f"new_{name}") for name in columns}
    return games.update().where(games.c.id == sa.bindparam("old_id")).values(values)


@dataclass(frozen=True, slots=True)
class Change:
    """Entries to append to the log of one table, and what its other rows shall say then."""

    game: str
    expected: int  # the version before; 0 makes the table
    entries: Sequence[Stored]
    row: Columns
    seats: Sequence[Columns] | None = None  # all seats anew
    places: Sequence[tuple[str, int]] = ()  # persons with their places, if the game is rated
    against: str = "people"  # whose rating that is: `computers` if there is one at the table


def append_all(connection: sa.Connection, changes: Sequence[Change], sender: str) -> set[str]:
    """Write the changes; returns the games whose change came too late. PostgreSQL's other processes are told."""
    old = sorted(change.game for change in changes if change.expected)
    versions = _versions(connection, old)
    late = {change.game for change in changes if change.expected and versions.get(change.game) != change.expected}
    good = [change for change in changes if change.game not in late]
    _write_rows(connection, good)
    if connection.dialect.name == "postgresql" and good:
        _announce(connection, good, sender)
    return late


def _versions(connection: sa.Connection, ids: list[str]) -> dict[str, int]:
    """The present versions, locked until the transaction ends."""
    if not ids:
        return {}
    return {row.id: row.version for row in connection.execute(LOCK_VERSIONS, {"ids": ids})}


def _write_rows(connection: sa.Connection, changes: list[Change]) -> None:
    made = [{"id": change.game, **change.row} for change in changes if not change.expected]
    if made:
        connection.execute(games.insert(), made)
    by_columns: dict[tuple[str, ...], list[Columns]] = {}
    for change in changes:
        if change.expected:
            row = {f"new_{name}": value for name, value in change.row.items()}
            by_columns.setdefault(tuple(change.row), []).append({"old_id": change.game, **row})
    for columns, rows in by_columns.items():
        connection.execute(_update_game(columns), rows)
    connection.execute(ADD_EVENTS, [_event_row(change.game, e) for change in changes for e in change.entries])
    _write_seats(connection, changes)
    for change in changes:
        if change.places:
            _rate(connection, change)


def _write_seats(connection: sa.Connection, changes: list[Change]) -> None:
    reseated = [change for change in changes if change.seats is not None]
    if not reseated:
        return
    connection.execute(seats.delete().where(seats.c.game.in_([change.game for change in reseated])))
    rows = [{"game": change.game, **row} for change in reseated for row in change.seats or ()]
    connection.execute(seats.insert(), rows)


def _rate(connection: sa.Connection, change: Change) -> None:
    """New ratings for the players of a finished game."""
    players = len(change.places)
    ids = [person for person, _ in change.places]
    here = sa.and_(ratings.c.players == players, ratings.c.against == change.against)
    query = sa.select(ratings).where(here, ratings.c.person.in_(sorted(ids)))
    found = {row.person: row for row in connection.execute(query.order_by(ratings.c.person).with_for_update())}
    old = [Rating(found[p].mu, found[p].sigma) if p in found else START for p in ids]
    new = rate(old, [place for _, place in change.places])
    rows = [
        {
            "person": person,
            "players": players,
            "against": change.against,
            "mu": rating.mu,
            "sigma": rating.sigma,
            "games": (found[person].games if person in found else 0) + 1,
        }
        for person, rating in zip(ids, new, strict=True)
    ]
    keys = ("person", "players", "against")
    connection.execute(upsert(connection.dialect, ratings, keys, ("mu", "sigma", "games")), rows)
    steps = [
        {
            "of_game": change.game,
            "of_person": row["person"],
            "new_mu": row["mu"],
            "new_sigma": row["sigma"],
            "before": rating.cautious,
        }
        for row, rating in zip(rows, old, strict=True)
    ]
    connection.execute(NOTE_RATING, steps)


def _announce(connection: sa.Connection, changes: list[Change], sender: str) -> None:
    """Tell the other processes; PostgreSQL delivers this with the commit."""
    payloads = [f"{sender} table {c.game} {c.entries[-1].version}" for c in changes]
    listed = sa.bindparam("payloads", payloads, type_=postgresql.ARRAY(sa.Text))
    connection.execute(
        sa.select(sa.func.pg_notify(CHANNEL, sa.column("payload"))).select_from(sa.func.unnest(listed).alias("payload"))
    )


def _event_row(game: str, stored: Stored) -> Columns:
    entry = format_entry(stored.entry)
    return {"game": game, "version": stored.version, "at": stored.at, "entry": entry, "key": stored.key}
