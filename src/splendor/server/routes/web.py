"""The web client: its files if they have been built, and its page for every address that is one of its own."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from starlette.responses import FileResponse, HTMLResponse, Response

from splendor.server.refusal import Refused
from splendor.server.service import WEB

router = APIRouter(include_in_schema=False)

FOR_EVER = "public, max-age=31536000, immutable"  # names with a hash never change their content
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>splendor</title>
<h1>splendor</h1>
<p>The server runs, but its web client has not been built. The interface for programs is at
<a href="/api/openapi.json">/api/openapi.json</a>.</p></html>
"""


@router.get("/{path:path}")
async def client(path: str) -> Response:
    """A file of the client, or its page."""
    if path.startswith("api/"):
        raise Refused("not_found")
    file = built_file(path)
    if file is not None:
        return FileResponse(file, headers={"cache-control": FOR_EVER if is_hashed(path) else "no-cache"})
    if path.startswith("assets/") or "." in path.rsplit("/", 1)[-1]:
        raise Refused("not_found")
    page = WEB / "index.html"
    if page.exists():
        return FileResponse(page, headers={"cache-control": "no-cache"})
    return HTMLResponse(NOT_BUILT, headers={"cache-control": "no-cache"})


def built_file(path: str) -> Path | None:
    """The file of that name, if there is one inside the folder of the client."""
    if not path or "\0" in path:
        return None
    file = (WEB / path).resolve()
    return file if file.is_relative_to(WEB.resolve()) and file.is_file() else None


def is_hashed(path: str) -> bool:
    return path.startswith("assets/")
