"""Passwords, by argon2id. Hashing takes a moment on purpose, so it is done in a thread, a few at a time.

`common_passwords.txt.gz` holds the 11,611 passwords of at least 8 signs among the 30,000 that were most often found in
leaks, as collected for zxcvbn (Dropbox, MIT license; Python package zxcvbn 4.5.0).
"""

from __future__ import annotations

import asyncio
import gzip
from functools import cache
from itertools import pairwise
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

SHORTEST = 8
FEWEST_DIFFERENT = 4  # signs
TRIMMINGS = "0123456789!?.,;:+-*/_#$%&@= "  # what people put around a word
_AT_ONCE = 2

_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # OWASP's recommendation
_nobody = _hasher.hash("nobody has this password")  # so that an unknown name takes as long as a known one
_room = asyncio.Semaphore(_AT_ONCE)


async def hash_password(password: str) -> str:
    """The hash to store."""
    async with _room:
        return await asyncio.to_thread(_hasher.hash, password)


async def is_right(password: str, stored: str | None) -> bool:
    """Does the password fit? Takes the same time if there is none."""
    async with _room:
        return await asyncio.to_thread(_verify, password, stored)


def _verify(password: str, stored: str | None) -> bool:
    try:
        _hasher.verify(stored or _nobody, password)
    except (Argon2Error, InvalidHashError):
        return False
    return stored is not None


@cache
def common() -> frozenset[str]:
    """The passwords that are tried first."""
    packed = Path(__file__).with_name("common_passwords.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split("\n"))


def is_common(password: str, name: str) -> bool:
    """Would it be among the first guesses: a common password, the name, a run or a repetition, also with trimmings?"""
    plain = password.casefold()
    word = plain.strip(TRIMMINGS)
    steps = {ord(after) - ord(before) for before, after in pairwise(plain)}
    is_run = len(steps) == 1
    return (
        plain in common()
        or word in common()
        or word in (name.casefold(), "splendor", "password", "")
        or is_run
        or len(set(plain)) < FEWEST_DIFFERENT
    )
