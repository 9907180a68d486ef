"""Backups: all rows of all tables as compressed JSON lines, read in one transaction, for either kind of database."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import IO

import sqlalchemy as sa
import zstandard
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from splendor.server.database.connect import FileLock, connect, migrate
from splendor.server.database.schema import Columns, metadata, presence

FORMAT = "splendor backup 1"
BATCH = 500
VERSION_TABLE = sa.table("alembic_version", sa.column("version_num"))


class NotEmpty(RuntimeError):
    """The database has something in it, which a restore would mix with the backup."""


async def write_backup(database: str, file: Path) -> int:
    """Write all rows, as they are at one moment, and return how many."""
    engine = connect(database)
    try:
        with file.open("xb") as out, zstandard.ZstdCompressor(level=10).stream_writer(out) as packed:
            async with engine.connect() as connection:
                if engine.dialect.name == "postgresql":
                    await connection.execution_options(isolation_level="REPEATABLE READ")
                return await _write(connection, packed)
    finally:
        await engine.dispose()


async def _write(connection: AsyncConnection, packed: IO[bytes]) -> int:
    revision = (await connection.execute(sa.select(VERSION_TABLE.c.version_num))).scalar()
    packed.write(json.dumps({"format": FORMAT, "revision": revision}).encode() + b"\n")
    count = 0
    for table in metadata.sorted_tables:
        if table is presence:
            continue  # who is connected is nothing to keep
        async for row in await connection.stream(sa.select(table)):
            packed.write(json.dumps([table.name, dict(row._mapping)]).encode() + b"\n")
            count += 1
    return count


async def read_backup(file: Path, database: str) -> int:
    """Bring a backup into an empty database; an older one is brought up to date afterwards."""
    with file.open("rb") as packed:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed), encoding="utf-8")
        try:
            head = json.loads(next(lines))
        except (StopIteration, ValueError, zstandard.ZstdError):
            raise ValueError(f"{file} is no backup") from None
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise ValueError(f"{file} is no backup")
        lock, engine = FileLock(database), connect(database)
        try:
            await migrate(engine, head["revision"])
            count = await _read(engine, lines)
            await migrate(engine)
            return count
        finally:
            await engine.dispose()
            lock.release()


async def _read(engine: AsyncEngine, lines: io.TextIOWrapper) -> int:
    count = 0
    async with engine.connect() as connection:
        await connection.execution_options(is_writer=True)
        async with connection.begin():
            there = await connection.run_sync(lambda reader: sa.inspect(reader).get_table_names())
            for table in metadata.sorted_tables:
                if table.name not in there:
                    continue  # the backup is older than this table
                if (await connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1))).first():
                    raise NotEmpty("the database is not empty; restore into a new one")
            waiting: list[Columns] = []
            name = ""
            for line in lines:
                table_name, row = json.loads(line)
                if table_name != name or len(waiting) >= BATCH:
                    await _insert(connection, name, waiting)
                    waiting, name = [], table_name
                waiting.append(row)
                count += 1
            await _insert(connection, name, waiting)
    return count


async def _insert(connection: AsyncConnection, name: str, rows: list[Columns]) -> None:
    if rows:
        await connection.execute(metadata.tables[name].insert(), rows)
