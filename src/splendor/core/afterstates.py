"""What every legal decision leads to, as far as the seat that decides can know: the input of a network's choice.

An afterstate is the position behind a decision before chance has spoken: a card that would be turned up or drawn is
one that nobody has seen yet. It comes from playing the decision on a hidden state, where every refill brings an
unseen card. A network that rates afterstates plays by taking the best one.

The loops fill rows `start` to `stop` of arrays, so that a GPU can run each row as a thread of its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE, named, observe, seat_at
from splendor.core.hidden import hide
from splendor.core.jit import rule
from splendor.core.rules import apply, is_over, legal_mask, win_share
from splendor.core.state import State, States, new_states
from splendor.core.types import Action, ByGame, BySeat, Count, Seat, Seen


@rule
def look_at_games(
    start: Count, stop: Count, states: States, views: States, masks: ByGame, seats: ByGame, rounds: ByGame, seen: ByGame
) -> None:
    """What the deciding seat of each game knows: its view, its legal decisions, and the same for a network."""
    for game in range(start, stop):
        seat = states[game].seat
        views[game] = states[game]
        hide(views[game], seat)
        legal_mask(views[game], masks[game])
        seats[game] = seat
        rounds[game] = states[game].round_number
        observe(views[game], seat, seen[game])


@rule
def play_decisions(
    start: Count,
    stop: Count,
    scratch: States,
    views: States,
    games: ByGame,
    actions: ByGame,
    seen: ByGame,
    is_final: ByGame,
    shares: ByGame,
) -> None:
    """Play row by row one decision in a game that is hidden from all but its deciding seat, and look from there."""
    for row in range(start, stop):
        scratch[0] = views[games[row]]
        is_final[row] = play_decision(scratch[0], actions[row], seen[row], shares[row])


@rule
def play_decision(state: State, action: Action, seen: Seen, shares: BySeat) -> bool:
    """Decide, and look at what it led to from the same seat. Is the game over? Then `shares` is who has won."""
    viewer = state.seat
    apply(state, action)
    observe(state, viewer, seen)
    if is_over(state):
        write_win_shares_from(state, viewer, shares)
    return is_over(state)


@rule
def write_win_shares_from(state: State, viewer: Seat, shares: BySeat) -> None:
    """The win share of each seat of a finished game, from the viewer's seat on  [distance]."""
    for distance in range(MAX_PLAYERS):
        shares[distance] = win_share(state, seat_at(state, viewer, distance))


class Afterstates:
    """Room for many afterstates, to be used again and again."""

    def __init__(self, rows: int = ACTIONS) -> None:
        """Room for so many decisions at once."""
        self.seen = np.zeros((rows, OBSERVATION_SIZE), np.int8)
        self.is_final = np.zeros(rows, np.bool_)
        self.shares = np.zeros((rows, MAX_PLAYERS), np.float32)
        self._scratch = new_states(1)
        self._named = named(self.seen)

    def play(self, views: States, games: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
        """Fill a row for each of these legal decisions, made in hidden states with these numbers; return how many."""
        count = len(actions)
        play_decisions(0, count, self._scratch, views, games, actions, self._named, self.is_final, self.shares)
        return count
