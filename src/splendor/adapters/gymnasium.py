"""Splendor for Gymnasium: `Splendor-v0`, one agent against chosen players, and `make_vec`, many games at once.

>>> import gymnasium
>>> import splendor.adapters.gymnasium
>>> env = gymnasium.make("Splendor-v0", opponents="random")
>>> observation, info = env.reset(seed=7)
>>> action = env.action_space.sample(observation["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

Importing this module registers two ids. `Splendor-v0` is `SplendorEnv`: the other seats are played by players
of this package. `SplendorSelfPlay-v0` is `vector.SplendorVectorEnv`, where the agent decides for every seat; it exists
as a vector environment only, and `make_vec` makes it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, SupportsFloat

import gymnasium
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from numpy.typing import NDArray

from splendor.adapters.observations import Observation, action_mask, observation_space, observe
from splendor.adapters.picture import picture
from splendor.adapters.rewards import ILLEGAL_REWARD, check_reward, leads, rewards_after
from splendor.adapters.vector import Info, SplendorVectorEnv
from splendor.core.actions import ACTIONS
from splendor.game.game import Game
from splendor.game.moves import IllegalMove
from splendor.players import Player, load

__all__ = ["SplendorEnv", "SplendorVectorEnv", "make_vec"]

Opponents = str | Sequence[str | Player]


def make_vec(num_envs: int, players: int = 2, **options: Any) -> SplendorVectorEnv:
    """Many games in lock-step, in which the agent decides for every seat; the options are those of the class."""
    return SplendorVectorEnv(num_envs, players, **options)


class SplendorEnv(gymnasium.Env[Observation, int]):
    """One seat at a table with other players. A step is one decision, and the replies of the others to it.

    An illegal action changes nothing, as usual in Gymnasium: it costs 1, and `info["illegal"]` says why it is.
    """

    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 1}  # noqa: RUF012  # Gymnasium's type

    def __init__(
        self,
        players: int = 2,
        opponents: Opponents = "greedy",
        *,
        seat: int | None = 0,
        reward: str = "win_share",
        round_cap: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """A table without a game yet: `reset` deals one.

        `opponents` are names for `players.load`, or players: one for all the other seats, or a list in turn
        order. `seat` None draws a seat for every game. After `round_cap` rounds the game is truncated.
        """
        if isinstance(opponents, str):
            opponents = [opponents] * (players - 1)
        if len(opponents) != players - 1:
            raise ValueError(f"a game of {players} players needs {players - 1} opponents, not {len(opponents)}")
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"the seat must be 0 to {players - 1}, not {seat}")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"there is no render mode {render_mode!r}")
        self.render_mode = render_mode
        self.action_space: Any = spaces.Discrete(ACTIONS)
        self.observation_space: Any = observation_space()
        self.game = Game(players, seed=0, round_cap=round_cap)
        self.seat = seat or 0
        self._fixed_seat = seat
        self._reward = check_reward(reward)
        self._opponents = list(opponents)
        self._seated: list[Player] = []
        self._is_dealt = False

    def reset(self, *, seed: int | None = None, options: dict[str, object] | None = None) -> tuple[Observation, Info]:
        """Deal: with a seed the game of `Game(players, seed=seed)`, else the next one by chance."""
        super().reset(seed=seed, options=options)
        deal = int(self.np_random.integers(2**63)) if seed is None else seed
        players = self.game.players
        self.game = Game(players, seed=deal, round_cap=self.game.round_cap)
        self.seat = int(self.np_random.integers(players)) if self._fixed_seat is None else self._fixed_seat
        self._seated = [
            load(who, seed=int(self.np_random.integers(2**63))) if isinstance(who, str) else who
            for who in self._opponents
        ]
        self._is_dealt = True
        self._let_others_play()
        return self._observation(), {}

    def step(self, action: int) -> tuple[Observation, SupportsFloat, bool, bool, Info]:
        """Decide, then let the others play until it is this seat's turn again or the game is over."""
        if not self._is_dealt or self.game.is_over:
            raise ResetNeeded("there is no game under way; call reset first")
        if not self.action_space.contains(action):
            raise InvalidAction(f"there is no action {action!r}; actions are numbered 0 to {ACTIONS - 1}")
        before = leads(self.game)
        try:
            self.game.decide(int(action))
        except IllegalMove as refusal:
            return self._observation(), ILLEGAL_REWARD, False, False, {"illegal": str(refusal)}
        self._let_others_play()
        reward = rewards_after(self._reward, before, self.game)[self.seat]
        is_cut_short = self.game.phase == "cap"
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, self.game.is_over and not is_cut_short, is_cut_short, {}

    def _let_others_play(self) -> None:
        while not self.game.is_over and self.game.seat != self.seat:
            place = (self.game.seat - self.seat) % self.game.players - 1
            self.game.play(self._seated[place].choose(self.game.view(self.game.seat)))

    def _observation(self) -> Observation:
        state = self.game.state
        return {"observation": observe(state, self.seat), "action_mask": action_mask(state)}

    def render(self) -> str | NDArray[Any] | None:
        """The table as this seat sees it, as text or as a picture."""
        view = self.game.view(self.seat)
        if self.render_mode == "rgb_array":
            return picture(view)
        if self.render_mode == "human":
            sys.stdout.write(f"{view}\n\n")
        return str(view) if self.render_mode == "ansi" else None


gymnasium.register("Splendor-v0", entry_point="splendor.adapters.gymnasium:SplendorEnv")
gymnasium.register("SplendorSelfPlay-v0", vector_entry_point="splendor.adapters.gymnasium:make_vec")
