"""The herald: tells people whose browsers are closed that it is their turn at a game by days.

Messages wait in a bounded queue and are sent a few at a time, to the push services that the settings name and nowhere
else: no redirect is followed, no answer is read, and whoever takes too long is given up. Of several processes on one
database the steward tells.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import NamedTuple

import httpx

from splendor.server.access.limits import RateLimits
from splendor.server.config import Settings
from splendor.server.database.connect import STORAGE_ERRORS
from splendor.server.database.subscriptions import Subscriptions
from splendor.server.logs import logger
from splendor.server.metrics import Metrics
from splendor.server.pictures.captions import names_at
from splendor.server.refusal import RequestRefused
from splendor.server.tables import log
from splendor.server.tables.table import OnlineTable
from splendor.server.web_push import Subscription, authorization, encrypted, is_allowed, private_key

MOST_WAITING = 2000
SENDERS = 4
PATIENCE = 10.0  # seconds for a service to answer
RETRIES = (5.0, 60.0)  # seconds to wait before it is tried again
GONE = (404, 410)
TRY_AGAIN = (429, 500, 502, 503, 504)
LONGEST_KEPT = 4 * 7 * 86_400  # seconds that a service keeps a message for a browser that is off


class Turn(NamedTuple):
    """It is somebody's turn."""

    person: str
    table: OnlineTable
    until: float


class Letter(NamedTuple):
    """What one browser is to be told."""

    turn: Turn
    to: Subscription
    language: str
    tries: int  # that failed


def turn_of(table: OnlineTable, since: int) -> Turn | None:
    """Whose turn it has become after a version of the log, at a game by days."""
    if table.status != "live" or table.made.clock.kind != "days" or len(table.log) <= since:
        return None
    seat, until = table.to_move, table.flag_falls
    if seat is None or until is None or table.seats[seat].person is None or table.seats[seat].level:
        return None
    person = table.seats[seat].person
    assert person is not None
    is_new = any(begins_turn(stored.entry, seat) for stored in table.log[since:])
    return Turn(person.id, table, until) if is_new else None


def begins_turn(entry: log.AnyEntry, seat: int) -> bool:
    """Is it this seat's turn by this entry? It was before if the seat itself made a part of its move."""
    match entry:
        case log.Started() | log.TookBack() | log.Replaced():
            return True
        case log.Played(seat=player):
            return player != seat
    return False


class Herald:
    """Sends what there is to be told."""

    def __init__(
        self,
        settings: Settings,
        subscriptions: Subscriptions,
        metrics: Metrics,
        limits: RateLimits,
        now: Callable[[], float],
    ) -> None:
        """Not begun."""
        self.services, self.subscriptions = settings.push_services, subscriptions
        self.metrics, self.limits, self.now = metrics, limits, now
        https = [origin for origin in settings.origins if origin.startswith("https:")]
        self.contact = settings.security_contact or next(iter(https), "mailto:operator@localhost.localdomain")
        self._queue: asyncio.Queue[Turn | Letter] = asyncio.Queue(MOST_WAITING)
        self._later: set[asyncio.TimerHandle] = set()  # letters that a service did not take, and no sender waits for
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Begin."""
        if not self.services:
            return
        self.key = private_key(await self.subscriptions.key())
        self._http = httpx.AsyncClient(timeout=PATIENCE, follow_redirects=False, headers={"user-agent": "splendor"})
        self._tasks = [asyncio.create_task(self._send_all()) for _ in range(SENDERS)]

    async def close(self) -> None:
        """End; what waits is not told."""
        for timer in self._later:
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._tasks:
            await self._http.aclose()

    def tell(self, table: OnlineTable, since: int) -> None:
        """Something has happened at a table: is it somebody's turn by that?"""
        turn = turn_of(table, since) if self._tasks else None
        if turn is None or self._queue.full():
            return
        with contextlib.suppress(RequestRefused):  # who is told very often is told less
            self.limits.spend("push", turn.person)
            self._queue.put_nowait(turn)

    async def _send_all(self) -> None:
        while True:
            next_one = await self._queue.get()
            try:
                if isinstance(next_one, Letter):
                    await self._send(next_one)
                else:
                    for to, language in await self.subscriptions.of(next_one.person):
                        await self._send(Letter(next_one, to, language, tries=0))
            except STORAGE_ERRORS as error:
                logger.error("nobody could be told", extra={"error": type(error).__name__})

    def _send_later(self, letter: Letter) -> None:
        """Back into the queue after a while; the senders go on with the others."""

        def send() -> None:
            self._later.discard(timer)
            if self._queue.full():
                self.metrics.pushes.labels("failed").inc()
            else:
                self._queue.put_nowait(letter._replace(tries=letter.tries + 1))

        timer = asyncio.get_running_loop().call_later(RETRIES[letter.tries], send)
        self._later.add(timer)

    async def _send(self, letter: Letter) -> None:
        """One message to one browser, tried again later if the service has trouble."""
        status = await self._post(letter.turn, letter.to, letter.language)
        if status in TRY_AGAIN and letter.tries < len(RETRIES) and len(self._later) < MOST_WAITING:
            self._send_later(letter)
            return
        outcome = "gone" if status in GONE else "sent" if status // 100 == 2 else "failed"  # noqa: PLR2004 - any 2xx
        self.metrics.pushes.labels(outcome).inc()
        if outcome == "gone":
            await self.subscriptions.is_gone(letter.to.endpoint)

    async def _post(self, turn: Turn, to: Subscription, language: str) -> int:
        """The status with which a service answers; 503 for one that does not."""
        if not is_allowed(to.endpoint, self.services):
            return GONE[0]  # by settings of before
        now = self.now()
        headers = {
            "authorization": authorization(to.endpoint, self.key, self.contact, now),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(max(0, min(int(turn.until - now), LONGEST_KEPT))),
            "topic": turn.table.id,  # a later message about the same table takes its place
            "urgency": "normal",
        }
        body = encrypted(message_of(turn, language), to)
        try:
            async with (
                asyncio.timeout(PATIENCE),
                self._http.stream("POST", to.endpoint, content=body, headers=headers) as reply,
            ):
                return reply.status_code
        except (httpx.InvalidURL, UnicodeError):
            return GONE[0]  # such a name there cannot be
        except (httpx.HTTPError, TimeoutError):
            return 503


def message_of(turn: Turn, language: str) -> bytes:
    """What the browser is told: it says it in words."""
    names = names_at(turn.table, language)
    others = [
        name
        for name, seat in zip(names, turn.table.seats, strict=True)
        if seat.person and seat.person.id != turn.person
    ]
    told = {"kind": "turn", "table": turn.table.id, "others": others, "until": turn.until, "language": language}
    return json.dumps(told, ensure_ascii=False).encode()
