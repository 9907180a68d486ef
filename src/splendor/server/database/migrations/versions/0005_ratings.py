"""Ratings among people apart from those against computers, and each player's rating after every game.

Both are worked out again from the results of all rated games.
"""

from __future__ import annotations

from itertools import groupby

import sqlalchemy as sa
from alembic import op

from splendor.server.tables.rating import START, Rating, rate

revision = "0005"
down_revision = "0004"

SEATS = sa.table("seats", *(sa.column(name) for name in ("game", "seat", "person", "place", "mu", "sigma")))
RATINGS = sa.table("ratings", *(sa.column(name) for name in ("person", "players", "against", "mu", "sigma", "games")))
RESULTS = sa.text(
    "SELECT games.id AS game, games.players AS players, seats.person AS person, seats.place AS place,"
    " people.id AS known, people.is_computer AS is_computer"
    " FROM games JOIN seats ON seats.game = games.id LEFT JOIN people ON people.id = seats.person"
    " WHERE games.is_rated AND games.status = 'over' AND seats.person IS NOT NULL AND seats.place IS NOT NULL"
    " ORDER BY games.finished, games.id, seats.seat"
)
Key = tuple[str, int, str]


def upgrade() -> None:
    op.add_column("games", sa.Column("is_counted", sa.Boolean))
    op.execute("UPDATE games SET is_counted = is_rated")
    op.add_column("seats", sa.Column("mu", sa.Double))
    op.add_column("seats", sa.Column("sigma", sa.Double))
    op.drop_table("ratings")
    op.create_table(
        "ratings",
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("players", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("against", sa.String(9), primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
    )
    ratings: dict[Key, tuple[Rating, int]] = {}
    connection = op.get_bind()
    for game, found in groupby(connection.execute(RESULTS).fetchall(), key=lambda row: row.game):
        rows = list(found)
        has_computer = any(row.person.startswith("computer:") or row.is_computer for row in rows)
        keys: list[Key] = [(row.person, row.players, "computers" if has_computer else "people") for row in rows]
        before = [ratings.get(key, (START, 0)) for key in keys]
        after = rate([rating for rating, _ in before], [row.place for row in rows])
        for row, key, (_, games), rating in zip(rows, keys, before, after, strict=True):
            ratings[key] = rating, games + 1
            if row.known or row.person.startswith("computer:"):  # not of somebody whose account was deleted
                mine = sa.and_(SEATS.c.game == game, SEATS.c.person == row.person)
                connection.execute(SEATS.update().where(mine).values(mu=rating.mu, sigma=rating.sigma))
    known = {row.id for row in connection.execute(sa.text("SELECT id FROM people"))}
    made = [
        {"person": person, "players": players, "against": against, "mu": mu, "sigma": sigma, "games": games}
        for (person, players, against), ((mu, sigma), games) in ratings.items()
        if person in known or person.startswith("computer:")
    ]
    if made:
        op.bulk_insert(RATINGS, made)
