"""Games of chosen players as files for learning and statistics: Parquet for programs, JSON lines for everybody.

A dataset is a folder. Its `manifest.json` says how it was made, what every column means and what is there: parts of
some games each, with a checksum for each file. A part has up to three files:

    games-00000.parquet       one row for each game: who played, how it ended, and the record to replay it
    decisions-00000.parquet   one row for each decision: what the seat knew, what was legal, what it chose
    games-00000.jsonl         the same games as lines of JSON, the game in the JSON twin of the notation

A part is written beside its name and then renamed, and the manifest likewise, so that whatever is listed is whole.
`write_dataset` goes on where an earlier run stopped, and makes damaged parts anew: the games depend on the settings
alone.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from splendor import __version__
from splendor.arena.dispatch import Alone, Crew, play_all
from splendor.arena.play import GameResult
from splendor.arena.schedule import Conditions, match_jobs
from splendor.core import features, rules
from splendor.core.actions import ACTIONS, CHOOSE_NOBLE, RETURN_TOKEN
from splendor.core.features import OBSERVATION_SIZE
from splendor.core.state import State
from splendor.game.game import Game
from splendor.game.moves import action_of_move, play_action
from splendor.notation.json import JsonObject
from splendor.notation.moves import Move

FORMAT = "splendor dataset 1"
FORMATS = ("parquet", "jsonl")
MANIFEST = "manifest.json"

GAME_COLUMNS = {
    "number": ("int64", "number of the game in the dataset, from 0"),
    "seed": ("uint64", "the deal is that of Game(players, seed=seed)"),
    "players": ("list<string>", "who played  [seat]"),
    "end": ("string", "how it ended: points, stalemate or cap"),
    "rounds": ("int32", "rounds played"),
    "points": ("list<int8>", "prestige points at the end  [seat]"),
    "shares": ("list<float>", "share of the win  [seat]"),
    "record": ("string", "the game in the notation of docs/notation.md"),
}
DECISION_COLUMNS = {
    "game": ("int64", "number of the game"),
    "decision": ("int32", "number of the decision in its game, from 0"),
    "seat": ("int8", "who decided"),
    "action": ("int8", "what was chosen, as numbered in docs/notation.md"),
    "share": ("float", "share of the win that this seat got in the end"),
    "observation": (
        f"fixed_size_list<int8>[{OBSERVATION_SIZE}]",
        "what the seat knew, laid out as features.OBSERVATION",
    ),
    "action_mask": (f"fixed_size_list<int8>[{ACTIONS}]", "1 for each action that was legal"),
}


class DatasetProblem(ValueError):
    """A folder that does not hold what it should, or games that cannot be played; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class DatasetSettings:
    """All that the games of a dataset depend on, and how they are stored."""

    players: tuple[str, ...]
    games: int
    seed: int
    round_cap: int | None = None
    formats: tuple[str, ...] = FORMATS
    part_games: int = 1000

    def __post_init__(self) -> None:
        unknown = set(self.formats) - set(FORMATS)
        if unknown or not self.formats:
            raise DatasetProblem(f"the formats are {' and '.join(FORMATS)}, not {', '.join(self.formats) or 'none'}")
        if self.part_games < 1:
            raise DatasetProblem("a part has at least one game")


