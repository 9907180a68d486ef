"""Text for moves, positions and whole games: one documented format each, read and written here only."""

from splendor.notation.errors import NotationError
from splendor.notation.json import parse_json_record, record_from_json, record_to_json
from splendor.notation.moves import Move, Tokens, format_move, format_tokens, parse_move, parse_tokens
from splendor.notation.positions import format_position, parse_position
from splendor.notation.records import Record, Turn, format_record, parse_record

__all__ = [
    "Move",
    "NotationError",
    "Record",
    "Tokens",
    "Turn",
    "format_move",
    "format_position",
    "format_record",
    "format_tokens",
    "parse_json_record",
    "parse_move",
    "parse_position",
    "parse_record",
    "parse_tokens",
    "record_from_json",
    "record_to_json",
]
