"""External engines: whatever they do, they fail with a reason, end for sure and hurt nobody."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from processes import has_ended, misbehaving
from splendor import Game, View
from splendor.players import load
from splendor.protocol.client import EngineFailure, EnginePlayer, Limits
from splendor.protocol.messages import Info, Message

pytestmark = pytest.mark.compiled_only


def engine(fault: str, *arguments: str, timeout: float = 60.0) -> EnginePlayer:
    return EnginePlayer(misbehaving(fault, *arguments), limits=Limits(start_timeout=timeout, move_timeout=timeout))


def some_view() -> View:
    return Game(2, seed=1).view(0)


def test_a_polite_engine_plays_a_game() -> None:
    game = Game(2, seed=3)
    with engine("polite") as one:
        for _ in range(6):
            legal = game.legal_moves[0]
            assert game.play(one.choose(game.view(game.seat))) == legal


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("dead", "the engine ended with exit status 1"),
        ("crash", "the engine ended with exit status 3; it wrote to stderr: out of ideas"),
        ("killed", "the engine ended with signal 9"),
        ("garbage", "what is no message"),
        ("binary", "what is no message"),
        ("long line", "a line of more than"),
        ("flood", "the engine floods"),
        ("big flood", "the engine floods"),
        ("illegal", r"the engine's move '\+www' is illegal: take one token each"),
        ("no move", "the engine's move 'hello' is illegal"),
        ("unknown field", "mood: unknown field"),
        ("wrong answer", "the engine answered with 'pong', not 'best'"),
        ("bad id", "id: Input should be greater than or equal to 0"),
        ("error", "the engine reports an error: no idea"),
        ("other rules", "the engine plays other rules"),
        ("other protocol", "the engine speaks protocol 99, not 1"),
    ],
)
def test_a_fault_is_a_failure_with_a_reason(fault: str, reason: str) -> None:
    with engine(fault) as one, pytest.raises(EngineFailure, match=reason):
        one.choose(some_view())


@pytest.mark.parametrize("fault", ["deaf", "hang"])
def test_who_does_not_answer_is_not_waited_for(fault: str) -> None:
    with engine(fault, timeout=0.7) as one, pytest.raises(EngineFailure, match=r"did not answer within 0\.7 seconds"):
        one.choose(some_view())


def test_a_command_that_does_not_exist_is_a_failure() -> None:
    with EnginePlayer("no-such-program-anywhere") as one, pytest.raises(EngineFailure, match="does not start"):
        one.choose(some_view())


def test_noise_on_stderr_is_read_away() -> None:
    with engine("noisy") as one:
        one.choose(some_view())
        one.choose(some_view())


def test_a_failed_engine_starts_again_for_the_next_question() -> None:
    with engine("crash") as one:
        for _ in range(2):
            with pytest.raises(EngineFailure, match="exit status 3"):
                one.choose(some_view())


def test_an_engine_killed_from_outside_fails_and_comes_back() -> None:
    with engine("polite") as one:
        one.choose(some_view())
        os.kill(pid_of(one), signal.SIGKILL)
        with pytest.raises(EngineFailure, match="signal 9"):
            one.choose(some_view())
        one.choose(some_view())


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_the_children_of_an_engine_end_with_it(tmp_path: Path) -> None:
    note = tmp_path / "child"
    with engine("family", str(note), timeout=5) as one, pytest.raises(EngineFailure, match="did not answer"):
        one.choose(some_view())
    assert has_ended(int(note.read_text()))


def test_closing_ends_an_engine_that_ignores_quit_and_leaves_no_zombie() -> None:
    one = engine("stays")
    one.choose(some_view())
    pid = pid_of(one)
    one.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    assert has_ended(pid)


def test_an_engine_that_nobody_holds_any_more_is_ended() -> None:
    one = engine("polite")
    one.choose(some_view())
    pid = pid_of(one)
    del one
    assert has_ended(pid)


def pid_of(one: EnginePlayer) -> int:
    assert one._program is not None
    return one._program.pid


# --------------------------------------------------------------------------------------- what an engine is told


class Recorder(EnginePlayer):
    """Keeps what is sent."""

    def __init__(self) -> None:
        super().__init__(misbehaving("polite"))
        self.sent: list[Message] = []

    def _send(self, message: Message) -> None:
        self.sent.append(message)
        super()._send(message)

    def __enter__(self) -> Recorder:
        return self


def games_that_look_alike() -> Iterator[tuple[Game, Game]]:
    """Pairs of games in which the seat whose turn it is sees the same, but other cards are hidden."""
    for seed in range(5):
        game, chance = Game(3, seed=seed), np.random.default_rng(seed)
        for _ in range(25):
            game.play(game.legal_moves[chance.integers(len(game.legal_moves))])
            if game.is_over:
                break
            other = Game._from_state(game.view(game.seat).redeal(seed + 1000), {})
            if other.position != game.position:
                yield game.copy(), other


def test_what_an_engine_is_told_does_not_depend_on_hidden_cards() -> None:
    pairs = list(games_that_look_alike())
    assert len(pairs) > 50
    with Recorder() as one, Recorder() as two:
        for game, other in pairs:
            one.choose(game.view(game.seat))
            two.choose(other.view(other.seat))
        assert one.sent == two.sent


# ------------------------------------------------------------------------------------------- our own engine


def test_our_engine_plays_the_same_moves_as_the_player_behind_it() -> None:
    game = Game(2, seed=5)
    inside = load("greedy:noise=0.5", seed=11)
    command = f"{sys.executable} -m splendor engine --player greedy:noise=0.5"
    outside = load(f"engine:{command}", seed=11)
    assert isinstance(outside, EnginePlayer)
    with outside:
        for _ in range(10):
            view = game.view(game.seat)
            move = inside.choose(view)
            assert outside.choose(view) == move
            game.play(move)
        assert outside.welcome.name.endswith("greedy:noise=0.5")


def test_an_analysis_lists_legal_moves() -> None:
    told: list[Info] = []
    with EnginePlayer(f"{sys.executable} -m splendor engine --player greedy") as one:
        one.on_info = told.append
        view = some_view()
        assert all(move in view.legal_moves for move, _ in one.analyse(view))
