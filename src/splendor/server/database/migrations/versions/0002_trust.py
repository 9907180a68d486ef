"""What makes accounts trustworthy: looks of names, second factors, known devices, recovery codes, blocks; and of seats
who is only invited, and who aborted the game.
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("people", sa.Column("look", sa.String(128)))
    op.add_column("people", sa.Column("invitations", sa.String(12), nullable=False, server_default="everyone"))
    op.add_column("people", sa.Column("second_factor", sa.String(32)))
    op.add_column("people", sa.Column("second_factor_step", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("sessions", sa.Column("confirmed", sa.Double, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("is_invited", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("has_aborted", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "devices",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seen", sa.Double, nullable=False),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_table(
        "blocks",
        sa.Column("person", sa.String(40), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("blocked", sa.String(40), primary_key=True),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_index("ix_people_look", "people", ["look"], unique=True)
    op.create_index("ix_devices_person", "devices", ["person"])
    op.create_index("ix_recovery_codes_person", "recovery_codes", ["person"])
    mark_invitations()
    mark_aborts()


games = sa.table("games", sa.column("id"), sa.column("status"))
events = sa.table("events", sa.column("game"), sa.column("version"), sa.column("entry"))
seats = sa.table(
    "seats",
    sa.column("game"),
    sa.column("seat"),
    sa.column("person"),
    sa.column("is_invited"),
    sa.column("has_aborted"),
)


def logs(*statuses: str) -> dict[str, list[dict[str, Any]]]:
    """The logs of all tables of these statuses. At first logs called the type of an entry `kind`."""
    joined = sa.join(events, games, games.c.id == events.c.game)
    query = sa.select(events.c.game, events.c.entry).select_from(joined).where(games.c.status.in_(statuses))
    found: dict[str, list[dict[str, Any]]] = {}
    for game, text in op.get_bind().execute(query.order_by(events.c.game, events.c.version)):
        entry = json.loads(text)
        found.setdefault(game, []).append({"type": entry.get("kind"), **entry})
    return found


def mark(game: str, seat: int, **values: bool) -> None:
    op.execute(seats.update().where(seats.c.game == game, seats.c.seat == seat).values(**values))


def mark_invitations() -> None:
    """Of tables that wait: the seats that are kept for somebody."""
    for game, entries in logs("open").items():
        for number, plan in enumerate(entries[0]["seats"]):
            moves = [entry for entry in entries[1:] if entry.get("seat") == number]
            last = [entry["type"] for entry in moves if entry["type"] in ("sat_down", "left")][-1:]
            if plan.get("invited") and last != ["sat_down"]:
                mark(game, number, is_invited=True)


def mark_aborts() -> None:
    """Of games that were given up after the deal: by whom."""
    for game, entries in logs("aborted").items():
        last = entries[-1]
        was_dealt = any(entry["type"] == "started" for entry in entries)
        if was_dealt and last["type"] == "aborted" and last.get("seat") is not None:
            mark(game, last["seat"], has_aborted=True)
