"""The web client: its files if they have been built, and its page for every address that is one of its own."""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from splendor.server.refusal import Refused
from splendor.server.service import WEB

router = APIRouter(include_in_schema=False)

FOR_EVER = "public, max-age=31536000, immutable"  # names with a hash never change their content
TEXTS = {".css", ".html", ".js", ".json", ".svg", ".txt", ".webmanifest"}
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>splendor</title>
<h1>splendor</h1>
<p>The server runs, but its web client has not been built. The interface for programs is at
<a href="/api/openapi.json">/api/openapi.json</a>.</p></html>
"""


@router.get("/{path:path}")
async def client(path: str, request: Request) -> Response:
    """A file of the client, or its page."""
    if path.startswith("api/"):
        raise Refused("not_found")
    file = built_file(path)
    if file is not None:
        return file_reply(file, request, FOR_EVER if is_hashed(path) else "no-cache")
    if path.startswith("assets/") or "." in path.rsplit("/", 1)[-1]:
        raise Refused("not_found")
    page = WEB / "index.html"
    if page.exists():
        return file_reply(page, request, "no-cache")
    return HTMLResponse(NOT_BUILT, headers={"cache-control": "no-cache"})


def file_reply(file: Path, request: Request, caching: str) -> Response:
    """A file, compressed if it is text and the browser can read that."""
    headers = {"cache-control": caching, "vary": "accept-encoding"}
    if file.suffix not in TEXTS or "gzip" not in request.headers.get("accept-encoding", ""):
        return FileResponse(file, headers=headers)
    kind, _ = mimetypes.guess_type(file.name)
    return Response(
        compressed(file, file.stat().st_mtime_ns), media_type=kind, headers=headers | {"content-encoding": "gzip"}
    )


@lru_cache(maxsize=256)
def compressed(file: Path, changed: int) -> bytes:
    """The file, compressed once for each time it was `changed`."""
    return gzip.compress(file.read_bytes(), 9, mtime=changed // 10**9)


def built_file(path: str) -> Path | None:
    """The file of that name, if there is one inside the folder of the client."""
    if not path or "\0" in path:
        return None
    try:
        file = (WEB / path).resolve()
        return file if file.is_relative_to(WEB.resolve()) and file.is_file() else None
    except OSError:  # such as a name that is too long
        return None


def is_hashed(path: str) -> bool:
    return path.startswith("assets/")
