"""When something happens at a table by itself, and when no server was up: tables need not be in memory for that."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("games", sa.Column("due", sa.Double))
    op.create_index("ix_games_due", "games", ["due"])
    op.execute("UPDATE games SET due = 0 WHERE status IN ('open', 'dealing', 'live')")
    op.create_table(
        "outages",
        sa.Column("began", sa.Double, primary_key=True, autoincrement=False),
        sa.Column("ended", sa.Double, nullable=False),
    )
