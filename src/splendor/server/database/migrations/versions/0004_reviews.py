"""Reviews of finished games and of records from elsewhere."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("effort", sa.String(8), nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary),
        sa.Column("record", sa.Text),
        sa.Column("updated", sa.Double, nullable=False),
    )
    op.create_index("ix_reviews_updated", "reviews", ["updated"])
