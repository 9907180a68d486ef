"""Who is told when it is their turn: browsers, with the key for that, and calendars with a secret address."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("people", sa.Column("calendar", sa.String(64)))
    op.create_index("ix_people_calendar", "people", ["calendar"], unique=True)
    op.create_table(
        "push_key",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(64), nullable=False),
    )
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("session", sa.String(22), sa.ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
        sa.Column("endpoint", sa.String(1000), nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(32), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_index("ix_subscriptions_person", "subscriptions", ["person"])
    op.create_index("ix_subscriptions_session", "subscriptions", ["session"])
    op.create_index("uq_subscriptions_endpoint", "subscriptions", ["endpoint"], unique=True)
