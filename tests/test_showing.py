"""What a viewer is shown: plain data that says everything, and nothing that is hidden."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import asdict

import pytest
from pydantic import TypeAdapter

from splendor import Game
from splendor.core.state import State
from splendor.game import showing
from splendor.game.position import View
from splendor.server import messages as m

pytestmark = pytest.mark.compiled_only

TURNS = 60


def states_of(players: int, seed: int) -> list[State]:
    """The states of a game in which cards are drawn and bought."""
    game, states = Game(players=players, seed=seed), []
    while not game.is_over and len(game.moves) < TURNS:
        states.append(game.state)
        moves = game.legal_moves
        wanted = ("buy", "draw", "take")[len(game.moves) % 3]
        game.play(next((move for move in moves if move.kind in ("buy", wanted)), moves[-1]))
    return states


def test_what_is_shown_is_made_without_pydantic() -> None:
    program = "import sys, splendor.game.showing; print('pydantic' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "False"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_server_sends_the_plain_data_as_it_is(players: int) -> None:
    boards, moves = TypeAdapter(m.BoardView), TypeAdapter(list[m.MoveForm])
    for turn, state in enumerate(states_of(players, seed=3)):
        shown, offered = showing.board(state, 0, turn), showing.offered_moves(state, int(state.seat))
        assert boards.dump_python(shown, mode="json") == asdict(shown)
        assert moves.dump_python(offered, mode="json") == [asdict(form) for form in offered]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_another_deal_of_the_hidden_cards_is_shown_the_same(players: int, viewer: int | None) -> None:
    for state in states_of(players, seed=4):
        other = View(state, viewer).redeal(seed=5)
        assert other.deck.tolist() != state.deck.tolist() or not any(state.deck_size)
        assert showing.board(other, viewer, 0) == showing.board(state, viewer, 0)
        assert showing.offered_moves(other, viewer) == showing.offered_moves(state, viewer)
