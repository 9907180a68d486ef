"""The rooms of the package: the list in `docs/architecture.md` is complete, and no import goes upwards in it.

Imports inside functions count as well, and so do those for type checkers only. Compiled rules stand in the rooms that
`core/jit.py` names, since the folder of stored code is named after a hash of these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from splendor.core.jit import COMPILED

pytestmark = pytest.mark.compiled_only

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "splendor"
PAGE = ROOT / "docs" / "architecture.md"
SOURCES = {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}


def rooms_listed(page: str) -> dict[str, str]:
    """The rooms in their order, each with its phrase: folders end with a slash, the others are single modules."""
    _, _, tree = page.partition("```\nsrc/splendor/\n")
    tree, _, _ = tree.partition("```")
    return dict(re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in tree.splitlines())


ROOMS = rooms_listed(PAGE.read_text(encoding="utf-8"))
ORDER = {room: place for place, room in enumerate(ROOMS)}


def room_of(file: str) -> str:
    """The longest entry of the list that covers a file."""
    fitting = [room for room in ROOMS if file == room or (room.endswith("/") and file.startswith(room))]
    assert fitting, f"{file} stands in no room of docs/architecture.md"
    return max(fitting, key=len)


def file_of(module: str) -> str | None:
    """The file of a module of this package, by its dotted name."""
    path = "/".join(module.split(".")[1:])
    return next((file for file in (f"{path}.py", f"{path}/__init__.py".lstrip("/")) if file in SOURCES), None)


def imports(source: str) -> Iterator[str]:
    """The files of this package that a source imports, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path"
            module = node.module or ""
            inner = [f"{module}.{alias.name}" for alias in node.names]
            names = [name if file_of(name) else module for name in inner]
        else:
            continue
        for name in names:
            if name.partition(".")[0] == "splendor":
                file = file_of(name)
                assert file, name
                yield file


def imports_upwards(file: str, source: str) -> list[str]:
    """The imports of a file that stand in a room below its own."""
    return [other for other in imports(source) if ORDER[room_of(other)] > ORDER[room_of(file)]]


def is_compiled(source: str) -> bool:
    """Has this source a function that is marked as a rule?"""
    decorators = [
        decorator.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Name)
    ]
    return not {"rule", "wrapping_rule"}.isdisjoint(decorators)


def test_every_module_stands_in_a_room_and_every_room_has_a_phrase_and_modules() -> None:
    assert {room_of(file) for file in SOURCES} == set(ROOMS)
    assert all(ROOMS.values())


def test_no_import_goes_upwards() -> None:
    assert {file: up for file, source in SOURCES.items() if (up := imports_upwards(file, source))} == {}


@pytest.mark.parametrize(
    "line",
    [
        "from splendor.players.registry import load",
        "import splendor.players",
        "from splendor import players",
        "def f():\n    from splendor.cli import main",
        "if TYPE_CHECKING:\n    from splendor.server.live.hub import Hub",
    ],
)
def test_an_import_that_goes_upwards_is_found(line: str) -> None:
    assert len(imports_upwards("notation/moves.py", line)) == 1
    assert imports_upwards("__main__.py", line) == []


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    """`prepare` raises with the circle, if there is one."""
    graph = {file: {other for other in imports(source) if other != file} for file, source in SOURCES.items()}
    TopologicalSorter(graph).prepare()


def test_rules_stand_in_the_rooms_whose_sources_name_the_folder_of_stored_code() -> None:
    compiled = {str(Path(file).parent) for file, source in SOURCES.items() if is_compiled(source)}
    assert compiled == set(COMPILED)


def test_only_what_decides_how_rules_are_run_knows_the_compiler() -> None:
    """Beside it, the batch on a GPU hands rules to numba-cuda, and `wasm` is made of what is inside of Numba."""
    knowing = {
        file
        for file, source in SOURCES.items()
        for node in ast.walk(ast.parse(source))
        if (isinstance(node, ast.Import) and any(alias.name.startswith("numba") for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba"))
    }
    outside = {file for file in knowing if not file.startswith("wasm/")}
    assert outside == {"core/jit.py", "core/instructions.py", "many/batch_gpu.py"}
