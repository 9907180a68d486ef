"""What stands on the screen: everything there is to see, at any size, and nothing that is hidden."""

from __future__ import annotations

import re

import pytest
from rich.text import Text
from textual.widgets import Footer, Input

from positions import deal, give_bonuses, give_reserve, give_tokens, show
from splendor import Game
from splendor.terminal.faces import CardPlace, Face
from splendor.terminal.session import PERSON, Session
from terminal.pilot import (
    LARGE,
    SMALL,
    play_screen,
    position_of,
    program,
    screen_text,
)

pytestmark = pytest.mark.compiled_only  # the rules run behind it as they do everywhere


def crowded_game() -> Game:
    """Four players with as much before them as there can be."""
    state = deal(4, seed=8)
    for seat in range(4):
        give_reserve(state, seat, 71 + 2 * seat)
        give_reserve(state, seat, 41 + 2 * seat, from_deck=1)
        give_reserve(state, seat, 1 + 3 * seat)
    for seat in range(4):
        give_bonuses(state, seat, "1 white 1 blue 1 green 1 red 1 black")
    give_tokens(state, 0, "2 white 2 blue 2 green 1 red 1 black 2 gold")
    give_tokens(state, 1, "1 white 1 blue 1 green 1 red 1 black 1 gold")
    return position_of(state)


@pytest.mark.parametrize("size", [SMALL, (81, 25), (100, 30), LARGE, (200, 60)])
async def test_nothing_is_cut_off_at_any_size(size: tuple[int, int]) -> None:
    game = crowded_game()
    session = Session([PERSON, "journeyman", "journeyman", "journeyman"], game=game)
    async with program(session, size) as pilot:
        screen = play_screen(pilot)
        whole = screen.region
        for face in screen.query(Face):
            if face.display:
                assert whole.contains_region(face.region), face
                drawn = face.render()
                lines = (drawn if isinstance(drawn, Text) else face._drawn or Text()).split("\n")
                assert len(lines) <= face.content_size.height, face
                assert max(line.cell_len for line in lines) <= face.content_size.width, face
        for widget in (screen.query_one(Footer), screen.query_one(Input)):
            assert widget.region.height == 1
            assert whole.contains_region(widget.region), widget
        text = screen_text(pilot)
        for row in game.market:
            for card in row:
                assert card is not None
                assert re.search(rf"#{card.id}\b", text)
        for place in screen.query(CardPlace):
            assert place.region.height >= 4
            assert place.region.width >= 11
        for noble in game.nobles:
            assert f"@{noble.id} +3" in text
        for card in game.reserved(0):
            assert re.search(rf"#{card.id}\b", text)
        for seat, name in enumerate(session.names):
            assert f"{name}  {game.points[seat]} pts" in text
        assert text.count("10/10") == 1
        assert "w2 u2 g2 r1 k1 o2" in text
        assert "Leave" in text


async def test_every_gem_has_a_letter_and_a_shape_of_its_own() -> None:
    session = Session([PERSON, "random"], seed=3)
    async with program(session) as pilot:
        text = screen_text(pilot)
        for sign in ("○w", "◆u", "▲g", "■r", "●k", "✦o"):
            assert sign in text


async def test_cards_say_what_is_missing_and_which_can_be_bought() -> None:
    state = deal()
    show(state, 0, 6)  # 3 blue
    show(state, 1, 8)  # 4 green
    give_tokens(state, 0, "3 blue 1 green")
    session = Session([PERSON, "random"], game=position_of(state))
    async with program(session) as pilot:
        first, second = (pilot.app.screen.query_one(f"#card-1-{n}", CardPlace) for n in (1, 2))
        assert "✓ buy" in first.render().plain
        assert first.has_class("-payable")
        assert "✗ g3" in second.render().plain
        assert not second.has_class("-payable")
        await pilot.click("#card-1-1")
        assert "▶ BUY" in first.render().plain


async def test_a_view_of_another_seat_never_reaches_the_screen() -> None:
    session = Session([PERSON, "random"], seed=3)
    session.game.play("+wug")
    session.game.play("rd2")
    drawn = session.game.reserved(1)[0].id
    async with program(session) as pilot:
        text = screen_text(pilot)
        assert "L2?" in text
        assert not re.search(rf"#{drawn}\b", text)
