"""A match on a Ray cluster of two workers, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal
import warnings

import pytest

from splendor.arena import Conditions, play_match
from splendor.arena.cluster import RayCrew
from splendor.arena.play import GameResult

pytestmark = pytest.mark.compiled_only

pytest.importorskip("ray", reason="Ray is an extra")

PLAYERS = ["greedy:noise=1", "random"]
CONDITIONS = Conditions(round_cap=20, keep_records=True)


@pytest.mark.filterwarnings("ignore")  # Ray leaves sockets and files to the garbage collector
def test_no_game_is_lost_or_counted_twice_when_a_worker_is_killed() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        crew = RayCrew("local", 2)
        victims = crew.pids()[:1]
        kept: list[GameResult] = []

        def watch(result: GameResult) -> None:
            kept.append(result)
            if result.job.number == 5:
                os.kill(victims.pop(), signal.SIGKILL)

        shared = play_match(PLAYERS, 24, 7, conditions=CONDITIONS, crew=crew, watch=watch)
    assert not victims
    assert [result.job.number for result in kept] == list(range(24))
    assert shared.to_json() == play_match(PLAYERS, 24, 7, conditions=CONDITIONS).to_json()


def test_without_a_cluster_at_the_address_the_refusal_says_so() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ValueError, match="there is no Ray cluster at"):
            RayCrew("127.0.0.1:1")
