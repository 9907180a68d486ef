"""A game that begins from a given position and not with a deal: may it, and what nobody has seen is dealt anew.

Whoever makes such a table has chosen most of what lies there. So nothing is promised about its cards, and it does not
count for ratings. What a deck held where the position comes from is thrown away before anything is stored.
"""

from __future__ import annotations

from splendor.core import rules
from splendor.core.chance import new_rng
from splendor.core.components import LEVELS
from splendor.core.hidden import hide_deck, redeal
from splendor.core.state import ACT, State
from splendor.notation.errors import NotationError
from splendor.notation.positions import format_position, parse_position
from splendor.server.refusal import RequestRefused

SEED_DIGITS = 16  # of the secret, which nobody is ever shown at such a table


def read_start(text: str, players: int) -> State:
    """The position to begin from, its decks unseen; raises RequestRefused."""
    try:
        state = parse_position(text)
    except NotationError as error:
        raise RequestRefused("bad_position", column=error.column, sentence=error.problem, **error.why) from None
    if state.players != players:
        raise RequestRefused("other_players", players=int(state.players))
    if rules.is_over(state):
        raise RequestRefused("game_over")
    if state.phase != ACT:
        raise RequestRefused("unfinished_turn")
    for level in range(LEVELS):
        hide_deck(state, level)
    return state


def deal_rest(position: str, secret: str) -> str:
    """The same position with a card for each that nobody has seen."""
    state = parse_position(position)
    redeal(state, new_rng(int(secret[:SEED_DIGITS], 16)))
    return format_position(state)
