"""Structured logs: one JSON object on each line of stderr, without secrets, cards, tokens, link ids or addresses.

Nobody passes such things to `logger`. What others write (the web server, the database's driver, Python itself) is cut
down to the words of its template, and of an error only its kind and its place in the code are written: messages of
errors quote what they failed at.

`note` writes the security log: who signed in, what failed or was revoked, which limit was reached. It knows people by
their ids and places by a number that is good until the server is started again.
"""

from __future__ import annotations

import hmac
import json
import logging
import re
import secrets
import sys
import time
import traceback

logger = logging.getLogger("splendor.server")
_security = logging.getLogger("splendor.server.security")

_PLAIN = set(vars(logging.makeLogRecord({})))
_WORDS = re.compile(r"[A-Za-z ,.':%-]*")
_FRAMES = 12  # of a traceback, the innermost
_key = secrets.token_bytes(16)


class JsonLines(logging.Formatter):
    """Time, level, what happened, and its details."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
        }
        if record.name.startswith("splendor."):
            line["event"] = record.getMessage()
            line |= {name: value for name, value in vars(record).items() if name not in _PLAIN}
        else:
            line |= {"event": template_of(record), "logger": record.name}
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = trace(record.exc_info[1])
        return json.dumps(line, default=str)


def template_of(record: logging.LogRecord) -> str:
    """What somebody else's record says without its values; without a template only the words it begins with."""
    if record.args:
        return str(record.msg).partition("\n")[0]
    words = _WORDS.match(str(record.msg))
    return words[0].strip() if words else ""


def trace(error: BaseException) -> list[str]:
    """What kind of error it is, what led to it, and where: without what it says."""
    lines = []
    shown: BaseException | None = error
    while shown is not None:
        code = getattr(getattr(shown, "orig", shown), "sqlstate", None) or getattr(shown, "strerror", None)
        lines.append(type(shown).__qualname__ + (f" ({code})" if code else ""))
        frames = traceback.extract_tb(shown.__traceback__)[-_FRAMES:]
        lines += [f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        shown = shown.__cause__ or (None if shown.__suppress_context__ else shown.__context__)
    return lines


def note(event: str, *, person: str | None = None, source: str | None = None, **details: object) -> None:
    """A line of the security log, whatever level the other lines need."""
    whose = {"person": person} if person else {}
    where = {"source": blurred(source)} if source else {}
    _security.info(event, extra={"log": "security", **whose, **where, **details})


def blurred(source: str) -> str:
    """A number for an address, by which lines can be told to belong together, and nobody can be found."""
    return hmac.digest(_key, source.encode(), "sha256").hex()[:12]


def set_up(level: str) -> None:
    """Send all logs to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.captureWarnings(True)
    for name in ("splendor.server", "uvicorn.error"):
        log = logging.getLogger(name)
        log.handlers, log.propagate = [], True
        log.setLevel(level.upper())
    _security.setLevel(logging.INFO)
    uvicorn = logging.getLogger("uvicorn.error")
    uvicorn.setLevel(max(uvicorn.level, logging.INFO))  # below that it writes headers and messages
    logging.getLogger("uvicorn.access").disabled = True
