"""Running games by days as a calendar (RFC 5545): for each of them one event, when its next move is due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

LONGEST_LINE = 75  # bytes, then a line goes on in the next one
ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": ""})


class Due(NamedTuple):
    """A move that is to be made."""

    id: str  # of the table
    at: float
    summary: str
    address: str


def calendar_of(dues: Iterable[Due], name: str, now: float) -> str:
    """The file."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//splendor//EN", f"X-WR-CALNAME:{name.translate(ESCAPED)}"]
    for due in dues:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{due.id}@splendor",
            f"DTSTAMP:{moment(now)}",
            f"DTSTART:{moment(due.at)}",
            "DURATION:PT15M",
            f"SUMMARY:{due.summary.translate(ESCAPED)}",
            f"URL:{due.address}",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ]
    return "".join(f"{part}\r\n" for line in [*lines, "END:VCALENDAR"] for part in folded(line))


def moment(seconds: float) -> str:
    """A time as calendars write it.

    >>> moment(0)
    '19700101T000000Z'
    """
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y%m%dT%H%M%SZ")


def folded(line: str) -> Iterator[str]:
    """A line in pieces that are short enough; each after the first begins with a space. No letter is cut in two.

    >>> [len(part) for part in folded("x" * 160)]
    [75, 75, 12]
    """
    part, size = "", 0
    for letter in line:
        width = len(letter.encode())
        if size + width > LONGEST_LINE:
            yield part
            part, size = " ", 1
        part, size = part + letter, size + width
    yield part
