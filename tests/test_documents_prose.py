"""The documents hold together: lines are short, links and paths lead somewhere, and the README lists every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled_only

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
NOTEBOOK = DOCS / "notebook"
PAGES = sorted(
    [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "benchmarks").glob("*.md"), ROOT / "web" / "README.md"]
)
MODULES = [
    f"/{path.relative_to(ROOT)}"
    for folder in ("src", "tests", "benchmarks", "examples")
    for path in (ROOT / folder).rglob("*.py")
]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
LONGEST_LINE = 120
LONGEST_README = 120
LONGEST_DECISION = 4
LINK = re.compile(r"\]\(([^)\s]+)\)")
ENDINGS = "py|md|toml|csv|json|js|mjs|ts|svelte|c|onnx|svg|png"
PATH = re.compile(rf"(?<![\w./:-])(?:src|tests|docs|benchmarks|examples|web)/[\w./-]*\.(?:{ENDINGS})\b")
MODULE = re.compile(r"`([\w/]+\.py)`")

every_page = pytest.mark.parametrize("page", PAGES, ids=NAMES)


def prose(page: Path) -> Iterator[tuple[int, str]]:
    """The numbered lines of a page that are neither part of a table nor between fences."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("|"):
            yield number, line


def anchors(page: Path) -> set[str]:
    """What a link to a heading of this page may say, as GitHub forms it."""
    headings = [line.lstrip("#").strip() for _, line in prose(page) if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> list[str]:
    return [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]


def linked_pages(page: Path) -> set[Path]:
    return {(page.parent / link.partition("#")[0]).resolve() for link in links(page)}


@every_page
def test_no_line_is_long_except_in_tables_and_code(page: Path) -> None:
    assert [f"{page.name}:{number}" for number, line in prose(page) if len(line) > LONGEST_LINE] == []


@every_page
def test_every_link_leads_to_a_file_and_a_heading_that_exist(page: Path) -> None:
    for link in links(page):
        target, _, anchor = link.partition("#")
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), link
        assert not anchor or anchor in anchors(file), link


@every_page
def test_every_path_that_is_named_exists(page: Path) -> None:
    assert [path for path in PATH.findall(page.read_text(encoding="utf-8")) if not (ROOT / path).exists()] == []


@every_page
def test_every_module_that_is_named_exists(page: Path) -> None:
    named = MODULE.findall(page.read_text(encoding="utf-8"))
    assert [name for name in named if not any(module.endswith(f"/{name}") for module in MODULES)] == []


def test_the_readme_is_short_and_lists_every_page() -> None:
    readme = ROOT / "README.md"
    assert len(readme.read_text(encoding="utf-8").splitlines()) <= LONGEST_README
    listed = linked_pages(readme)
    assert [page.name for page in DOCS.glob("*.md") if page not in listed] == []
    assert NOTEBOOK / "README.md" in listed


def test_the_notebook_lists_its_pages_and_each_opens_with_what_was_tried() -> None:
    index = NOTEBOOK / "README.md"
    pages = [page for page in NOTEBOOK.glob("*.md") if page != index]
    assert set(pages) <= linked_pages(index)
    for page in pages:
        head = next(line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|"))
        assert head == "| tried | effect | kept? |", page.name


def test_a_decision_stands_under_its_day_and_the_newest_day_comes_first() -> None:
    lines = (DOCS / "decisions.md").read_text(encoding="utf-8").splitlines()
    days = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert days == sorted(days, reverse=True)
    day = ""
    for line in lines:
        if line.startswith("## "):
            day = line.removeprefix("## ")
        if line.startswith("**20"):
            assert line.startswith(f"**{day} · "), line


def test_a_decision_takes_at_most_four_lines() -> None:
    lines = (DOCS / "decisions.md").read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("**20")]
    assert len(starts) > 30
    for start in starts:
        assert len(list(takewhile(str.strip, lines[start:]))) <= LONGEST_DECISION, lines[start]
