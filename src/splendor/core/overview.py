"""The whole board at one call: what can be decided and where it leads, and what a seat lacks for each card.

Nothing here is a rule of its own. These are loops over questions to the rules, for those who show a position and would
ask them one by one.
"""

from __future__ import annotations

from splendor.core.bits import count_bits
from splendor.core.components import CARD_COST_BITS, GOLD
from splendor.core.jit import rule
from splendor.core.rules import apply, can_buy, legal_actions, means, missing, of_color
from splendor.core.state import State, States
from splendor.core.types import Actions, ByGame, Cards, Count, Seat


@rule
def write_decisions(state: State, actions: Actions, phases: ByGame, scratch: States) -> Count:
    """Write the legal actions, rising, and the phase that each leads to; return how many there are.

    `scratch` has room for one state.
    """
    count = legal_actions(state, actions)
    for n in range(count):
        scratch[0] = state
        apply(scratch[0], actions[n])
        phases[n] = scratch[0].phase
    return count


@rule
def write_missing(state: State, seat: Seat, cards: Cards, tokens: ByGame, affordable: ByGame) -> None:
    """Write the tokens that a seat lacks for each of these known cards [card, color], gold aside, and if it can buy it.

    Gold can stand in for each token that is missing.
    """
    for n in range(len(cards)):
        lacking = missing(CARD_COST_BITS[cards[n]], means(state, seat))
        for color in range(GOLD):
            tokens[n, color] = count_bits(of_color(lacking, color))
        affordable[n] = can_buy(state, seat, cards[n])
