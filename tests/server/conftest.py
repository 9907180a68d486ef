"""Servers for the tests: one without limits for most, others for those that kill it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack

import pytest

from server.clients import Client
from server.process import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that many tests share: patient with floods and with people who are away."""
    with Server(tmp_path_factory.mktemp("server"), grace=3600, heartbeat=5, computers=1) as running:
        yield running


@pytest.fixture(scope="session")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that soon counts people as absent. Nothing at it may be asserted about a table that nobody is at."""
    with Server(tmp_path_factory.mktemp("impatient"), grace=1, absence=4, heartbeat=5, computers=1) as running:
        yield running


@pytest.fixture
async def person(server: Server) -> AsyncIterator[Callable[[], object]]:
    """Makes people, each with a browser of their own."""
    async with AsyncExitStack() as stack:

        async def new(url: str | None = None) -> Client:
            client = await stack.enter_async_context(Client(url or server.url))
            return await client.guest()

        yield new


@pytest.fixture
def person_there(person: Callable[[str], object], impatient: Server) -> Callable[[], object]:
    """Makes people at the impatient server."""
    return lambda: person(impatient.url)
