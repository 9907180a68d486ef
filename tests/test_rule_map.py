"""docs/rules.md names a test for every rule, and its example of a deal is true."""

import ast
import re
from pathlib import Path

import pytest

from positions import deal, nobles_of, row
from splendor.core.chance import below, new_rng, random_bits
from splendor.core.state import NOBODY

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
IDS = [f"{kind}{n}" for kind, last in (("R", 36), ("C", 12), ("E", 26), ("T", 10)) for n in range(1, last + 1)]


def table_rows() -> list[list[str]]:
    lines = [line for line in TEXT.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


RULES = [cells for cells in table_rows() if re.fullmatch(r"[RCET]\d+", cells[0])]
EXAMPLE = {cells[0]: cells[1] for cells in table_rows() if len(cells) == 2}


def named_tests(cells: list[str]) -> list[str]:
    return re.findall(r"`(tests/\S+?\.py::\w+)`", cells[2])


def existing_tests(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def numbers(cell: str) -> list[int]:
    return [int(number, 0) for number in cell.split(", ")]


def test_every_rule_is_listed_once_and_in_order() -> None:
    assert [cells[0] for cells in RULES] == IDS


@pytest.mark.parametrize("cells", RULES, ids=lambda cells: cells[0])
def test_every_rule_says_something_and_names_tests_that_exist(cells: list[str]) -> None:
    assert len(cells) == 3
    assert cells[1].endswith(".")
    tests = named_tests(cells)
    assert len(tests) == cells[2].count("`") // 2 > 0
    for test in tests:
        file, name = test.split("::")
        assert name in existing_tests(ROOT / file), test


def test_the_first_random_numbers_of_the_example_are_true() -> None:
    rng = new_rng(1)
    assert [int(random_bits(rng)) for _ in range(3)] == numbers(EXAMPLE["first 64 bits"])
    rng = new_rng(1)
    draws = [int(below(rng, count)) for count in (40, 39, 38, 37)]
    assert draws == numbers(EXAMPLE["first draws (below 40, 39, 38, 37)"])


def test_the_market_and_the_decks_of_the_example_are_true() -> None:
    state = deal(2, seed=1)
    for level in (1, 2, 3):
        assert row(state, level) == numbers(EXAMPLE[f"market, level {level}"])
    size = int(state.deck_size[0])
    assert [int(card) + 1 for card in state.deck[size - 3 : size][::-1]] == numbers(EXAMPLE["next in deck 1"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_nobles_of_the_example_are_true(players: int) -> None:
    assert nobles_of(deal(players, seed=1), NOBODY) == numbers(EXAMPLE[f"nobles, {players} players"])
