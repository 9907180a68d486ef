"""What one connection may do before a request has begun, and how many connections one address may have.

uvicorn leaves this open: with its fast parser, headers may be as long as somebody likes and may take for ever to come.
Behind a proxy it is the proxy that meets the visitors; so connections are not counted for addresses of proxies, but
headers, times and floods are limited all the same.
"""

from __future__ import annotations

import asyncio
import resource
import time
from collections import Counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from splendor.server.access.networks import network_of
from splendor.server.live.outbox import SEND_NOW

LARGEST_HEAD = 16 * 1024  # bytes of the request line and the headers
CHUNK_COST = 8  # bytes around each byte of a body that comes in the smallest chunks
HEAD_SECONDS = 10.0  # for a request to begin, and for its head
BODY_SECONDS = 30.0  # for its body
MOST_PIPELINED = 8  # requests that wait for the answer to the one before
MOST_OF_ONE = 100  # connections of one address
SPARE_FILES = 200  # for the database, workers, logs and files that are served
STALL_SECONDS = 10.0  # between looks at a reader who is behind
LEAST_RATE = 2048  # bytes a second that such a reader must take
FLOOD_BURST, FLOOD_RATE = 32 * 1024, 16 * 1024  # bytes that a socket may send at once, and a second
FRAME_COST = 512  # bytes as which a frame without a message counts: a ping, a pong, a part of a message


class Doors:
    """Counts who is in."""

    def __init__(self, proxies: str, most_of_one: int) -> None:
        """`most_of_one` is for each network; 0 is no limit."""
        self.proxies = {part.strip() for part in proxies.split(",")}
        self.most_of_one = most_of_one
        self.most = max(resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE_FILES, SPARE_FILES)
        self._inside: Counter[str] = Counter()
        self._count = 0

    def enter(self, address: str) -> bool:
        """May one more connection from this address come in?"""
        network = network_of(address)
        is_counted = bool(self.most_of_one) and address not in self.proxies and "*" not in self.proxies
        if self._count >= self.most or (is_counted and self._inside[network] >= self.most_of_one):
            return False
        self._count += 1
        self._inside[network] += 1
        return True

    def leave(self, address: str) -> None:
        """A connection has ended."""
        self._count -= 1
        network = network_of(address)
        self._inside[network] -= 1
        if not self._inside[network]:
            del self._inside[network]


