"""Our engine: answers every request, hears everything while it thinks, and survives whatever it is sent."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from splendor import Game, parse_move
from splendor.engine import serve as serve_module
from splendor.engine.serve import MOST_AT_ONCE, Engine, serve
from splendor.engine.thinking import INFO_MOVES
from splendor.game.position import View
from splendor.notation import Move
from splendor.players import Player, load
from splendor.protocol.messages import MAX_LINE
from splendor.protocol.ruleset import fingerprint

pytestmark = pytest.mark.compiled_only


class Conversation:
    """An engine in this process, and its replies."""

    def __init__(self, spec: str = "greedy") -> None:
        self.replies: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self.engine = Engine(spec, self._write)

    def _write(self, line: str) -> None:
        with self._news:
            self.replies.append(json.loads(line))
            self._news.notify_all()

    def say(self, **message: Any) -> None:
        assert self.engine.hear(json.dumps(message))

    def answer(self, type_: str, id_: int | None) -> dict[str, Any]:
        """Wait for the reply of this type to this request."""

        def found() -> list[dict[str, Any]]:
            return [reply for reply in self.replies if reply["type"] == type_ and reply.get("id") == id_]

        with self._news:
            assert self._news.wait_for(found, timeout=120), self.replies
            return found()[0]

    def error(self, id_: int | None) -> str:
        return str(self.answer("error", id_)["reason"])


POSITION = Game(2, seed=1).view(0).position


def test_the_engine_introduces_itself() -> None:
    talk = Conversation()
    talk.say(type="hello", id=1, protocol=1, rules=fingerprint())
    welcome = talk.answer("welcome", 1)
    assert (welcome["protocol"], welcome["rules"]) == (1, fingerprint())
    assert [option["name"] for option in welcome["options"]] == ["seed"]


def test_the_engine_finds_a_legal_move() -> None:
    talk = Conversation()
    talk.say(type="position", id=1, position=POSITION, viewer=0)
    talk.say(type="go", id=2)
    assert parse_move(talk.answer("best", 2)["move"]) in Game(2, seed=1).legal_moves


def test_the_engine_plays_whole_games_of_two_three_and_four() -> None:
    for players in (2, 3, 4):
        talk, game = Conversation("random"), Game(players, seed=players, round_cap=12)
        for number in range(0, 2000, 2):
            if game.is_over:
                break
            talk.say(type="position", id=number, position=game.view(game.seat).position, viewer=game.seat)
            talk.say(type="go", id=number + 1)
            game.play(talk.answer("best", number + 1)["move"])
        assert game.is_over


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"type": "hello", "id": 7, "protocol": 2, "rules": fingerprint()}, "speaks protocol 1, not 2"),
        ({"type": "hello", "id": 7, "protocol": 1, "rules": "chess"}, "plays the rules"),
        ({"type": "go", "id": 7}, "no position"),
        ({"type": "analyse", "id": 7}, "no position"),
        ({"type": "position", "id": 7, "position": "nonsense", "viewer": 0}, "a position has"),
        ({"type": "position", "id": 7, "position": POSITION, "viewer": 3}, "there is no seat 3"),
        ({"type": "options", "id": 7, "values": {"hash": 3}}, "there is no option 'hash'"),
        ({"type": "options", "id": 7, "values": {"seed": "x"}}, "a seed is a whole number"),
        ({"type": "best", "id": 7, "move": "pass"}, "unknown type"),
    ],
)
def test_a_request_that_makes_no_sense_gets_an_error(message: dict[str, Any], reason: str) -> None:
    talk = Conversation()
    talk.say(**message)
    assert reason in talk.error(7)


def test_a_position_of_another_seat_or_a_finished_game_is_refused() -> None:
    talk = Conversation()
    talk.say(type="position", id=1, position=Game(2, seed=1).view(1).position, viewer=1)
    talk.say(type="go", id=2)
    assert "it is the turn of seat 0" in talk.error(2)
    game = Game(2, seed=1, round_cap=1)
    game.play("+wug")
    game.play("+wug")
    talk.say(type="position", id=3, position=game.view(0).position, viewer=0)
    talk.say(type="go", id=4)
    assert "the game is over" in talk.error(4)


def test_a_bad_position_does_not_leave_the_last_one_in_place() -> None:
    talk = Conversation()
    talk.say(type="position", id=1, position=POSITION, viewer=0)
    talk.say(type="position", id=2, position="nonsense", viewer=0)
    talk.say(type="go", id=3)
    assert "no position" in talk.error(3)


def test_infinite_thinking_ends_with_stop_and_not_before() -> None:
    talk = Conversation()
    talk.say(type="position", id=1, position=POSITION, viewer=0)
    talk.say(type="go", id=2, infinite=True)
    talk.say(type="ping", id=3)
    talk.answer("pong", 3)
    talk.say(type="go", id=4)
    assert "still thinks about request 2" in talk.error(4)
    talk.say(type="stop", id=99)  # another request, long gone: nothing happens
    assert not any(reply["type"] == "best" for reply in talk.replies)
    talk.say(type="stop", id=2)
    talk.answer("best", 2)
    talk.say(type="go", id=5)
    talk.answer("best", 5)


def test_several_analyses_run_at_once_and_each_has_its_own_position() -> None:
    talk = Conversation("search:simulations=50")
    talk.say(type="position", id=1, position=POSITION, viewer=0)
    talk.say(type="analyse", id=2, infinite=True)
    talk.say(type="go", id=3, infinite=True)
    other = Game(3, seed=2).view(0)
    talk.say(type="position", id=4, position=other.position, viewer=0)
    talk.say(type="analyse", id=5)
    assert len(talk.answer("analysis", 5)["moves"][0]["shares"]) == 3
    talk.say(type="analyse", id=2)
    assert "another request 2" in talk.error(2)
    talk.say(type="options", id=6, values={"seed": 3})
    assert "still thinks about request 2" in talk.error(6)
    talk.say(type="stop", id=2)
    assert len(talk.answer("analysis", 2)["moves"][0]["shares"]) == 2
    assert not any(reply["type"] == "best" for reply in talk.replies)
    talk.say(type="stop", id=3)
    talk.answer("best", 3)
    talk.engine.close()


def test_an_analysis_tells_its_candidates_on_the_way_and_a_go_does_not() -> None:
    talk = Conversation("search")
    talk.say(type="position", id=1, position=POSITION, viewer=0)
    talk.say(type="analyse", id=2, simulations=200)
    moves, told = talk.answer("analysis", 2)["moves"], talk.answer("info", 2)["moves"]
    assert told
    assert len(told) <= INFO_MOVES
    assert {"move", "worth", "prior", "visits", "line"} <= set(told[0])
    assert [reply for reply in talk.replies if reply["type"] == "info"][-1]["moves"] == moves[:INFO_MOVES]
    talk.say(type="go", id=3, simulations=50)
    assert "moves" not in talk.answer("info", 3)


def test_an_analysis_with_the_same_seed_is_the_same_whatever_else_is_thought_about() -> None:
    found = []
    for others in (0, 3):
        talk = Conversation("network")
        talk.say(type="options", id=0, values={"seed": 5})
        talk.say(type="position", id=1, position=POSITION, viewer=0)
        for number in range(others):
            talk.say(type="analyse", id=10 + number, infinite=True)
        talk.say(type="analyse", id=2, simulations=30)
        found.append(talk.answer("analysis", 2)["moves"])
        talk.engine.close()
    assert found[0] == found[1]


def test_there_is_a_limit_to_what_is_thought_about_at_once() -> None:
    talk = Conversation("random")
    talk.say(type="position", id=1, position=POSITION, viewer=0)
    for number in range(MOST_AT_ONCE):
        talk.say(type="analyse", id=10 + number, infinite=True)
    talk.say(type="analyse", id=2)
    assert f"about {MOST_AT_ONCE} requests at once" in talk.error(2)
    talk.say(type="stop", id=10)
    talk.answer("analysis", 10)
    talk.say(type="analyse", id=3)
    talk.answer("analysis", 3)
    talk.engine.close()


class Broken:
    """A player with a bug."""

    def choose(self, view: View) -> Move:
        raise RuntimeError(f"out of ideas in round {view.round}")


def test_a_network_thinks_ahead_when_it_is_told_for_how_long() -> None:
    talk = Conversation("network")
    talk.say(type="position", id=1, position=POSITION, viewer=0)
    talk.say(type="analyse", id=2)
    assert len(talk.answer("analysis", 2)["moves"]) == 1
    talk.say(type="analyse", id=3, simulations=40)
    assert sum(move["visits"] for move in talk.answer("analysis", 3)["moves"]) == 39  # the first is for the root


def test_a_player_that_fails_is_reported_and_the_engine_lives_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def load_broken(spec: str, *, seed: int | None = None) -> Player:
        return Broken() if spec == "broken" else load(spec, seed=seed)

    monkeypatch.setattr(serve_module, "load", load_broken)
    talk = Conversation("broken")
    talk.say(type="position", id=1, position=POSITION, viewer=0)
    talk.say(type="go", id=2)
    assert talk.error(2) == "RuntimeError: out of ideas in round 1"
    talk.say(type="ping", id=3)
    talk.answer("pong", 3)


def test_a_seed_repeats_the_moves() -> None:
    chosen = []
    for _ in range(2):
        talk = Conversation("random")
        talk.say(type="options", id=0, values={"seed": 5})
        talk.say(type="position", id=1, position=POSITION, viewer=0)
        for number in range(2, 8):
            talk.say(type="go", id=number)
            chosen.append(talk.answer("best", number)["move"])
    assert chosen[:6] == chosen[6:]
    assert len(set(chosen)) > 1


def run_engine(data: bytes, player: str = "random") -> list[dict[str, Any]]:
    output = io.StringIO()
    serve(player, io.BytesIO(data), output)
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_a_line_without_end_is_refused_and_the_next_one_heard() -> None:
    data = b"x" * (5 * MAX_LINE) + b'\n{"type":"ping","id":1}\n'
    assert [reply["type"] for reply in run_engine(data)] == ["error", "pong"]


def test_empty_lines_mean_nothing() -> None:
    assert run_engine(b"\n\r\n  \n") == []


fragments = st.sampled_from(
    [
        b'{"type":"ping","id":1}',
        b'{"type":"go","id":2}',
        b'{"type":"go","id":3,"infinite":true}',
        b'{"type":"analyse","id":8,"time":0.01}',
        b'{"type":"stop","id":3}',
        b'{"type":"options","id":4,"values":{"seed":9}}',
        json.dumps({"type": "position", "id": 5, "position": POSITION, "viewer": 0}).encode(),
        json.dumps({"type": "position", "id": 6, "position": POSITION[:-3], "viewer": 0}).encode(),
        json.dumps({"type": "hello", "id": 7, "protocol": 1, "rules": fingerprint()}).encode(),
    ]
)


@given(st.lists(fragments | st.binary(max_size=80), max_size=12))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_random_lines_never_end_the_engine(lines: list[bytes]) -> None:
    if any(b'"quit"' in line for line in lines):
        return
    replies = run_engine(b"\n".join([*lines, b'{"type":"ping","id":4711}\n']))
    assert {"type": "pong", "id": 4711} in replies


def test_the_live_engine_answers_garbage_with_errors_and_quits_when_told() -> None:
    garbage = b"\x00\xff garbage \xfe\n[]\n{}\n" + b'{"type":"go","id":1}\n' * 3
    done = subprocess.run(
        [sys.executable, "-m", "splendor", "engine", "--player", "random"],
        input=garbage + b'{"type":"ping","id":2}\n{"type":"quit","id":3}\n{"type":"ping","id":4}\n',
        capture_output=True,
        check=True,
        timeout=300,
    )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [reply["type"] for reply in replies] == ["error"] * 6 + ["pong"]
    assert done.stderr == b""


def test_a_player_that_does_not_exist_is_refused_at_the_start() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "splendor", "engine", "--player", "nobody"],
        input=b"",
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 2
    assert b"there is no player 'nobody'" in done.stderr
