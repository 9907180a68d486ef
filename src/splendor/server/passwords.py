"""Passwords, by argon2id. Hashing takes a moment on purpose, so it is done in a thread, a few at a time."""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

SHORTEST = 8
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
