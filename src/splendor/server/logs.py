"""Structured logs: one JSON object on each line of stderr. Nobody passes secrets, cards, tokens or link ids to them."""

from __future__ import annotations

import json
import logging
import sys
import time

logger = logging.getLogger("splendor.server")

_PLAIN = set(vars(logging.makeLogRecord({})))


class JsonLines(logging.Formatter):
    """Time, level, what happened, and its details."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        details = {
            name: value for name, value in vars(record).items() if name not in _PLAIN and name != "color_message"
        }
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **details,
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def set_up(level: str) -> None:
    """Send the logs of the server, and of uvicorn, to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("splendor.server", "uvicorn.error"):
        log = logging.getLogger(name)
        log.handlers = [handler]
        log.setLevel(level.upper())
        log.propagate = False
    uvicorn = logging.getLogger("uvicorn.error")
    uvicorn.setLevel(max(uvicorn.level, logging.INFO))  # below that it writes headers and messages
    logging.getLogger("uvicorn.access").disabled = True  # it would write the ids of private tables
