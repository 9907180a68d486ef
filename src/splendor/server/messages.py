"""Every message that passes between the server and a browser or program: one small type each.

What a viewer is shown is built here from a `View`, so nothing hidden can get into a message. The server sends
codes and parameters, never sentences. `docs/api.md` has an example of each.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from splendor.notation.moves import LETTERS

Color = Literal["white", "blue", "green", "red", "black", "gold"]
SeatNumber = Annotated[int, Field(ge=0, le=3)]
TableId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{22}$")]
Hex256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="chosen by the sender; sent twice, done once")]
MoveText = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9+=@-]+$", examples=["+wug"])]
NameText = Annotated[str, Field(min_length=1, max_length=64)]
LevelName = Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[a-z0-9-]+$", examples=["journeyman"])]
Seconds = float
Time = Annotated[float, Field(description="seconds since 1970, by the server's clock")]


class Message(BaseModel):
    """What all messages share: unknown fields are refused, and they do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(Message):
    """Why something was refused: a code, and what it needs to be said in any language."""

    code: str = Field(examples=["not_your_turn"])
    params: dict[str, Any] = Field(default_factory=dict, examples=[{"seat": 1}])


class Refusal(Message):
    """The body of every HTTP error."""

    error: Problem


# --------------------------------------------------------------------------------------------- the pieces


class Tokens(Message):
    """A count for each color."""

    white: int
    blue: int
    green: int
    red: int
    black: int
    gold: int


SomeTokens = dict[Color, int]  # only the colors that there are any of


class Gems(Message):
    """A count for each color but gold."""

    white: int
    blue: int
    green: int
    red: int
    black: int


class CardFace(Message):
    """A development card as it is printed."""

    id: int
    level: int
    points: int
    bonus: Color
    cost: Gems


class NobleTile(Message):
    """A noble tile as it is printed."""

    id: int
    points: int
    cost: Gems


class Catalogue(Message):
    """Everything in the box."""

    cards: list[CardFace]
    nobles: list[NobleTile]
    letters: dict[Color, str] = Field(description="the letter of each color in the notation")


class ShownCard(Message):
    """A card on the market or in a hand, as one viewer sees it. Of an unseen card only the level is known."""

    id: int | None
    level: int
    points: int | None
    bonus: Color | None
    cost: Gems | None
    missing: Gems | None = Field(description="what the viewer's seat lacks, before gold; null without a seat")
    gold: int | None = Field(description="how many gold the viewer's seat would have to pay; null if it cannot buy")
    affordable: bool


class ReservedCard(ShownCard):
    """A reserved card; one drawn from a deck is hidden from the others."""

    from_deck: bool


class ShownNoble(NobleTile):
    """A noble of this game, and the seat it went to."""

    seat: int | None
    missing: Gems | None = Field(description="the bonuses that the viewer's seat still lacks; null without a seat")


class Hand(Message):
    """What lies before one seat."""

    tokens: Tokens
    bonuses: Gems
    points: int
    bought: list[CardFace]
    reserved: list[ReservedCard]
    nobles: list[int]


class BoardView(Message):
    """The board as one viewer sees it."""

    position: str = Field(description="the same as one line of notation")
    viewer: int | None = Field(description="whose view this is; null for a spectator")
    players: int
    seat: int = Field(description="whose turn it is")
    round: int
    turn: int = Field(description="how many turns have been completed")
    phase: Literal["act", "return", "noble", "points", "stalemate", "cap"]
    is_last_round: bool
    is_over: bool
    bank: Tokens
    market: list[list[ShownCard | None]] = Field(description="levels 1 to 3, each from the left; null is an empty slot")
    decks: list[int] = Field(description="cards left in the decks of levels 1 to 3")
    nobles: list[ShownNoble]
    hands: list[Hand]


class MoveForm(Message):
    """A move, as notation and taken apart.

    `then` says what the turn still asks for when only this is played: the return of tokens, or a noble. Such a
    move may be sent as it is, and the rest when the table shows it; or completed first, see `consider`.
    """

    text: str = Field(examples=["+wug"])
    kind: Literal["take", "reserve", "draw", "buy", "pass", "finish"]
    taken: SomeTokens | None = None
    card: int | None = None
    level: int | None = None
    payment: SomeTokens | None = None
    returned: SomeTokens | None = None
    noble: int | None = None
    then: Literal["return", "noble"] | None = None


# ------------------------------------------------------------------------------------- what moved, and where


