"""A tree search in each of many games at once: one simulation in every tree, and all leaves are judged together.

It is the search of `splendor.search`, with a tree for each game, in lock-step. What it finds corrects the ratings of
the decisions at the root: the network learns what it would have thought with more time. As in play, the leaves of each
deal are looked at in a rotation of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from splendor.core.actions import ACTIONS
from splendor.core.afterstates import look_at_games
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION, OBSERVATION_SIZE
from splendor.core.state import STATE
from splendor.network.rotation import ROTATIONS
from splendor.search.kernel.leaves import Leaves, new_leaves
from splendor.search.kernel.loops import back_up_in_games, clear_trees, gather_in_games, tally_in_games
from splendor.search.kernel.settings import SearchSettings
from splendor.search.kernel.tree import Tree, new_tree
from splendor.search.worth import worth_of
from splendor.training.games import NOTHING, Games, Tried, absolute, relative
from splendor.training.judge import Judge
from splendor.training.machine import REHEARSALS

EVEN = 0.1  # this part of the priors at the root is the same for all decisions
NOT_LEGAL = -10000.0  # the rating of a decision that cannot be made


class Grove:
    """The trees of many games, and the leaves that were reached last."""

    def __init__(
        self,
        games: Games,
        judge: Judge,
        *,
        simulations: int,
        exploration: float,
        policy_temperature: Sequence[float],
        seed: int,
    ) -> None:
        """Room for so many simulations in each of these games. `judge` rates the leaves.

        The priors at the root are the softmax of what the decisions are worth, divided by `policy_temperature`, which
        is one number for 2, 3 and 4 players each.
        """
        self.games, self.judge, self.simulations = games, judge, simulations
        self._policy_temperature = games.each(policy_temperature)
        self._settings = SearchSettings(exploration=exploration)
        machine, count = games.machine, games.count

        def zeros(*shape: int, dtype: torch.dtype) -> Tensor:
            return torch.zeros((count, *shape), dtype=dtype, device=machine.device)

        def for_each_game(array: np.ndarray) -> Any:
            dtype = torch.int64 if array.dtype == np.uint64 else torch.from_numpy(array).dtype
            return machine.array(zeros(*array.shape, dtype=dtype))

        self._trees = Tree(*(for_each_game(array) for array in new_tree(simulations + 1 + REHEARSALS)))
        self._priors = zeros(ACTIONS, dtype=torch.float32)
        self._shares = zeros(MAX_PLAYERS, dtype=torch.float32)
        self._deals = zeros(dtype=torch.int32)
        one = new_leaves(1)
        self._states = machine.array(zeros(STATE.itemsize, dtype=torch.int8), STATE)
        self._leaves = Leaves(
            states=self._states,
            priors=machine.array(self._priors),
            shares=machine.array(self._shares),
            deal=machine.array(self._deals),
            depth=machine.array(zeros(dtype=torch.int32)),
            nodes=for_each_game(one.nodes[0]),
            edges=for_each_game(one.edges[0]),
        )
        self._seeds = torch.arange(seed, seed + count, device=machine.device)  # of the deals, for each search others
        self._chance = machine.array(self._seeds, np.uint64), machine.array(self._seeds.clone(), np.uint64)
        # What the seat that decides at a leaf knows there.
        self._legal, self._seats = zeros(ACTIONS, dtype=torch.bool), zeros(dtype=torch.int64)
        self._seen = zeros(OBSERVATION_SIZE, dtype=torch.int8)
        self._sight = (
            machine.array(zeros(STATE.itemsize, dtype=torch.int8), STATE),
            machine.array(self._legal),
            machine.array(self._seats),
            machine.array(zeros(dtype=torch.int64)),
            machine.array(self._seen, OBSERVATION),
        )
        self._root_seats = machine.array(games.seats)
        self.visits = zeros(ACTIONS, dtype=torch.int32)  # of the last search  [game, action]
        self._values = zeros(ACTIONS, MAX_PLAYERS, dtype=torch.float32)
        self._found = machine.array(self.visits), machine.array(self._values)
        self._simulation: Callable[[], None] | None = None

    def refine(self, tried: Tried) -> Tried:
        """Search in every game; rate the decisions that were tried by what was found, and by what was thought before.

        `tried` must be about the position that `games.look` has seen last.
        """
        self._plant(tried)
        if self._simulation is None:
            self._simulation = self.games.machine.recorded(self._simulate)
        for _ in range(self.simulations):
            self._simulation()
        self.visits.zero_()
        self._values.zero_()
        games = self.games
        games.machine.run(tally_in_games, games.count, self._trees, *self._found)
        order = absolute(games.seats, games.players).unsqueeze(1).expand(-1, ACTIONS, -1)
        values = self._values.gather(2, order).view(-1, MAX_PLAYERS)[tried.places]
        visits = self.visits.view(-1, 1)[tried.places]
        shares, worth = worth_of(tried.shares, visits, values), tried.worth.clone()
        thought = worth.view(-1)[tried.places]
        worth.view(-1)[tried.places] = worth_of(thought, visits[:, 0], values[:, 0])
        return tried._replace(shares=shares, worth=worth)

    def _plant(self, tried: Tried) -> None:
        """New trees, with roots that know what every decision seems to be worth."""
        games = self.games
        games.machine.run(clear_trees, games.count, self._trees)
        self._seeds += games.count
        self._gather()
        is_out = tried.worth == NOTHING
        priors = torch.softmax((tried.worth / self._policy_temperature).masked_fill(is_out, -torch.inf), dim=1)
        even = (~is_out).float() / (~is_out).sum(dim=1, keepdim=True)
        self._priors.copy_(torch.lerp(priors, even, EVEN))
        best = tried.rows.gather(1, tried.worth.argmax(dim=1, keepdim=True)).view(-1)
        self._shares.copy_(tried.shares[best].gather(1, relative(games.seats, games.players)))
        self._back_up()

    def _simulate(self) -> None:
        """One simulation in every game."""
        self._gather()
        games = self.games
        games.machine.run(look_at_games, games.count, self._states, *self._sight)
        shares, ratings = self.judge.rate_rotated(self._seen, games.crowds, self._deals.long() % ROTATIONS)
        self._priors.copy_(torch.softmax(ratings.masked_fill(~self._legal, NOT_LEGAL), dim=1))
        self._shares.copy_(shares.gather(1, relative(self._seats, games.players)))
        self._back_up()

    def _gather(self) -> None:
        games = self.games
        games.machine.run(
            gather_in_games,
            games.count,
            self._trees,
            games.views,
            self._settings,
            self._leaves,
            self._states,
            *self._chance,
        )

    def _back_up(self) -> None:
        games = self.games
        games.machine.run(back_up_in_games, games.count, self._trees, self._root_seats, self._leaves, self._states)
