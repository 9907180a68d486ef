"""The steward's work: what happens at tables by itself. Clocks run out, the deal waits no longer, computers move.

Of several processes on one database one is the steward; the others have nothing to do here.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING

from splendor.moves import IllegalMove, play_move
from splendor.notation import NotationError, parse_move
from splendor.server import commands, log
from splendor.server.computers import ComputerFailed, Computers
from splendor.server.live import Live
from splendor.server.logs import logger
from splendor.server.refusal import Refused
from splendor.server.showing import seen_by
from splendor.server.table import OnlineTable
from splendor.state import State
from splendor.table import View

if TYPE_CHECKING:
    from splendor.server.hub import Hub

RETRY = 2.0  # seconds until a computer is asked again after the server itself failed


class Steward:
    """Looks after all unfinished tables of one hub, as long as it is in office."""

    def __init__(self, hub: Hub, computers: Computers) -> None:
        """Not in office yet."""
        self.hub, self.computers = hub, computers
        self.in_office = False

    async def take_office(self, down_since: float | None) -> None:
        """Look after all unfinished tables: fold them, and let clocks go on from where they stood."""
        self.in_office = True
        for id in await self.hub.ledger.unfinished():
            with contextlib.suppress(Refused):
                live = await self.hub.find(id)
                if down_since is not None:
                    await self.hub.change(live, partial(resumed, down_since=down_since))
                self.schedule(live)
                await self.hub.presence.watch(live)

    def schedule(self, live: Live) -> None:
        """Set the timer for what is due next, and let a computer think if it is its turn."""
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        if not self.in_office or self.hub.is_closing:
            return
        due = commands.next_due(live.table)
        if due is not None:
            delay = max(due - self.hub.sources.now(), 0.0) + 0.01
            live.timer = asyncio.get_running_loop().call_later(delay, self._ring, live)
        seat = live.table.to_move
        if seat is not None and live.table.seats[seat].level and live.thinks_about is not live.table.state:
            live.thinks_about = live.table.state
            if live.thinking is not None:
                live.thinking.cancel()
            live.thinking = asyncio.create_task(self._think(live, seat))
            live.thinking.add_done_callback(partial(self._thought, live))

    def _ring(self, live: Live) -> None:
        self.hub.tasks.spawn(self._tick(live))

    async def _tick(self, live: Live) -> None:
        """Something is due."""
        await self.hub.change(live, nothing)
        self.schedule(live)

    # ---------------------------------------------------------------------------------------------- computers

    async def _think(self, live: Live, seat: int) -> None:
        """Ask a computer for its move and play it; if it fails, another one's, and the table is told."""
        began, state = time.monotonic(), live.table.state
        level = live.table.seats[seat].level
        assert level is not None
        entries: list[log.AnyEntry] = []
        move = await self._computers_move(level, state, seat)
        if move is None:
            instead = self.hub.manners.substitute
            entries.append(log.EngineTrouble(seat=seat, level=level, instead=instead))
            move = await self._computers_move(instead, state, seat) or str(View(state, seat).legal_moves[0])
            logger.warning("a computer failed", extra={"level": level})
        await asyncio.sleep(max(self.hub.settings.computer_pause - (time.monotonic() - began), 0.0))
        entries.append(log.Played(seat=seat, move=move))
        live.thinking = None  # from here on the move must not be cancelled
        await self.hub.change(live, lambda table: entries if table.state is state and table.status == "live" else [])

    async def _computers_move(self, level: str, state: State, seat: int) -> str | None:
        """A legal move by a level; None if it has none to offer."""
        try:
            text = await self.computers.choose(self.hub.levels.get(level, level), View(state, seat).position, seat)
            return str(play_move(seen_by(state, seat), parse_move(text))[1])
        except (ComputerFailed, NotationError, IllegalMove):
            return None

    def _thought(self, live: Live, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            logger.error("thinking failed", exc_info=task.exception())
            live.thinks_about = None
            asyncio.get_running_loop().call_later(RETRY, self.schedule, live)


def nothing(_: OnlineTable) -> list[log.AnyEntry]:
    """No entry of one's own: only what is due."""
    return []


def resumed(table: OnlineTable, down_since: float) -> list[log.AnyEntry]:
    """A running clock goes on as it stood when the server went down."""
    if table.status != "live" or table.made.clock.kind == "none":
        return []
    return [log.ClocksResumed(used=max(down_since - table.turn_began, 0.0))]
