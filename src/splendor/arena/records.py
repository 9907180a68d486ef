"""Keep the games of a match: a folder with a file for each game, or one file of JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

from splendor.arena.play import GameResult


class Records:
    """Where the records go: a path that ends in `.jsonl` is one file, any other a folder."""

    def __init__(self, path: Path) -> None:
        """Raises FileExistsError rather than mix the games of two matches."""
        self._path, self._is_file = path, path.suffix == ".jsonl"
        if self._is_file:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("x").close()
        else:
            path.mkdir(parents=True, exist_ok=True)
            if any(path.iterdir()):
                raise FileExistsError(f"{path} is not empty")

    def keep(self, result: GameResult, prefix: str = "game") -> None:
        """Write one game."""
        if result.record is None:
            return
        if self._is_file:
            line = {"game": result.job.number, "players": result.job.players, "record": result.record}
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        else:
            self._path.joinpath(f"{prefix}-{result.job.number:06}.txt").write_text(result.record, encoding="utf-8")
