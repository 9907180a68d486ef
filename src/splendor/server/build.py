"""Which build this is: the program's version, and the web client that came with it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import splendor

WEB = Path(__file__).parent / "web"  # there once the client has been built
ENGINE = Path(splendor.__file__).parent / "wasm" / "built"  # what the client loads to play without a server


def build_id() -> str:
    """Changes with the version and with the web client."""
    page = WEB / "index.html"
    text = page.read_bytes() if page.exists() else b""
    return f"{splendor.__version__}-{hashlib.sha256(text).hexdigest()[:8]}"
