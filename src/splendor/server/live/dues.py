"""When a table has to be looked after next. It is stored with the table, which need not be in memory until then."""

from __future__ import annotations

from splendor.server.tables.commands import Manners, can_abort, next_due
from splendor.server.tables.table import OnlineTable

ABANDONED = 14 * 86_400.0  # seconds without a move, after which a game without a clock is over


def owes_a_move(table: OnlineTable) -> bool:
    """Is it a computer's turn?"""
    seat = table.to_move
    return seat is not None and table.seats[seat].level is not None


def has_clock(table: OnlineTable) -> bool:
    """Does somebody's time run?"""
    return table.status == "live" and table.made.clock.kind != "none"


def due_at(table: OnlineTable, manners: Manners) -> float | None:
    """When something happens there by itself, if nothing happens before; None if that never is."""
    if table.is_finished:
        return None
    if owes_a_move(table):
        return table.updated
    times = [time for time in (next_due(table), swept_at(table, manners.patience)) if time is not None]
    return min(times, default=None)


def swept_at(table: OnlineTable, patience: float) -> float | None:
    """When it is removed because nobody plays."""
    if table.status != "live" or (can_abort(table) and table.made.clock.kind != "days"):
        return table.updated + patience
    return table.updated + ABANDONED if table.made.clock.kind == "none" else None