class Place(Message):
    """Somewhere on the table. `slot` counts from the left or in the order of reserving, from 0."""

    area: Literal["bank", "market", "deck", "tokens", "reserved", "bought", "nobles"]
    seat: int | None = None
    level: int | None = None
    slot: int | None = None


class TokensMoved(Message):
    """Tokens went from one place to another."""

    what: Literal["tokens"] = "tokens"
    tokens: SomeTokens
    origin: Place
    target: Place


class CardMoved(Message):
    """A card went; the viewer may know only its level."""

    what: Literal["card"] = "card"
    card: int | None
    level: int
    origin: Place
    target: Place


class NobleMoved(Message):
    """A noble went to a seat."""

    what: Literal["noble"] = "noble"
    noble: int
    origin: Place
    target: Place


Movement = Annotated[TokensMoved | CardMoved | NobleMoved, Field(discriminator="what")]


# ----------------------------------------------------------------------------------------- people and tables


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


class NoClock(Message):
    """Take all the time you want."""

    kind: Literal["none"] = "none"


class LiveClock(Message):
    """So many seconds for the whole game, and some more for each turn."""

    kind: Literal["live"] = "live"
    seconds: Annotated[int, Field(ge=10, le=10800)]
    increment: Annotated[int, Field(ge=0, le=180)] = 0


class DaysClock(Message):
    """So many days for each turn."""

    kind: Literal["days"] = "days"
    days: Annotated[int, Field(ge=1, le=14)]


Clock = Annotated[NoClock | LiveClock | DaysClock, Field(discriminator="kind")]


class SeatWish(Message):
    """Who shall sit here: `me`, anybody with the link (`open`), a person by `name` (`invited`), someone at this
    same screen under a `name` (`device`), or a computer of a `level`.
    """

    kind: Literal["me", "open", "invited", "device", "computer"]
    name: NameText | None = None
    level: LevelName | None = None


class NewTable(Message):
    """A table as its creator wants it. A `commit` is the SHA-256 of a nonce, see `docs/fairness.md`."""

    seats: Annotated[list[SeatWish], Field(min_length=2, max_length=4)]
    public: bool = False
    spectators: bool = True
    clock: Clock = NoClock()
    order: Literal["random", "chosen"] = "random"
    commit: Hex256 | None = None

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={
            "examples": [
                {"seats": [{"kind": "me"}, {"kind": "computer", "level": "journeyman"}]},
                {
                    "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}],
                    "public": True,
                    "clock": {"kind": "live", "seconds": 900, "increment": 10},
                },
            ]
        },
    )


class Join(Message):
    """Take an open seat, or the one one is invited to; without a number the first that is free."""

    seat: SeatNumber | None = None
    commit: Hex256 | None = None


class Absence(Message):
    """A player is away. From `until` on, the others may vote what happens."""

    since: Time
    until: Time
    votes: dict[int, Literal["computer", "end"]] = Field(description="by seat")


class Seat(Message):
    """One place at the table and who has it."""

    seat: int
    kind: Literal["open", "invited", "person", "device", "computer"]
    person: Person | None
    player: Person | None = Field(description="who sat here when the game began, whoever plays on")
    label: str | None = Field(description="the name given to someone at the same screen, or of who is invited")
    clock: Seconds | None = Field(description="seconds left, at `now`")
    forfeit: Literal["resigned", "time", "absent"] | None
    absence: Absence | None
    has_committed: bool
    has_revealed: bool


class Result(Message):
    """How it ended. `decided_by` says what the first place rests on."""

    reason: Literal["points", "stalemate", "cap", "resignation", "time", "abandoned"]
    winners: list[int]
    places: list[int] = Field(description="1 is the best; players who are level share a place")
    points: list[int]
    cards: list[int] = Field(description="bought cards: fewer win when points are level")
    decided_by: Literal["points", "cards", "shared", "forfeit"]


class Fairness(Message):
    """What the deal follows from. The secret and the nonces are shown when the game is over."""

    procedure: str
    commit: Hex256
    secret: Hex256 | None
    commits: list[Hex256 | None] = Field(description="by seat as it was when people sat down")
    nonces: list[Hex256 | None]
    order: list[int] | None = Field(description="for each seat of the game, the seat in which that player sat down")


class Offer(Message):
    """A take-back that was asked for."""

    seat: int
    turns: int = Field(description="how many turns it would undo")
    agreed: list[int]


