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

from splendor.adapters.observations import Observation, observation_space
from splendor.adapters.picture import Picture, picture
from splendor.adapters.rewards import check_reward
from splendor.core.actions import ACTIONS
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.games import reset_games
from splendor.core.lockstep import CUT_SHORT, DEAL_AT_ONCE, DEAL_NEVER, DEAL_NEXT, ENDED, ILLEGAL, step_lockstep
from splendor.game.position import View
from splendor.many.batch import Batch

Actions = NDArray[np.integer]
Numbers = np.ndarray
Info = dict[str, Any]  # what Gymnasium returns beside the rest

DEALS = {
    AutoresetMode.DISABLED: DEAL_NEVER,
    AutoresetMode.NEXT_STEP: DEAL_NEXT,
    AutoresetMode.SAME_STEP: DEAL_AT_ONCE,
}


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
        self._seats = self.batch.states["seat"]  # a view of the games
        self._reward = check_reward(reward)
        self._copy = copy
        self._rows = np.arange(num_envs)
        self._is_over = np.zeros(num_envs, np.bool_)
        self._legal = np.zeros((num_envs, ACTIONS), np.bool_)  # our own: what is handed out may be changed
        self._seen = np.empty((num_envs, OBSERVATION_SIZE), np.int8)
        self._mask = np.empty((num_envs, ACTIONS), np.int8)
        is_used = self.autoreset_mode == AutoresetMode.SAME_STEP
        self._last_seen = np.empty((num_envs if is_used else 1, OBSERVATION_SIZE), np.int8)
        self._finals = named(self._last_seen)

    # ------------------------------------------------------------------------------------------- reset

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: Info | None = None
    ) -> tuple[Observation, Info]:
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

    def _deal(self, rows: NDArray[np.integer]) -> None:
        """A new game in each of these rows, from where its generator stands."""
        batch = self.batch
        states, rng = batch.states[rows], batch.rng[rows]
        reset_games(0, len(rows), states, rng, batch.players, batch.first, batch.round_cap)
        batch.states[rows], batch.rng[rows] = states, rng
        self._is_over[rows] = False

    # -------------------------------------------------------------------------------------------- step

    def step(self, actions: Actions) -> tuple[Observation, Numbers, Numbers, Numbers, Info]:
        """One decision in each game; a game that is over is dealt anew, when the autoreset mode has it.

        With NEXT_STEP, Gymnasium's usual mode, the step after the end deals and ignores the action; with SAME_STEP
        the end does, and `info["final_obs"]` keeps what was seen last; with DISABLED only `reset` deals.
        """
        actions, batch = self._checked(actions), self.batch
        if self.autoreset_mode == AutoresetMode.DISABLED and self._is_over.any():
            raise ResetNeeded("some games are over; deal them anew with reset(options={'reset_mask': …})")
        outcomes, rewards = np.empty(self.num_envs, np.int8), np.empty(self.num_envs)
        ended = step_lockstep(
            batch.states,
            batch.rng,
            actions,
            self._legal,
            DEALS[self.autoreset_mode],
            self._reward == "points_difference",
            self._is_over,
            outcomes,
            rewards,
            batch.shares,
            batch.places,
            self._finals,
        )
        is_terminated, is_truncated = outcomes == ENDED, outcomes == CUT_SHORT
        info: Info = {"seat": self._seats.copy()}
        if ended:
            info["shares"], info["_shares"] = batch.shares.copy(), is_terminated | is_truncated
            if self.autoreset_mode == AutoresetMode.SAME_STEP:
                info["final_obs"] = self._final_observations(np.flatnonzero(info["_shares"]))
                info["_final_obs"] = info["_shares"].copy()
        if outcomes.max() == ILLEGAL:
            info["illegal"] = outcomes == ILLEGAL
        return self._observation(), rewards, is_terminated, is_truncated, info

    def _checked(self, actions: Actions) -> NDArray[np.int8]:
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise InvalidAction(f"actions must be {self.num_envs} whole numbers, one for each game")
        if actions.min() < 0 or actions.max() >= ACTIONS:
            raise InvalidAction(f"actions are numbered 0 to {ACTIONS - 1}")
        return actions.astype(np.int8, copy=False)

    # ----------------------------------------------------------------------------------------- viewing

    def _observation(self) -> Observation:
        """What the seat that decides knows in each game; in a game that is over, the one that decided last."""
        seen = np.empty_like(self._seen) if self._copy else self._seen
        mask = np.empty_like(self._mask) if self._copy else self._mask
        self.batch.observe(self._seats, out=seen)
        np.copyto(mask, self.batch.legal_mask(out=self._legal))
        return {"observation": seen, "action_mask": mask}

    def _final_observations(self, rows: NDArray[np.integer]) -> NDArray[np.object_]:
        """What was seen at the end of these games, as Gymnasium wants it: an array of observations, None elsewhere."""
        final = np.full(self.num_envs, None, object)
        seen, masks = self._last_seen[: len(rows)].copy(), np.zeros((len(rows), ACTIONS), np.int8)
        final[rows] = [{"observation": row, "action_mask": mask} for row, mask in zip(seen, masks, strict=True)]
        return final

    def render(self) -> tuple[Picture, ...] | None:
        """A picture of every game, as a spectator sees it."""
        if self.render_mode != "rgb_array":
            return None
        return tuple(picture(View(state, None)) for state in self.batch.states)
