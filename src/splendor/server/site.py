"""The web client as files for any web host: in any folder of it, without a program of ours, without special headers.

It is the client that a server sends, with the engine beside it. Its page says that no server answers (`data-site`), and
names its files by where it lies itself.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from splendor.server.build import ENGINE, WEB

ENGINE_FILES = ("rules.wasm", "network.wasm", "network.bin", "engine.js", "engine.d.ts")
PAGE = "index.html"
MARK = "<html data-site "  # which `lib/place.ts` looks for
LEFT_OUT = ("*.gz", "*.br", "sources.sha256", "pictures", "embed.html")  # a host compresses by itself, draws nothing
ROOTED = re.compile(r' (src|href)="/')


class CannotWrite(Exception):
    """No site can be written there, or from this installation; the message says why."""


def write_site(folder: Path) -> None:
    """Write it; a site that is there already is replaced, and anything else is left alone."""
    missing = [name for name in ENGINE_FILES if not (ENGINE / name).exists()]
    if missing or not (WEB / PAGE).exists():
        raise CannotWrite("the web client and its engine have not been built here: python hatch_build.py builds them")
    if folder.exists() and not folder.is_dir():
        raise CannotWrite(f"{folder} is a file")
    if folder.is_dir() and any(folder.iterdir()) and not is_site(folder):
        raise CannotWrite(f"{folder} holds something else: give a folder that is empty or new")
    for name in ("assets", "engine"):
        shutil.rmtree(folder / name, ignore_errors=True)
    shutil.copytree(WEB, folder, ignore=shutil.ignore_patterns(*LEFT_OUT), dirs_exist_ok=True)
    (folder / "engine").mkdir()
    for name in ENGINE_FILES:
        shutil.copyfile(ENGINE / name, folder / "engine" / name)
    page = (WEB / PAGE).read_text(encoding="utf-8")
    (folder / PAGE).write_text(ROOTED.sub(r' \1="', page.replace("<html ", MARK, 1)), encoding="utf-8")


def is_site(folder: Path) -> bool:
    """Has a site been written there?"""
    page = folder / PAGE
    return page.is_file() and MARK in page.read_text(encoding="utf-8", errors="replace")
