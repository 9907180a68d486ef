"""Who sits where, and games that are saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from splendor import Game
from splendor.terminal.session import PERSON, Session, seating
from terminal.pilot import (
    message,
    program,
)

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


def test_seats_are_filled_from_the_options() -> None:
    assert seating(2, ["greedy"], 0, hotseat=False, watch=False) == [PERSON, "greedy"]
    assert seating(4, ["a", "b"], 2, hotseat=False, watch=False) == ["a", "b", PERSON, "a"]
    assert seating(3, ["a"], 0, hotseat=False, watch=True) == ["a", "a", "a"]
    assert seating(3, [], 0, hotseat=True, watch=False) == [PERSON] * 3
    assert Session(["greedy", "greedy"], seed=1).names == ["Greedy", "Greedy 2"]


@pytest.mark.parametrize(
    ("players", "opponents", "seat", "hotseat", "watch"),
    [
        (5, ["a"], 0, False, False),
        (2, ["a"], 2, False, False),
        (2, ["a", "b"], 0, False, False),
        (2, ["a"], 0, True, True),
        (2, [], 0, False, False),
    ],
)
def test_seats_that_cannot_be_filled_are_refused(
    players: int, opponents: list[str], seat: int, hotseat: bool, watch: bool
) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        seating(players, opponents, seat, hotseat=hotseat, watch=watch)


def test_a_player_that_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="no player 'nonsense'"):
        Session([PERSON, "nonsense"])


async def test_a_game_is_saved_as_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = Session([PERSON, PERSON], seed=3)
    async with program(session) as pilot:
        await pilot.press("w", "u", "g", "enter", "ctrl+s")
        assert "Saved as splendor-" in message(pilot)
    (file,) = tmp_path.glob("splendor-*.txt")
    saved = Game.from_record(file.read_text(encoding="utf-8"))
    assert saved.position == session.game.position
    assert saved.tags["Seat0"] == "Player 1"
