"""Games that were played elsewhere and that an account keeps."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "imports",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("origin", sa.String(64)),
        sa.Column("date", sa.String(64)),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
    )
    op.create_index("uq_imports_person_digest", "imports", ["person", "digest"], unique=True)
