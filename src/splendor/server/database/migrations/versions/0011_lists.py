"""Lists of games and players stay quick when there are very many games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_index("ix_games_archive", "games", ["status", "is_public", "finished"])
    has_aborted = sa.column("has_aborted", sa.Boolean)
    op.create_index("ix_seats_aborted", "seats", ["person"], sqlite_where=has_aborted, postgresql_where=has_aborted)
