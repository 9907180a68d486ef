"""The WebAssembly files for tests: built once and kept, as long as no source has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import hatch_build

from splendor.core.jit import cache_root


def node() -> str:
    """The Node that a wheel brings along."""
    return hatch_build.node_and_npm()[0]


def built(mode: str = "compiled") -> Path:
    """The folder with the modules; with index checks in the mode `bounds`."""
    if mode == "compiled" and hatch_build.engine_is_built():
        return hatch_build.ENGINE
    stamp = hatch_build.engine_digest()
    folder = cache_root() / "wasm" / f"{mode}-{stamp[:16]}"
    made = folder.with_name(f"{folder.name}.{os.getpid()}")
    if not folder.exists():
        hatch_build.make_engine(made, mode)
        try:
            made.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(made)
    return folder


def say(program: str, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    """Run a program for Node."""
    path = Path(__file__).parent / "wasm" / program
    command = [node(), "--disable-warning=ExperimentalWarning", str(path), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False)
