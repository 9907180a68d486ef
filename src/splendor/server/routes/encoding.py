"""Compressed answers: which encodings a browser reads, and routes whose long answers are packed for it."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

SHORT = 2000  # bytes that are not worth packing
LEVEL = 5  # nearly as small as the best, in a fraction of the time


def accepted(header: str) -> set[str]:
    """The encodings that an Accept-Encoding header allows.

    >>> sorted(accepted("gzip;q=0.8, br, zstd;q=0"))
    ['br', 'gzip']
    """
    wishes = [wish.replace(" ", "").partition(";q=") for wish in header.lower().split(",")]
    return {name for name, _, quality in wishes if name and (not quality or quality.strip("0."))}


class PackedRoute(APIRoute):
    """A route whose answer goes out packed if it is long and all there; what streams stays as it is."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The usual handler, and then the packing."""
        usual = super().get_route_handler()

        async def packing(request: Request) -> Response:
            return packed(await usual(request), request)

        return packing


def packed(reply: Response, request: Request) -> Response:
    body = getattr(reply, "body", b"")
    if len(body) < SHORT or "content-encoding" in reply.headers:
        return reply
    reply.headers["vary"] = "accept-encoding"
    if "gzip" in accepted(request.headers.get("accept-encoding", "")):
        reply.body = gzip.compress(body, LEVEL, mtime=0)
        reply.headers["content-length"] = str(len(reply.body))
        reply.headers["content-encoding"] = "gzip"
    return reply
