"""Splendor for PettingZoo: `splendor_v0`, an AEC environment with an agent for each seat.

>>> from splendor.adapters import pettingzoo
>>> env = pettingzoo.env(players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     done = termination or truncation
...     env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

A step is one decision, so that an agent may be asked several times in its turn; with `whole_turns` a step is
a turn. `env.unwrapped.game` is the `Game` that is played. There is no parallel form: seats act in turn.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils.wrappers import (  # type: ignore[import-untyped]
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from splendor.adapters.observations import Observation, action_mask, observation_space, observe
from splendor.adapters.picture import picture
from splendor.adapters.rewards import ILLEGAL_REWARD, check_reward, leads, rewards_after
from splendor.adapters.turns import TURNS, turn_mask
from splendor.core.actions import ACTIONS
from splendor.core.features import LARGEST, OBSERVATION_SIZE
from splendor.game.game import Game
from splendor.game.moves import IllegalMove
from splendor.game.refusals import unfinished

RENDER_MODES = ("human", "ansi", "rgb_array")


def env(players: int = 2, render_mode: str | None = None, **options: Any) -> AECEnv[str, Observation, int | None]:
    """The environment to use: as `raw_env`, with PettingZoo's usual guards.

    An illegal action ends the game: whoever chose it gets -1, the others nothing.
    """
    guarded: Any = TerminateIllegalWrapper(raw_env(players, render_mode, **options), ILLEGAL_REWARD)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(guarded))


def raw_env(
    players: int = 2,
    render_mode: str | None = None,
    *,
    reward: str = "win_share",
    whole_turns: bool = False,
    max_cycles: int | None = None,
) -> SplendorAEC:
    """The environment without guards; an illegal action raises `IllegalMove` and changes nothing.

    `reward` is one of `rewards.REWARDS`. After `max_cycles` rounds the game ends with a truncation; the one
    who leads then wins. With `whole_turns` a step is a turn, numbered as in `turns.TURNS`.
    """
    return SplendorAEC(players, render_mode, reward=reward, whole_turns=whole_turns, max_cycles=max_cycles)


class SplendorAEC(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # PettingZoo has no types
    """One game of Splendor; seat n is the agent `player_n`."""

    def __init__(
        self, players: int, render_mode: str | None, *, reward: str, whole_turns: bool, max_cycles: int | None
    ) -> None:
        """A table without a game yet: `reset` deals one."""
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"there is no render mode {render_mode!r}; there are {', '.join(RENDER_MODES)}")
        self.metadata = {
            "name": "splendor_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.game = Game(players, seed=0, round_cap=max_cycles)
        self._reward = check_reward(reward)
        self._whole_turns = whole_turns
        self._random, _ = seeding.np_random()
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        actions = len(TURNS) if whole_turns else ACTIONS
        self._observation_spaces = {agent: observation_space(actions) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(0, LARGEST, (players * OBSERVATION_SIZE,), np.int8)

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent is shown: `observation` and `action_mask`."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of the decisions, or of the turns."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:  # noqa: ARG002
        """Deal: with a seed the game of `Game(players, seed=seed)`, else the next one by chance."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        deal = int(self._random.integers(2**63)) if seed is None else seed
        self.game = Game(self.game.players, seed=deal, round_cap=self.game.round_cap)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.game.seat]

    def step(self, action: int | None) -> None:
        """The decision of the agent whose turn it is; None for one whose game is over."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        before = leads(self.game)
        self._play(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict(zip(self.agents, rewards_after(self._reward, before, self.game), strict=True))
        self._accumulate_rewards()
        self.agent_selection = self.agents[self.game.seat]
        if self.game.is_over:
            is_cut_short = self.game.phase == "cap"
            self.truncations = dict.fromkeys(self.agents, is_cut_short)
            self.terminations = dict.fromkeys(self.agents, not is_cut_short)
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _play(self, action: int | None) -> None:
        if action is None:
            raise ValueError(f"{self.agent_selection} has to decide; None is for agents whose game is over")
        if not self._whole_turns:
            self.game.decide(int(action))
            return
        game = self.game.copy()
        for decision in TURNS[action]:
            game.decide(decision)
        if game.phase in ("return", "noble"):
            raise IllegalMove(unfinished(game.state))
        self.game = game

    def observe(self, agent: str) -> Observation:
        """What the agent knows, and what it may do; the mask is empty unless it is the one to decide."""
        state, seat = self.game.state, self.possible_agents.index(agent)
        if seat != self.game.seat or self.game.is_over:
            mask = np.zeros(self.action_space(agent).n, np.int8)
        else:
            mask = turn_mask(state) if self._whole_turns else action_mask(state)
        return {"observation": observe(state, seat), "action_mask": mask}

    def state(self) -> NDArray[np.int8]:
        """What all seats know together: their observations one after the other. The decks stay hidden."""
        state = self.game.state
        return np.concatenate([observe(state, seat) for seat in range(self.game.players)])

    def render(self) -> str | NDArray[np.uint8] | None:
        """The whole table, as text or as a picture; reserved cards that only one seat knows are shown face down."""
        if self.render_mode == "rgb_array":
            return picture(self.game.view(None))
        board = str(self.game.view(None))
        if self.render_mode == "human":
            sys.stdout.write(board + "\n\n")
            return None
        return board if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""
