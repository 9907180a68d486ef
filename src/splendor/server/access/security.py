"""What holds for every request: known host and origin, limited size, and headers that tell browsers to be strict.

Of the cookies only our own go further, and only if they look like what we give: what others put there would be read
by the standard library, which takes very long for some texts.

Every request is counted for its address, before anything else is done for it. Who sends more than the limit is answered
after a pause: so a flood over many connections takes hardly any time from the others.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from splendor.server.access.limits import RateLimits
from splendor.server.access.networks import network_of
from splendor.server.config import Settings
from splendor.server.refusal import STATUS, RequestRefused

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
LARGEST_BODY = 64 * 1024
LARGEST_RECORD = 1_100_000
RECORD_PATHS = ("/api/records/replay", "/api/records/verify")
TOO_MANY_PAUSE = 1.0  # seconds until who sends too many requests is told so
OWN_COOKIE = re.compile(rb"(?:__Host-)?splendor(?:-device)?=[A-Za-z0-9_-]{1,100}")

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",  # which allows WebAssembly, and no text as a program
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "media-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)

EMBEDDED_POLICY = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")  # of the viewer

HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # the address of a private table is its key
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


def is_known_host(host: str, settings: Settings) -> bool:
    """Is this a name under which the server is meant to be reached? Addresses and localhost always are.

    Raises ValueError for what is no name, as `is_own_origin` does.
    """
    name = urlsplit(f"//{host}").hostname or ""
    if name == "localhost" or any(urlsplit(origin).netloc == host for origin in settings.origins):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_own_origin(origin: str, host: str, settings: Settings) -> bool:
    """Does a page of ours speak?"""
    if origin in settings.origins:
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == host and not settings.origins


def with_own_cookies(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The same headers, with only those cookies that can be ours.

    >>> with_own_cookies([(b"host", b"x"), (b"cookie", b'other="\\\\101"; splendor=abc')])
    [(b'host', b'x'), (b'cookie', b'splendor=abc')]
    """
    kept = [(name, value) for name, value in headers if name != b"cookie"]
    pairs = [pair.strip() for name, value in headers if name == b"cookie" for pair in value.split(b";")]
    own = [pair for pair in pairs if OWN_COOKIE.fullmatch(pair)]
    return [*kept, (b"cookie", b"; ".join(own))] if own else kept


class Guard:
    """The middleware."""

    def __init__(self, app: ASGIApp, settings: Settings, limits: RateLimits) -> None:
        """Around the whole application."""
        self.app, self.settings, self.limits = app, settings, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope["headers"] = with_own_cookies(scope["headers"])
        try:
            await self._count(scope)
            self._check(scope)
            if scope["type"] == "http":
                receive = self._limited(scope, receive)
        except RequestRefused as refusal:
            await refuse(scope, receive, send, refusal)
            return
        await self.app(scope, receive, self._with_headers(scope, send))

    async def _count(self, scope: Scope) -> None:
        """One more request from this address; raises RequestRefused, after a while, if there are too many."""
        kind = "request" if scope["type"] == "websocket" or scope["path"].startswith("/api/") else "file"
        try:
            self.limits.spend(kind, network_of(address_of(scope)))
        except RequestRefused:
            await asyncio.sleep(TOO_MANY_PAUSE)
            raise

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        has_token = headers.get("authorization", "").lower().startswith("bearer ")
        is_unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        try:
            is_known = is_known_host(host, self.settings)
            is_own = is_own_origin(origin or "", host, self.settings)
        except ValueError:
            raise RequestRefused("bad_request") from None
        if not is_known:
            raise RequestRefused("wrong_host")
        if is_unsafe and not (origin is None and has_token) and not is_own:
            raise RequestRefused("wrong_origin")

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """The body, up to its limit."""
        largest = LARGEST_RECORD if scope["path"] in RECORD_PATHS else LARGEST_BODY
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > largest:
            raise RequestRefused("too_large", bytes=largest)
        size = 0

        async def limited() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > largest:
                scope["refused"] = RequestRefused("too_large", bytes=largest)
                raise scope["refused"]
            return message

        return limited

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
                if self.settings.is_secure:
                    headers.setdefault("strict-transport-security", "max-age=31536000")
            await send(message)

        return with_headers


def address_of(scope: Mapping[str, Any]) -> str:
    """Where a request comes from; behind a proxy that is believed, as the proxy says."""
    client = scope.get("client")
    return str(client[0]) if client else "?"


async def refuse(scope: Scope, receive: Receive, send: Send, refusal: RequestRefused) -> None:
    """Answer a request that goes no further."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.code})
        return
    later = {"retry-after": "5"} if refusal.status == STATUS["too_many"] else {}
    response = JSONResponse(refusal.body, refusal.status, headers=HEADERS | later)
    await response(scope, receive, send)
