"""Makes the files that a browser loads: `python -m splendor.wasm.build FOLDER`.

    rules.wasm     rules, search and turns; imports nothing
    network.wasm   the network's arithmetic, with SIMD
    network.bin    its weights

The two modules are compiled side by side, each in a process of its own, whose Numba makes WebAssembly and nothing else.
Equal sources give equal bytes. `hatch_build.py` runs this when a source has changed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

KNOWN_NUMBA = "0.68"  # the module `target` changes its inside
OTHER_NUMBA = 3  # the exit code with any other
MODULES = ("rules", "network")


def check_numba() -> None:
    """Stop, with advice, if this Numba is another than the one we know."""
    import numba

    if not numba.__version__.startswith(f"{KNOWN_NUMBA}."):
        sys.stderr.write(
            f"the rules become WebAssembly by Numba {KNOWN_NUMBA}, but this is Numba {numba.__version__}: "
            f"pip install 'numba=={KNOWN_NUMBA}.*', or look through src/splendor/wasm/target.py with the new one, "
            "run the tests, and write its version into build.py\n"
        )
        raise SystemExit(OTHER_NUMBA)


def start(module: str, folder: Path) -> subprocess.Popen[bytes]:
    """Compile a module, in another process."""
    command = [sys.executable, "-m", "splendor.wasm.compile", module, str(folder / f"{module}.wasm")]
    environment = {
        **os.environ,
        "SPLENDOR_TARGET": "wasm32",
        "NUMBA_CPU_NAME": "generic",  # no instruction that only this machine has
        "PYTHONHASHSEED": "0",  # the same bytes every time
    }
    return subprocess.Popen(command, env=environment)


def build(folder: Path) -> None:
    """Make all files."""
    check_numba()
    folder.mkdir(parents=True, exist_ok=True)
    running = [start(module, folder) for module in MODULES]
    from splendor.wasm.weights import packed_weights

    (folder / "network.bin").write_bytes(packed_weights())
    failed = [process.wait() for process in running]
    if any(failed):
        raise SystemExit("the rules could not be compiled to WebAssembly: see the lines above")


if __name__ == "__main__":
    build(Path(sys.argv[1]))