class Table(Message):
    """All that one viewer may know about a table."""

    id: str
    version: int
    status: Literal["open", "dealing", "live", "over", "aborted"]
    public: bool
    spectators: bool
    clock: Clock
    order: Literal["random", "chosen"]
    created: Time
    now: Time
    seats: list[Seat]
    you: list[int] = Field(description="the seats of the caller")
    viewer: int | None
    board: BoardView | None
    moves: list[MoveForm] = Field(description="what the viewer may play now; empty if it is not their turn")
    can_undo: bool = Field(description="may the caller ask for a take-back now?")
    can_abort: bool
    offer: Offer | None
    result: Result | None
    fairness: Fairness
    rematch: str | None = Field(description="the table of the rematch")


# -------------------------------------------------------------------------------------------- what happened


class Event(Message):
    """Something happened at a table. Versions count them from 1 without a gap."""

    version: int
    at: Time


class Created(Event):
    """The table was made."""

    type: Literal["created"] = "created"


class SatDown(Event):
    """Someone took a seat."""

    type: Literal["sat_down"] = "sat_down"
    seat: int
    person: Person


class Left(Event):
    """A seat became free before the game began."""

    type: Literal["left"] = "left"
    seat: int
    reason: Literal["left", "no_nonce"]


class NonceCommitted(Event):
    """A player's part of the deal was promised."""

    type: Literal["nonce_committed"] = "nonce_committed"
    seat: int


class NonceRevealed(Event):
    """A player's part of the deal was given."""

    type: Literal["nonce_revealed"] = "nonce_revealed"
    seat: int


class Started(Event):
    """The cards were dealt. Seats may have been reordered, see `Fairness.order`."""

    type: Literal["started"] = "started"
    order: list[int]


class Played(Event):
    """A turn, or a part of one."""

    type: Literal["played"] = "played"
    seat: int
    turn: int = Field(description="the number of this turn, from 0")
    move: MoveForm
    movements: list[Movement]
    ends_turn: bool


class TookBack(Event):
    """So many turns were undone, an unfinished one included."""

    type: Literal["took_back"] = "took_back"
    turns: int


class TakebackOffered(Event):
    """A player asks to take back."""

    type: Literal["takeback_offered"] = "takeback_offered"
    seat: int


class TakebackAgreed(Event):
    """A player agrees; when all have, `took_back` follows."""

    type: Literal["takeback_agreed"] = "takeback_agreed"
    seat: int


class TakebackDeclined(Event):
    """A player does not agree."""

    type: Literal["takeback_declined"] = "takeback_declined"
    seat: int


class Forfeited(Event):
    """A player is out: resigned, out of time, or absent."""

    type: Literal["forfeited"] = "forfeited"
    seat: int
    reason: Literal["resigned", "time", "absent"]


class Replaced(Event):
    """A computer plays on in this seat."""

    type: Literal["replaced"] = "replaced"
    seat: int
    level: str


class WentAbsent(Event):
    """A player is away; from `until` on the others may vote."""

    type: Literal["went_absent"] = "went_absent"
    seat: int
    until: Time


class CameBack(Event):
    """A player is there again."""

    type: Literal["came_back"] = "came_back"
    seat: int


class Voted(Event):
    """A player voted about an absent one."""

    type: Literal["voted"] = "voted"
    seat: int
    absent: int
    choice: Literal["wait", "computer", "end"]


class EngineTrouble(Event):
    """A computer failed; another one plays this move."""

    type: Literal["engine_trouble"] = "engine_trouble"
    seat: int
    level: str
    instead: str


class Aborted(Event):
    """The game does not count."""

    type: Literal["aborted"] = "aborted"
    seat: int | None
    reason: Literal["abort", "swept"]


class Ended(Event):
    """The others ended the game without the absent player."""

    type: Literal["ended"] = "ended"
    absent: int


class ClocksResumed(Event):
    """The server was down; clocks stood still."""

    type: Literal["clocks_resumed"] = "clocks_resumed"


class Rematched(Event):
    """A new table for the same players."""

    type: Literal["rematched"] = "rematched"
    seat: int
    table: str


AnyEvent = Annotated[
    Created
    | SatDown
    | Left
    | NonceCommitted
    | NonceRevealed
    | Started
    | Played
    | TookBack
    | TakebackOffered
    | TakebackAgreed
    | TakebackDeclined
    | Forfeited
    | Replaced
    | WentAbsent
    | CameBack
    | Voted
    | EngineTrouble
    | Aborted
    | Ended
    | ClocksResumed
    | Rematched,
    Field(discriminator="type"),
]


