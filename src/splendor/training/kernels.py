"""The loops over games as GPU programs, next to those of `batch_gpu`: a thread for each row, working on its desk.

The functions of the rulebook that they call are those of the CPU's loops, so the numbers are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from splendor.core import afterstates, games
from splendor.core.afterstates import write_win_shares_from
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION
from splendor.core.games import step_game
from splendor.core.hidden import hide
from splendor.core.playout import random_action
from splendor.core.rules import apply, is_over, legal_mask, setup
from splendor.core.state import STATE
from splendor.core.types import ByGame, Count, Rng
from splendor.many.batch_gpu import (
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
    WARPS,
    Words,
    bring_back,
    check_gpu,
    cuda,
    fetch,
    kernel,
    observe_together,
    on_gpu_type,
)
from splendor.search.kernel import loops
from splendor.search.kernel.backup import back_up_leaf
from splendor.search.kernel.descend import descend
from splendor.search.kernel.evaluation import ROW
from splendor.search.kernel.greedy import SCRATCH_STATES, best_decision
from splendor.search.kernel.leaves import Leaves
from splendor.search.kernel.loops import tally_root
from splendor.search.kernel.tree import Tree, clear, tree_of

STATE_TYPE = on_gpu_type(STATE)


@kernel
def deal_games(count: Count, states: Words, rng: Rng, players: ByGame, round_cap: int) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    game = cuda.grid(1)
    if game < count:
        words[cuda.threadIdx.x * GAME_DESK_WORDS + STATE_WORDS - 1] = 0  # ends with two bytes that no field uses
        setup(desks[cuda.threadIdx.x].state, players[game], 0, round_cap, rng[game : game + 1])
    bring_back(states, count, STATE_WORDS, words, cuda.blockDim.x, GAME_DESK_WORDS, 0)


@kernel
def look_at_games(
    count: Count, states: Words, views: Words, masks: ByGame, seats: ByGame, rounds: ByGame, seen: Words
) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, SIGHT_DESK_TYPE)
    lane, part = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    game = cuda.blockIdx.x * WARP + lane
    is_game = game < count
    fetch(states, count, words, WARP, SIGHT_DESK_WORDS)
    desk = desks[lane]
    if is_game and part == 0:
        seats[game] = desk.state.seat
        rounds[game] = desk.state.round_number
        hide(desk.state, desk.state.seat)
    cuda.syncthreads()
    if is_game and part == 1:
        legal_mask(desk.state, masks[game])
    observe_together(desk, int(desk.state.seat), part, is_game)
    bring_back(views, count, STATE_WORDS, words, WARP, SIGHT_DESK_WORDS, 0)
    bring_back(seen, count, SIGHT_WORDS, words, WARP, SIGHT_DESK_WORDS, STATE_WORDS)


@kernel
def play_decisions(
    count: Count, views: Words, games: ByGame, actions: ByGame, seen: Words, is_final: ByGame, shares: ByGame
) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, SIGHT_DESK_TYPE)
    lane, part = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = cuda.blockIdx.x * WARP
    for word in range(cuda.threadIdx.x, min(WARP, count - first) * STATE_WORDS, cuda.blockDim.x):
        place = word % STATE_WORDS
        words[word // STATE_WORDS * SIGHT_DESK_WORDS + place] = views[games[first + word // STATE_WORDS], place]
    cuda.syncthreads()
    row = first + lane
    is_row = row < count
    desk = desks[lane]
    viewer = int(desk.state.seat)
    cuda.syncthreads()  # everybody knows who decides before the decision is made
    if is_row and part == 0:
        apply(desk.state, actions[row])
        is_final[row] = is_over(desk.state)
        if is_over(desk.state):
            write_win_shares_from(desk.state, viewer, shares[row])
    cuda.syncthreads()
    observe_together(desk, viewer, part, is_row)
    bring_back(seen, count, SIGHT_WORDS, words, WARP, SIGHT_DESK_WORDS, STATE_WORDS)


@kernel
def step_games(
    count: Count, states: Words, rng: Rng, actions: ByGame, restart: bool, done: ByGame, shares: ByGame, places: ByGame
) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    game = cuda.grid(1)
    fetch(states, count, words, cuda.blockDim.x, GAME_DESK_WORDS)
    if game < count:
        state = desks[cuda.threadIdx.x].state
        done[game] = step_game(state, rng[game : game + 1], actions[game], restart, shares[game], places[game])
    bring_back(states, count, STATE_WORDS, words, cuda.blockDim.x, GAME_DESK_WORDS, 0)


@kernel
def choose_in_games(count: Count, states: Words, rng: Rng, actions: ByGame) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    game = cuda.grid(1)
    fetch(states, count, words, cuda.blockDim.x, GAME_DESK_WORDS)
    if game < count:
        state = desks[cuda.threadIdx.x].state
        actions[game] = 0 if is_over(state) else random_action(state, rng[game : game + 1])


@kernel
def greedy_in_games(
    count: Count, views: Words, mine: ByGame, rng: Rng, noise: float, weights: ByGame, actions: ByGame
) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    scratch = cuda.local.array(SCRATCH_STATES, STATE_TYPE)
    shares = cuda.local.array(MAX_PLAYERS, np.float64)
    paper = cuda.local.array(ROW, np.float64)
    game = cuda.grid(1)
    fetch(views, count, words, cuda.blockDim.x, GAME_DESK_WORDS)
    if game < count:
        state = desks[cuda.threadIdx.x].state
        actions[game] = 0
        if mine[game] and not is_over(state):
            actions[game] = best_decision(state, noise, rng[game : game + 1], weights, scratch, shares, paper)


@kernel
def clear_trees(count: Count, trees: Tree) -> None:
    game = cuda.grid(1)
    if game < count:
        clear(tree_of(trees, game))


@kernel
def gather_in_games(
    count: Count, trees: Tree, views: Words, settings: Any, leaves: Leaves, states: Words, seeds: ByGame, rng: Rng
) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    game = cuda.grid(1)
    fetch(views, count, words, cuda.blockDim.x, GAME_DESK_WORDS)
    if game < count:
        state = desks[cuda.threadIdx.x].state
        descend(tree_of(trees, game), state, settings, leaves, game, seeds[game], rng[game : game + 1])
    bring_back(states, count, STATE_WORDS, words, cuda.blockDim.x, GAME_DESK_WORDS, 0)


@kernel
def back_up_in_games(count: Count, trees: Tree, seats: ByGame, leaves: Leaves, states: Words) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    game = cuda.grid(1)
    fetch(states, count, words, cuda.blockDim.x, GAME_DESK_WORDS)
    if game < count:
        back_up_leaf(tree_of(trees, game), desks[cuda.threadIdx.x].state, int(seats[game]), leaves, game)


@kernel
def tally_in_games(count: Count, trees: Tree, visits: ByGame, values: ByGame) -> None:
    game = cuda.grid(1)
    if game < count:
        tally_root(tree_of(trees, game), visits[game], values[game])


# The kernel of each loop, the threads that share a row, the rows of a block, and the desk of a row.
KERNELS: dict[Callable[..., None], tuple[Any, int, int, np.dtype]] = {
    loops.deal_games: (deal_games, 1, THREADS, GAME_DESK),
    afterstates.look_at_games: (look_at_games, WARPS, WARP, SIGHT_DESK),
    afterstates.play_decisions: (play_decisions, WARPS, WARP, SIGHT_DESK),
    games.step_games: (step_games, 1, THREADS, GAME_DESK),
    games.choose_in_games: (choose_in_games, 1, THREADS, GAME_DESK),
    loops.greedy_in_games: (greedy_in_games, 1, WARP, GAME_DESK),
    loops.clear_trees: (clear_trees, 1, WARP, GAME_DESK),
    loops.gather_in_games: (gather_in_games, 1, WARP, GAME_DESK),
    loops.back_up_in_games: (back_up_in_games, 1, WARP, GAME_DESK),
    loops.tally_in_games: (tally_in_games, 1, WARP, GAME_DESK),
}


def launch(loop: Callable[..., None], count: int, *arguments: object) -> None:
    """Run a loop over `count` rows on the GPU, in order with what PyTorch has asked of it."""
    import torch

    program, sharing, rows, desk = KERNELS[loop]
    queue = torch.cuda.current_stream().cuda_stream
    stream = cuda.external_stream(queue) if queue else 0
    program[-(-count // rows), sharing * rows, stream, rows * desk.itemsize](count, *arguments)


def device_array(tensor: Any, dtype: Any) -> Any:
    """The memory of a contiguous tensor on the GPU: as it is, as whole words if it holds records, else as `dtype`."""
    import torch

    tensor = tensor.detach()
    if dtype in (STATE, OBSERVATION):
        return cuda.as_cuda_array(tensor.view(torch.int32))
    array = cuda.as_cuda_array(tensor)
    return array if dtype is None else array.view(dtype)


__all__ = ["KERNELS", "check_gpu", "device_array", "launch"]
