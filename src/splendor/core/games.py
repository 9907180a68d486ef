"""Many games side by side: deal, look at them and play on, game by game in one compiled loop.

Row i of every array belongs to game i. The loops go through the rows `start` to `stop`, so that threads can share the
work, and a GPU can run each row as a thread of its own.
"""

from __future__ import annotations

from splendor.core.components import MAX_PLAYERS
from splendor.core.features import observe
from splendor.core.jit import rule
from splendor.core.playout import playout, random_action
from splendor.core.rules import apply, is_over, legal_mask, place_of, setup, write_win_shares
from splendor.core.state import State, States
from splendor.core.types import Action, ByGame, BySeat, Count, Rng, Seat

# ------------------------------------------------------------------------------------------ one game


@rule
def write_result(state: State, shares: BySeat, places: BySeat) -> None:
    """The win share and the place of each seat of a finished game; empty seats have neither."""
    write_win_shares(state, shares)
    for seat in range(MAX_PLAYERS):
        places[seat] = place_of(state, seat) if seat < state.players else 0


@rule
def step_game(state: State, rng: Rng, action: Action, restart: bool, shares: BySeat, places: BySeat) -> bool:
    """One action, the result if it ended the game, and the next deal if asked for. Is the game over, or was it?"""
    if not is_over(state):
        apply(state, action)
        if not is_over(state):
            return False
        write_result(state, shares, places)
    if restart:
        setup(state, state.players, state.first, state.round_cap, rng)
    return True


# ---------------------------------------------------------------------------------------- many games


@rule
def reset_games(
    start: Count, stop: Count, states: States, rng: Rng, players: Count, first: Seat, round_cap: Count
) -> None:
    for game in range(start, stop):
        setup(states[game], players, first, round_cap, rng[game : game + 1])


@rule
def step_games(
    start: Count,
    stop: Count,
    states: States,
    rng: Rng,
    actions: ByGame,
    restart: bool,
    done: ByGame,
    shares: ByGame,
    places: ByGame,
) -> None:
    for game in range(start, stop):
        done[game] = step_game(states[game], rng[game : game + 1], actions[game], restart, shares[game], places[game])


@rule
def mask_games(start: Count, stop: Count, states: States, masks: ByGame) -> None:
    for game in range(start, stop):
        legal_mask(states[game], masks[game])


@rule
def observe_games(start: Count, stop: Count, states: States, viewers: ByGame, seen: ByGame) -> None:
    for game in range(start, stop):
        observe(states[game], viewers[game], seen[game])


@rule
def choose_in_games(start: Count, stop: Count, states: States, rng: Rng, actions: ByGame) -> None:
    for game in range(start, stop):
        actions[game] = 0 if is_over(states[game]) else random_action(states[game], rng[game : game + 1])


@rule
def play_out_games(
    start: Count, stop: Count, states: States, rng: Rng, decisions: ByGame, shares: ByGame, places: ByGame
) -> None:
    for game in range(start, stop):
        decisions[game] = playout(states[game], rng[game : game + 1])
        write_result(states[game], shares[game], places[game])
