"""The numbering of the decisions is fixed: files, networks and other programs rely on it."""

import re

import pytest

from positions import GOLDEN, WORDS
from splendor.core.actions import (
    ACTION_GROUPS,
    ACTIONS,
    PHASE_ACTION,
    PHASE_ACTIONS,
    TAKEN,
    TAKEN_COLORS,
    describe_action,
    group_of,
)
from splendor.core.components import COLORS
from splendor.core.state import ACT, MARKET, NOBLE, RETURN, SLOTS


def test_every_action_has_the_number_it_always_had() -> None:
    lines = [f"{action:2} {describe_action(action)}\n" for action in range(ACTIONS)]
    assert "".join(lines) == (GOLDEN / "actions.txt").read_text(encoding="utf-8")


def test_there_are_72_different_actions() -> None:
    assert ACTIONS == 72
    assert len(set(WORDS)) == 72


@pytest.mark.parametrize("action", range(30))
def test_a_take_moves_the_tokens_that_its_words_name(action: int) -> None:
    colors = WORDS[action].removeprefix("take ").split(", ")
    assert TAKEN[action].tolist() == [colors.count(color) for color in COLORS[:5]]
    assert TAKEN_COLORS[action] == sum(1 << COLORS.index(color) for color in set(colors))


def test_the_groups_share_out_the_numbers_and_say_what_they_do() -> None:
    """What a group is called is what its actions are described as."""
    assert [action for group in ACTION_GROUPS for action in group.actions] == list(range(ACTIONS))
    begins = {"draw": "reserve from deck", "noble": "choose noble"}
    for group in ACTION_GROUPS:
        for action in group.actions:
            assert group_of(action) is group
            assert WORDS[action].startswith(begins.get(group.kind, group.kind))
    for group in ACTION_GROUPS:
        numbers = [int(WORDS[action].rpartition(" ")[2]) for action in group.actions if WORDS[action][-1].isdigit()]
        assert numbers in ([], [place % SLOTS + 1 for place in range(MARKET)], list(range(1, group.size + 1)))


def test_the_table_in_the_documentation_has_the_groups() -> None:
    page = (GOLDEN.parents[1] / "docs" / "notation.md").read_text(encoding="utf-8")
    rows = [row.split("–") for row in re.findall(r"^\| ([\d–]+) \|", page.partition("## Actions by number")[2], re.M)]
    assert [range(int(row[0]), int(row[-1]) + 1) for row in rows] == [group.actions for group in ACTION_GROUPS]


def test_the_phases_share_out_the_numbers() -> None:
    spans = {
        phase: range(PHASE_ACTION[phase], PHASE_ACTION[phase] + PHASE_ACTIONS[phase]) for phase in (ACT, RETURN, NOBLE)
    }
    assert [WORDS[spans[ACT][0]], WORDS[spans[ACT][-1]]] == ["take white, blue, green", "pass"]
    assert [WORDS[action] for action in spans[RETURN]] == [f"return {color}" for color in COLORS]
    assert [WORDS[action] for action in spans[NOBLE]] == [f"choose noble {place}" for place in range(1, 6)]
    assert sum(len(span) for span in spans.values()) == ACTIONS
