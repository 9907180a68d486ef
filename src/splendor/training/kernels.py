"""The loops over games as GPU programs, next to those of `batch_gpu`: a thread for each row, working on its desk.

Every kernel hands its row to the functions that the CPU's loops call, so the numbers are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from splendor import afterstates, batch
from splendor.afterstates import play_decision
from splendor.batch import step_game
from splendor.batch_gpu import (
    GAME_DESK,
    GAME_DESK_TYPE,
    GAME_DESK_WORDS,
    SIGHT_DESK,
    SIGHT_DESK_TYPE,
    SIGHT_DESK_WORDS,
    SIGHT_WORDS,
    STATE_WORDS,
    THREADS,
    WARP,
    bring_back,
    check_gpu,
    cuda,
    device,
    fetch,
    kernel,
    on_gpu_type,
)
from splendor.components import MAX_PLAYERS
from splendor.features import OBSERVATION, observe
from splendor.hidden import hide
from splendor.playout import random_action
from splendor.rules import is_over, legal_mask, setup
from splendor.search.evaluation import ROW
from splendor.search.greedy import SCRATCH_STATES, best_decision
from splendor.state import STATE
from splendor.training import loops

STATE_TYPE = on_gpu_type(STATE)


@device
def bring_back_some(rows: Any, count: Any, width: Any, words: Any, desk_words: Any, offset: Any) -> None:
    """`bring_back` for the first `count` rows."""
    cuda.syncthreads()
    first = cuda.blockIdx.x * cuda.blockDim.x
    last = min(cuda.blockDim.x, count - first) * width
    for word in range(cuda.threadIdx.x, last, cuda.blockDim.x):
        rows[first + word // width, word % width] = words[word // width * desk_words + offset + word % width]


@kernel
def deal_games(count: Any, states: Any, rng: Any, players: Any, round_cap: Any) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    game = cuda.grid(1)
    if game < count:
        words[cuda.threadIdx.x * GAME_DESK_WORDS + STATE_WORDS - 1] = 0  # ends with two bytes that no field uses
        setup(desks[cuda.threadIdx.x].state, players[game], 0, round_cap, rng[game : game + 1])
    bring_back(states, STATE_WORDS, words, GAME_DESK_WORDS, 0)


@kernel
def look_at_games(count: Any, states: Any, views: Any, masks: Any, seats: Any, rounds: Any, seen: Any) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, SIGHT_DESK_TYPE)
    game = cuda.grid(1)
    fetch(states, STATE_WORDS, words, SIGHT_DESK_WORDS)
    if game < count:
        desk = desks[cuda.threadIdx.x]
        seats[game] = desk.state.seat
        rounds[game] = desk.state.round_number
        hide(desk.state, desk.state.seat)
        legal_mask(desk.state, masks[game])
        observe(desk.state, desk.state.seat, desk.seen)
    bring_back(views, STATE_WORDS, words, SIGHT_DESK_WORDS, 0)
    bring_back(seen, SIGHT_WORDS, words, SIGHT_DESK_WORDS, STATE_WORDS)


@kernel
def play_decisions(count: Any, views: Any, games: Any, actions: Any, seen: Any, is_final: Any, shares: Any) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, SIGHT_DESK_TYPE)
    first = cuda.blockIdx.x * cuda.blockDim.x
    last = min(cuda.blockDim.x, count - first) * STATE_WORDS
    for word in range(cuda.threadIdx.x, last, cuda.blockDim.x):
        game = games[first + word // STATE_WORDS]
        words[word // STATE_WORDS * SIGHT_DESK_WORDS + word % STATE_WORDS] = views[game, word % STATE_WORDS]
    cuda.syncthreads()
    row = cuda.grid(1)
    if row < count:
        desk = desks[cuda.threadIdx.x]
        is_final[row] = play_decision(desk.state, actions[row], desk.seen, shares[row])
    bring_back_some(seen, count, SIGHT_WORDS, words, SIGHT_DESK_WORDS, STATE_WORDS)


@kernel
def step_games(
    count: Any, states: Any, rng: Any, actions: Any, restart: Any, done: Any, shares: Any, places: Any
) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    game = cuda.grid(1)
    fetch(states, STATE_WORDS, words, GAME_DESK_WORDS)
    if game < count:
        state = desks[cuda.threadIdx.x].state
        done[game] = step_game(state, rng[game : game + 1], actions[game], restart, shares[game], places[game])
    bring_back(states, STATE_WORDS, words, GAME_DESK_WORDS, 0)


@kernel
def choose_in_games(count: Any, states: Any, rng: Any, actions: Any) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    game = cuda.grid(1)
    fetch(states, STATE_WORDS, words, GAME_DESK_WORDS)
    if game < count:
        state = desks[cuda.threadIdx.x].state
        actions[game] = 0 if is_over(state) else random_action(state, rng[game : game + 1])


@kernel
def greedy_in_games(count: Any, views: Any, rng: Any, noise: Any, weights: Any, actions: Any) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    scratch = cuda.local.array(SCRATCH_STATES, STATE_TYPE)
    shares = cuda.local.array(MAX_PLAYERS, np.float64)
    paper = cuda.local.array(ROW, np.float64)
    game = cuda.grid(1)
    fetch(views, STATE_WORDS, words, GAME_DESK_WORDS)
    if game < count:
        state = desks[cuda.threadIdx.x].state
        actions[game] = 0
        if not is_over(state):
            actions[game] = best_decision(state, noise, rng[game : game + 1], weights, scratch, shares, paper)


# The kernel of each loop, and the threads of a block and the desk of a thread.
KERNELS: dict[Callable[..., None], tuple[Any, int, np.dtype[Any]]] = {
    loops.deal_games: (deal_games, THREADS, GAME_DESK),
    afterstates.look_at_games: (look_at_games, WARP, SIGHT_DESK),
    afterstates.play_decisions: (play_decisions, WARP, SIGHT_DESK),
    batch.step_games: (step_games, THREADS, GAME_DESK),
    batch.choose_in_games: (choose_in_games, THREADS, GAME_DESK),
    loops.greedy_in_games: (greedy_in_games, WARP, GAME_DESK),
}


def launch(loop: Callable[..., None], count: int, *arguments: object) -> None:
    """Run a loop over `count` rows on the GPU, in order with what PyTorch has asked of it."""
    program, threads, desk = KERNELS[loop]
    program[-(-count // threads), threads, 0, threads * desk.itemsize](count, *arguments)


def device_array(tensor: Any, dtype: Any) -> Any:
    """The memory of a contiguous tensor on the GPU: as it is, as whole words if it holds records, else as `dtype`."""
    import torch

    tensor = tensor.detach()
    if dtype in (STATE, OBSERVATION):
        return cuda.as_cuda_array(tensor.view(torch.int32))
    array = cuda.as_cuda_array(tensor)
    return array if dtype is None else array.view(dtype)


__all__ = ["KERNELS", "check_gpu", "device_array", "launch"]
