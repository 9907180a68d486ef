"""Many games in lock-step as one Gymnasium vector environment, at the speed of `batch`.

In every game the agent decides for whoever's turn it is, and sees what that seat knows. That is self-play; to put
another policy on some of the seats, choose their actions with it: `info["seat"]` says who decides in each game. The
reward is that of the seat that has just decided, `info["shares"]` has the shares of all seats in a game that ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from splendor.actions import ACTIONS
from splendor.adapters.observations import Observation, observation_space
from splendor.adapters.picture import Picture, picture
from splendor.adapters.rewards import ILLEGAL_REWARD, check_reward
from splendor.batch import Batch, observe_games, reset_games
from splendor.features import OBSERVATION_SIZE, named
from splendor.state import ENDED_BY_CAP
from splendor.table import View

Actions = NDArray[np.integer[Any]]
Numbers = NDArray[Any]


class SplendorVectorEnv(VectorEnv[Observation, Actions, Numbers]):
    """Games side by side, each of them dealt anew when it is over.

    An illegal action changes nothing in its game: it costs 1, and `info["illegal"]` marks it.
    """

    def __init__(
        self,
        num_envs: int,
        players: int = 2,
        *,
        reward: str = "win_share",
        round_cap: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = 1,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """So many tables; `reset` deals the games. After `round_cap` rounds a game is truncated.

        `threads` is for `Batch`. Without `copy` every step writes its observations into the same arrays.
        """
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": ["rgb_array"]}
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.single_observation_space = observation_space()
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch = Batch(num_envs, players, round_cap=round_cap or 0, threads=threads)
        self._seats, self._phases = self.batch.states["seat"], self.batch.states["phase"]  # views of the games
        self._reward = check_reward(reward)
        self._copy = copy
        self._rows = np.arange(num_envs)
        self._first_action = ACTIONS * self._rows  # where the mask of each game begins in the flat one
        self._is_over = np.zeros(num_envs, np.bool_)
        self._legal = np.zeros((num_envs, ACTIONS), np.bool_)  # our own: what is handed out may be changed
        self._seen = np.empty((num_envs, OBSERVATION_SIZE), np.int8)
        self._mask = np.empty((num_envs, ACTIONS), np.int8)

    # ------------------------------------------------------------------------------------------- reset

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal all games, or those in `options["reset_mask"]`. Game i is that of `Game(players, seed=seed + i)`."""
        super().reset(seed=seed if isinstance(seed, int) else None, options=options)
        rows = self._rows
        if options is not None and "reset_mask" in options:
            rows = np.flatnonzero(self._checked_mask(options["reset_mask"]))
        if isinstance(seed, int):
            self.batch.rng[rows] = (np.uint64(seed) + self._rows.astype(np.uint64))[rows]
        elif seed is not None:
            self.batch.rng[rows] = np.asarray(seed, np.uint64)[rows]
        else:
            self.batch.rng[rows] = self.np_random.integers(2**63, size=len(rows), dtype=np.uint64)
        self._deal(rows)
        return self._observation(), {"seat": self._seats.copy()}

    def _checked_mask(self, mask: object) -> NDArray[np.bool_]:
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"the reset mask must be an array of {self.num_envs} booleans")
        return mask

    def _deal(self, rows: NDArray[np.integer[Any]]) -> None:
        """A new game in each of these rows, from where its generator stands."""
        batch = self.batch
        states, rng = batch.states[rows], batch.rng[rows]
        reset_games(0, len(rows), states, rng, batch.players, batch.first, batch.round_cap)
        batch.states[rows], batch.rng[rows] = states, rng
        self._is_over[rows] = False

    # -------------------------------------------------------------------------------------------- step

    def step(self, actions: Actions) -> tuple[Observation, Numbers, Numbers, Numbers, dict[str, Any]]:
        """One decision in each game; a game that is over is dealt anew, when the autoreset mode has it.

        With NEXT_STEP, Gymnasium's usual mode, the step after the end deals and ignores the action; with SAME_STEP
        the end does, and `info["final_obs"]` keeps what was seen last; with DISABLED only `reset` deals.
        """
        actions, was_over = self._checked(actions), self._is_over
        if self.autoreset_mode == AutoresetMode.DISABLED and was_over.any():
            raise ResetNeeded("some games are over; deal them anew with reset(options={'reset_mask': …})")
        is_illegal = ~(self._legal.take(self._first_action + actions) | was_over)
        seats = self._seats.copy()
        leads = self._leads(seats) if self._reward == "points_difference" else None
        is_over = self._decide(actions, is_illegal) & ~was_over
        is_truncated = is_over & (self._phases == ENDED_BY_CAP)
        info: dict[str, Any] = {}
        if is_over.any():
            info = {"shares": self.batch.shares.copy(), "_shares": is_over.copy()}
        if is_illegal.any():
            info["illegal"] = is_illegal
        if leads is None:
            rewards = np.zeros(self.num_envs)
            rewards[is_over] = self.batch.shares[is_over, seats[is_over]]
        else:
            rewards = (self._leads(seats) - leads).astype(np.float64)
        rewards[is_illegal] = ILLEGAL_REWARD
        self._deal_anew(was_over, is_over, info)
        info["seat"] = self._seats.copy()
        return self._observation(), rewards, is_over & ~is_truncated, is_truncated, info

    def _checked(self, actions: Actions) -> NDArray[np.int8]:
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise InvalidAction(f"actions must be {self.num_envs} whole numbers, one for each game")
        if actions.min() < 0 or actions.max() >= ACTIONS:
            raise InvalidAction(f"actions are numbered 0 to {ACTIONS - 1}")
        return actions.astype(np.int8, copy=False)

    def _decide(self, actions: NDArray[np.int8], is_illegal: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Play in all games but those with an illegal action: for the moment they count as over, so they rest."""
        rest = np.flatnonzero(is_illegal)
        phases = self._phases[rest]
        self._phases[rest] = ENDED_BY_CAP
        is_over = self.batch.step(actions)
        self._phases[rest] = phases
        is_over[rest] = False
        return is_over

    def _leads(self, seats: NDArray[np.int8]) -> NDArray[np.int8]:
        """By how much these seats are ahead of the best of the others  [game]."""
        points = self.batch.states.points[:, : self.batch.players].copy()
        own = points[self._rows, seats]
        points[self._rows, seats] = -1
        lead: NDArray[np.int8] = own - points.max(axis=1)
        return lead

    def _deal_anew(self, was_over: NDArray[np.bool_], is_over: NDArray[np.bool_], info: dict[str, Any]) -> None:
        ended = np.flatnonzero(is_over)
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            if len(ended):
                info["final_obs"], info["_final_obs"] = self._final_observations(ended), is_over.copy()
                self._deal(ended)
            return
        self._is_over = is_over | (was_over & (self.autoreset_mode == AutoresetMode.DISABLED))
        if was_over.any():
            self._deal(np.flatnonzero(was_over))

    # ----------------------------------------------------------------------------------------- viewing

    def _observation(self) -> Observation:
        """What the seat that decides knows in each game; in a game that is over, the one that decided last."""
        seen = np.empty_like(self._seen) if self._copy else self._seen
        mask = np.empty_like(self._mask) if self._copy else self._mask
        self.batch.observe(out=seen)
        np.copyto(mask, self.batch.legal_mask(out=self._legal))
        return {"observation": seen, "action_mask": mask}

    def _final_observations(self, rows: NDArray[np.integer[Any]]) -> NDArray[np.object_]:
        """What was seen at the end of these games, as Gymnasium wants it: an array of observations, None elsewhere."""
        states = self.batch.states[rows]
        seen = np.empty((len(rows), OBSERVATION_SIZE), np.int8)
        observe_games(0, len(rows), states, states.seat, named(seen))
        final = np.full(self.num_envs, None, object)
        final[rows] = [{"observation": row, "action_mask": np.zeros(ACTIONS, np.int8)} for row in seen]
        return final

    def render(self) -> tuple[Picture, ...] | None:
        """A picture of every game, as a spectator sees it."""
        if self.render_mode != "rgb_array":
            return None
        return tuple(picture(View(state, None)) for state in self.batch.states)
