"""What people write to each other: one line of plain text, which changes nothing around it wherever it is shown."""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"  # which some scripts and many emoji need
MOST_MARKS = 4  # on one letter; more of them would cover the lines above and below
INVISIBLE = ("Cc", "Cs", "Co", "Cf")  # control signs, halves of pairs, private signs, and what turns the direction


def plain_line(text: str, longest: int) -> str:
    """A text as it is sent on: composed, on one line, without signs that nobody sees; empty if nothing is left.

    >>> plain_line("  so\\n\\t\u202eclose  ", 300)
    'so close'
    """
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", text):
        category = unicodedata.category(sign)
        if sign.isspace():
            kept.append(" ")
        elif category not in INVISIBLE or sign in JOINERS:
            marks = marks + 1 if category[0] == "M" else 0
            if marks <= MOST_MARKS:
                kept.append(sign)
    line = " ".join("".join(kept).split())[:longest]
    return line if any(unicodedata.category(sign)[0] in "LNPS" for sign in line) else ""
