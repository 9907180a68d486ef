"""The log: what is stored can be read back, also what was written by earlier versions."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from splendor.game.game import Game
from splendor.server import messages as m
from splendor.server.tables import log, viewers
from splendor.server.tables.table import OnlineTable

pytestmark = pytest.mark.compiled_only

POSITION = Game(players=2, seed=1).position
ANN, BOB = ({"id": name, "name": name, "guest": None, "is_computer": False, "level": None} for name in ("ann", "bob"))

# As the first version wrote them, one of each kind. These texts must never be changed.
OLD: list[dict[str, Any]] = [
    {
        "kind": "created",
        "public": True,
        "spectators": True,
        "clock": {"kind": "none"},
        "order": "chosen",
        "secret": "11" * 32,
        "seats": [{"kind": "person", "person": ANN}, {"kind": "open"}],
    },
    {"kind": "sat_down", "seat": 1, "person": BOB, "commit": None},
    {"kind": "left", "seat": 1, "reason": "left"},
    {"kind": "sat_down", "seat": 1, "person": BOB, "commit": None},
    {"kind": "committed", "seat": 1, "commit": "22" * 32},
    {"kind": "revealed", "seat": 1, "nonce": "33" * 32},
    {"kind": "started", "position": POSITION, "order": [0, 1]},
    {"kind": "played", "seat": 0, "move": "+wug", "is_step": False},
    {"kind": "takeback_offered", "seat": 0},
    {"kind": "takeback_declined", "seat": 1},
    {"kind": "takeback_offered", "seat": 0},
    {"kind": "takeback_agreed", "seat": 1},
    {"kind": "took_back", "turns": 1},
    {"kind": "went_absent", "seat": 1, "until": 1060.0},
    {"kind": "voted", "seat": 0, "absent": 1, "choice": "wait"},
    {"kind": "came_back", "seat": 1},
    {"kind": "clocks_resumed", "used": 1.5},
    {"kind": "engine_trouble", "seat": 0, "level": "fish", "instead": "journeyman"},
    {"kind": "replaced", "seat": 1, "level": "journeyman"},
    {"kind": "forfeited", "seat": 1, "reason": "resigned"},
    {"kind": "ended", "absent": 1},
    {"kind": "aborted", "seat": None, "reason": "swept"},
    {"kind": "rematched", "seat": 0, "table": "u" * 22},
]
SINCE = {"declined", "introduced", "filled", "emptied"}  # kinds that the first version did not write


def test_every_kind_of_entry_is_tried_here() -> None:
    kinds = {model.model_fields["type"].default for model in get_args(log.AnyEntry)}
    assert {entry["kind"] for entry in OLD} == kinds - SINCE


@pytest.mark.parametrize("old", OLD, ids=lambda old: str(old["kind"]))
def test_what_the_first_version_wrote_is_read_and_what_is_written_is_the_same(old: dict[str, Any]) -> None:
    entry = log.parse_entry(json.dumps(old))
    written = json.loads(log.format_entry(entry))
    assert written["type"] == old["kind"]
    assert set(old) - {"kind"} <= set(written)
    assert set(written) - set(old) <= {"type", "procedure", "position", "pairing", "patience"}
    assert log.parse_entry(log.format_entry(entry)) == entry


def test_an_old_log_is_folded_and_shown() -> None:
    table = OnlineTable("t" * 22)
    for version, old in enumerate(OLD, 1):
        table.apply(log.Stored(version, 1000.0, log.parse_entry(json.dumps(old))))
    events = viewers.events_since(table, None, 0)
    assert [event.version for event in events] == list(range(1, len(OLD) + 1))
    assert {event.at for event in events} == {1000.0}
    shown = "".join(event.model_dump_json() for event in events)
    for secret in ("11" * 32, "22" * 32, "33" * 32, POSITION):
        assert secret not in shown
    assert m.Update.model_validate_json(viewers.update_message(table, "ann", 1000.0, 0).model_dump_json())
