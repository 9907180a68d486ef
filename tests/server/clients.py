"""People and programs for tests: they know nothing but the documented interface."""

from __future__ import annotations

import asyncio
import json
import secrets
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
from websockets import Origin
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

PATIENCE = 90.0  # seconds after which something will not come any more, also on a machine that is very busy
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # all is http here, and reading them takes long

Json = dict[str, Any]


def new_key() -> str:
    return secrets.token_urlsafe(12)


class Client:
    """A browser, or with a token a program."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url
        headers = {"authorization": f"Bearer {token}"} if token else {"origin": url}
        self.http = httpx.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE, verify=NO_CERTIFICATES)
        self.id = ""

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def ask(self, method: str, path: str, body: object = None, status: int = 200) -> Any:
        reply = (
            await self.http.request(method, path, json=body)
            if body is not None
            else await self.http.request(method, path)
        )
        assert reply.status_code == status, f"{method} {path}: {reply.status_code} {reply.text[:500]}"
        return reply.json() if reply.content else None

    async def refusal(self, method: str, path: str, body: object = None) -> str:
        """The code with which a request is refused."""
        reply = (
            await self.http.request(method, path, json=body)
            if body is not None
            else await self.http.request(method, path)
        )
        assert 400 <= reply.status_code < 500, f"{method} {path}: {reply.status_code} {reply.text[:500]}"
        return str(reply.json()["error"]["code"])

    async def guest(self) -> Client:
        self.id = (await self.ask("POST", "/api/session"))["person"]["id"]
        return self

    async def make(self, *seats: str | Json, **options: Any) -> Json:
        """A table; seats by their kinds, `computer` being a quick one."""
        wishes = []
        for seat in seats:
            wish = {"kind": seat} if isinstance(seat, str) else seat
            wishes.append({"level": "apprentice", **wish} if wish["kind"] == "computer" else wish)
        options.setdefault("order", "chosen")
        made: Json = await self.ask("POST", "/api/tables", {"seats": wishes, **options}, 201)
        return made

    async def join(self, table: str, **wish: Any) -> Json:
        joined: Json = await self.ask("POST", f"/api/tables/{table}/join", wish)
        return joined

    async def look(self, table: str) -> Json:
        seen: Json = await self.ask("GET", f"/api/tables/{table}")
        return seen

    async def do(self, table: str, type: str, **fields: Any) -> Json:
        """A command by HTTP, which must be carried out."""
        body = {"type": type, "key": new_key(), **fields}
        answer: Json = await self.ask("POST", f"/api/tables/{table}/commands", body)
        return answer

    async def fail(self, table: str, type: str, **fields: Any) -> str:
        """A command by HTTP, which must be refused; the code."""
        return await self.refusal("POST", f"/api/tables/{table}/commands", {"type": type, "key": new_key(), **fields})

    async def play_first(self, table: str) -> str:
        """Play the first move of the list, and the rest of the turn if it asks for more."""
        move = ""
        while moves := (await self.look(table))["moves"]:
            move += moves[0]["text"]
            await self.do(table, "play", move=moves[0]["text"])
            if moves[0]["then"] is None:
                break
        return move

    async def socket(self, table: str, since: int | None = None, **options: Any) -> Socket:
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"cookie": cookie} if cookie else {}
        if "authorization" in self.http.headers:
            headers["authorization"] = self.http.headers["authorization"]
        query = "" if since is None else f"?since={since}"
        address = self.url.replace("http", "ws", 1) + f"/api/tables/{table}/socket{query}"
        origin = None if "authorization" in headers else Origin(self.url)
        connection = await connect(
            address,
            additional_headers=headers,
            origin=origin,
            ping_interval=None,
            max_size=2**22,
            **{"max_queue": None, **options},  # or it does not hear the goodbye behind what nobody has read
        )
        return Socket(connection)

    async def stream(self, path: str) -> Stream:
        """Follow a stream of ndjson."""
        request = self.http.build_request("GET", path, timeout=None)
        reply = await self.http.send(request, stream=True)
        assert reply.status_code == 200, path
        assert reply.headers["content-type"].startswith("application/x-ndjson")
        return Stream(reply)


class Reader:
    """What comes in by a connection, and the table as it was last shown."""

    def __init__(self) -> None:
        self.raw: list[str] = []
        self.seen: list[Json] = []
        self.table: Json = {}
        self.version = 0

    async def receive(self) -> str:
        raise NotImplementedError

    async def next(self) -> Json:
        async with asyncio.timeout(PATIENCE):
            text = await self.receive()
        self.raw.append(text)
        message: Json = json.loads(text)
        self.seen.append(message)
        if message["type"] == "update" and message["version"] >= self.version:
            self.table, self.version = message["table"], message["version"]
        return message

    async def until(self, condition: Callable[[Json], bool]) -> Json:
        """Read on until a message is as wanted, and return that one."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.next()
                if condition(message):
                    return message

    async def until_table(self, condition: Callable[[Json], bool]) -> Json:
        """Read on until the table is as wanted."""
        async with asyncio.timeout(PATIENCE):
            while not self.table or not condition(self.table):
                await self.next()
        return self.table

    async def until_version(self, version: int) -> Json:
        """Read on until this has happened."""
        return await self.until_table(lambda table: bool(table["version"] >= version))

    async def until_event(self, type: str) -> Json:
        """Read on until something happens."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.until(lambda message: message["type"] == "update")
                for event in message["events"]:
                    if event["type"] == type:
                        found: Json = event
                        return found


class Stream(Reader):
    """Lines of JSON: what happens at a table, or a person's own news."""

    def __init__(self, reply: httpx.Response) -> None:
        super().__init__()
        self.reply, self._lines = reply, reply.aiter_lines()

    async def __aenter__(self) -> Stream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.reply.aclose()

    async def receive(self) -> str:
        return await anext(self._lines)


class Socket(Reader):
    """A connection to a table."""

    def __init__(self, connection: ClientConnection) -> None:
        super().__init__()
        self.connection = connection

    async def __aenter__(self) -> Socket:
        await self.until(lambda message: message["type"] == "update")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.connection.close()

    async def receive(self) -> str:
        text = await self.connection.recv()
        assert isinstance(text, str)
        return text

    async def send(self, type: str, **fields: Any) -> str:
        key = str(fields.pop("key", new_key()))
        await self.connection.send(json.dumps({"type": type, "key": key, **fields}))
        return key

    async def do(self, type: str, **fields: Any) -> Json:
        """Send a command and read on to its answer."""
        key = await self.send(type, **fields)
        return await self.until(lambda message: message.get("key") == key)

    async def closed(self) -> Close:
        """Read on until the server closes, and return how it did."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await self.next()
                except ConnectionClosed as closed:
                    assert closed.rcvd is not None
                    return closed.rcvd

    async def drop(self) -> None:
        """Break the connection without a word, as a lost network does."""
        self.connection.transport.abort()
        with suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(5):
                await self.connection.wait_closed()
