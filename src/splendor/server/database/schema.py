"""The tables of the database. `migrations` brings an older one up to this."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

Columns = dict[str, Any]  # of a row that is written or read: values by name
Row: TypeAlias = "sa.Row[*tuple[Any, ...]]"  # one that was read: its columns are attributes
Query: TypeAlias = "sa.Select[*tuple[Any, ...]]"

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
    sa.Column("look", sa.String(128)),  # the name as it looks at a glance
    sa.Column("nick", sa.String(64)),  # what a guest wants to be called; many may be called the same
    sa.Column("nick_look", sa.String(128), index=True),  # how that looks at a glance
    sa.Column("avatar", sa.String(16)),  # the picture that stands for the person
    sa.Column("invitations", sa.String(12), nullable=False, server_default="everyone"),  # who may invite
    sa.Column("second_factor", sa.String(32)),  # the secret of one-time codes, in base 32
    sa.Column(
        "second_factor_step", sa.BigInteger, nullable=False, server_default="0"
    ),  # of the last code; 0: not in use
    sa.Column("calendar", sa.String(64)),  # SHA-256 of the secret in the address of the person's calendar
    sa.Column(
        "chat", sa.Boolean, nullable=False, server_default=sa.false()
    ),  # may others ask to write with the person?
    sa.Column("chat_paused", sa.Double),  # until when the operator has turned that off
    sa.Index("ix_people_look", "look", unique=True),
    sa.Index("ix_people_calendar", "calendar", unique=True),
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
    sa.Column("confirmed", sa.Double, nullable=False, server_default="0"),  # when the password was last asked for
)

devices = sa.Table(
    "devices",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),  # SHA-256 of the cookie
    sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    sa.Column("seen", sa.Double, nullable=False),
)

recovery_codes = sa.Table(
    "recovery_codes",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
)

blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("blocked", sa.String(40), primary_key=True),
    sa.Column("created", sa.Double, nullable=False),
)

chat_wishes = sa.Table(
    "chat_wishes",
    metadata,
    sa.Column("game", sa.String(22), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True),
    sa.Column("other", sa.String(40), primary_key=True),
    sa.Column("allow", sa.Boolean, nullable=False),  # is the person willing to write with the other one?
)

chat_lines = sa.Table(
    "chat_lines",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True),
    sa.Column("game", sa.String(22), sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("readers", sa.String(128), nullable=False),  # the ids of those to whom it was sent, up to three
    sa.Column("at", sa.Double, nullable=False, index=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("key", sa.String(64), nullable=False),  # of the command
    sa.UniqueConstraint("game", "person", "key"),
    sa.Index("ix_chat_lines_game_at", "game", "at"),
)

reports = sa.Table(
    "reports",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True),
    sa.Column("reporter", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    sa.Column("reported", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("game", sa.String(22), nullable=False),
    sa.Column("line", sa.String(22), nullable=False),
    sa.Column("reason", sa.String(8), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("context", sa.Text, nullable=False),  # JSON, what the two wrote before it
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("closed", sa.Double),  # when the operator had looked at it
    sa.UniqueConstraint("reporter", "line"),
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
    sa.Column("due", sa.Double, index=True),  # when something happens by itself, if nothing happens before
    sa.Column("reason", sa.String(16)),
    sa.Column("turns", sa.Integer),
    sa.Column("is_rated", sa.Boolean),
    sa.Column("is_counted", sa.Boolean),  # in the statistics of its players, though two computers may be the same
    sa.Column("record", sa.Text),  # the finished game as a game file
    sa.Column("pairing", sa.String(8)),  # the kind of game for which people wait there
    sa.Column("sight", sa.String(24), index=True),  # a word for what all see of the position, while people play there
    sa.Index("ix_games_waiting", "pairing", "players", "status"),
    sa.Index("ix_games_archive", "status", "is_public", "finished"),
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
    sa.Column("is_invited", sa.Boolean, nullable=False, server_default=sa.false()),  # and has not sat down
    sa.Column("has_aborted", sa.Boolean, nullable=False, server_default=sa.false()),  # ended it after the deal
    sa.Column("mu", sa.Double),  # the person's rating after this game, if it was rated
    sa.Column("sigma", sa.Double),
    sa.Column("rated_before", sa.Double),  # the cautious rating before it
)
sa.Index("ix_seats_aborted", seats.c.person, sqlite_where=seats.c.has_aborted, postgresql_where=seats.c.has_aborted)

ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("person", sa.String(40), primary_key=True),
    sa.Column("players", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("against", sa.String(9), primary_key=True),  # people, or computers if there was one at the table
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
)

pulse = sa.Table(
    "pulse",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),  # 1: a server was up; 2: one tried to write
    sa.Column("at", sa.Double, nullable=False),  # when that was so for the last time
)

push_key = sa.Table(
    "push_key",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),  # 1
    sa.Column("key", sa.String(64), nullable=False),  # the private key with which messages to browsers are signed
)

subscriptions = sa.Table(
    "subscriptions",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True),
    sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("session", sa.String(22), sa.ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("endpoint", sa.String(1000), nullable=False),  # where the browser's push service takes messages for it
    sa.Column("p256dh", sa.String(100), nullable=False),  # its keys
    sa.Column("auth", sa.String(32), nullable=False),
    sa.Column("language", sa.String(2), nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Index("uq_subscriptions_endpoint", "endpoint", unique=True),
)

outages = sa.Table(
    "outages",
    metadata,
    sa.Column("began", sa.Double, primary_key=True, autoincrement=False),  # when no server was up any more
    sa.Column("ended", sa.Double, nullable=False),
)

presence = sa.Table(
    "presence",
    metadata,
    sa.Column("process", sa.String(22), primary_key=True),
    sa.Column("game", sa.String(22), primary_key=True),
    sa.Column("person", sa.String(40), primary_key=True),
    sa.Column("seen", sa.Double, nullable=False),
)

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True),  # of the game, or of a record from elsewhere
    sa.Column("effort", sa.String(8), nullable=False),  # that was asked for
    sa.Column("done", sa.Integer, nullable=False),  # decisions
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("body", sa.LargeBinary),  # the review as JSON, packed by gzip
    sa.Column("record", sa.Text),  # the game file, if it comes from elsewhere
    sa.Column("updated", sa.Double, nullable=False, index=True),
)

imports = sa.Table(
    "imports",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True),
    sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),  # of the deal and the moves, so that a game is kept once
    sa.Column("at", sa.Double, nullable=False),  # when it came here
    sa.Column("origin", sa.String(64)),  # the id of the table where it was played
    sa.Column("date", sa.String(64)),
    sa.Column("turns", sa.Integer, nullable=False),
    sa.Column("reason", sa.String(16), nullable=False),
    sa.Column("seats", sa.Text, nullable=False),  # JSON: names, points, who won
    sa.Column("record", sa.Text, nullable=False),  # the game file
    sa.Index("uq_imports_person_digest", "person", "digest", unique=True),
)


def upsert(
    dialect: sa.Dialect, table: sa.Table, keys: Iterable[str], columns: Iterable[str]
) -> postgresql.Insert | sqlite.Insert:
    """Insert rows, or change those that are there."""
    insert = postgresql.insert(table) if dialect.name == "postgresql" else sqlite.insert(table)
    changed = {column: insert.excluded[column] for column in columns}
    return insert.on_conflict_do_update(index_elements=list(keys), set_=changed)
