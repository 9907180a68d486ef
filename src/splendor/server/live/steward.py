"""The steward's work: what happens at tables by itself. Clocks run out, the deal waits no longer, computers move.

Of several processes on one database one is the steward; the others have nothing to do here.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping
from functools import partial

from splendor.game.moves import IllegalMove, play_move
from splendor.game.position import View
from splendor.game.showing import seen_by
from splendor.notation import NotationError, parse_move
from splendor.server.live.computers import ComputerFailed, Computers
from splendor.server.live.dues import owes_a_move
from splendor.server.live.keeper import Keeper, nothing
from splendor.server.live.live import Live
from splendor.server.live.presence import PresenceWatch
from splendor.server.logs import logger
from splendor.server.refusal import RequestRefused
from splendor.server.tables import commands, log

AHEAD = 150.0  # seconds: tables that are due until then are in memory
RETRY = 2.0  # seconds until a computer is asked again after the server itself failed


class Steward:
    """Looks after all unfinished tables of one keeper, as long as it is in office."""

    def __init__(
        self, keeper: Keeper, presence: PresenceWatch, computers: Computers, levels: Mapping[str, str], pause: float
    ) -> None:
        """Not in office yet. `levels` has the player behind each name; `pause` is the least time of a move."""
        self.keeper, self.presence, self.computers = keeper, presence, computers
        self.levels, self.pause = levels, pause
        self.in_office = False

    async def take_office(self) -> None:
        """Look after all unfinished tables: those in memory, and those at which something happens soon."""
        self.in_office = True
        for live in list(self.keeper.lives.values()):
            self.schedule(live)
            await self.presence.watch(live)
        self.keeper.tasks.spawn(self.look_ahead())

    async def look_ahead(self) -> None:
        """Have in memory what is due soon; whatever has to happen there then happens."""
        for id in await self.keeper.log_store.due(self.keeper.sources.now() + AHEAD):
            if self.keeper.is_closing:
                return
            if id not in self.keeper.lives:
                with contextlib.suppress(RequestRefused):
                    await self.keeper.find(id)
                await asyncio.sleep(0)

    def schedule(self, live: Live) -> None:
        """Set the timer for what is due next, and let a computer think if it is its turn."""
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        if live.thinking is not None and live.thinks_about is not live.table.state:
            live.thinking.cancel()
            live.thinking = None
        if not self.in_office or self.keeper.is_closing:
            return
        due = commands.next_due(live.table)
        if due is not None:
            delay = max(due - self.keeper.sources.now(), 0.0) + 0.01
            live.timer = asyncio.get_running_loop().call_later(delay, self._ring, live)
        if owes_a_move(live.table) and live.thinking is None and not live.is_moving:
            live.thinks_about = live.table.state
            live.thinking = asyncio.create_task(self._think(live))
            live.thinking.add_done_callback(partial(self._thought, live))

    def watch(self) -> None:
        """Find tables where something is due, or a computer owes a move, and nothing is on its way; see to it.

        Whatever failed there, a full disk or an error of ours, the game goes on.
        """
        for live in list(self.keeper.lives.values()):
            due = commands.next_due(live.table)
            is_late = due is not None and due + RETRY < self.keeper.sources.now()
            is_forgotten = owes_a_move(live.table) and live.thinking is None and not live.is_moving
            if is_late or is_forgotten:
                self.schedule(live)

    def _ring(self, live: Live) -> None:
        self.keeper.tasks.spawn(self._tick(live))

    async def _tick(self, live: Live) -> None:
        """Something is due."""
        await self.keeper.change(live, nothing)
        self.schedule(live)

    # ---------------------------------------------------------------------------------------------- computers

    async def _think(self, live: Live) -> None:
        """Ask a computer for its move and play it; if it fails, another one's, and the table is told."""
        began, state = time.monotonic(), live.table.state
        seat = int(state.seat)
        level = live.table.seats[seat].level
        assert level is not None
        entries: list[log.AnyEntry] = []
        move = await self._computers_move(live, level, seat)
        if move is None:
            instead = self.keeper.manners.substitute
            entries.append(log.EngineTrouble(seat=seat, level=level, instead=instead))
            logger.warning("a computer failed", extra={"level": level})
            move = await self._computers_move(live, instead, seat)
        if move is None:
            raise ComputerFailed(f"neither {level} nor its substitute")
        await asyncio.sleep(max(self.pause - (time.monotonic() - began), 0.0))
        entries.append(log.Played(seat=seat, move=move))
        live.thinking, live.is_moving = None, True  # from here on the move must not be cancelled
        try:
            await self.keeper.change(
                live, lambda table: entries if table.state is state and table.status == "live" else []
            )
        finally:
            live.is_moving = False

    async def _computers_move(self, live: Live, level: str, seat: int) -> str | None:
        """A legal move by a level; None if it has none to offer. Raises RequestRefused if there is no room to think."""
        state = live.table.state
        try:
            text = await self.computers.play(
                live.visitor, self.levels.get(level, level), View(state, seat).position, seat
            )
            return str(play_move(seen_by(state, seat), parse_move(text))[1])
        except (ComputerFailed, NotationError, IllegalMove):
            return None

    def _thought(self, live: Live, task: asyncio.Task[None]) -> None:
        """A computer has moved, or its move was not wanted any more, or it could not be made: then try again."""
        if live.thinking is task:
            live.thinking = None
        if task.cancelled():
            return
        if task.exception() is not None:
            logger.error("thinking failed", exc_info=task.exception())
            asyncio.get_running_loop().call_later(RETRY, self.schedule, live)
        elif owes_a_move(live.table):  # it has moved, and the next turn is a computer's again
            self.schedule(live)
