"""Free chat between accounts: who wants it, at which table, the latest lines, and reports of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("people", sa.Column("chat", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("people", sa.Column("chat_paused", sa.Double))
    op.create_table(
        "chat_wishes",
        sa.Column("game", sa.String(22), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("other", sa.String(40), primary_key=True),
        sa.Column("allow", sa.Boolean, nullable=False),
    )
    op.create_index("ix_chat_wishes_person", "chat_wishes", ["person"])
    op.create_table(
        "chat_lines",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("game", sa.String(22), sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
        sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("readers", sa.String(128), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.UniqueConstraint("game", "person", "key"),
    )
    op.create_index("ix_chat_lines_game_at", "chat_lines", ["game", "at"])
    op.create_index("ix_chat_lines_person", "chat_lines", ["person"])
    op.create_index("ix_chat_lines_at", "chat_lines", ["at"])
    op.create_table(
        "reports",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("reporter", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("reported", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("game", sa.String(22), nullable=False),
        sa.Column("line", sa.String(22), nullable=False),
        sa.Column("reason", sa.String(8), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("context", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("closed", sa.Double),
        sa.UniqueConstraint("reporter", "line"),
    )
    op.create_index("ix_reports_reported", "reports", ["reported"])
