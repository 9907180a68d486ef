"""Settings for all tests, and golden files: texts that were looked at once and must not change unnoticed."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("splendor", deadline=None, derandomize=True, database=None)
settings.load_profile("splendor")

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write the golden files anew instead of comparing")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Without garbage collection: while Python 3.11 reads a source, it may stumble over what a finalizer reads."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """In the other modes, files for compiled rules alone are not even read: that takes as long as many tests."""
    if config.option.markexpr != "not compiled_only" or not collection_path.match("test_*.py"):
        return None
    source = collection_path.read_text(encoding="utf-8")
    return True if "\npytestmark = pytest.mark.compiled_only" in source else None


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the golden file of that name; `make golden` writes it anew."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--write-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, f"{name} changed; if it should, run make golden"

    return compare