class Reader:
    """Whoever reads what we send; one who is behind and hardly takes anything is dropped."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Not behind."""
        self.transport = transport
        self._timer: asyncio.TimerHandle | None = None
        self._before = 0

    def falls_behind(self) -> None:
        """More waits to be sent than should."""
        if self._timer is None:
            self._before = self.transport.get_write_buffer_size()
            self._timer = asyncio.get_running_loop().call_later(STALL_SECONDS, self._look)

    def _look(self) -> None:
        self._timer = None
        waits = self.transport.get_write_buffer_size()
        if waits > self._before - LEAST_RATE * STALL_SECONDS:
            self.transport.abort()
        else:
            self.falls_behind()

    def catches_up(self) -> None:
        """It has taken nearly all."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class WatchedConnection(asyncio.BaseProtocol):
    """A connection that watches whether its reader keeps up, from when `_reader` is set."""

    _reader: Reader | None = None

    def pause_writing(self) -> None:
        """The reader is behind."""
        super().pause_writing()
        if self._reader is not None:
            self._reader.falls_behind()

    def resume_writing(self) -> None:
        """The reader has taken nearly all."""
        super().resume_writing()
        if self._reader is not None:
            self._reader.catches_up()


class Http(WatchedConnection, HttpToolsProtocol):
    """uvicorn's connection, with limits."""

    def __init__(self, doors: Doors, **arguments: Any) -> None:
        """Through these doors."""
        super().__init__(**arguments)
        self._doors, self._address, self._is_inside = doors, "", False
        self._timer: asyncio.TimerHandle | None = None
        self._head = self._received = self._body = 0  # bytes of the present request

    # ---------------------------------------------------------------------------------------- coming and going

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a visitor in, who has to say something soon."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self._reader = Reader(transport)
        self._is_inside = self._doors.enter(self._address)
        if self._is_inside:
            self._wait(HEAD_SECONDS)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        self._wait(None)
        if self._reader is not None:
            self._reader.catches_up()
        if self._is_inside:
            self._is_inside = False
            self._doors.leave(self._address)

    def handle_websocket_upgrade(self) -> None:
        """Another protocol takes the connection."""
        self._leave()
        super().handle_websocket_upgrade()

    def _wait(self, seconds: float | None) -> None:
        """What is to come must come within so many seconds."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)

    # ------------------------------------------------------------------------------------------------- reading

    def data_received(self, data: bytes) -> None:
        """Read on, unless there is more around the body than a body can have."""
        self._received += len(data)
        if self._timer is None and (self.cycle is None or self.cycle.response_complete):
            self._wait(HEAD_SECONDS)  # empty lines are no request yet, but end the wait of uvicorn for one
        super().data_received(data)
        if self._received > LARGEST_HEAD + CHUNK_COST * self._body and not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\r\n")
            self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._head = self._received = self._body = 0
        self._wait(HEAD_SECONDS)
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """A part of the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or one behind the body."""
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def _count(self, size: int) -> None:
        self._head += size
        if self._head > LARGEST_HEAD:
            raise ValueError("the head of a request is too large")  # the parser stops, and answers 400

    def on_headers_complete(self) -> None:
        """The head is there."""
        if len(self.pipeline) >= MOST_PIPELINED:
            raise ValueError("too many requests before an answer")
        self._wait(BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is there."""
        self._received = self._body = 0
        self._wait(None)
        super().on_message_complete()


class Socket(WatchedConnection, WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, with limits."""

    def __init__(self, doors: Doors, **arguments: Any) -> None:
        """Through these doors."""
        super().__init__(**arguments)
        self._doors, self._is_inside = doors, False
        self._left, self._then = float(FLOOD_BURST), time.monotonic()
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A visitor who was let in already, by another name."""
        super().connection_made(transport)
        self._reader = Reader(self.transport)
        self._is_inside = self._doors.enter(self._address)
        self._timer = self.loop.call_later(HEAD_SECONDS, self._look)

    def _look(self) -> None:
        """Not every handshake that fails is answered."""
        if not self.handshake_complete:
            self.transport.abort()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        if self._timer is not None:
            self._timer.cancel()
        if self._is_inside:
            self._is_inside = False
            self._doors.leave(self._address)
        if self._reader is not None:
            self._reader.catches_up()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take a message, or a part of one; whoever sends much more than messages are long is closed out."""
        self._pay(len(data))
        if self._left >= 0:
            super().data_received(data)
        if self._left < 0:
            self._close_out()

    async def run_asgi(self) -> None:
        """Let the application send without waiting, beside the way that all applications know."""
        self.scope["extensions"][SEND_NOW] = self.send_now  # type: ignore[assignment]
        await super().run_asgi()

    def send_now(self, text: str) -> bool:
        """Send a message, unless there is a reason to wait: the reader is behind, or the connection is closing."""
        if not self.writable.is_set() or self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        self.conn.send_text(text.encode())
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def _close_out(self) -> None:
        if self.handshake_complete and self.conn.state is State.OPEN and not self.transport.is_closing():
            self.conn.send_close(1008, "flood")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
        else:  # the goodbye is on its way already
            self.transport.abort()

    def _pay(self, size: int) -> None:
        now = time.monotonic()
        self._left = min(self._left + (now - self._then) * FLOOD_RATE, FLOOD_BURST) - size
        self._then = now

    def handle_ping(self) -> None:
        """A frame that asks for another one."""
        self._pay(FRAME_COST)
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """A frame that nobody may have asked for."""
        self._pay(FRAME_COST)
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """A part of a message."""
        self._pay(FRAME_COST)
        super().handle_cont(event)
