"""The one place that decides how rules are run.

`@rule` marks a function of the rulebook. The same source runs in three ways, chosen by the environment
variable `SPLENDOR_MODE` before the first import:

    compiled   machine code by Numba (the default)
    bounds     the same, with every array index checked
    plain      ordinary Python, for the debugger and for coverage

The machine is this one. `wasm/` alone sets `SPLENDOR_TARGET` to compile the same rules for WebAssembly; what it makes
is a file of its own, so nothing is kept here.

Compiled code is kept on disk. Numba looks only at the file of the function itself when it decides whether
a stored one is stale, so the folder is named after a hash of all sources that compiled code can come from:
an edit in any of them means a new folder, and an old one is never read again.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., object])

MODES = ("compiled", "bounds", "plain")
MODE = os.environ.get("SPLENDOR_MODE", "compiled")
if MODE not in MODES:
    raise ImportError(f"SPLENDOR_MODE is {MODE!r}; it must be one of {', '.join(MODES)}")

NATIVE, WASM = "native", "wasm32"
TARGET = os.environ.get("SPLENDOR_TARGET", NATIVE)

PACKAGE = Path(__file__).parent.parent
COMPILED = ("core", "search/kernel", "network/kernel")  # the folders in which rules live, and nowhere else
TABLES = ("data/*.csv", "network/rotation.py")  # what else the tables are made from that rules look things up in
KEPT_CACHES = 8


def source_hash() -> str:
    """A short name for everything that compiled code depends on: sources, data tables, versions, mode."""
    import llvmlite
    import numba

    digest = hashlib.sha256()
    versions = (platform.python_version(), np.__version__, numba.__version__, llvmlite.__version__, MODE)
    digest.update(repr(versions).encode())
    sources = [path for folder in COMPILED for path in (PACKAGE / folder).glob("*.py")]
    tables = [path for pattern in TABLES for path in PACKAGE.glob(pattern)]
    for path in sorted([*sources, *tables]):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """`SPLENDOR_CACHE`, or `splendor` in the user's cache folder."""
    chosen = os.environ.get("SPLENDOR_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "splendor"


def cache_folder() -> Path:
    """The folder for the code compiled from these sources; a temporary one where nothing can be written."""
    try:
        folder = cache_root() / source_hash()
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            forget_old_caches(folder.parent)
        if not os.access(folder, os.W_OK):
            raise PermissionError(folder)
    except (OSError, RuntimeError):  # RuntimeError: no home folder is known
        folder = Path(tempfile.mkdtemp(prefix="splendor-cache-"))
    return folder


def forget_old_caches(root: Path) -> None:
    """Keep the newest few folders, so that the cache doesn't grow with every edit."""
    folders = sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


if MODE == "plain":

    def rule(function: F) -> F:
        """A rule, run as ordinary Python."""
        return function

    def wrapping_rule(function: F) -> F:
        """A rule whose unsigned numbers wrap around; NumPy would warn of that outside compiled code."""

        @functools.wraps(function)
        def wrapped(*arguments: object) -> object:
            with np.errstate(over="ignore"):
                return function(*arguments)

        return wrapped  # type: ignore[return-value]

else:
    import numba

    CACHE = cache_folder() if TARGET == NATIVE else None

    def rule(function: F) -> F:
        """A rule, compiled at its first call and stored."""
        config: Any = numba.config
        njit: Any = numba.njit
        user_folder, config.CACHE_DIR = config.CACHE_DIR, str(CACHE)
        try:
            compiled: F = njit(
                cache=TARGET == NATIVE,
                nogil=True,
                error_model="numpy",
                boundscheck=MODE == "bounds",
                # A rule calls a dozen others: as one piece of code they run twice as fast, but not as WebAssembly.
                forceinline=TARGET == NATIVE,
                _nrt=False,  # rules allocate nothing, so nobody needs to count references
            )(function)
        finally:
            config.CACHE_DIR = user_folder
        return compiled

    wrapping_rule = rule
