"""The JSON twin of a game file, for programs that would rather not parse text.

It holds the same: tags, position, turns. `schema()` is its JSON Schema (draft 2020-12), also kept as
`data/game.schema.json`.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from splendor.core.components import CARDS
from splendor.notation.errors import NotationError
from splendor.notation.moves import parse_move
from splendor.notation.positions import format_position, parse_position
from splendor.notation.records import FORMAT, Record, TooManyTurns, Turn, check_tag, check_text, parse_record

Json = Any  # whatever JSON can say
JsonObject = dict[str, Json]

TURN_KEYS = {"move", "drawn", "comment", "evaluation", "clock"}


def schema() -> JsonObject:
    """The JSON Schema of a game."""
    text = resources.files("splendor").joinpath("data", "game.schema.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def record_to_json(record: Record) -> JsonObject:
    """A record as plain dicts and lists."""
    return {
        "game": FORMAT,
        "tags": dict(record.tags),
        "position": format_position(record.position),
        "turns": [_turn_to_json(turn) for turn in record.turns],
    }


def _turn_to_json(turn: Turn) -> JsonObject:
    entry: JsonObject = {"move": str(turn.move)}
    if turn.drawn is not None:
        entry["drawn"] = turn.drawn
    if turn.comment:
        entry["comment"] = turn.comment
    if turn.evaluation is not None:
        entry["evaluation"] = list(turn.evaluation)
    if turn.clock is not None:
        entry["clock"] = turn.clock
    return entry


def parse_any_record(text: str, *, most_turns: int | None = None) -> Record:
    """Read a game file, text or JSON; raises NotationError."""
    parse = parse_json_record if text.lstrip().startswith("{") else parse_record
    return parse(text, most_turns=most_turns)


def parse_json_record(text: str, *, most_turns: int | None = None) -> Record:
    """Read a game from JSON text; raises NotationError for anything that the schema does not allow."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotationError(f"this is not JSON: {error.msg}", error.colno, error.lineno) from None
    except ValueError:
        raise NotationError("this is not a game: a number has too many digits", 1, 1) from None
    except RecursionError:
        raise NotationError("this is not a game: it is nested too deeply", 1, 1) from None
    return record_from_json(data, most_turns=most_turns)


def record_from_json(data: Json, *, most_turns: int | None = None) -> Record:
    """A record from plain dicts and lists."""
    _need(isinstance(data, dict) and data.get("game") == FORMAT, f'a game has "game": "{FORMAT}"')
    unknown = sorted(set(data) - {"game", "tags", "position", "turns"})
    _need(not unknown, f"unknown field {unknown[0]!r}" if unknown else "")
    tags, position, turns = data.get("tags", {}), data.get("position"), data.get("turns")
    _need(isinstance(position, str), "position must be a text")
    _need(isinstance(turns, list), "turns must be a list")
    _need(isinstance(tags, dict) and all(isinstance(value, str) for value in tags.values()), "tags must be texts")
    for name, value in tags.items():
        try:
            check_tag(name, value)
        except ValueError as error:
            raise NotationError(str(error)) from None
    if most_turns is not None and len(turns) > most_turns:
        raise TooManyTurns(most_turns)
    try:
        state = parse_position(position)
    except NotationError as error:
        raise NotationError(f"position: {error}") from None
    return Record(state, dict(tags), [_turn_from_json(turn, index) for index, turn in enumerate(turns)])


def _turn_from_json(data: Json, index: int) -> Turn:
    where = f"turns[{index}]"
    _need(isinstance(data, dict) and isinstance(data.get("move"), str), f"{where} must have a move")
    unknown = sorted(set(data) - TURN_KEYS)
    _need(not unknown, f"{where} has the unknown field {unknown[0]!r}" if unknown else "")
    drawn, comment, clock = data.get("drawn"), data.get("comment", ""), data.get("clock")
    evaluation = data.get("evaluation")
    _need(drawn is None or (_is_int(drawn) and 1 <= drawn <= CARDS), f"{where}: drawn is a card, 1 to {CARDS}")
    _need(isinstance(comment, str), f"{where}: a comment is a text")
    _need(
        evaluation is None
        or (isinstance(evaluation, list) and evaluation and all(_is_number(n) and 0 <= n <= 1 for n in evaluation)),
        f"{where}: an evaluation is a list of shares from 0 to 1",
    )
    _need(clock is None or (_is_number(clock) and 0 <= clock < float("inf")), f"{where}: a clock is seconds from 0 on")
    try:
        move = parse_move(data["move"])
        check_text(comment)
    except ValueError as error:
        raise NotationError(f"{where}: {error}") from None
    shares = None if evaluation is None else tuple(float(share) for share in evaluation)
    return Turn(move, drawn, comment, shares, None if clock is None else float(clock))


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return _is_int(value) or isinstance(value, float)


def _need(condition: object, problem: str) -> None:
    if not condition:
        raise NotationError(problem)
