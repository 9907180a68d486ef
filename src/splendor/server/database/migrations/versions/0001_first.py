"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(64)),
        sa.Column("name_key", sa.String(128)),
        sa.Column("password", sa.String(256)),
        sa.Column("is_computer", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.UniqueConstraint("name_key", name="uq_people_name_key"),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
        sa.UniqueConstraint("hash", name="uq_sessions_hash"),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("scopes", sa.String(64), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.Column("seen", sa.Double),
        sa.UniqueConstraint("hash", name="uq_tokens_hash"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
        sa.Column("reason", sa.String(16)),
        sa.Column("turns", sa.Integer),
        sa.Column("is_rated", sa.Boolean),
        sa.Column("record", sa.Text),
    )
    op.create_table(
        "events",
        sa.Column("game", sa.String(22), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("key", sa.String(128)),
        sa.UniqueConstraint("game", "key", name="uq_events_game_key"),
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.String(22), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(40)),
        sa.Column("label", sa.String(64)),
        sa.Column("place", sa.Integer),
        sa.Column("points", sa.Integer),
    )
    op.create_table(
        "ratings",
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("players", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
    )
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "presence",
        sa.Column("process", sa.String(22), primary_key=True),
        sa.Column("game", sa.String(22), primary_key=True),
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("seen", sa.Double, nullable=False),
    )
    op.create_index("ix_sessions_person", "sessions", ["person"])
    op.create_index("ix_tokens_person", "tokens", ["person"])
    op.create_index("ix_games_status", "games", ["status"])
    op.create_index("ix_games_finished", "games", ["finished"])
    op.create_index("ix_seats_person", "seats", ["person"])
