"""What every legal decision leads to, as far as the seat that decides can know: the input of a network's choice.

An afterstate is the position behind a decision before chance has spoken: a card that would be turned up or drawn is
one that nobody has seen yet. It comes from playing the decision on a hidden state, where every refill brings an
unseen card. A network that rates afterstates plays by taking the best one.

The loops fill rows `start` to `stop` of arrays, so that a GPU can run each row as a thread of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splendor._jit import rule
from splendor.actions import ACTIONS
from splendor.components import MAX_PLAYERS
from splendor.features import OBSERVATION_SIZE, named, observe, seat_at
from splendor.hidden import hide
from splendor.rules import apply, is_over, legal_mask, place_of
from splendor.state import new_states


@rule
def look_at_games(
    start: Any, stop: Any, states: Any, views: Any, masks: Any, seats: Any, rounds: Any, seen: Any
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
    start: Any, stop: Any, scratch: Any, views: Any, games: Any, actions: Any, seen: Any, is_final: Any, shares: Any
) -> None:
    """Play row by row one decision in a game that is hidden from all but its deciding seat, and look from there."""
    for row in range(start, stop):
        scratch[0] = views[games[row]]
        is_final[row] = play_decision(scratch[0], actions[row], seen[row], shares[row])


@rule
def play_decision(state: Any, action: Any, seen: Any, shares: Any) -> Any:
    """Decide, and look at what it led to from the same seat. Is the game over? Then `shares` is who has won."""
    viewer = state.seat
    apply(state, action)
    observe(state, viewer, seen)
    if is_over(state):
        share_win(state, viewer, shares)
    return is_over(state)


@rule
def share_win(state: Any, viewer: Any, shares: Any) -> None:
    """The winners of a finished game share the win, told from the viewer's seat on."""
    winners = 0
    for seat in range(state.players):
        winners += place_of(state, seat) == 1
    for distance in range(MAX_PLAYERS):
        wins = distance < state.players and place_of(state, seat_at(state, viewer, distance)) == 1
        shares[distance] = np.float32(wins) / np.float32(winners)


class Afterstates:
    """Room for many afterstates, to be used again and again."""

    def __init__(self, rows: int = ACTIONS) -> None:
        """Room for so many decisions at once."""
        self.seen = np.zeros((rows, OBSERVATION_SIZE), np.int8)
        self.is_final = np.zeros(rows, np.bool_)
        self.shares = np.zeros((rows, MAX_PLAYERS), np.float32)
        self._scratch = new_states(1)
        self._named = named(self.seen)

    def play(self, views: Any, games: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
        """Fill a row for each of these legal decisions, made in hidden states with these numbers; return how many."""
        count = len(actions)
        play_decisions(0, count, self._scratch, views, games, actions, self._named, self.is_final, self.shares)
        return count
