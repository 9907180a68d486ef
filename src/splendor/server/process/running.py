"""Run the server in this process: find a port, listen, and end in good order."""

from __future__ import annotations

import gc
import resource
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from functools import partial
from types import FrameType

import uvicorn

from splendor.server.config import Settings
from splendor.server.database.connect import Unusable
from splendor.server.labor.fork_server import ForkServer
from splendor.server.labor.starting import start_anew
from splendor.server.live.service import Service
from splendor.server.live.sources import Sources
from splendor.server.live.warm import warm_up
from splendor.server.logs import set_up
from splendor.server.process.app import create_app
from splendor.server.process.connections import MOST_OF_ONE, Doors, Http, Socket

GOODBYE_SECONDS = 5  # for connections to end
PORTS_TO_TRY = 20
COLLECT_AT = (2_000, 10, 1_000)  # the garbage collector's thresholds: a full collection is a hundred times rarer
SEND_BUFFER = 128 * 1024  # bytes that wait in the system for a slow reader; the rest waits, bounded, in its outbox


class CannotServe(RuntimeError):
    """The server does not come up; the message says why."""


def bind(host: str, port: int, *, may_move: bool) -> socket.socket:
    """Listen on a port; if it is taken and may change, on one of the next."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for offset in range(PORTS_TO_TRY if may_move and port else 1):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        try:
            listener.bind((host, port + offset))
            return listener
        except OSError as error:
            listener.close()
            problem = error.strerror
    raise CannotServe(f"cannot listen on {host}, port {port}: {problem}")


class Server(uvicorn.Server):
    """Says when it is ready, and tells everyone who is connected before it closes their connections."""

    def __init__(self, config: uvicorn.Config, service: Service, ready: Callable[[], None]) -> None:
        """For one service; `ready` is called when it can be reached."""
        super().__init__(config)
        self._service, self._ready = service, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the service and listen."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal to end: say goodbye first."""
        if hasattr(self._service, "hub"):
            self._service.hub.say_goodbye()
        super().handle_exit(sig, frame)


def spare_long_lived() -> None:
    """Keep the garbage collector from walking all tables again and again.

    With many live tables a full collection holds everyone up for hundreds of milliseconds, and finds little: what
    lives long here is freed by its reference count, and the cycles that a request leaves behind are young.
    """
    gc.freeze()
    gc.set_threshold(*COLLECT_AT)


def allow_many_files() -> None:
    """As many open files and connections as the system lets this process have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def run(
    settings: Settings, *, may_move: bool = False, open_browser: bool = False, sources: Sources | None = None
) -> None:
    """Serve until a signal ends it."""
    set_up(settings.log_level)
    allow_many_files()
    listener = bind(settings.host, settings.port, may_move=may_move)
    host, port = listener.getsockname()[:2]
    address = settings.origins[0] if settings.origins else url_of(host, port)
    warm_up()  # for the workers as well
    spare_long_lived()
    fork_server = ForkServer.begin() if sys.platform == "linux" else None  # elsewhere libraries do not stand that
    app = create_app(settings, sources, fork_server.start if fork_server else start_anew)
    doors = Doors(settings.proxies, round(MOST_OF_ONE * settings.limits))
    config = uvicorn.Config(
        app,
        http=partial(Http, doors),  # type: ignore[arg-type]
        ws=partial(Socket, doors),  # type: ignore[arg-type]
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.proxies,
        ws_max_size=16 * 1024,
        ws_max_queue=16,
        ws_ping_interval=settings.heartbeat,
        ws_ping_timeout=4 * settings.heartbeat,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=GOODBYE_SECONDS,
        limit_concurrency=None,
    )

    def ready() -> None:
        print(f"splendor is at {address}", flush=True)  # noqa: T201 - the one thing to know
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    try:
        app.state.service.claim_database(address)
        Server(config, app.state.service, ready).run(sockets=[listener])
    except Unusable as error:
        raise CannotServe(str(error)) from None
    finally:
        if fork_server:
            fork_server.close()


def url_of(host: str, port: int) -> str:
    """Where a browser on this machine finds the server."""
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
