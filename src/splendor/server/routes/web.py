"""The web client: its files if they have been built, and its page for every address that is one of its own.

The build puts compressed twins beside the texts; a browser gets the best one that it can read.
"""

from __future__ import annotations

import mimetypes
import re
from pathlib import Path

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from splendor.server.access.security import EMBEDDED_POLICY
from splendor.server.build import ENGINE, WEB
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Serving
from splendor.server.routes.encoding import accepted
from splendor.server.routes.sharing import head_of

router = APIRouter(include_in_schema=False)

FOR_EVER = "public, max-age=31536000, immutable"  # names with a hash never change their content
TWINS = {"br": ".br", "gzip": ".gz"}  # by encoding, the smallest first
ITS_OWN_HEAD = re.compile(r'\s*(?:<title>.*?</title>|<meta name="description"[^>]*>)')
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>splendor</title>
<h1>splendor</h1>
<p>The server runs, but its web client has not been built. The interface for programs is at
<a href="/api/openapi.json">/api/openapi.json</a>.</p></html>
"""


@router.get("/{path:path}")
async def client(path: str, request: Request, service: Serving) -> Response:
    """A file of the client, or its page."""
    if path.startswith("api/"):
        raise RequestRefused("not_found")
    file = built_file(path)
    if file is not None:
        return file_reply(file, request, FOR_EVER if is_hashed(path) else "no-cache")
    if path.startswith(("assets/", "engine/")) or "." in path.rsplit("/", 1)[-1]:
        raise RequestRefused("not_found")
    is_viewer = path.startswith("embed/")
    page = WEB / ("embed.html" if is_viewer else "index.html")
    head = await head_of(request, service)
    if page.exists():
        reply = file_reply(page, request, "no-cache") if head is None else with_head(page, head)
        if is_viewer:
            reply.headers["content-security-policy"] = EMBEDDED_POLICY
            reply.headers["cross-origin-resource-policy"] = "cross-origin"
        return reply
    return HTMLResponse(NOT_BUILT, headers={"cache-control": "no-cache"})


def with_head(page: Path, head: str) -> Response:
    """A page that says more of itself than the others."""
    text = ITS_OWN_HEAD.sub("", page.read_text(encoding="utf-8"))
    headers = {"cache-control": "no-cache", "vary": "accept-language"}
    return HTMLResponse(text.replace("</head>", f"  {head}\n  </head>", 1), headers=headers)


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
    """The file of that name, if there is one inside the folder of the client or, below `engine/`, of the engine."""
    if not path or "\0" in path:
        return None
    folder, name = (ENGINE, path.removeprefix("engine/")) if path.startswith("engine/") else (WEB, path)
    try:
        file = (folder / name).resolve()
        is_ours = file.is_relative_to(folder.resolve()) and file.suffix not in TWINS.values()
        return file if is_ours and file.is_file() else None
    except OSError:  # such as a name that is too long
        return None


def is_hashed(path: str) -> bool:
    return path.startswith("assets/")
