"""Free chat between players with accounts: who is willing, what they write to each other, and reports of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from splendor.server.messages.basics import Key, Message, SeatNumber, TableId, Time

LONGEST_LINE = 300  # signs

LineText = Annotated[str, Field(min_length=1, max_length=LONGEST_LINE, examples=["That was close!"])]


class AllowChat(Message):
    """From a player with an account: be willing to write with the player of another seat, or be so no more. The first
    who is asks the other one; when both are, they can write.
    """

    type: Literal["allow_chat"] = "allow_chat"
    key: Key
    seat: SeatNumber
    allow: bool


class Write(Message):
    """From a player with an account: a line of plain text, to all at the table with whom the sender can write. Nobody
    else ever sees it. It is one line, without signs that cannot be seen.
    """

    type: Literal["write"] = "write"
    key: Key
    text: LineText


class ChatLine(Message):
    """What one player has written to others."""

    id: str
    seat: int
    at: Time
    text: str


ChatState = Literal["unable", "able", "asked", "asks", "open"]


class Correspondent(Message):
    """Another player at the table, and how it stands: `unable` (one of the two has chat off, has no account, or has
    blocked the other), `able` to be asked, `asked` by the receiver, `asks` the receiver, or `open`: they can write.
    """

    seat: int
    state: ChatState


class Chat(Message):
    """With whom the receiver can write at this table, and what was written. It is sent to players with accounts alone,
    by their own browsers' sockets, when they come and when it changes.
    """

    type: Literal["chat"] = "chat"
    is_on: bool = Field(description="has the receiver turned chat on, for the account?")
    paused: Time | None = Field(description="until when the operator of the server has turned it off")
    people: list[Correspondent]
    lines: list[ChatLine] = Field(description="the latest ones that the receiver wrote or was sent")


class Written(Message):
    """A line that the receiver wrote or is sent."""

    type: Literal["written"] = "written"
    line: ChatLine


# --------------------------------------------------------------------------------------------------------- the account


class ChatWish(Message):
    """May others with an account ask the caller at a table to write with them, and the caller them?"""

    chat: bool


ReportReason = Literal["insult", "threat", "sexual", "spam", "other"]


class NewReport(Message):
    """A line that should not have been written. It is kept for the operator with the lines before it."""

    line: TableId
    reason: ReportReason


class OwnLine(Message):
    """A line that one wrote, as long as it is kept."""

    table: str
    at: Time
    text: str


class OwnChat(Message):
    """With whom one was willing to write at a table, or not."""

    table: str
    person: str
    allow: bool


class OwnReport(Message):
    """A report that one made, as long as it is kept."""

    created: Time
    closed: Time | None
    reason: ReportReason
    text: str
