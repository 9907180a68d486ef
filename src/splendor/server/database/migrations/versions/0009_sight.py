"""How games among people stand, so that nothing is told about a position that is being played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("games", sa.Column("sight", sa.String(24)))
    op.create_index("ix_games_sight", "games", ["sight"])
