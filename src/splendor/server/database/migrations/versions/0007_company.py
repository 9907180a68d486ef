"""Names and pictures of guests, tables whose players the server brings together, and ratings before a game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("people", sa.Column("nick", sa.String(64)))
    op.add_column("people", sa.Column("nick_look", sa.String(128)))
    op.add_column("people", sa.Column("avatar", sa.String(16)))
    op.create_index("ix_people_nick_look", "people", ["nick_look"])
    op.add_column("games", sa.Column("pairing", sa.String(8)))
    op.create_index("ix_games_waiting", "games", ["pairing", "players", "status"])
    op.add_column("seats", sa.Column("rated_before", sa.Double))
