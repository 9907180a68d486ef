"""Many games in lock-step on a CUDA GPU: `GpuBatch` has the methods of `Batch` and gives the same numbers.

The kernels call the functions of the rulebook, compiled once more for the GPU. States live in GPU memory, one
record of 256 bytes for each game, and so does everything that a method returns. Results are device arrays with
`__cuda_array_interface__`: `torch.as_tensor(batch.observe())` and `cupy.asarray(...)` share their memory.

A thread plays one game, on its *desk*: a copy of the record in shared memory, which is as fast as a cache. Desks
are an odd number of words long, so that the threads of a warp, which look at the same field of different desks, use
different memory banks. All traffic with the GPU's main memory is in whole words, by neighbouring threads.

GPU code is here and in `training/kernels.py`, and for networks in `training/fused.py`; nowhere else. This file can be
imported anywhere; making a `GpuBatch` needs a GPU and numba-cuda.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numba
import numpy as np

from splendor.core.actions import ACTIONS
from splendor.core.bits import count_bits, nth_bit, nth_bit_by_bytes
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import (
    OBSERVATION,
    OBSERVATION_SIZE,
    observe_market,
    observe_nobles,
    observe_reserved,
    observe_seats,
    observe_shown,
    observe_turn,
    observe_unbought,
)
from splendor.core.games import step_game, write_result
from splendor.core.jit import MODE
from splendor.core.playout import random_action
from splendor.core.rules import apply, is_over, legal_mask, setup
from splendor.core.state import STATE
from splendor.many.batch import check_table

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks for it; NumPy 2.5 has dropped it
    setattr(np, "row_stack", np.vstack)  # noqa: B010 (it is there for some versions and not for others)

Array = Any  # an array in the memory of the CPU or of the GPU, whichever library made it
GpuArray = Any  # one that kernels take
Words = Any  # records as words  [record, word]
Desk = Any  # the records that one thread works on, in shared memory
Rule = Any  # a compiled rule, a kernel or what a kernel calls

cuda: Any = None  # the module, if numba-cuda is installed
PROBLEM = ""
try:
    cuda = import_module("numba.cuda")
except ImportError as problem:  # pragma: no cover
    PROBLEM = str(problem)

WORD = 4  # bytes
THREADS = 128  # of a block of `play_out_games`: with their desks six blocks fit a multiprocessor
WARP = 32
WARPS = 4  # that share the work on the observations of 32 rows
WHOLE_WARP = 0xFFFFFFFF
BLOCKS_PER_PROCESSOR = 6


def desk(*parts: tuple[str, np.dtype]) -> np.dtype:
    """A record for one thread: these parts, and padding to an odd number of words."""
    size = sum(part.itemsize for _, part in parts)
    words = size // WORD | 1
    offsets = np.cumsum([0, *(part.itemsize for _, part in parts[:-1])]).tolist()
    names, formats = zip(*parts, strict=True)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": words * WORD})


MASK = np.dtype([("legal", np.int8, ACTIONS)])
GAME_DESK = desk(("state", STATE))
MASK_DESK = desk(("state", STATE), ("mask", MASK))
SIGHT_DESK = desk(("state", STATE), ("seen", OBSERVATION))

STATE_WORDS = STATE.itemsize // WORD
MASK_WORDS = MASK.itemsize // WORD
SIGHT_WORDS = OBSERVATION_SIZE // WORD
GAME_DESK_WORDS = GAME_DESK.itemsize // WORD
MASK_DESK_WORDS = MASK_DESK.itemsize // WORD
SIGHT_DESK_WORDS = SIGHT_DESK.itemsize // WORD


class NoGpu(RuntimeError):
    """There is no GPU to play on, and why."""


def check_gpu() -> None:
    """Raise `NoGpu` with a sentence that says what is missing."""
    if cuda is None:
        raise NoGpu(f"GpuBatch needs numba-cuda: pip install numba-cuda ({PROBLEM})")
    if MODE == "plain":
        raise NoGpu("GpuBatch needs compiled rules, and SPLENDOR_MODE is 'plain'")
    if not cuda.is_available():
        raise NoGpu("GpuBatch needs an NVIDIA GPU with its driver, and numba-cuda: pip install numba-cuda")


class GpuBatch:
    """Games side by side in GPU memory; see `Batch` for what each method promises."""

    def __init__(self, games: int, players: int = 2, *, seed: int = 0, first: int = 0, round_cap: int = 0) -> None:
        """Deal `games` games, number i from seed `seed + i`."""
        check_gpu()
        check_table(players, first)
        self.players, self.first, self.round_cap = players, first, round_cap
        self._games = games
        self._words = cuda.device_array((games, STATE_WORDS), np.int32)
        self.rng = cuda.device_array(games, np.uint64)
        self.done = cuda.device_array(games, np.bool_)
        self.shares = cuda.device_array((games, MAX_PLAYERS), np.float32)
        self.places = cuda.device_array((games, MAX_PLAYERS), np.int8)
        self.reset(np.uint64(seed & 0xFFFFFFFFFFFFFFFF) + np.arange(games, dtype=np.uint64))

    def __len__(self) -> int:
        return self._games

    @property
    def states(self) -> np.recarray:
        """A copy of the states in the memory of the CPU."""
        states: np.recarray = self._words.copy_to_host().view(STATE).view(np.recarray)[:, 0]
        return states

    def reset(self, seeds: Array | None = None) -> None:
        """Deal every game anew, from these seeds, or from where its generator stands."""
        if seeds is not None:
            self.rng.copy_to_device(np.asarray(seeds, np.uint64) if not is_on_gpu(seeds) else on_gpu(seeds))
        blocks = -(-self._games // THREADS)
        reset_games[blocks, THREADS, 0, THREADS * GAME_DESK.itemsize](
            self._words, self.rng, self.players, self.first, self.round_cap, self.done, self.shares, self.places
        )

    def step(self, actions: Array, restart: bool = False) -> GpuArray:
        """Carry out one legal action in each game; say which games are over."""
        blocks = -(-self._games // THREADS)
        step_games[blocks, THREADS, 0, THREADS * GAME_DESK.itemsize](
            self._words, self.rng, on_gpu(actions), restart, self.done, self.shares, self.places
        )
        return self.done

    def legal_mask(self, out: Array | None = None) -> GpuArray:
        """Which actions are legal  [game, action]; none are in a finished game."""
        out = cuda.device_array((self._games, ACTIONS), np.bool_) if out is None else on_gpu(out)
        blocks = -(-self._games // THREADS)
        mask_games[blocks, THREADS, 0, THREADS * MASK_DESK.itemsize](self._words, out.view(np.int32))
        return out

    def observe(self, viewers: Array | None = None, out: Array | None = None) -> GpuArray:
        """What a seat of each game knows, by default the one that decides  [game, OBSERVATION_SIZE]."""
        out = cuda.device_array((self._games, OBSERVATION_SIZE), np.int8) if out is None else on_gpu(out)
        has_viewers = viewers is not None
        blocks = -(-self._games // WARP)
        observe_games[blocks, WARPS * WARP, 0, WARP * SIGHT_DESK.itemsize](
            self._words, has_viewers, on_gpu(viewers) if has_viewers else self.done.view(np.int8), out.view(np.int32)
        )
        return out

    def random_actions(self, out: Array | None = None) -> GpuArray:
        """A legal action for each game, uniformly at random; 0 for a finished game."""
        out = cuda.device_array(self._games, np.int8) if out is None else on_gpu(out)
        blocks = -(-self._games // THREADS)
        choose_in_games[blocks, THREADS, 0, THREADS * GAME_DESK.itemsize](self._words, self.rng, out)
        return out

    def playout(self, out: Array | None = None) -> GpuArray:
        """Play every game to its end at random; return the number of decisions in each."""
        out = cuda.device_array(self._games, np.int32) if out is None else on_gpu(out)
        processors = cuda.get_current_device().MULTIPROCESSOR_COUNT
        blocks = min(-(-self._games // THREADS), BLOCKS_PER_PROCESSOR * processors)
        play_out_games[blocks, THREADS, 0, THREADS * GAME_DESK.itemsize](
            self._words, self.rng, out, self.done, self.shares, self.places
        )
        return out


def is_on_gpu(array: Array) -> bool:
    """Does an array live in GPU memory, whichever library made it?"""
    return hasattr(array, "__cuda_array_interface__")


def on_gpu(array: Array) -> GpuArray:
    """The array as kernels take it: the same memory if it is on the GPU, else a copy there."""
    return cuda.as_cuda_array(array) if is_on_gpu(array) else cuda.to_device(np.asarray(array))


def kernel(function: Rule) -> Rule:
    """A function that runs on the GPU, one thread for each game; compiled at its first call."""
    return function if cuda is None else cuda.jit(function)


def device(function: Rule) -> Rule:
    """A function that kernels call."""
    return function if cuda is None else cuda.jit(device=True, forceinline=True)(function)


def on_gpu_type(record: np.dtype) -> Any:
    """The type of a record for `cuda.shared.array`."""
    from_dtype: Any = numba.from_dtype
    return from_dtype(record)


@device
def population(bits: int) -> Any:
    """`count_bits` as one instruction."""
    return cuda.popc(np.int64(bits))


def as_python(rule: Rule) -> Rule:
    """The source of a compiled rule."""
    return rule.py_func


def replace_on_gpu(rule: Rule, function: Rule) -> None:
    """Let kernels call `function` for `rule`; this is where numba-cuda keeps a rule that it compiled for the GPU."""
    rule._CUDATypingContext__dispatcher = function


def use_gpu_instructions() -> None:
    """Give the compiler what it does not find by itself on a GPU; nothing here changes a number.

    It knows no idiom for `count_bits`, so kernels get the instruction by name; `nth_bit` may be an instruction that
    only the CPU has. And it keeps tables in constant memory, which serves one row at a time to a warp whose lanes all
    hold different cards; main memory has a cache for that.
    """
    if cuda is not None and MODE != "plain":
        replace_on_gpu(count_bits, population)
        replace_on_gpu(nth_bit, device(as_python(nth_bit_by_bytes)))
        nvvm: Any = import_module("numba.cuda.cudadrv.nvvm")
        nvvm.ADDRSPACE_CONSTANT = nvvm.ADDRSPACE_GLOBAL
        cuda.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a small batch is no mistake


use_gpu_instructions()
GAME_DESK_TYPE = on_gpu_type(GAME_DESK)
MASK_DESK_TYPE = on_gpu_type(MASK_DESK)
SIGHT_DESK_TYPE = on_gpu_type(SIGHT_DESK)


# ------------------------------------------------------------------------- desks and the main memory
#
# Shared memory is asked for as words and as desks: two names for the same place.


@device
def fetch(rows: Words, count: int, words: GpuArray, desks: int, desk_words: int) -> None:
    """Bring the states of this block's games to its desks; neighbouring threads fetch neighbouring words."""
    first = cuda.blockIdx.x * desks
    for word in range(cuda.threadIdx.x, min(desks, count - first) * STATE_WORDS, cuda.blockDim.x):
        row, place = word // STATE_WORDS, word % STATE_WORDS
        words[row * desk_words + place] = rows[first + row, place]
    cuda.syncthreads()


