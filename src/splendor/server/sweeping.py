"""Tables that nobody plays at are cleared away; only the steward does this."""

from __future__ import annotations

from functools import partial

from splendor.server import log
from splendor.server.commands import can_abort
from splendor.server.hub import Hub
from splendor.server.table import OnlineTable

ABANDONED = 14 * 86_400.0  # seconds without a move, after which a game without a clock is over


async def sweep(hub: Hub, patience: float) -> None:
    """Abort tables without a game, and games without moves, that are old and where nobody is; watch absences."""
    now = hub.sources.now()
    for live in list(hub.tables.values()):
        await hub.presence.watch(live)
        if sweepable(live.table, now, patience) and not await hub.presence.attendance.online(live.table.id):
            await hub.change(live, partial(swept, now=now, patience=patience))


def sweepable(table: OnlineTable, now: float, patience: float) -> bool:
    """Has this table waited long enough?"""
    if table.is_finished:
        return False
    idle = now - table.updated
    if table.status != "live" or (can_abort(table) and table.made.clock.kind != "days"):
        return idle > patience
    return table.made.clock.kind == "none" and idle > ABANDONED


def swept(table: OnlineTable, now: float, patience: float) -> list[log.AnyEntry]:
    """The entry that ends it."""
    return [log.Aborted(seat=None, reason="swept")] if sweepable(table, now, patience) else []
