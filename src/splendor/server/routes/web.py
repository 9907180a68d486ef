"""The web client: its files if they have been built, and its page for every address that is one of its own.

The build puts compressed twins beside the texts; a browser gets the best one that it can read.
"""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from splendor.server.refusal import Refused
from splendor.server.routes.encoding import accepted
from splendor.server.service import WEB

router = APIRouter(include_in_schema=False)

FOR_EVER = "public, max-age=31536000, immutable"  # names with a hash never change their content
TWINS = {"br": ".br", "gzip": ".gz"}  # by encoding, the smallest first
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
    """A file, as its best twin; nothing but a word if the browser has it already."""
    kind, _ = mimetypes.guess_type(file.name)
    headers = {"cache-control": caching, "vary": "accept-encoding"}
    readable = accepted(request.headers.get("accept-encoding", ""))
    for encoding, ending in TWINS.items():
        twin = file.with_name(file.name + ending)
        if encoding in readable and twin.is_file():
            file, headers = twin, headers | {"content-encoding": encoding}
            break
    reply = FileResponse(file, media_type=kind, headers=headers, stat_result=file.stat())
    if reply.headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={name: reply.headers[name] for name in ("etag", *headers)})
    return reply


def built_file(path: str) -> Path | None:
    """The file of that name, if there is one inside the folder of the client."""
    if not path or "\0" in path:
        return None
    try:
        file = (WEB / path).resolve()
        is_ours = file.is_relative_to(WEB.resolve()) and file.suffix not in TWINS.values()
        return file if is_ours and file.is_file() else None
    except OSError:  # such as a name that is too long
        return None


def is_hashed(path: str) -> bool:
    return path.startswith("assets/")