# ------------------------------------------------------------------------- from the server, socket and stream


class Update(Message):
    """The table as it is now, with what happened since the last message.

    `resync` says that this does not continue what the receiver had: draw anew, without animation.
    """

    type: Literal["update"] = "update"
    version: int
    resync: bool
    events: list[AnyEvent]
    table: Table


class Done(Message):
    """A command was carried out, and is stored. `version` is the event it led to."""

    type: Literal["done"] = "done"
    key: str
    version: int


class Refused(Message):
    """A message was refused; nothing changed."""

    type: Literal["refused"] = "refused"
    key: str | None
    error: Problem


class Continuations(Message):
    """The answer to `consider`: every whole move that begins so."""

    type: Literal["continuations"] = "continuations"
    key: str
    moves: list[MoveForm]


class RematchReady(Message):
    """The answer to `rematch`: where it is."""

    type: Literal["rematch_ready"] = "rematch_ready"
    key: str
    table: str


class Presence(Message):
    """Who is connected."""

    type: Literal["presence"] = "presence"
    online: list[int] = Field(description="seats whose player is there")
    spectators: int


class Beat(Message):
    """The server is there. Also the answer to `ping`. `build` changes when the client should reload."""

    type: Literal["beat"] = "beat"
    at: Time
    build: str


class Bye(Message):
    """The last message before the server closes: `shutdown`, `slow`, `revoked` or `flood`. Connect again, but for the
    last two.
    """

    type: Literal["bye"] = "bye"
    code: Literal["shutdown", "slow", "revoked", "flood"]


ServerMessage = Annotated[
    Update | Done | Refused | Continuations | RematchReady | Presence | Beat | Bye, Field(discriminator="type")
]


# -------------------------------------------------------------------------------------------- from the client


class Play(Message):
    """Play a move of the list, a completion of one, or the rest of a turn.

    With `turn`, the number of turns the sender has seen completed, a move that comes too late is refused as
    `stale` instead of being tried on another position.
    """

    type: Literal["play"] = "play"
    key: Key
    move: MoveText
    turn: Annotated[int, Field(ge=0, le=1_000_000)] | None = None


class Consider(Message):
    """Which whole moves begin with this one? Changes nothing."""

    type: Literal["consider"] = "consider"
    key: Key
    move: MoveText


class Commit(Message):
    """The SHA-256 of a nonce, from a player who has not given one; after somebody left, all give new ones."""

    type: Literal["commit"] = "commit"
    key: Key
    commit: Hex256


class Reveal(Message):
    """The nonce that was committed to."""

    type: Literal["reveal"] = "reveal"
    key: Key
    nonce: Hex256


class Resign(Message):
    """Give up; `seat` is needed only by who has several."""

    type: Literal["resign"] = "resign"
    key: Key
    seat: SeatNumber | None = None


class Abort(Message):
    """End a game that has hardly begun, without a result."""

    type: Literal["abort"] = "abort"
    key: Key


class AskTakeback(Message):
    """Ask to take back one's last turn."""

    type: Literal["ask_takeback"] = "ask_takeback"
    key: Key


class AnswerTakeback(Message):
    """Agree to a take-back, or not. Whoever asked may withdraw with `accept` false."""

    type: Literal["answer_takeback"] = "answer_takeback"
    key: Key
    accept: bool


class Vote(Message):
    """What shall happen about an absent player: wait on, let a computer play, end the game."""

    type: Literal["vote"] = "vote"
    key: Key
    absent: SeatNumber
    choice: Literal["wait", "computer", "end"]


class Leave(Message):
    """Free one's seat before the game begins."""

    type: Literal["leave"] = "leave"
    key: Key


class Rematch(Message):
    """Another game with the same players; the first who asks makes the table."""

    type: Literal["rematch"] = "rematch"
    key: Key
    commit: Hex256 | None = None


class Ping(Message):
    """Answered with a `beat`."""

    type: Literal["ping"] = "ping"


Command = Play | Commit | Reveal | Resign | Abort | AskTakeback | AnswerTakeback | Vote | Leave | Rematch
AnyCommand = Annotated[Command | Consider, Field(discriminator="type")]
ClientMessage = Annotated[Command | Consider | Ping, Field(discriminator="type")]
Answer = Annotated[Done | Continuations | RematchReady, Field(discriminator="type")]

client_message: TypeAdapter[Command | Consider | Ping] = TypeAdapter(ClientMessage)


