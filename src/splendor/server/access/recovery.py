"""Recovery codes: each good once, to set a new password or instead of a one-time code."""

from __future__ import annotations

import base64
import secrets

CODES = 8
CODE_BYTES = 10


def new_codes() -> list[str]:
    """80 random bits each, in groups that can be written down."""
    return ["-".join(split(base64.b32encode(secrets.token_bytes(CODE_BYTES)).decode())) for _ in range(CODES)]


def split(text: str) -> list[str]:
    return [text[i : i + 4] for i in range(0, len(text), 4)]


def plain(code: str) -> str:
    """A code as it was made, however it was typed.

    >>> plain(" abcd efgh-2345 67ab")
    'ABCDEFGH234567AB'
    """
    return "".join(sign for sign in code.upper() if sign.isalnum())
