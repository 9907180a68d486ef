"""The numbering of the decisions is fixed: files, networks and other programs rely on it."""

import pytest

from positions import GOLDEN, WORDS
from splendor.actions import ACTIONS, PHASE_ACTION, PHASE_ACTIONS, TAKEN, TAKEN_COLORS, describe_action
from splendor.components import COLORS
from splendor.state import ACT, NOBLE, RETURN


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


def test_the_phases_share_out_the_numbers() -> None:
    spans = {
        phase: range(PHASE_ACTION[phase], PHASE_ACTION[phase] + PHASE_ACTIONS[phase]) for phase in (ACT, RETURN, NOBLE)
    }
    assert [WORDS[spans[ACT][0]], WORDS[spans[ACT][-1]]] == ["take white, blue, green", "pass"]
    assert [WORDS[action] for action in spans[RETURN]] == [f"return {color}" for color in COLORS]
    assert [WORDS[action] for action in spans[NOBLE]] == [f"choose noble {place}" for place in range(1, 6)]
    assert sum(len(span) for span in spans.values()) == ACTIONS
