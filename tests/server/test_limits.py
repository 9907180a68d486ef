"""Rate limits: what counts as one visitor, and that a flood changes nothing for those who are limited already."""

from __future__ import annotations

import contextlib

import pytest

from splendor.server.access import limits
from splendor.server.access.limits import LIMITS, NETWORK_SHARES, RateLimits, mark_of
from splendor.server.access.networks import network_of
from splendor.server.refusal import RequestRefused

pytestmark = pytest.mark.compiled_only


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def spent(counted: RateLimits, who: str, kind: str = "account") -> bool:
    """Try one deed: was there anything left?"""
    try:
        counted.spend(kind, who)
    except RequestRefused:
        return True
    return False


def test_a_bucket_is_emptied_at_once_and_fills_with_time() -> None:
    clock = Clock()
    counted = RateLimits(1.0, clock)
    burst, rate = LIMITS["account"]
    assert [spent(counted, "a") for _ in range(int(burst) + 1)] == [False] * int(burst) + [True]
    clock.now += 1 / rate + 0.001
    assert not spent(counted, "a")
    assert spent(counted, "a")


def test_a_flood_of_other_visitors_never_gives_anyone_a_new_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BUCKETS", 100)
    counted = RateLimits(1.0, Clock())
    while not spent(counted, "attacker"):
        pass
    for number in range(1000):
        spent(counted, f"other {number}")
    assert spent(counted, "attacker")


def test_beyond_the_room_for_buckets_newcomers_share_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BUCKETS", 100)
    clock = Clock()
    counted = RateLimits(1.0, clock)
    for number in range(100 + int(LIMITS["account"].burst)):
        assert not spent(counted, f"other {number}")
    assert spent(counted, "a newcomer")
    assert not spent(counted, "other 0")
    clock.now += LIMITS["account"].burst / LIMITS["account"].rate
    assert not spent(counted, "a newcomer")


def test_full_buckets_are_forgotten() -> None:
    clock = Clock()
    counted = RateLimits(1.0, clock)
    for number in range(50):
        spent(counted, f"other {number}")
    clock.now += 3600
    spent(counted, "a")
    assert list(counted._buckets["account"]) == [mark_of("a")]


def test_very_many_guests_of_one_network_have_what_ten_have() -> None:
    counted = RateLimits(1.0, Clock())
    burst = int(LIMITS["analysis"].burst)
    served = 0
    for number in range(NETWORK_SHARES + 5):
        with contextlib.suppress(RequestRefused):
            for _ in range(burst):
                counted.spend("analysis", f"guest {number}", "their network")
                served += 1
    assert served == NETWORK_SHARES * burst
    with pytest.raises(RequestRefused) as refused:
        counted.spend("analysis", "one more", "their network")
    assert refused.value.params["what"] == "analysis"
    counted.spend("analysis", "one more", "another network")
    for _ in range(burst):
        counted.spend("analysis", "a network of strangers", "a network of strangers")  # which counts once


def test_a_limit_that_is_reached_again_and_again_is_one_line_of_the_security_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Clock()
    counted = RateLimits(1.0, clock)
    with caplog.at_level("INFO"):
        while not spent(counted, "eve"):
            pass
        for _ in range(100):
            clock.now += 1 / LIMITS["account"].rate
            while not spent(counted, "eve"):
                pass
    assert [record.message for record in caplog.records] == ["limit reached"]


def share(processes: list[RateLimits]) -> None:
    """What each process has spent is told to the others."""
    for teller in processes:
        notices = list(teller.tell())
        assert all(len(notice) < 8000 - 100 for notice in notices)  # what PostgreSQL takes, with the sender's name
        for _, kind, *spent in map(str.split, notices):
            for hearer in processes:
                if hearer is not teller:
                    hearer.hear(kind, spent)


def test_whoever_goes_to_several_processes_has_in_the_long_run_what_one_gives() -> None:
    clock = Clock()
    processes = [RateLimits(1.0, clock) for _ in range(2)]
    for process in processes:
        process.is_shared = True
    burst, rate = LIMITS["message"]
    served = 0
    for _ in range(60):
        clock.now += 1
        for process in processes:
            while not spent(process, "a", "message"):
                served += 1
        share(processes)
    assert 60 * rate < served <= 2 * burst + 60 * rate
    clock.now += 2 * burst / rate
    assert not spent(processes[0], "a", "message")


def test_what_many_have_spent_is_told_in_pieces() -> None:
    here, there = RateLimits(1.0, Clock()), RateLimits(1.0, Clock())
    here.is_shared = True
    for number in range(1000):
        for _ in range(int(LIMITS["account"].burst)):
            here.spend("account", f"visitor {number}, with a name: \N{SNOWMAN}")
    share([here, there])
    assert all(spent(there, f"visitor {number}, with a name: \N{SNOWMAN}") for number in range(1000))
    assert not spent(there, "somebody else")


def test_addresses_of_one_customer_count_as_one() -> None:
    assert network_of("2001:db8:0:1::1") == network_of("2001:db8:0:1:ffff:ffff:ffff:ffff")
    assert network_of("2001:db8:0:1::1") != network_of("2001:db8:0:2::1")
    assert network_of("fe80::1%eth0") == network_of("fe80::2%eth0")
    assert network_of("192.0.2.1") != network_of("192.0.2.2")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1")
    assert network_of("?") == "?"