@device
def bring_back(rows: Words, count: int, width: int, words: GpuArray, desks: int, desk_words: int, offset: int) -> None:
    """Write a part of each desk, `offset` words from its start, to the rows of this block."""
    cuda.syncthreads()
    first = cuda.blockIdx.x * desks
    for word in range(cuda.threadIdx.x, min(desks, count - first) * width, cuda.blockDim.x):
        row, place = word // width, word % width
        rows[first + row, place] = words[row * desk_words + offset + place]


@device
def observe_together(desk: Desk, viewer: int, part: int, is_row: bool) -> None:
    """`features.observe` by four warps, each of which writes other parts of the same observations."""
    if is_row:
        if part == 0:
            observe_turn(desk.state, viewer, desk.seen)
            observe_seats(desk.state, viewer, desk.seen)
        elif part == 1:
            observe_nobles(desk.state, viewer, desk.seen)
        elif part == 2:  # noqa: PLR2004 - the third warp
            observe_market(desk.state, viewer, desk.seen)
        else:
            observe_unbought(desk.state, desk.seen)
    cuda.syncthreads()  # all cards are marked as unseen before those that are shown lose their mark
    if is_row:
        if part == 0:
            observe_shown(desk.state, desk.seen)
        observe_reserved(desk.state, viewer, part, desk.seen)


