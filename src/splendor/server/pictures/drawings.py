"""The drawings, colors, words and fonts of the web client, as its build hands them over."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from splendor.server.build import WEB

FOLDER = WEB / "pictures"
LANGUAGES = ("en", "de", "nl", "nb")

Colors = dict[str, dict[str, str]]  # by class and name of a custom property


@dataclass(frozen=True, slots=True)
class Drawings:
    """All that pictures and their captions are made from."""

    symbols: dict[str, str]  # SVG symbols by id
    nobles: dict[str, str]  # what is inside a drawing of 80 by 80, by the printed number
    card: Colors
    token: Colors
    words: dict[str, dict[str, str]]  # by language and key


@cache
def drawings() -> Drawings | None:
    """The drawings; None if the client has not been built."""
    file = FOLDER / "drawings.json"
    return Drawings(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else None


def fonts() -> list[Path]:
    """The files of the font."""
    return sorted(FOLDER.glob("*.ttf"))