# -------------------------------------------------------------------------------- a person's stream of events


class YourTurn(Message):
    """It is the caller's turn at a table."""

    type: Literal["your_turn"] = "your_turn"
    table: str
    seat: int
    turn: int


class TableStarted(Message):
    """A game of the caller began, or goes on."""

    type: Literal["table_started"] = "table_started"
    table: str


class TableEnded(Message):
    """A game of the caller ended."""

    type: Literal["table_ended"] = "table_ended"
    table: str
    result: Result | None


class Invited(Message):
    """Somebody keeps a seat for the caller."""

    type: Literal["invited"] = "invited"
    table: str
    seat: int


PersonalMessage = Annotated[YourTurn | TableStarted | TableEnded | Invited | Beat | Bye, Field(discriminator="type")]


# ----------------------------------------------------------------------------------- requests and replies, HTTP


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


class LobbyTable(Message):
    """A public table with an open seat, or one to watch."""

    id: str
    status: Literal["open", "live"]
    seats: list[Person | None]
    clock: Clock
    created: Time


class Lobby(Message):
    """Public tables."""

    open: list[LobbyTable]
    live: list[LobbyTable]


class OwnTable(Message):
    """A table of the caller that is not over."""

    id: str
    status: Literal["open", "dealing", "live"]
    seats: list[Person | None]
    your_turn: bool


class TableLink(Message):
    """Where a table is."""

    id: str


class ArchivedSeat(Message):
    """A player of a finished game."""

    person: Person
    label: str | None
    place: int
    points: int


class ArchivedGame(Message):
    """A finished game."""

    id: str
    players: int
    finished: Time
    turns: int
    reason: str
    is_rated: bool
    seats: list[ArchivedSeat]


class Archive(Message):
    """A page of finished games, newest first; `before` of the next page."""

    games: list[ArchivedGame]
    before: str | None


class Ranked(Message):
    """A line of the leaderboard. `rating` is the cautious estimate, three deviations below the mean."""

    place: int
    person: Person
    rating: float
    mu: float
    sigma: float
    games: int


class Leaderboard(Message):
    """The best players at tables of one size."""

    players: int
    lines: list[Ranked]


class RatingInfo(Message):
    """A player's rating at tables of one size."""

    players: int
    mu: float
    sigma: float
    games: int


class Profile(Message):
    """A player."""

    person: Person
    ratings: list[RatingInfo]


class LevelInfo(Message):
    """A computer that can be played against, weakest first."""

    level: str
    ratings: list[RatingInfo]


class Frame(Message):
    """One step of a replay: what happened, and the board after it. The first frame has no move."""

    turn: int
    seat: int | None
    move: MoveForm | None
    movements: list[Movement]
    comment: str
    clock: Seconds | None
    evaluation: list[float] | None
    board: BoardView


class Replay(Message):
    """A whole game, step by step."""

    tags: dict[str, str]
    names: list[str | None]
    viewer: int | None
    reveals: bool = Field(description="are the cards in all hands shown?")
    frames: list[Frame]
    result: Result | None
    record: str


class RecordText(Message):
    """A game file, text or JSON."""

    record: Annotated[str, Field(max_length=1_000_000)]


class Verdict(Message):
    """Does the deal of a record follow from its secrets?"""

    is_fair: bool
    problem: Problem | None
    contributors: list[int] = Field(description="seats, as people sat down, whose nonce went into the deal")


class PositionQuestion(Message):
    """A position as notation, and moves to play on it first. With `viewer` it is shown as that seat sees it."""

    position: Annotated[str, Field(max_length=2000)]
    moves: Annotated[list[MoveText], Field(max_length=200)] = []
    viewer: SeatNumber | None = None


class PositionAnswer(Message):
    """The position after the moves, with what happened and what is legal for the seat whose turn it is."""

    board: BoardView
    moves: list[MoveForm]
    played: list[Frame]
    result: Result | None


class HintQuestion(Message):
    """What would a computer play here? The position may be a viewer's."""

    position: Annotated[str, Field(max_length=2000)]
    level: LevelName = "journeyman"


class Hint(Message):
    """The move, for the seat whose turn it is."""

    level: str
    move: MoveForm


class Health(Message):
    """Is the server well?"""

    status: Literal["ok", "failing"]
    build: str
    tables: int


COLOR_LETTERS: dict[Color, str] = dict(zip(("white", "blue", "green", "red", "black", "gold"), LETTERS, strict=True))