# ------------------------------------------------------------------------------------------ kernels


@kernel
def reset_games(
    states: Words,
    rng: GpuArray,
    players: int,
    first: int,
    round_cap: int,
    done: GpuArray,
    shares: GpuArray,
    places: GpuArray,
) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    game = cuda.grid(1)
    if game < states.shape[0]:
        words[cuda.threadIdx.x * GAME_DESK_WORDS + STATE_WORDS - 1] = 0  # ends with two bytes that no field uses
        setup(desks[cuda.threadIdx.x].state, players, first, round_cap, rng[game : game + 1])
        done[game] = False
        for seat in range(MAX_PLAYERS):
            shares[game, seat] = 0
            places[game, seat] = 0
    bring_back(states, states.shape[0], STATE_WORDS, words, cuda.blockDim.x, GAME_DESK_WORDS, 0)


@kernel
def step_games(
    states: Words, rng: GpuArray, actions: GpuArray, restart: bool, done: GpuArray, shares: GpuArray, places: GpuArray
) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    game = cuda.grid(1)
    fetch(states, states.shape[0], words, cuda.blockDim.x, GAME_DESK_WORDS)
    if game < states.shape[0]:
        state = desks[cuda.threadIdx.x].state
        done[game] = step_game(state, rng[game : game + 1], actions[game], restart, shares[game], places[game])
    bring_back(states, states.shape[0], STATE_WORDS, words, cuda.blockDim.x, GAME_DESK_WORDS, 0)


