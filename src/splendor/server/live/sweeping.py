"""Tables that nobody needs: let go of those that are idle, and clear away those that nobody plays at any more."""

from __future__ import annotations

import asyncio
import time
from functools import partial

from splendor.server.live.dues import due_at, swept_at
from splendor.server.live.keeper import Keeper
from splendor.server.live.presence import PresenceWatch
from splendor.server.tables import log
from splendor.server.tables.table import OnlineTable

IDLE = 300.0  # seconds that a table stays in memory without need


def forget_idle(keeper: Keeper, *, but_due: float) -> None:
    """Let go of tables that nobody looks at, apart from those that are due until then."""
    for live in list(keeper.lives.values()):
        is_idle = not live.outboxes and not live.lock.locked() and time.monotonic() - live.touched > IDLE
        due = due_at(live.table, keeper.manners)
        if is_idle and (due is None or due > but_due):
            keeper.forget(live)


async def sweep(keeper: Keeper, presence: PresenceWatch, patience: float) -> None:
    """Abort tables without a game, and games without moves, that are old and where nobody is; watch absences.

    Only the steward does this.
    """
    now = keeper.sources.now()
    for live in list(keeper.lives.values()):
        await asyncio.sleep(0)
        await presence.watch(live)
        if sweepable(live.table, now, patience) and not await presence.attendance.online(live.table.id):
            await keeper.change(live, partial(swept, now=now, patience=patience))


def sweepable(table: OnlineTable, now: float, patience: float) -> bool:
    """Has this table waited long enough?"""
    at = swept_at(table, patience)
    return not table.is_finished and at is not None and now > at


def swept(table: OnlineTable, now: float, patience: float) -> list[log.AnyEntry]:
    """The entry that ends it."""
    return [log.Aborted(seat=None, reason="swept")] if sweepable(table, now, patience) else []
