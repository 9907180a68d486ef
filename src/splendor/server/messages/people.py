"""People: who plays, and how they sign in."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from splendor.server.messages.basics import Message, NameText, Time


class Person(Message):
    """Someone who plays. A guest has a number instead of a name; a level of ours has its level."""

    id: str
    name: str | None
    guest: int | None = None
    is_computer: bool = False
    level: str | None = None


class Me(Message):
    """The caller."""

    person: Person
    is_registered: bool
    scopes: list[str]


class Credentials(Message):
    """A name and a password."""

    name: NameText
    password: Annotated[str, Field(min_length=1, max_length=128)]


class NewPassword(Message):
    """A change of password; ends all other sessions."""

    old: Annotated[str, Field(min_length=1, max_length=128)]
    new: Annotated[str, Field(min_length=1, max_length=128)]


class SessionInfo(Message):
    """A browser that is signed in."""

    id: str
    created: Time
    seen: Time
    agent: str
    is_this: bool


Scope = Literal["read", "play", "create"]


class NewToken(Message):
    """A token for a program: `read` one's tables, `play` at them, `create` tables."""

    name: NameText
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=3)]
    days: Annotated[int, Field(ge=1, le=366)] = 90


class TokenInfo(Message):
    """A token, without its secret."""

    id: str
    name: str
    scopes: list[Scope]
    created: Time
    expires: Time
    seen: Time | None


class TokenMade(Message):
    """A new token. The secret is shown this once."""

    token: str
    info: TokenInfo
