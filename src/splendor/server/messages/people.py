"""People: who plays, and how they sign in."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from splendor.server.messages.basics import Message, NameText, Pool, Time
from splendor.server.messages.chat import OwnChat, OwnLine, OwnReport

Avatar = Literal[
    "fox", "owl", "bear", "cat", "hare", "stag", "lion", "raven", "frog", "badger", "ram", "turtle"
]  # the pictures, in the order in which the client shows them


class Person(Message):
    """Someone who plays. A guest has a number, and a name only if he chose one, which others may have too; a level of
    ours has its level.
    """

    id: str
    name: str | None
    guest: int | None = None
    is_computer: bool = False
    level: str | None = None
    avatar: str | None = Field(default=None, description="the picture that stands for the person")


class Me(Message):
    """The caller."""

    person: Person
    is_registered: bool
    scopes: list[str]


class Introduction(Message):
    """What the caller is called and looks like. A name is for guests only; without one it is a number again."""

    name: NameText | None = None
    avatar: Avatar | None = None


Password = Annotated[str, Field(min_length=1, max_length=128)]
Code = Annotated[str, Field(min_length=6, max_length=32)]


class Credentials(Message):
    """A name and a password; with a second factor also its code, or a recovery code."""

    name: NameText
    password: Password
    code: Code | None = None


class Confirmation(Message):
    """The password once more, before something that matters."""

    password: Password
    code: Code | None = None


class NewPassword(Message):
    """A change of password; ends all other sessions, and all tokens if they are not to be kept."""

    old: Password
    new: Password
    keep_tokens: bool = False


class Recovery(Message):
    """A new password by a recovery code; ends all sessions and tokens, and the second factor."""

    name: NameText
    code: Code
    new: Password


class RecoveryCodes(Message):
    """Codes that are good once each. They are shown this once."""

    codes: list[str]


class SecondFactor(Message):
    """What an authenticator needs. It is in use when the first code was right."""

    secret: str
    address: str


class OneTimeCode(Message):
    """The code that an authenticator shows."""

    code: Code


Inviters = Literal["everyone", "registered", "nobody"]


class WhoInvites(Message):
    """Who may keep a seat for the caller."""

    invitations: Inviters


class AccountInfo(Message):
    """What only its owner knows of an account."""

    created: Time
    invitations: Inviters
    has_second_factor: bool
    recovery_codes: int = Field(description="how many are left")
    chat: bool = Field(description="may others with an account ask to write with the owner?")
    chat_paused: Time | None = Field(description="until when the operator of the server has turned that off")


class PushKey(Message):
    """The key with which a browser subscribes to messages of this server; None if it sends none."""

    key: str | None


class PushSubscription(Message):
    """Where and how a browser is told that it is its person's turn, and in which language."""

    endpoint: Annotated[str, Field(min_length=1, max_length=1000)]
    p256dh: Annotated[str, Field(min_length=1, max_length=100)]
    auth: Annotated[str, Field(min_length=1, max_length=32)]
    language: Literal["en", "de", "nl", "nb"] = "en"


class SubscriptionInfo(Message):
    """A browser that is told when it is its person's turn."""

    endpoint: str
    created: Time


class WhoIsMeant(Message):
    """A person by id."""

    person: Annotated[str, Field(min_length=1, max_length=40)]


class OwnData(Message):
    """All that is stored about a person, as a file."""

    person: Person
    created: Time
    invitations: Inviters
    has_second_factor: bool
    sessions: list[SessionInfo]
    tokens: list[TokenInfo]
    devices: list[Time] = Field(description="when this person last signed in on each device that is known")
    blocked: list[Person]
    subscriptions: list[SubscriptionInfo]
    ratings: list[RatedAt]
    games: list[OwnGame]
    imports: list[OwnImport]
    chat: bool
    chats: list[OwnChat]
    lines: list[OwnLine]
    reports: list[OwnReport] = Field(description="those that this person made")


class RatedAt(Message):
    """A rating at tables of one size, among people or against computers."""

    players: int
    against: Pool
    mu: float
    sigma: float
    games: int


class OwnGame(Message):
    """A game of a person, with its record when it is over."""

    id: str
    seat: int
    status: str
    created: Time
    finished: Time | None
    record: str | None


class OwnImport(Message):
    """A game from elsewhere that a person keeps."""

    id: str
    at: Time
    record: str


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


OwnData.model_rebuild()
