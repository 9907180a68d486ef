"""Writes src/api/messages.ts from the server's message types, so that client and server cannot drift apart.

../.venv/bin/python scripts/message_types.py           write it
../.venv/bin/python scripts/message_types.py --check   fail if it is not up to date
"""

from __future__ import annotations

import sys
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from splendor.analysis.model import Value
from splendor.server import messages

TARGET = Path(__file__).parent.parent / "src" / "api" / "messages.ts"
SENT = {
    "SeatWish",
    "NewTable",
    "Join",
    "Seek",
    "Play",
    "Consider",
    "Commit",
    "Reveal",
    "Resign",
    "Abort",
    "AskTakeback",
    "AnswerTakeback",
    "Vote",
    "Decline",
    "Leave",
    "Fill",
    "Empty",
    "Introduction",
    "Rematch",
    "Say",
    "AllowChat",
    "Write",
    "ChatWish",
    "NewReport",
    "Ping",
    "Credentials",
    "NewPassword",
    "Confirmation",
    "Recovery",
    "OneTimeCode",
    "WhoInvites",
    "WhoIsMeant",
    "NewToken",
    "RecordText",
    "PositionQuestion",
    "HintQuestion",
    "ReviewWish",
    "RecordToReview",
    "EvaluationQuestion",
    "NoClock",
    "LiveClock",
    "DaysClock",
}  # defaults may be left out
UNIONS = {
    "AnyEvent": "Created Introduced SatDown Filled Emptied Left Declined NonceCommitted NonceRevealed Started Played "
    "TookBack TakebackOffered TakebackAgreed TakebackDeclined Forfeited Replaced WentAbsent CameBack Voted "
    "EngineTrouble Aborted Ended ClocksResumed Rematched",
    "ServerMessage": "Update Done Refused Continuations RematchReady Presence Said Chat Written Beat Bye",
    "ClientMessage": "Play Commit Reveal Resign Abort AskTakeback AnswerTakeback Vote Decline Leave Fill Empty Rematch "
    "Consider Say AllowChat Write Ping",
    "ReviewMessage": "ReviewWhole ReviewGrowth ReviewEnd",
    "Movement": "TokensMoved CardMoved NobleMoved",
    "Clock": "NoClock LiveClock DaysClock",
}


def to_type(schema: dict[str, Any]) -> str:
    """A JSON Schema as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema:
        return repr(schema["const"])
    if "enum" in schema:
        return " | ".join(repr(value) for value in schema["enum"])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(to_type(part) for part in schema[union]))
    kind = schema.get("type")
    if kind == "array":
        return f"({to_type(schema['items'])})[]"
    if kind == "object":
        if isinstance(schema.get("additionalProperties"), dict):
            key = to_type(schema["propertyNames"]) if "propertyNames" in schema else "string"
            return f"Partial<Record<{key}, {to_type(schema['additionalProperties'])}>>"
        return "Record<string, unknown>"
    return {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}.get(
        str(kind), "unknown"
    )


def interface(name: str, schema: dict[str, Any]) -> str:
    """One message as a TypeScript interface."""
    required = set(schema.get("required", ()))
    lines = []
    for field, part in schema.get("properties", {}).items():
        optional = "" if field in required or "const" in part else "?"
        lines.append(f"  {field}{optional}: {to_type(part)}")
    return f"export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


def is_sent(model: type) -> bool:
    """Is this a message, or the plain data in one?"""
    return is_dataclass(model) or (issubclass(model, messages.Message | Value) and model is not messages.Message)


def generate() -> str:
    """The whole file."""
    models = [model for model in vars(messages).values() if isinstance(model, type) and is_sent(model)]
    text = "// Written by scripts/message_types.py from the server's message types; do not edit.\n\n"
    text += "export type Color = 'white' | 'blue' | 'green' | 'red' | 'black' | 'gold'\n\n"
    parts: dict[str, str] = {}
    for model in models:
        mode: Any = "validation" if model.__name__ in SENT else "serialization"
        schema = TypeAdapter(model).json_schema(mode=mode)
        parts[model.__name__] = interface(model.__name__, schema)
    text += "\n".join(parts.values())
    for name, members in UNIONS.items():
        text += f"\nexport type {name} = " + " | ".join(members.split()) + "\n"
    return text


def main() -> int:
    """Write, or check."""
    text = generate()
    if "--check" in sys.argv:
        if TARGET.read_text(encoding="utf-8") == text:
            return 0
        sys.stderr.write("web/src/api/messages.ts is not up to date: run  python web/scripts/message_types.py\n")
        return 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
