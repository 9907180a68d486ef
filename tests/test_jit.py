"""Where rules live, and what makes stored machine code stale."""

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import splendor
from splendor.core import jit

PACKAGE = Path(splendor.__file__).parent
OF_THE_RULES = ("splendor.core", "splendor.search.kernel", "splendor.network.kernel", "splendor.network.rotation")


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((PACKAGE / folder).glob("*.py"))


def test_a_rule_lives_in_the_core_or_in_the_kernel_of_the_search() -> None:
    compiled = set(sources(*jit.COMPILED))
    elsewhere = {path for path in PACKAGE.rglob("*.py") if path not in compiled}
    for path in elsewhere:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        decorators = {
            decorator.id
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef)
            for decorator in node.decorator_list
            if isinstance(decorator, ast.Name)
        }
        assert not decorators & {"rule", "wrapping_rule"}, path.relative_to(PACKAGE)


def test_rules_use_nothing_from_other_folders() -> None:
    for path in sources(*jit.COMPILED):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("splendor"):
                assert node.module.startswith(OF_THE_RULES), f"{path.relative_to(PACKAGE)} imports {node.module}"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package that may be edited."""
    copy = tmp_path / "splendor"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "client", "*.onnx"))
    monkeypatch.setattr(jit, "PACKAGE", copy)
    return copy


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", ["core/rules.py", "search/kernel/policy.py", "data/cards.csv", "data/nobles.csv"])
def test_an_edit_of_a_rule_or_of_a_table_makes_stored_code_stale(package: Path, name: str) -> None:
    before = jit.source_hash()
    with (package / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert jit.source_hash() != before


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", ["game/moves.py", "many/batch.py", "search/search.py", "server/config.py"])
def test_an_edit_elsewhere_keeps_stored_code(package: Path, name: str) -> None:
    before = jit.source_hash()
    with (package / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert jit.source_hash() == before
