"""How strong the levels are: the table is what the page about the ladder says, and ratings follow from it."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from splendor.players import LEVELS
from splendor.players.strength import Measured, measured, ratings

pytestmark = pytest.mark.compiled_only

PAGE = (Path(__file__).parents[1] / "docs" / "ladder.md").read_text(encoding="utf-8")
LINE = re.compile(
    r"^\| `(\w+)` \| `(\w+)`(?: in (\d) seats)? \| ([\d.]+) % \(([\d.]+)–([\d.]+)\) \| \d+ % \| (\d+) \|$", re.MULTILINE
)


def test_the_table_is_what_the_page_about_the_ladder_says() -> None:
    _, _, section = PAGE.partition("## Longer matches")
    section, _, _ = section.partition("\n## ")
    found = [
        Measured(
            int(seats or 1) + 1, level, against, float(share) / 100, float(low) / 100, float(high) / 100, int(games)
        )
        for level, against, seats, share, low, high, games in LINE.findall(section)
        if level in LEVELS
    ]
    assert tuple(found) == measured()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_level_is_rated_above_the_one_before(players: int) -> None:
    rated = list(ratings(players))
    assert [match.level for match, _ in rated] == list(LEVELS)
    assert rated[0][1] == 1000
    assert all(low < high for (_, low), (_, high) in pairwise(rated))
