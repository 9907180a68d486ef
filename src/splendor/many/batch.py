"""Many games in lock-step on the CPU: NumPy arrays in and out, on one core or on all.

This is the way to write a vectorised environment:

>>> batch = Batch(games=3, players=2, seed=7)
>>> observations, mask = batch.observe(), batch.legal_mask()
>>> done = batch.step(mask.argmax(axis=1), restart=True)
>>> observations.shape, mask.shape, done.tolist()
((3, 688), (3, 72), [False, False, False])

Row i of every array belongs to game i. Each game has a generator of its own, so its numbers are those of a
single game with the same seed, whatever else is in the batch and however many threads there are. Every
method that fills an array takes one as `out` and then allocates nothing. Loops run without Python's lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from splendor.core.actions import ACTIONS
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.games import choose_in_games, mask_games, observe_games, play_out_games, reset_games, step_games
from splendor.core.state import new_states

MIN_PLAYERS = 2
CHUNKS = 4  # for each thread: the games of some are longer than those of others
SMALLEST_CHUNK = 64  # games; fewer are not worth a thread's attention


class Batch:
    """Games side by side.

    `states` are the games themselves and `rng` their generators. `shares` and `places` hold the result of the
    game that ended last in each row: the share of the win for each seat (a tie is shared) and its place
    (1 is the best); both are zero before, and for seats that nobody sits in.
    """

    def __init__(
        self,
        games: int,
        players: int = 2,
        *,
        seed: int = 0,
        first: int = 0,
        round_cap: int = 0,
        threads: int | None = 1,
    ) -> None:
        """Deal `games` games, number i from seed `seed + i`. `threads`: how many cores; None: all there are."""
        check_table(players, first)
        self.players, self.first, self.round_cap = players, first, round_cap
        self.threads = cores() if threads is None else threads
        self.states = new_states(games)
        self.rng = np.zeros(games, np.uint64)
        self.done = np.zeros(games, np.bool_)
        self.shares = np.zeros((games, MAX_PLAYERS), np.float32)
        self.places = np.zeros((games, MAX_PLAYERS), np.int8)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self.reset(np.uint64(seed & 0xFFFFFFFFFFFFFFFF) + np.arange(games, dtype=np.uint64))

    def __len__(self) -> int:
        return len(self.states)

    def reset(self, seeds: ArrayLike | None = None) -> None:
        """Deal every game anew, from these seeds, or from where its generator stands."""
        if seeds is not None:
            self.rng[:] = seeds
        self.done[:] = False
        self.shares[:] = 0
        self.places[:] = 0
        self._loop(reset_games, self.states, self.rng, self.players, self.first, self.round_cap)

    def step(self, actions: NDArray[np.integer], restart: bool = False) -> NDArray[np.bool_]:
        """Carry out one legal action in each game; say which games are over.

        With `restart` a game that ends is dealt anew at once, and its result is in `shares` and `places`.
        Without it a finished game stays as it is and its action is ignored.
        """
        self._loop(step_games, self.states, self.rng, actions, restart, self.done, self.shares, self.places)
        return self.done

    def legal_mask(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Which actions are legal  [game, action]; none are in a finished game."""
        out = np.empty((len(self), ACTIONS), np.bool_) if out is None else out
        self._loop(mask_games, self.states, out)
        return out

    def observe(
        self, viewers: NDArray[np.integer] | None = None, out: NDArray[np.int8] | None = None
    ) -> NDArray[np.int8]:
        """What a seat of each game knows, by default the one that decides  [game, OBSERVATION_SIZE]."""
        out = np.empty((len(self), OBSERVATION_SIZE), np.int8) if out is None else out
        viewers = self.states.seat if viewers is None else viewers
        self._loop(observe_games, self.states, viewers, named(out))
        return out

    def random_actions(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """A legal action for each game, uniformly at random; 0 for a finished game."""
        out = np.empty(len(self), np.int8) if out is None else out
        self._loop(choose_in_games, self.states, self.rng, out)
        return out

    def playout(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Play every game to its end at random; return the number of decisions in each."""
        out = np.empty(len(self), np.int32) if out is None else out
        self._loop(play_out_games, self.states, self.rng, out, self.shares, self.places)
        self.done[:] = True
        return out

    def _loop(self, loop: Callable[..., None], *arguments: object) -> None:
        """Run a loop over all games: here, or in pieces on the threads."""
        games = len(self)
        if self._pool is None:
            loop(0, games, *arguments)
            return
        chunk = max(SMALLEST_CHUNK, -(-games // (CHUNKS * self.threads)))
        starts = range(0, games, chunk)
        for done in [self._pool.submit(loop, at, min(at + chunk, games), *arguments) for at in starts]:
            done.result()


def check_table(players: int, first: int) -> None:
    """Refuse a game that nobody can sit down to."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"a game has {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}")
    if not 0 <= first < players:
        raise ValueError(f"the first seat is one of 0 to {players - 1}, not {first}")


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
