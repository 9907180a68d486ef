"""Game clocks are not the clock on the wall, which somebody may set."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.clients import Client
from server.process import FreshServer

pytestmark = pytest.mark.compiled_only

STEPPED = Path(__file__).parent / "stepped.py"
HOUR = 3600


@pytest.mark.parametrize("step", [HOUR, -HOUR])
async def test_a_step_of_the_wall_clock_changes_no_game_clock(tmp_path: Path, step: int) -> None:
    said = tmp_path / "step"
    said.write_text("0")
    with FreshServer(tmp_path, [str(STEPPED), str(said)], grace=HOUR) as server:
        async with Client(server.url) as ann:
            await ann.guest()
            clock = {"kind": "live", "seconds": 1800, "increment": 0}
            table = (await ann.make("me", {"kind": "device"}, clock=clock))["id"]
            said.write_text(str(step))
            for _ in range(4):
                await ann.play_first(table)
            shown = await ann.look(table)
            assert shown["status"] == "live"
            assert all(1000 < seat["clock"] <= 1800 for seat in shown["seats"])
            said.write_text("0")
            await ann.play_first(table)
            assert all(1000 < seat["clock"] <= 1800 for seat in (await ann.look(table))["seats"])
