"""Work in processes: fairly shared, limited in time, refused when there is no room, and never lost to a dead worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from processes import has_ended
from server import jobs
from server.nursery import a_fork_server
from splendor.server.labor.pool import Labor
from splendor.server.labor.queue import NETWORK_SHARES, FairQueue, Full, Kind, ShareSpent, Visitor
from splendor.server.labor.starting import Starter, start_anew
from splendor.server.refusal import RequestRefused

pytestmark = pytest.mark.compiled_only

FIRST, SECOND = Kind("first", seconds=20.0), Kind("second", seconds=20.0)
WORK = Kind("work", seconds=20.0, most_waiting=6, most_of_one=3)
ANN, BOB, CLEO = Visitor("ann", "home"), Visitor("bob", "home"), Visitor("cleo", "elsewhere")


@pytest.fixture(autouse=True)
def workers_find_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))


@pytest.fixture(params=["anew", "forked"])
def start(request: pytest.FixtureRequest, workers_find_the_tests: None) -> Iterator[Starter]:
    """How workers come to be."""
    if request.param == "anew":
        yield start_anew
    else:
        with a_fork_server() as fork_server:
            yield fork_server.start


@pytest.fixture
async def labor(start: Starter) -> AsyncIterator[Labor]:
    workers = Labor(2, [WORK], start)
    yield workers
    await workers.close()


def visitor(name: str) -> Visitor:
    return Visitor(name, name)


def order_of(queue: FairQueue[str]) -> list[str]:
    """The jobs in the order in which they are done, none of them ending."""
    order = []
    while (taken := queue.take()) is not None:
        order.append(taken.job)
    return order


def test_an_earlier_kind_goes_first() -> None:
    queue: FairQueue[str] = FairQueue([FIRST, SECOND], workers=10)
    queue.put(SECOND, ANN, "hint")
    queue.put(FIRST, BOB, "game")
    assert order_of(queue) == ["game", "hint"]


def test_a_kind_leaves_its_spares_to_the_others() -> None:
    sparing = Kind("sparing", seconds=20.0, spares=1)
    queue: FairQueue[str] = FairQueue([FIRST, sparing], workers=2)
    queue.put(sparing, ANN, "a")
    queue.put(sparing, CLEO, "b")
    assert order_of(queue) == ["a"]
    queue.put(FIRST, CLEO, "c")
    assert order_of(queue) == ["c"]
    alone: FairQueue[str] = FairQueue([sparing], workers=1)
    alone.put(sparing, ANN, "with one worker for all, there is none to spare")
    assert order_of(alone)


def test_networks_take_turns_and_so_do_the_visitors_of_each() -> None:
    queue: FairQueue[str] = FairQueue([FIRST], workers=10)
    for job in ("a1", "a2", "a3"):
        queue.put(FIRST, ANN, job)
    queue.put(FIRST, BOB, "b1")
    queue.put(FIRST, CLEO, "c1")
    queue.put(FIRST, CLEO, "c2")
    assert order_of(queue) == ["a1", "c1", "b1", "c2", "a2", "a3"]


def test_a_visitor_who_is_being_served_lets_others_go_first() -> None:
    queue: FairQueue[str] = FairQueue([FIRST], workers=2)
    queue.put(FIRST, ANN, "a1")
    assert order_of(queue) == ["a1"]
    queue.put(FIRST, BOB, "of the same network")
    assert order_of(queue) == []
    queue.put(FIRST, CLEO, "c1")
    assert order_of(queue) == ["c1"]
    queue.done(FIRST, ANN)
    assert order_of(queue) == ["of the same network"]


def test_a_share_and_the_whole_queue_are_limited_and_giving_up_makes_room() -> None:
    kind = Kind("kind", seconds=20.0, most_waiting=3, most_of_one=2)
    queue: FairQueue[str] = FairQueue([kind], workers=1)
    queue.put(kind, ANN, "a1")
    queue.put(kind, ANN, "a2")
    with pytest.raises(ShareSpent):
        queue.put(kind, ANN, "a3")
    queue.put(kind, BOB, "b1")
    with pytest.raises(Full):
        queue.put(kind, CLEO, "c1")
    queue.give_up(kind, ANN, "a1")
    queue.put(kind, CLEO, "c1")
    assert len(queue) == queue.waiting(kind) == 3


def test_many_visitors_of_one_network_have_a_share_together() -> None:
    kind = Kind("kind", seconds=20.0, most_of_one=2)
    queue: FairQueue[str] = FairQueue([kind], workers=1)
    for number in range(NETWORK_SHARES * kind.most_of_one):
        queue.put(kind, Visitor(f"guest {number}", "home"), "job")
    with pytest.raises(ShareSpent):
        queue.put(kind, Visitor("one more", "home"), "job")
    queue.put(kind, CLEO, "job")


async def test_work_is_done_in_another_process_and_its_answer_may_be_large(labor: Labor) -> None:
    assert await labor.run(WORK, ANN, jobs.process) != jobs.process()
    assert await labor.run(WORK, ANN, jobs.answer_of, 5_000_000) == bytes(5_000_000)


async def test_what_a_job_raises_is_raised_here(labor: Labor) -> None:
    with pytest.raises(RequestRefused) as refused:
        await labor.run(WORK, ANN, jobs.refuse)
    assert (refused.value.code, refused.value.params) == ("no_such_seat", {"seat": 3})
    with pytest.raises(RuntimeError, match="Strange: cannot travel"):
        await labor.run(WORK, ANN, jobs.fail_strangely)


async def test_one_visitor_never_has_all_workers(labor: Labor, tmp_path: Path) -> None:
    first = [asyncio.create_task(labor.run(WORK, ANN, jobs.wait_for, tmp_path / "go")) for _ in range(3)]
    await asyncio.sleep(0)
    assert await labor.run(WORK, CLEO, jobs.process)
    with pytest.raises(RequestRefused) as refused:
        await labor.run(WORK, ANN, jobs.process)
    assert (refused.value.status, refused.value.code) == (429, "too_many")
    (tmp_path / "go").touch()
    await asyncio.gather(*first)


async def test_with_a_full_queue_a_job_is_refused_at_once(labor: Labor, tmp_path: Path) -> None:
    visitors = [asyncio.create_task(labor.run(WORK, visitor(str(n)), jobs.wait_for, tmp_path / "go")) for n in range(8)]
    while labor.waiting < 6:
        await asyncio.sleep(0)
    with pytest.raises(RequestRefused) as refused:
        await labor.run(WORK, visitor("one more"), jobs.process)
    assert (refused.value.status, refused.value.code) == (503, "busy")
    (tmp_path / "go").touch()
    await asyncio.gather(*visitors)


async def test_a_job_that_nobody_waits_for_is_not_done(labor: Labor, tmp_path: Path) -> None:
    first = asyncio.create_task(labor.run(WORK, ANN, jobs.wait_for, tmp_path / "go"))
    second = asyncio.create_task(labor.run(WORK, ANN, jobs.note, tmp_path / "notes", "unwanted"))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait([second])
    (tmp_path / "go").touch()
    await first
    await labor.run(WORK, ANN, jobs.note, tmp_path / "notes", "wanted")
    assert (tmp_path / "notes").read_text() == "wanted\n"


async def test_a_hung_worker_is_ended_and_replaced(start: Starter, tmp_path: Path) -> None:
    short = replace(WORK, seconds=0.2)
    labor = Labor(1, [short], start)
    try:
        await labor.warm_up(jobs.process)
        with pytest.raises(RequestRefused) as refused:
            await labor.run(short, ANN, jobs.wait_for, tmp_path / "never")
        assert refused.value.code == "too_long"
        assert await labor.run(short, ANN, jobs.process)
    finally:
        await labor.close()


async def test_a_worker_that_dies_is_replaced(labor: Labor) -> None:
    with pytest.raises(RequestRefused) as refused:
        await labor.run(WORK, ANN, jobs.die)
    assert refused.value.code == "too_long"
    assert await labor.run(WORK, ANN, jobs.process)


async def test_a_job_tells_how_far_it_is(labor: Labor) -> None:
    told: list[object] = []
    assert await labor.run(WORK, ANN, jobs.count_to, 3, tell=told.append) == 3
    assert told == [1, 2, 3]


async def test_a_job_that_tells_ends_when_nobody_wants_it_any_more_and_its_worker_goes_on(tmp_path: Path) -> None:
    labor = Labor(1, [WORK])
    try:
        process, began = await labor.run(WORK, ANN, jobs.process), asyncio.Event()
        endless = asyncio.create_task(labor.run(WORK, ANN, jobs.count_for_ever, tell=lambda _: began.set()))
        await began.wait()
        endless.cancel()
        assert await labor.run(WORK, CLEO, jobs.process) == process
    finally:
        await labor.close()


async def test_who_waits_for_too_long_is_refused(tmp_path: Path) -> None:
    impatient = replace(WORK, patience=0.05)
    labor = Labor(1, [impatient])
    try:
        await labor.run(impatient, CLEO, jobs.process)  # while a worker starts, nobody is refused
        first = asyncio.create_task(labor.run(impatient, ANN, jobs.wait_for, tmp_path / "go"))
        await asyncio.sleep(0)
        with pytest.raises(RequestRefused) as refused:
            await labor.run(impatient, CLEO, jobs.process)
        assert refused.value.code == "busy"
        (tmp_path / "go").touch()
        assert await first
        assert await labor.run(impatient, CLEO, jobs.process)
    finally:
        await labor.close()


async def test_the_more_wait_the_less_time_each_takes(tmp_path: Path) -> None:
    hurried = replace(WORK, is_hurried=True)
    labor = Labor(1, [hurried])
    try:
        tasks = [asyncio.create_task(labor.run(hurried, visitor(name), jobs.share, tmp_path / "go")) for name in "abcd"]
        await asyncio.sleep(0)
        (tmp_path / "go").touch()
        assert await asyncio.gather(*tasks) == [1 / 4, 1 / 3, 1 / 2, 1]
    finally:
        await labor.close()


async def test_workers_end_with_their_server(start: Starter) -> None:
    labor = Labor(1, [WORK], start)
    process = await labor.run(WORK, ANN, jobs.process)
    await labor.close()
    assert has_ended(process)
