"""The transcript in `docs/protocol.md`, played with the real program; and the other facts on that page."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from splendor import View, parse_move
from splendor.protocol.client import MAX_REPLIES, MAX_REPLY_BYTES, Limits
from splendor.protocol.messages import MAX_LINE, PROTOCOL, parse_reply, parse_request
from splendor.protocol.process import Program, ProgramEnded
from splendor.protocol.ruleset import fingerprint

pytestmark = pytest.mark.compiled_only

PAGE = Path(__file__).parents[1].joinpath("docs", "protocol.md").read_text(encoding="utf-8")
TRANSCRIPT = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)
COMMAND = re.search(r"^ {4}splendor (engine --player search.*)$", PAGE, re.MULTILINE)
MAY_DIFFER = {"name", "move", "moves", "shares", "visits", "line"}
PATIENCE = 300.0  # seconds; only a broken engine needs them


def conversation() -> list[tuple[str, str]]:
    """The lines of the transcript, each with who says it."""
    assert TRANSCRIPT is not None
    return [(line[0], line[2:]) for line in TRANSCRIPT[1].splitlines()]


@pytest.fixture
def engine() -> Any:
    assert COMMAND is not None
    program = Program(f"{shlex.quote(sys.executable)} -m splendor {COMMAND[1]}", MAX_LINE)
    yield program
    program.close()


def next_reply(engine: Program, expected: dict[str, Any]) -> dict[str, Any]:
    """The next line; infos on the way may come more often than the page shows, and of other requests in between."""
    while True:
        reply: dict[str, Any] = json.loads(engine.receive(PATIENCE))
        if reply["type"] != "info" or (expected["type"] == "info" and reply["id"] == expected["id"]):
            return reply


def check_candidates(moves: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """They have the fields on the page, and stand in the order of their worth."""
    assert set(moves[0]) == set(expected[0])
    assert [move["worth"] for move in moves] == sorted((move["worth"] for move in moves), reverse=True)
    for move in moves:
        assert move["line"][0] == move["move"]
        assert ("error" in move) == (move["visits"] > 1)


def test_the_transcript_is_what_the_engine_says(engine: Program) -> None:
    seen: View | None = None
    for side, line in conversation():
        if side == ">":
            engine.send(line)
            if '"type":"position"' in line and "nonsense" not in line:
                message = json.loads(line)
                seen = View.from_position(message["position"], message["viewer"])
            continue
        expected = json.loads(line)
        reply = next_reply(engine, expected)
        parse_reply(json.dumps(reply))
        assert set(reply) == set(expected)
        for field in set(expected) - MAY_DIFFER:
            assert reply[field] == expected[field]
        if reply["type"] == "best":
            assert seen is not None
            assert parse_move(reply["move"]) in seen.legal_moves
        if "moves" in reply:
            check_candidates(reply["moves"], expected["moves"])
    with pytest.raises(ProgramEnded):
        engine.receive(PATIENCE)
    assert engine.close(PATIENCE) == 0


def test_the_requests_of_the_transcript_are_well_formed_where_they_should_be() -> None:
    requests = [line for side, line in conversation() if side == ">"]
    assert {parse_request(line).type for line in requests if "depth" not in line and line.startswith("{")} == {
        "hello",
        "options",
        "position",
        "go",
        "analyse",
        "stop",
        "ping",
        "quit",
    }


def test_the_numbers_on_the_page_are_true() -> None:
    assert f"    {fingerprint()}\n" in PAGE
    assert f"version **{PROTOCOL}**" in PAGE
    assert f"at most {MAX_LINE} bytes" in PAGE
    assert f"more than {MAX_REPLIES} messages or {MAX_REPLY_BYTES // 2**20} MiB" in PAGE
    assert f"({Limits().start_timeout:g} seconds by default)" in PAGE
    assert f"({Limits().move_timeout:g} seconds by default" in PAGE


@pytest.mark.parametrize("command", ["python3 examples/ten_line_bot.py", "node examples/saver.js"])
def test_the_page_and_the_examples_name_each_other(command: str) -> None:
    path = command.split()[1]
    assert path in PAGE
    assert f"engine:{command}" in Path(__file__).parents[1].joinpath(path).read_text(encoding="utf-8")


def test_the_engine_ends_when_its_input_ends() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "splendor", "engine", "--player", "random"],
        input=b'{"type":"ping","id":1}\n',
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0
    assert done.stdout == b'{"type":"pong","id":1}\n'
