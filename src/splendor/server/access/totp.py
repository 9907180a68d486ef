"""One-time codes of a second factor: RFC 6238 with SHA-1, 6 digits and 30 seconds, which every authenticator knows."""

from __future__ import annotations

import base64
import hmac
import secrets
from urllib.parse import quote

SECRET_BYTES = 20
STEP = 30  # seconds
DIGITS = 6
TOLERANCE = 1  # steps that a clock may be wrong


def new_secret() -> str:
    """A secret as authenticators take it, in base 32."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def address(secret: str, name: str) -> str:
    """The address that authenticators open."""
    return f"otpauth://totp/Splendor:{quote(name)}?secret={secret}&issuer=Splendor"


def code_at(secret: str, step: int, digits: int = DIGITS) -> str:
    """The code of one step (RFC 4226).

    >>> code_at(base64.b32encode(b"12345678901234567890").decode(), 59 // STEP, digits=8)
    '94287082'
    """
    mac = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    offset = mac[-1] & 15
    number = int.from_bytes(mac[offset : offset + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def accepted_step(secret: str, code: str, now: float, after: int) -> int | None:
    """The step that a code belongs to, if it is one of about now and later than `after`: a code is good once."""
    present = int(now) // STEP
    for step in range(present - TOLERANCE, present + TOLERANCE + 1):
        if step > after and hmac.compare_digest(code_at(secret, step).encode(), code.encode()):
            return step
    return None
