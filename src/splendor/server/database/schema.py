"""The tables of the database. `migrations` brings an older one up to this."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("name", sa.String(64)),  # as it is shown; a guest has none
    sa.Column("name_key", sa.String(128), unique=True),  # as it is compared
    sa.Column("password", sa.String(256)),  # argon2id
    sa.Column("is_computer", sa.Boolean, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True),
    sa.Column("hash", sa.String(64), unique=True, nullable=False),  # SHA-256 of the cookie
    sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("seen", sa.Double, nullable=False),
    sa.Column("agent", sa.String(200), nullable=False),
)

tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True),
    sa.Column("hash", sa.String(64), unique=True, nullable=False),
    sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("scopes", sa.String(64), nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("expires", sa.Double, nullable=False),
    sa.Column("seen", sa.Double),
)

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),  # of the last entry in the log: compare and set
    sa.Column("status", sa.String(8), nullable=False, index=True),
    sa.Column("is_public", sa.Boolean, nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("updated", sa.Double, nullable=False),
    sa.Column("finished", sa.Double, index=True),
    sa.Column("reason", sa.String(16)),
    sa.Column("turns", sa.Integer),
    sa.Column("is_rated", sa.Boolean),
    sa.Column("record", sa.Text),  # the finished game as a game file
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("game", sa.String(22), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("entry", sa.Text, nullable=False),  # JSON, see `log.py`
    sa.Column("key", sa.String(128)),  # of the command that led to it
    sa.UniqueConstraint("game", "key"),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("game", sa.String(22), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("person", sa.String(40), index=True),  # who plays, is invited, or played
    sa.Column("label", sa.String(64)),
    sa.Column("place", sa.Integer),
    sa.Column("points", sa.Integer),
)

ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("person", sa.String(40), primary_key=True),
    sa.Column("players", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
)

pulse = sa.Table(
    "pulse",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),  # always 1
    sa.Column("at", sa.Double, nullable=False),  # when a server was last known to be up
)

presence = sa.Table(
    "presence",
    metadata,
    sa.Column("process", sa.String(22), primary_key=True),
    sa.Column("game", sa.String(22), primary_key=True),
    sa.Column("person", sa.String(40), primary_key=True),
    sa.Column("seen", sa.Double, nullable=False),
)