@kernel
def mask_games(states: Words, masks: GpuArray) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, MASK_DESK_TYPE)
    fetch(states, states.shape[0], words, cuda.blockDim.x, MASK_DESK_WORDS)
    if cuda.grid(1) < states.shape[0]:
        desk = desks[cuda.threadIdx.x]
        legal_mask(desk.state, desk.mask.legal)
    bring_back(masks, states.shape[0], MASK_WORDS, words, cuda.blockDim.x, MASK_DESK_WORDS, STATE_WORDS)


@kernel
def observe_games(states: Words, has_viewers: bool, viewers: GpuArray, rows: Words) -> None:
    """Four warps share the work on 32 desks: each writes other parts of the same observations."""
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, SIGHT_DESK_TYPE)
    lane = cuda.threadIdx.x % WARP
    part = cuda.threadIdx.x // WARP
    game = cuda.blockIdx.x * WARP + lane
    is_game = game < states.shape[0]
    fetch(states, states.shape[0], words, WARP, SIGHT_DESK_WORDS)
    desk = desks[lane]
    viewer = 0
    if is_game:
        viewer = int(viewers[game]) if has_viewers else int(desk.state.seat)
    observe_together(desk, viewer, part, is_game)
    bring_back(rows, states.shape[0], SIGHT_WORDS, words, WARP, SIGHT_DESK_WORDS, STATE_WORDS)


@kernel
def choose_in_games(states: Words, rng: GpuArray, actions: GpuArray) -> None:
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    game = cuda.grid(1)
    fetch(states, states.shape[0], words, cuda.blockDim.x, GAME_DESK_WORDS)
    if game < states.shape[0]:
        state = desks[cuda.threadIdx.x].state
        actions[game] = 0 if is_over(state) else random_action(state, rng[game : game + 1])


@kernel
def play_out_games(
    states: Words, rng: GpuArray, decisions: GpuArray, done: GpuArray, shares: GpuArray, places: GpuArray
) -> None:
    """Each lane plays game after game. The lanes of a warp wait for each other and fetch new games together: a lane
    that fetches alone holds up the others for longer than the longest game does."""
    words = cuda.shared.array(0, np.int32)
    desks = cuda.shared.array(0, GAME_DESK_TYPE)
    lane = cuda.threadIdx.x
    state = desks[lane].state
    generator = cuda.local.array(1, np.uint64)
    games = states.shape[0]
    game = cuda.grid(1) - cuda.gridsize(1)
    count = 0
    is_waiting = True
    while True:
        if cuda.all_sync(WHOLE_WARP, is_waiting):
            if game < games:
                if game >= 0:
                    for word in range(STATE_WORDS):
                        states[game, word] = words[lane * GAME_DESK_WORDS + word]
                    rng[game] = generator[0]
                    decisions[game] = count
                    done[game] = True
                    write_result(state, shares[game], places[game])
                game += cuda.gridsize(1)
                if game < games:
                    for word in range(STATE_WORDS):
                        words[lane * GAME_DESK_WORDS + word] = states[game, word]
                    generator[0] = rng[game]
                    count = 0
                    is_waiting = is_over(state)
            if cuda.all_sync(WHOLE_WARP, game >= games):
                break
        if not is_waiting:
            apply(state, random_action(state, generator))
            count += 1
            is_waiting = is_over(state)
