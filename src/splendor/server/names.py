"""Names of people: short, visible, and not mistakable for another's."""

from __future__ import annotations

import unicodedata

LONGEST = 20
FORBIDDEN_CATEGORIES = ("C", "Z", "M")  # control and format signs, separators other than a space, loose marks


class BadName(ValueError):
    """A name that cannot be used; `code` says why."""

    def __init__(self, code: str) -> None:
        """A code of `docs/api.md`."""
        super().__init__(code)
        self.code = code


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
