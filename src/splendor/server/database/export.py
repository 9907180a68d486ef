"""All finished games as one file: compressed JSON lines, or Parquet. `docs/api.md` has the schema."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import zstandard

from splendor.notation import parse_record, record_to_json
from splendor.notation.json import JsonObject
from splendor.server.database.archive import GameArchive
from splendor.server.database.connect import connect
from splendor.server.database.schema import Row

BATCH = 1000  # games in one row group of a Parquet file


def line_of(row: Row) -> JsonObject:
    """One game: what the archive says, and the record as its JSON twin."""
    return {
        "id": row.id,
        "players": row.players,
        "finished": row.finished,
        "turns": row.turns,
        "reason": row.reason,
        "is_rated": bool(row.is_rated),
        "record": record_to_json(parse_record(row.record)),
    }


async def compressed_lines(rows: AsyncIterator[Row]) -> AsyncIterator[bytes]:
    """The games as JSON lines, compressed with Zstandard."""
    packer = zstandard.ZstdCompressor(level=10).compressobj()
    async for row in rows:
        piece = packer.compress(json.dumps(line_of(row), separators=(",", ":")).encode() + b"\n")
        if piece:
            yield piece
    yield packer.flush()


async def write_parquet(rows: AsyncIterator[Row], file: Path) -> int:
    """The games as a Parquet file, the record as text; returns how many."""
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    schema = pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            pa.field("players", pa.int8(), nullable=False),
            pa.field("finished", pa.timestamp("ms", tz="UTC"), nullable=False),
            pa.field("turns", pa.int32(), nullable=False),
            pa.field("reason", pa.string(), nullable=False),
            pa.field("is_rated", pa.bool_(), nullable=False),
            pa.field("record", pa.string(), nullable=False),
        ],
        metadata={"format": "splendor games 1"},
    )
    count = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        batch: list[JsonObject] = []
        async for row in rows:
            values = {name: getattr(row, name) for name in schema.names}
            batch.append({**values, "finished": int(row.finished * 1000), "is_rated": bool(row.is_rated)})
            if len(batch) == BATCH:
                writer.write_table(pa.Table.from_pylist(batch, schema))
                batch = []
            count += 1
        writer.write_table(pa.Table.from_pylist(batch, schema))
    return count


async def write_lines(rows: AsyncIterator[Row], file: Path) -> None:
    """The games as a `.jsonl.zst` file."""
    with file.open("wb") as out:
        async for piece in compressed_lines(rows):
            out.write(piece)


def write_public_lines(database: str, file: Path) -> None:
    """All public finished games of a database: for a worker, which opens it for itself."""

    async def write() -> None:
        engine = connect(database)
        try:
            await write_lines(GameArchive(engine).all_finished(with_private=False), file)
        finally:
            await engine.dispose()

    asyncio.run(write())
