"""Names of people: short, visible, and not mistakable for another's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import cache
from pathlib import Path

LONGEST = 20
FORBIDDEN_CATEGORIES = ("C", "Z", "M")  # control and format signs, separators other than a space, loose marks


class BadName(ValueError):
    """A name that cannot be used; `code` says why."""

    def __init__(self, code: str) -> None:
        """A code of `docs/api.md`."""
        super().__init__(code)
        self.code = code


# whoever speaks for the server, and our computers in all languages
RESERVED = frozenset(
    "admin administrator moderator mod owner operator root system sysop security support staff team official "  # noqa: SIM905
    "splendor server host bot robot computer engine anonymous nobody everybody deleted spectator me you "
    "apprentice journeyman artisan master grandmaster "
    "lehrling geselle kunsthandwerker meister grossmeister leerling gezel ambachtsman meester grootmeester "
    "lærling laerling svenn kunsthåndverker mester stormester".split()
)
NUMBERED = re.compile(r"(guest|gast|gjest|player|spieler|speler|spiller|seat)[0-9ol]*")  # who has no name of their own
TWO_LIKE_ONE = (("rn", "m"), ("vv", "w"))


def normalise(text: str) -> str:
    """A name as it is shown: composed, inner spaces single, none outside; raises BadName.

    >>> normalise("  Ann   Lee ")
    'Ann Lee'
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not name:
        raise BadName("name_empty")
    if len(name) > LONGEST:
        raise BadName("name_too_long")
    if any(unicodedata.category(sign)[0] in FORBIDDEN_CATEGORIES and sign != " " for sign in name):
        raise BadName("name_signs")
    if not any(sign.isalnum() for sign in name):
        raise BadName("name_signs")
    return name


def key_of(name: str) -> str:
    """A name as it is compared: letter case and accents do not tell people apart.

    >>> key_of("Zoë Á") == key_of("ZOE a")
    True
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in plain if unicodedata.category(sign)[0] not in FORBIDDEN_CATEGORIES)


@cache
def look_alikes() -> dict[int, str]:
    """Signs that look like a letter or digit of ours; `confusables.txt` says where they are from."""
    table = {ord("0"): "o", ord("1"): "l", ord("i"): "l", ord("\u0131"): "l"}
    for line in Path(__file__).with_name("confusables.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            ours, _, others = line.partition(" ")
            table |= dict.fromkeys(map(ord, others), table.get(ord(ours), ours))
    return table


def look_of(name: str) -> str:
    """A name as it looks at a glance: two names of one look are not given to two people.

    >>> look_of("Annа 1") == look_of("ANNAI") == "annal"
    True
    """
    shape = "".join(sign for sign in key_of(name).translate(look_alikes()) if sign.isalnum())
    for two, one in TWO_LIKE_ONE:
        shape = shape.replace(two, one)
    return shape or key_of(name)


def check_reserved(name: str, levels: Collection[str] = ()) -> None:
    """Raise BadName for what could be taken for the server, one of its computers or a guest."""
    look = look_of(name)
    if look in {look_of(word) for word in (*RESERVED, *levels)} or NUMBERED.fullmatch(look):
        raise BadName("name_reserved")
