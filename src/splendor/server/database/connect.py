"""Open the database and bring it up to date."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

SQLITE_SETTINGS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000")
STORAGE_ERRORS = (sa.exc.SQLAlchemyError, OSError)  # what a database may say, or the way to it
MIGRATION_LOCK = 7_361_115  # names our advisory lock in PostgreSQL
T = TypeVar("T")


def database_url(text: str) -> sa.URL:
    """A URL with the driver that we use; raises ValueError for other kinds of database."""
    try:
        url = sa.make_url(text)
    except sa.exc.ArgumentError:
        raise ValueError("the database is given as sqlite:///FILE or postgresql://…") from None
    if url.drivername.startswith("sqlite"):
        return url.set(drivername="sqlite+aiosqlite")
    if url.drivername.startswith("postgres"):
        return url.set(drivername="postgresql+asyncpg")
    raise ValueError(f"{url.drivername} is not supported; use sqlite:///FILE or postgresql://…")


CONNECTIONS = 5  # for what players wait for; PostgreSQL has as many more for a rush
READING = 2  # for what may take long in a large database: lists of games and players


def connect(text: str, name: str = "splendor", connections: int = CONNECTIONS) -> AsyncEngine:
    """An engine for the database; the folder of an SQLite file is made. PostgreSQL is told the name of the process."""
    url = database_url(text)
    if url.get_backend_name() == "postgresql":
        settings = {"server_settings": {"application_name": name}}
        return create_async_engine(
            url,
            hide_parameters=True,
            pool_size=connections,
            max_overflow=connections,
            pool_pre_ping=True,
            connect_args=settings,
        )
    if url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_async_engine(
        url, hide_parameters=True, poolclass=AsyncAdaptedQueuePool, pool_size=connections, max_overflow=0
    )
    sa.event.listen(engine.sync_engine, "connect", _set_up_sqlite)
    sa.event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return engine


class WritingThread:
    """Writes to an SQLite file in a thread of its own: half the work of handing it each statement from elsewhere."""

    def __init__(self, url: sa.URL) -> None:
        """The file is opened when something is written."""
        self._engine = sa.create_engine(url.set(drivername="sqlite"), hide_parameters=True, poolclass=sa.StaticPool)
        self._thread = ThreadPoolExecutor(1, "writer")
        sa.event.listen(self._engine, "connect", _set_up_sqlite)
        sa.event.listen(self._engine, "begin", _begin_sqlite)

    async def run(self, work: Callable[[sa.Connection], T]) -> T:
        """Work in a transaction of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    def _run(self, work: Callable[[sa.Connection], T]) -> T:
        with self._engine.execution_options(is_writer=True).begin() as connection:
            return work(connection)

    async def close(self) -> None:
        """Finish what is being written."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._engine.dispose)
        self._thread.shutdown()


def _set_up_sqlite(connection: DBAPIConnection, _: object) -> None:
    connection.isolation_level = None  # we say when a transaction begins
    cursor = connection.cursor()
    for setting in SQLITE_SETTINGS:
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin_sqlite(connection: sa.Connection) -> None:
    """A writer takes the lock when it begins, so that it never has to give up half-way."""
    is_writer = connection.get_execution_options().get("is_writer", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writer else "BEGIN")


MOST_ADDRESS = 300  # bytes of an address in the lock file


class Unusable(RuntimeError):
    """This database cannot be used; the message says why."""


@contextlib.contextmanager
def to_be_read(text: str) -> Iterator[None]:
    """For whoever only reads a database, which must be there and be ours; raises Unusable."""
    url = database_url(text)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise Unusable(f"there is no database {url.database}")
    try:
        yield
    except sa.exc.DBAPIError as error:
        raise Unusable(f"the database cannot be read: {error.orig}") from None


class FileLock:
    """An SQLite file serves one process; PostgreSQL is for several."""

    def __init__(self, text: str) -> None:
        """Take the lock, in a new folder if need be; raises Unusable if that cannot be."""
        url = database_url(text)
        self._file: int | None = None
        if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
            return
        try:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(f"{url.database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise Unusable(f"cannot write to {url.database}: {error.strerror}; choose another --database") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            where = os.read(self._file, MOST_ADDRESS).decode(errors="replace")
            os.close(self._file)
            at = f" and is at {where}" if where else ""
            raise Unusable(f"another server uses {url.database}{at}; several servers need PostgreSQL") from None
        os.ftruncate(self._file, 0)

    def note(self, address: str) -> None:
        """Tell whoever finds the file locked where its server is."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, address.encode()[:MOST_ADDRESS], 0)

    def release(self) -> None:
        """Let another server have the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


async def migrate(engine: AsyncEngine, revision: str = "head") -> None:
    """Bring the tables up to date; with several processes, one of them does it while the others wait."""
    async with engine.connect() as connection:
        await connection.execution_options(is_writer=True)
        async with connection.begin():
            if engine.dialect.name == "postgresql":
                await connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
            await connection.run_sync(_migrate, revision)


def _migrate(connection: sa.Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
