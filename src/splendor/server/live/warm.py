"""Have the rules compiled before the first player comes: the first call of each one may take a while.

Run as a program, it compiles what the computer players need as well; an installation does that once.
"""

from __future__ import annotations

from functools import cache

from splendor.game import showing
from splendor.game.game import Game
from splendor.game.moves import play_part
from splendor.notation.moves import parse_move
from splendor.notation.positions import format_position
from splendor.server.live import thinker
from splendor.server.tables import fairness, starting
from splendor.server.tables.table import Step

TURNS = 90  # enough for every kind of move


@cache
def warm_up() -> None:
    """Play a game and show it; once in a process, and not again in those that it forks."""
    for players in (2, 4):
        game = Game.from_position(fairness.deal("00" * 32, [None] * players, shuffle_seats=True).position)
        starting.deal_rest(format_position(starting.read_start(game.position, players)), "00" * 32)
        steps: list[Step] = []
        while not game.is_over and len(game.moves) < TURNS:
            state = game.state
            offered = showing.offered_moves(state, game.seat)
            wanted = [form for form in offered if form.kind == ("buy", "draw", "take")[len(game.moves) % 3]] or offered
            begin = game.legal_moves[0] if wanted[-1].then else parse_move(wanted[-1].text)  # the last pays with gold
            play_part(state, begin)
            seat = game.seat
            move = game.play(begin)
            showing.movements(state, game.state, move, None)
            steps.append(Step(0, seat, len(steps), move, state, game.state))
            showing.board(game.state, game.seat, len(game.moves))
        showing.result(game.state)
        sum(step.reveals for step in steps)


if __name__ == "__main__":
    warm_up()
    thinker.warm_up()
