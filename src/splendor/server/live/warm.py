"""Have the rules compiled before the first player comes: the first call of each one may take a while.

Run as a program, it compiles what the computer players need as well; an installation does that once.
"""

from __future__ import annotations

from functools import cache

from splendor.game import showing
from splendor.game.game import Game
from splendor.notation.positions import format_position
from splendor.server.live import thinker
from splendor.server.tables import fairness, starting

TURNS = 90  # enough for every kind of move


@cache
def warm_up() -> None:
    """Play a game and show it; once in a process, and not again in those that it forks."""
    for players in (2, 4):
        game = Game.from_position(fairness.deal("00" * 32, [None] * players, shuffle_seats=True).position)
        starting.deal_rest(format_position(starting.read_start(game.position, players)), "00" * 32)
        while not game.is_over and len(game.moves) < TURNS:
            state = game.state
            offered = showing.offered_moves(state, game.seat)
            wanted = [form for form in offered if form.kind == ("buy", "draw", "take")[len(game.moves) % 3]] or offered
            begin = game.legal_moves[0] if wanted[0].then else wanted[0].text
            move = game.play(begin)
            showing.movements(state, game.state, move, None)
            showing.board(game.state, game.seat, len(game.moves))
        showing.result(game.state)


if __name__ == "__main__":
    warm_up()
    thinker.warm_up()
