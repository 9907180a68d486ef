"""What a command is asked to look at: a game file, a position file, a position as text, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from splendor.cli.problems import MISUSED, fail

if TYPE_CHECKING:
    from splendor.game.game import Game
    from splendor.game.position import Board

LARGEST_FILE = 4_000_000  # bytes; the longest games with long comments stay far below


class Unreadable(Exception):
    """There is nothing to read: no such file, a folder, no permission."""


class NotAGame(ValueError):
    """There is something, but it is neither a game nor a position; the message says what is wrong, and where."""


def read_text(source: str) -> str:
    """The text of a file, or with `-` of standard input."""
    try:
        if source == "-":
            data = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(source).open("rb") as file:
                data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise Unreadable(f"there is no file {shown(source)}") from None
    except IsADirectoryError:
        raise Unreadable(f"{shown(source)} is a folder, not a file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Unreadable(f"{shown(source)} cannot be read: {reason}") from None
    if len(data) > LARGEST_FILE:
        raise NotAGame(f"this is no game: it is larger than {LARGEST_FILE // 1_000_000} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotAGame(f"line {line}: this is not a text in UTF-8 (byte {error.start + 1})") from None
    if not text.strip():
        raise NotAGame("this is empty: neither a game nor a position")
    return text


def shown(source: str) -> str:
    """A file name that can be printed whatever bytes it holds."""
    return "standard input" if source == "-" else source.encode("utf-8", "replace").decode()


def is_record(text: str) -> bool:
    """Does this text begin as a game file does? Otherwise it should be a position."""
    return text.lstrip().startswith(("[", "{"))


def read_game(source: str) -> Game:
    """The game in a file; ends the command if there is none."""
    try:
        return parse_game(read_text(source))
    except Unreadable as error:
        fail(error, MISUSED)
    except ValueError as error:
        fail(f"{shown(source)}: {error}")


def parse_game(text: str) -> Game:
    """A game from the text of its file; raises ValueError with the place of the first fault."""
    from splendor.game.game import Game

    return Game.from_record(text)


def read_board(source: str, turn: int | None) -> tuple[Board, int]:
    """A position, or a game after some of its turns (None: all of them), and how many turns that is."""
    name = "the position"
    try:
        if " " in source.strip() and not _exists(source):
            text = source
        else:
            name = shown(source)
            text = read_text(source)
        return parse_board(text, turn)
    except Unreadable as error:
        fail(f"{error}; give a file, a position in quotes, or - for standard input", MISUSED)
    except NoSuchTurn as error:
        fail(error, MISUSED)
    except ValueError as error:
        fail(f"{name}: {error}")


class NoSuchTurn(Exception):
    """A turn that was not played."""


def parse_board(text: str, turn: int | None) -> tuple[Board, int]:
    """The same from text; a position may be a viewer's form, which hides cards."""
    from splendor.game.position import Board
    from splendor.notation.positions import parse_position

    if not is_record(text):
        if turn:
            raise NoSuchTurn("a position has no turns; --turn is for game files")
        return Board(parse_position(text.strip())), 0
    game = parse_game(text)
    played = len(game.moves)
    if turn is not None and turn > played:
        raise NoSuchTurn(f"the game has {played} turns; there is no turn {turn}")
    while turn is not None and len(game.moves) > turn:
        game.undo()
    return game, len(game.moves)


def _exists(source: str) -> bool:
    try:
        return Path(source).exists()
    except (OSError, ValueError):
        return False
