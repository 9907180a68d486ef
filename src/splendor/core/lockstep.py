"""One step of many games as a learning agent takes it: with a look at the mask, rewards, and the next deals.

This is the loop under `adapters.vector`. `Batch.step` trusts its caller; here an illegal action leaves its game alone,
whatever it is, and says so. All is done in one pass, since at a million steps a second a pass in NumPy is already dear.
"""

from __future__ import annotations

from splendor.core.features import observe
from splendor.core.games import step_game
from splendor.core.jit import rule
from splendor.core.rules import setup
from splendor.core.state import ENDED_BY_CAP, State, States
from splendor.core.types import ByGame, Count, Rng, Seat

GOES_ON, ENDED, CUT_SHORT, ILLEGAL = range(4)  # what a step was in a game
ILLEGAL_REWARD = -1.0

DEAL_NEVER, DEAL_NEXT, DEAL_AT_ONCE = range(3)  # when a game that is over is dealt anew


@rule
def lead(state: State, seat: Seat) -> int:
    """A seat's points less the most points of another."""
    best = 0
    for other in range(state.players):
        if other != seat:
            best = max(best, state.points[other])
    return state.points[seat] - best


@rule
def step_lockstep(
    states: States,
    rng: Rng,
    actions: ByGame,
    legal: ByGame,
    deal: Count,
    rewards_points: bool,
    is_over: ByGame,
    outcomes: ByGame,
    rewards: ByGame,
    shares: ByGame,
    places: ByGame,
    finals: ByGame,
) -> Count:
    """One decision in each game, or its next deal; return how many games ended.

    `legal` is the mask of all games as they are. `rewards` are those of the seat that decided: the growth of its lead
    with `rewards_points`, else its share of the win. Where games are dealt at once, `finals` gets what was seen at
    their end, one row after the other.
    """
    ended = 0
    for game in range(len(states)):
        state, generator = states[game], rng[game : game + 1]
        outcomes[game] = GOES_ON
        rewards[game] = 0.0
        if is_over[game]:
            setup(state, state.players, state.first, state.round_cap, generator)
            is_over[game] = False
        elif not legal[game, actions[game]]:
            outcomes[game] = ILLEGAL
            rewards[game] = ILLEGAL_REWARD
        else:
            seat, before = state.seat, lead(state, state.seat)
            has_ended = step_game(state, generator, actions[game], False, shares[game], places[game])
            if rewards_points:
                rewards[game] = lead(state, seat) - before
            elif has_ended:
                rewards[game] = shares[game, seat]
            if has_ended:
                outcomes[game] = CUT_SHORT if state.phase == ENDED_BY_CAP else ENDED
                if deal == DEAL_AT_ONCE:
                    observe(state, seat, finals[ended])
                    setup(state, state.players, state.first, state.round_cap, generator)
                else:
                    is_over[game] = True
                ended += 1
    return ended
