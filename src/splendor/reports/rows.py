"""Many reviews as one table: a row for each seat of each game, as CSV or Parquet."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from splendor.analysis.grades import COUNTED
from splendor.analysis.model import Review

Row = dict[str, object]


def rows_of(file: str, review: Review) -> Iterable[Row]:
    """The seats of a reviewed game."""
    for seat in review.summary:
        performance = seat.performance
        yield {
            "file": file,
            "players": review.players,
            "turns": len(review.turns),
            "is_over": review.is_over,
            "effort": review.effort,
            "network": review.network,
            "formula": review.formula,
            "seat": seat.seat,
            "name": seat.name,
            "result": seat.result,
            "average": seat.average,
            "deal": seat.deal,
            "luck": seat.luck,
            "own_errors": seat.own_errors,
            "own_errors_error": seat.own_errors_error,
            "others_errors": seat.others_errors,
            "others_errors_error": seat.others_errors_error,
            "rest": seat.rest,
            "decisions": seat.decisions,
            "mean_loss": seat.mean_loss,
            "accuracy": seat.accuracy,
            "performance": None if performance is None else performance.scale,
            "performance_low": None if performance is None else performance.low,
            "performance_high": None if performance is None else performance.high,
            **{grade: seat.grades.get(grade, 0) for grade in COUNTED},
            "decided_by": review.decided_by,
        }


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """A table that every program reads."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else [])
        writer.writeheader()
        writer.writerows(rows)


def write_parquet(path: Path, rows: Sequence[Row]) -> None:
    """The same with types; raises ImportError without the `data` extra."""
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    pq.write_table(pa.Table.from_pylist(list(rows)), path)
