"""The bridge from an engine to a server: it waits for its turns at all tables of its account, and plays them.

It uses nothing but the HTTP interface for programs, with a token. A lost connection is opened again; a move that
was not answered is sent again with the same key, so it is played once.
"""

from __future__ import annotations

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPException

from splendor.game.position import View
from splendor.notation.json import Json, JsonObject
from splendor.players import Player

ANSWER_SECONDS = 30.0
STREAM_SECONDS = 90.0  # without a heartbeat the connection is dead
TEMPORARY = (429, 500, 502, 503, 504)  # HTTP statuses after which it is worth trying again
PATIENCE = 60.0  # the longest pause between attempts to connect


class ServerSaysNo(RuntimeError):
    """The server refused; the message is its code."""


class NotNow(OSError):
    """The server, or a proxy before it, cannot answer at the moment, or was asked too much."""


class Connection:
    """Requests to one server in the name of one account."""

    def __init__(self, server: str, token: str) -> None:
        """`server` is an address such as http://127.0.0.1:8000."""
        self.server, self._token = server.rstrip("/"), token

    def _open(self, path: str, body: object, timeout: float) -> Json:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.server + path, data, headers)
        try:
            return urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                code = problem_code(error.read())
            raise (NotNow if error.code in TEMPORARY else ServerSaysNo)(code) from None

    def ask(self, path: str, body: object = None) -> Json:
        """A request and its reply."""
        with self._open(path, body, ANSWER_SECONDS) as reply:
            return json.load(reply)

    def follow(self, path: str) -> Iterator[JsonObject]:
        """The messages of a stream."""
        with self._open(path, None, STREAM_SECONDS) as reply:
            for line in reply:
                yield json.loads(line)


def problem_code(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return "no_answer"


class Bridge:
    """One account, one engine, any number of tables."""

    def __init__(self, connection: Connection, player: Player, tell: Callable[[str], None]) -> None:
        """`tell` gets a line about what happens."""
        self.connection, self.player, self.tell = connection, player, tell
        self.tables_ended = 0

    def run(self, *, accept: bool = True, until_ended: int | None = None) -> None:
        """Play wherever it is our turn, for ever or until so many tables have ended."""
        pause = 1.0
        while until_ended is None or self.tables_ended < until_ended:
            try:
                for message in self.connection.follow("/api/stream"):
                    pause = 1.0
                    self.hear(message, accept=accept)
                    if until_ended is not None and self.tables_ended >= until_ended:
                        return
            except (OSError, HTTPException, ValueError) as error:
                self.tell(f"no connection ({error}); trying again in {pause:g} s")
            time.sleep(pause)
            pause = min(2 * pause, PATIENCE)

    def hear(self, message: JsonObject, *, accept: bool) -> None:
        """One message of the stream."""
        match message:
            case {"type": "your_turn", "table": table}:
                self.play(table)
            case {"type": "invited", "table": table, "seat": seat} if accept:
                self.join(table, seat)
            case {"type": "table_started", "table": table}:
                self.tell(f"playing at {table}")
            case {"type": "table_ended", "table": table}:
                self.tables_ended += 1
                self.tell(f"the game at {table} is over")

    def join(self, table: str, seat: int | None = None) -> None:
        """Take a seat, if it is still free."""
        try:
            self.connection.ask(f"/api/tables/{table}/join", {"seat": seat})
        except ServerSaysNo as refusal:
            self.tell(f"no seat at {table}: {refusal}")

    def play(self, table: str) -> None:
        """Play while it is our turn at a table."""
        while True:
            shown = self.connection.ask(f"/api/tables/{table}")
            if not shown["moves"]:
                return
            board = shown["board"]
            move = self.player.choose(View.from_position(board["position"], board["viewer"]))
            wish = {"type": "play", "key": secrets.token_urlsafe(12), "move": str(move), "turn": board["turn"]}
            self.send(f"/api/tables/{table}/commands", wish)

    def send(self, path: str, wish: JsonObject) -> None:
        """Send a command until it is answered. A refusal means that the table has gone on: look again."""
        for attempt in range(5):
            try:
                self.connection.ask(path, wish)
                return
            except ServerSaysNo as refusal:
                self.tell(f"the server refused {wish['move']}: {refusal}")
                return
            except (OSError, HTTPException, ValueError):
                pass
            time.sleep(2.0**attempt)
