"""Compiles `playout.c`, the hand-written yardstick, and calls it; makes its tables from the package's own."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splendor.core import actions, components, rules

SOURCE = Path(__file__).with_name("playout.c")
COMPILER = os.environ.get("CC", "gcc")
FLAGS = ["-O3", "-march=native", "-std=c17", "-shared", "-fPIC"]
TABLES: dict[str, NDArray[Any]] = {
    "int8_t CARD_COST": components.CARD_COST,
    "int8_t CARD_POINTS": components.CARD_POINTS,
    "int8_t CARD_BONUS": components.CARD_BONUS,
    "uint64_t CARD_COST_BITS": components.CARD_COST_BITS,
    "uint64_t NOBLE_COST_BITS": components.NOBLE_COST_BITS,
    "int8_t TAKEN": actions.TAKEN,
    "uint64_t TAKES_DIFFERENT": rules.TAKES_DIFFERENT,
}


class Yardstick:
    """The C program, compiled into a temporary folder."""

    def __init__(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "tables.h").write_text("".join(c_table(name, table) for name, table in TABLES.items()))
            library = Path(folder) / "playout.so"
            subprocess.run([COMPILER, *FLAGS, "-I", folder, str(SOURCE), "-o", str(library)], check=True)
            self._play = ctypes.CDLL(str(library)).play_games
        self._play.restype = None
        self._play.argtypes = [ctypes.c_uint64, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]

    def play(self, seed: int, games: int, players: int) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
        """Whole random games from the seeds `seed`, `seed + 1`, …: decisions of each, and the places of its seats."""
        decisions = np.empty(games, np.int32)
        places = np.empty((games, components.MAX_PLAYERS), np.int8)
        self._play(seed, games, players, decisions.ctypes.data, places.ctypes.data)
        return decisions, places


def c_table(declaration: str, table: NDArray[Any]) -> str:
    """A NumPy table as a C array."""
    shape = "".join(f"[{size}]" for size in table.shape)
    numbers = str(table.tolist()).replace("[", "{").replace("]", "}")
    return f"static const {declaration}{shape} = {numbers};\n"


def compiler_version() -> str:
    """The first line of what the compiler says of itself, and the flags."""
    said = subprocess.run([COMPILER, "--version"], check=True, capture_output=True, text=True).stdout
    return f"{said.splitlines()[0]}, {' '.join(FLAGS[:2])}"
