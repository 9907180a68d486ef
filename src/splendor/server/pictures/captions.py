"""What a link says of a table or a game: a title, a text, and whether its position may be shown to everybody."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from splendor.server import messages as m
from splendor.server.pictures.drawings import LANGUAGES, drawings
from splendor.server.tables.table import OnlineTable
from splendor.server.tables.viewers import may_watch


@dataclass(frozen=True, slots=True)
class Caption:
    """A link in words."""

    title: str
    text: str


def language_of(wishes: str) -> str:
    """The best of our languages for an Accept-Language header, whose first wishes are taken to come first.

    >>> language_of("nn-NO,en;q=0.5"), language_of("fr, de;q=0.8"), language_of("")
    ('nb', 'de', 'en')
    """
    for wish in re.findall(r"[a-zA-Z]+(?:-\w+)*", wishes):
        base = wish.lower().split("-")[0]
        if base in ("no", "nn"):
            return "nb"
        if base in LANGUAGES:
            return str(base)
    return "en"


def said(language: str, key: str, **params: object) -> str:
    """A text of the web client."""
    found = drawings()
    text = key if found is None else found.words[language].get(key, key)
    return re.sub(r"\{(\w+)\}", lambda match: str(params[match[1]]), text)


def name_of(person: m.Person | None, label: str | None, seat: int, language: str) -> str:
    """Somebody at a table, as the web client names them."""
    if label or person is None:
        return label or said(language, "person.seat", n=seat + 1)
    if person.level:
        known = said(language, f"level.{person.level}")
        return person.level if known.startswith("level.") else known
    return person.name or said(language, "person.guest", n=person.guest)


def names_at(table: OnlineTable, language: str) -> list[str]:
    """The seats of a table by name."""
    return [
        name_of(seat.player or seat.person, seat.label if seat.kind == "device" else None, number, language)
        for number, seat in enumerate(table.seats)
    ]


def is_for_all(table: OnlineTable) -> bool:
    """May a position of this table be shown to whoever comes across its link?"""
    return table.made.public and table.status in ("live", "over") and table.game is not None and may_watch(table, None)


def caption_of(table: OnlineTable, language: str) -> Caption:
    """A table in words, without a name if it is private."""
    if table.status == "open":
        return Caption(said(language, "link.join"), said(language, "link.join_text"))
    if not is_for_all(table):
        return Caption(said(language, "link.private"), said(language, "link.private_text"))
    names = names_at(table, language)
    if table.status == "live":
        around = int(table.turn // len(table.seats)) + 1
        title = said(language, "link.watch", names=" – ".join(names))
        return Caption(title, said(language, "link.watch_text", n=around))
    return Caption(
        said(language, "link.over", scores=scores(names, table.result)),
        said(language, "link.over_text", n=table.turn),
    )


def scores(names: Sequence[str], result: m.Result | None) -> str:
    """Names with their points, the winner first."""
    if result is None:
        return " – ".join(names)
    order = sorted(range(len(names)), key=lambda seat: result.places[seat])
    return " – ".join(f"{names[seat]} {result.points[seat]}" for seat in order)
