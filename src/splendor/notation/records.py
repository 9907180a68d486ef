"""A game as text: tags, the position it starts from, and every turn with what chance revealed.

    [Game "splendor 1"]
    [Seat0 "Ann"]
    [Position "2 0 1 0 act 0 444445 …"]
    [Result "1"]

    1. +wug r62 >55
    2. b3 >17 {a comment [%eval 0.62,0.38] [%clk 298.5]} rd1 >5

Specified in `docs/notation.md`. A record is read here as far as its form goes; whether the game is legal is
found out by playing it (`Game.from_record`). `json.py` has the same record as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from splendor.core.components import CARDS
from splendor.core.state import State
from splendor.notation.errors import NotationError
from splendor.notation.moves import Move, parse_move, parse_number
from splendor.notation.positions import format_position, parse_position

FORMAT = "splendor 1"
TEXT_WIDTH = 110


@dataclass(frozen=True, slots=True)
class Turn:
    """A move, the card it brought from a deck (to the market or to a hand), and what was noted about it."""

    move: Move
    drawn: int | None = None  # the printed id
    comment: str = ""
    evaluation: tuple[float, ...] | None = None  # each seat's share of the win, after the move
    clock: float | None = None  # seconds left to the player, after the move
    round_number: int | None = None  # as written before the move
    line: int = 0  # where the move stands in its text
    column: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Turn) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[object, ...]:
        """All but the places in the text."""
        return self.move, self.drawn, self.comment, self.evaluation, self.clock


@dataclass(slots=True, eq=False)
class Record:
    """What a game file says."""

    position: State
    tags: dict[str, str] = field(default_factory=dict)  # without Game and Position
    turns: list[Turn] = field(default_factory=list)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Record)
            and format_position(self.position) == format_position(other.position)
            and self.tags == other.tags
            and self.turns == other.turns
        )

    __hash__ = None  # type: ignore[assignment]  # it can be changed


_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9]*")
_TAG = re.compile(r'\[([A-Z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\n}\[])*)"\]')
_TOKEN = re.compile(
    r'(?P<number>[0-9]+)\.|(?P<drawn>>[^\s{}]*)|\{(?P<comment>(?:[^}\\]|\\["\\n}\[])*)\}|(?P<move>[^\s{}]+)'
)
_NOTE = re.compile(r"(?:^| )\[%(?P<name>[a-z]+) (?P<value>[^\[\]]*)\]")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "}": "\\}", "[": "\\["}


def _escape(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)


def format_record(record: Record) -> str:
    """The text of a game file."""
    position = format_position(record.position)
    tags = {"Game": FORMAT, **record.tags, "Position": position}
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
    lines.append("")
    players, first = int(record.position.players), int(record.position.first)
    seat, round_number = int(record.position.seat), int(record.position.round_number)
    rounds: list[list[str]] = []
    for turn in record.turns:
        if not rounds or seat == first:
            rounds.append([f"{round_number + len(rounds)}."])
        rounds[-1] += _turn_words(turn)
        seat = (seat + 1) % players
    for words in rounds:
        lines += _wrap(words)
    return "\n".join(lines) + "\n"


def _turn_words(turn: Turn) -> Iterator[str]:
    yield str(turn.move)
    if turn.drawn is not None:
        yield f">{turn.drawn}"
    notes = [_escape(turn.comment)] if turn.comment else []
    if turn.evaluation is not None:
        notes.append(f"[%eval {','.join(format_number(share) for share in turn.evaluation)}]")
    if turn.clock is not None:
        notes.append(f"[%clk {format_number(turn.clock)}]")
    if notes:
        yield "{" + " ".join(notes) + "}"


def _wrap(words: list[str]) -> Iterator[str]:
    line = words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > TEXT_WIDTH and not word.startswith((">", "{")):
            yield line
            line = "  " + word
        else:
            line += " " + word
    yield line


def format_number(number: float) -> str:
    """The shortest text that reads back as the same number: `0.5`, `12`."""
    return repr(int(number)) if number == int(number) and abs(number) < 1e15 else repr(float(number))  # noqa: PLR2004


class TooManyTurns(NotationError):
    """A game is longer than whoever reads it allows."""

    def __init__(self, most: int, column: int = 1, line: int | None = None) -> None:
        """The most turns that are allowed, and where the next one stands."""
        super().__init__(f"this game has more than {most} turns", column, line)


def parse_record(text: str, *, most_turns: int | None = None) -> Record:
    """Read a game file; raises NotationError with the line and column of the first fault."""
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    for index, line in enumerate(lines):
        found = _CONTROL.search(line)
        if found:
            raise NotationError("a control character does not belong into a game file", found.start() + 1, index + 1)
    tags, positions, after = _parse_tags(lines)
    if tags.pop("Game", None) != FORMAT:
        raise NotationError(f'this is no game file: it must begin with [Game "{FORMAT}"]', 1, 1)
    if "Position" not in tags:
        raise NotationError("the tag Position is missing; a game says where it starts", 1, after + 1)
    try:
        position = parse_position(tags.pop("Position"))
    except NotationError as error:
        raise error.within(*positions["Position"]) from None
    return Record(position, tags, _parse_turns(lines, after, most_turns))


def _parse_tags(lines: list[str]) -> tuple[dict[str, str], dict[str, tuple[int, int]], int]:
    """The tags, where their values stand, and the index of the first line after them."""
    tags: dict[str, str] = {}
    positions: dict[str, tuple[int, int]] = {}
    for index, line in enumerate(lines):
        if not line.startswith("["):
            if line.strip():
                raise NotationError('expected a tag such as [Seat0 "Ann"], or an empty line', 1, index + 1)
            return tags, positions, index + 1
        found = _TAG.fullmatch(line.rstrip())
        if not found:
            raise NotationError('a tag is written [Name "value"]', 1, index + 1)
        if found[1] in tags:
            raise NotationError(f"the tag {found[1]} is there twice", 2, index + 1)
        tags[found[1]] = _unescape(found[2])
        positions[found[1]] = (index + 1, found.start(2) + 1)
    return tags, positions, len(lines)


def _parse_turns(lines: list[str], start: int, most: int | None) -> list[Turn]:
    turns: list[Turn] = []
    round_number: int | None = None
    can_add_card = can_add_comment = False
    for line, column, found in _tokens(lines, start):
        if found["number"] is not None:
            if len(found["number"]) > 7:  # noqa: PLR2004 - more digits than any round has
                raise NotationError("this number of a round is too large", column, line)
            round_number, can_add_card, can_add_comment = int(found["number"]), False, False
        elif found["drawn"] is not None:
            if not can_add_card:
                raise NotationError("a drawn card stands directly behind the move that drew it", column, line)
            try:
                card = parse_number(found["drawn"][1:], CARDS, "card", 2)
            except NotationError as error:
                raise error.within(line, column) from None
            turns[-1] = replace(turns[-1], drawn=card)
            can_add_card = False
        elif found["comment"] is not None:
            if not can_add_comment:
                raise NotationError("a comment stands behind a move, and each move has at most one", column, line)
            turns[-1] = _with_notes(turns[-1], found["comment"], line, column)
            can_add_card = can_add_comment = False
        else:
            try:
                move = parse_move(found["move"])
            except NotationError as error:
                raise error.within(line, column) from None
            if len(turns) == most:
                raise TooManyTurns(most, column, line)
            turns.append(Turn(move, round_number=round_number, line=line, column=column))
            round_number, can_add_card, can_add_comment = None, True, True
    return turns


def _tokens(lines: list[str], start: int) -> Iterator[tuple[int, int, re.Match[str]]]:
    for index in range(start, len(lines)):
        line, place = lines[index], 0
        while place < len(line):
            if line[place].isspace():
                place += 1
                continue
            found = _TOKEN.match(line, place)
            if not found:
                raise NotationError("this comment does not end, or no comment began here", place + 1, index + 1)
            yield index + 1, place + 1, found
            place = found.end()


def _with_notes(turn: Turn, text: str, line: int, column: int) -> Turn:
    evaluation, clock = turn.evaluation, turn.clock
    for found in _NOTE.finditer(text):
        place = column + 1 + found.start("value")
        try:
            if found["name"] == "eval":
                evaluation = tuple(float(share) for share in found["value"].split(","))
            elif found["name"] == "clk":
                clock = float(found["value"])
            else:
                raise NotationError(f"unknown note %{found['name']}; there are %eval and %clk", place, line)
        except ValueError as error:
            if isinstance(error, NotationError):
                raise
            raise NotationError(f"{found['value']!r} is not a list of numbers", place, line) from None
    if any(not 0 <= share <= 1 for share in evaluation or ()) or not (clock is None or 0 <= clock < float("inf")):
        raise NotationError(
            "an evaluation is a share from 0 to 1 for each seat, a clock seconds from 0 on", column, line
        )
    return replace(turn, comment=_unescape(_NOTE.sub("", text)), evaluation=evaluation, clock=clock)


def check_tag(name: str, value: str) -> None:
    """Raise ValueError unless this can stand in a game file."""
    if not _TAG_NAME.fullmatch(name) or name in ("Game", "Position"):
        raise ValueError(f"{name!r} cannot be a tag; tags are words such as Seat0 or Date")
    check_text(value)


def check_text(text: str) -> None:
    """Raise ValueError for a comment or value with control characters other than a new line."""
    if _CONTROL.search(text.replace("\n", "")):
        raise ValueError(f"{text!r} holds control characters")