def write_dataset(
    folder: Path,
    settings: DatasetSettings,
    *,
    crew: Crew | None = None,
    watch: Callable[[int], None] = lambda _: None,
) -> JsonObject:
    """Play what is still missing, part by part, and return the manifest. `watch` is told how many games are done.

    Raises DatasetProblem if the folder holds something else, or if a player fails.
    """
    jobs = match_jobs(
        settings.players, settings.games, settings.seed, Conditions(settings.round_cap, keep_records=True)
    )
    manifest = open_manifest(folder, settings)
    written = {part["part"] for part in manifest["parts"]}
    missing = [job for job in jobs if job.number // settings.part_games not in written]
    done = len(jobs) - len(missing)
    watch(done)
    waiting: defaultdict[int, list[GameResult]] = defaultdict(list)
    for result in play_all(missing, crew or Alone()):
        if result.is_void or result.forfeit is not None:
            reason = result.void_reason if result.forfeit is None else result.forfeit.reason
            raise DatasetProblem(f"game {result.job.number} could not be finished: {reason}")
        part = result.job.number // settings.part_games
        waiting[part].append(result)
        if len(waiting[part]) == min(settings.part_games, settings.games - part * settings.part_games):
            results = sorted(waiting.pop(part), key=lambda result: result.job.number)
            manifest["parts"].append(write_part(folder, part, results, settings.formats))
            manifest["parts"].sort(key=lambda entry: entry["part"])
            write_whole(folder / MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
        done += 1
        watch(done)
    return manifest


def open_manifest(folder: Path, settings: DatasetSettings) -> JsonObject:
    """The manifest of a dataset that was begun with these settings, or a new one."""
    wanted = json.loads(json.dumps(asdict(settings)))
    if not (folder / MANIFEST).exists():
        folder.mkdir(parents=True, exist_ok=True)
        return {
            "format": FORMAT,
            "splendor": __version__,
            "settings": wanted,
            "columns": {"games": schema_of(GAME_COLUMNS), "decisions": schema_of(DECISION_COLUMNS)},
            "parts": [],
        }
    manifest = read_manifest(folder)
    for name, value in wanted.items():
        if manifest["settings"].get(name) != value:
            has = manifest["settings"].get(name)
            raise DatasetProblem(f"{folder} was begun with {name} {has}, not {value}; choose another folder")
    manifest["parts"] = [part for part in manifest["parts"] if is_whole(folder, part)]
    return manifest


def is_whole(folder: Path, part: JsonObject) -> bool:
    """Are all files of a part there as they were written? Otherwise its games are played again."""
    try:
        check_part(folder, part)
    except DatasetProblem:
        return False
    return True


def read_manifest(folder: Path) -> JsonObject:
    """The manifest of a dataset."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DatasetProblem(f"{folder} is no dataset: it has no {MANIFEST}") from None
    except ValueError as error:
        raise DatasetProblem(f"{folder / MANIFEST} is damaged: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise DatasetProblem(f"{folder} is no dataset of the form {FORMAT!r}")
    return manifest


def check_files(folder: Path, manifest: JsonObject) -> int:
    """Compare every file with its checksum; return how many there are."""
    for part in manifest["parts"]:
        check_part(folder, part)
    return sum(len(part["files"]) for part in manifest["parts"])


def check_part(folder: Path, part: JsonObject) -> None:
    """Compare the files of a part with their checksums."""
    for name, file in part["files"].items():
        try:
            data = (folder / name).read_bytes()
        except OSError:
            raise DatasetProblem(f"{folder / name} is missing") from None
        if hashlib.sha256(data).hexdigest() != file["sha256"]:
            raise DatasetProblem(f"{folder / name} is damaged: its checksum is another one")


def schema_of(columns: dict[str, tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "type": kind, "meaning": meaning} for name, (kind, meaning) in columns.items()]


# ----------------------------------------------------------------------------------------- one part


def write_part(folder: Path, part: int, results: Sequence[GameResult], formats: Sequence[str]) -> JsonObject:
    """Write the files of a part; return its entry in the manifest."""
    rows = [game_row(result) for result in results]
    files: dict[str, tuple[bytes, int]] = {}
    if "jsonl" in formats:
        lines = [json.dumps(json_row(row), separators=(",", ":")) for row in rows]
        files[f"games-{part:05}.jsonl"] = "".join(line + "\n" for line in lines).encode(), len(rows)
    if "parquet" in formats:
        decisions = decision_columns(rows)
        games = {name: [row[name] for row in rows] for name in GAME_COLUMNS}
        files[f"games-{part:05}.parquet"] = parquet(games, GAME_COLUMNS), len(rows)
        files[f"decisions-{part:05}.parquet"] = parquet(decisions, DECISION_COLUMNS), len(decisions["game"])
    entry: JsonObject = {"part": part, "games": len(rows), "files": {}}
    for name, (data, count) in files.items():
        write_whole(folder / name, data)
        entry["files"][name] = {"rows": count, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    return entry


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that there is never half of it."""
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_bytes(data)
    unfinished.replace(path)


def game_row(result: GameResult) -> JsonObject:
    return {
        "number": result.job.number,
        "seed": result.job.seed,
        "players": list(result.job.players),
        "end": result.end,
        "rounds": result.rounds,
        "points": list(result.points),
        "shares": list(result.shares),
        "record": result.record,
    }


def json_row(row: JsonObject) -> JsonObject:
    """The same with the record in its JSON form, as `game`."""
    game = json.loads(Game.from_record(row["record"]).record(as_json=True))
    return {name: value for name, value in row.items() if name != "record"} | {"game": game}


def decision_columns(rows: Sequence[JsonObject]) -> JsonObject:
    """All decisions of some games, column by column."""
    columns: dict[str, list[Any]] = {name: [] for name in DECISION_COLUMNS}
    for row in rows:
        for number, (state, action) in enumerate(decisions_of(Game.from_record(row["record"]))):
            seat = int(state.seat)
            seen, mask = np.empty((1, OBSERVATION_SIZE), np.int8), np.empty(ACTIONS, np.int8)
            features.observe(state, seat, features.named(seen)[0])
            rules.legal_mask(state, mask)
            values = (row["number"], number, seat, action, row["shares"][seat], seen[0], mask)
            for name, value in zip(DECISION_COLUMNS, values, strict=True):
                columns[name].append(value)
    return columns


def decisions_of(game: Game) -> Iterator[tuple[State, int]]:
    """Every decision of a game, with the state before it; the state is changed when the next one is asked for.

    A buy that was paid with more gold than needed has the number of the usual buy, and is paid as it was.
    """
    start = game.copy()
    while start.moves:
        start.undo()
    state = start.state
    for move in game.moves:
        for number, action in enumerate(decisions_of_move(state, move)):
            yield state, action
            play_action(state, action, None if number else move.payment)


def decisions_of_move(state: State, move: Move) -> list[int]:
    """The numbers of the decisions that make up a turn."""
    action = action_of_move(state, move)
    assert action is not None, "a recorded move can be played"
    decisions = [action]
    for color, count in enumerate(move.returned):
        decisions += [RETURN_TOKEN + color] * count
    if move.noble is not None:
        decisions.append(CHOOSE_NOBLE + state.nobles.tolist().index(move.noble - 1))
    return decisions


# --------------------------------------------------------------------------------- Parquet, there and back


def parquet(columns: JsonObject, schema: dict[str, tuple[str, str]]) -> bytes:
    """A table as the bytes of a Parquet file, with the meaning of each column in it."""
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet  # type: ignore[import-untyped]

    arrays, fields = [], []
    for name, (kind, meaning) in schema.items():
        if kind.startswith("fixed_size_list"):
            rows = np.stack(columns[name])
            array = pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])
        elif kind.startswith("list"):
            array = pa.array(columns[name], pa.list_(arrow_type(kind[5:-1])))
        else:
            array = pa.array(columns[name], arrow_type(kind))
        arrays.append(array)
        fields.append(pa.field(name, array.type, nullable=False, metadata={"meaning": meaning}))
    sink = pa.BufferOutputStream()
    table = pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata={"format": FORMAT}))
    pyarrow.parquet.write_table(table, sink, compression="zstd")
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def arrow_type(name: str) -> Any:
    import pyarrow as pa

    return {"float": pa.float32(), "string": pa.string()}.get(name) or getattr(pa, name)()


def load_decisions(folder: Path) -> dict[str, np.ndarray]:
    """All decisions of a dataset as NumPy arrays by column, after a look at the checksums."""
    import pyarrow.parquet

    manifest = read_manifest(folder)
    check_files(folder, manifest)
    names = [name for part in manifest["parts"] for name in part["files"] if name.startswith("decisions-")]
    if not names:
        raise DatasetProblem(f"{folder} has no decisions: it was written without Parquet, or is still empty")
    tables = [pyarrow.parquet.read_table(folder / name) for name in names]
    return {name: np.concatenate([_column(table, name) for table in tables]) for name in DECISION_COLUMNS}


def _column(table: Any, name: str) -> np.ndarray:
    column = table.column(name).combine_chunks()
    if DECISION_COLUMNS[name][0].startswith("fixed_size_list"):
        values: np.ndarray = column.flatten().to_numpy().reshape(len(column), -1)
        return values
    numbers: np.ndarray = column.to_numpy()
    return numbers
