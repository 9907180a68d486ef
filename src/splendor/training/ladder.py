"""How strong the network is while it trains: matches in lock-step against fixed players and earlier networks.

One player sits against as many copies of another as there are other seats. Every deal is played once from each seat.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from splendor.core.games import choose_in_games
from splendor.network.kernel.action_values import AS_WELL, WON
from splendor.network.network import POLICY_TEMPERATURE
from splendor.search.kernel.loops import greedy_in_games
from splendor.search.kernel.weights import WEIGHTS
from splendor.training.games import Games, Tried, action_values, opinion
from splendor.training.grove import Grove
from splendor.training.judge import Judge
from splendor.training.machine import Machine

ROUND_CAP = 100
SEED_OF_SEARCHES = 1 << 41


class Decider(Protocol):
    """Whoever decides in some of many games."""

    def decide(self, games: Games, mine: Tensor) -> Tensor:
        """A decision for each game; those outside of `mine` are not looked at  [game]."""
        ...


class PolicyOnly:
    """Takes the decision that the network's policy rates highest, without trying any."""

    def __init__(self, judge: Judge) -> None:
        """A network."""
        self.judge = judge

    def decide(self, games: Games, mine: Tensor) -> Tensor:
        """One look at the position."""
        del mine
        return self.judge.ratings(games.seen, games.crowds).masked_fill(~games.legal, -torch.inf).argmax(dim=1)


class Searching:
    """Takes the decision that is best after a search."""

    def __init__(self, judge: Judge, simulations: int, exploration: float, policy_temperature: Sequence[float]) -> None:
        """A network, and how to search with it."""
        self.judge, self.simulations = judge, simulations
        self.exploration, self.policy_temperature = exploration, policy_temperature
        self._grove: Grove | None = None

    def decide(self, games: Games, mine: Tensor) -> Tensor:
        """Searches in all games, since they go in lock-step."""
        del mine
        if self._grove is None or self._grove.games is not games:
            self._grove = Grove(
                games,
                self.judge,
                simulations=self.simulations,
                exploration=self.exploration,
                policy_temperature=self.policy_temperature,
                seed=SEED_OF_SEARCHES,
            )
        policy = opinion(games, self.judge, self.policy_temperature)
        return self._grove.refine(action_values(games, self.judge, policy, policy.likely())).worth.argmax(dim=1)


class RandomDecider:
    """Plays at random."""

    def decide(self, games: Games, mine: Tensor) -> Tensor:
        """Any legal decision."""
        actions = torch.zeros_like(mine, dtype=torch.int64)
        games.machine.run(choose_in_games, games.count, games.states, games.rng, games.machine.array(actions))
        return actions


class GreedyDecider:
    """The greedy player."""

    def __init__(self, noise: float = 0.0) -> None:
        """With `noise` it misjudges positions."""
        self.noise = noise
        self._weights: dict[Machine, Any] = {}  # the same on each machine where it has played

    def decide(self, games: Games, mine: Tensor) -> Tensor:
        """Its decision with the best action value."""
        machine = games.machine
        actions = torch.zeros_like(mine, dtype=torch.int64)
        if machine not in self._weights:
            self._weights[machine] = machine.array(torch.from_numpy(WEIGHTS.copy()).to(machine.device))
        machine.run(
            greedy_in_games,
            games.count,
            games.views,
            machine.array(mine),
            games.rng,
            self.noise,
            self._weights[machine],
            machine.array(actions),
        )
        return actions


class Finisher:
    """Ends what is as good as won: there the greedy player's decision is taken, if it wins as well."""

    def __init__(self) -> None:
        """The same for all networks."""
        self._greedy = GreedyDecider()

    def finish(self, games: Games, tried: Tried, actions: Tensor) -> Tensor:
        """`actions`, or what to do instead."""
        best = tried.worth.amax(dim=1)
        is_won = best >= WON
        if not bool(is_won.any()):
            return actions
        greedy = self._greedy.decide(games, is_won)
        worth = tried.worth.gather(1, greedy.unsqueeze(1)).squeeze(1)
        return torch.where(is_won & (worth >= best - AS_WELL), greedy, actions)


class ActionValuesOnly:
    """Takes the decision that the network likes best, when it looks at the position and at what likely ones lead to."""

    def __init__(self, judge: Judge, temperature: Sequence[float] = POLICY_TEMPERATURE) -> None:
        """A network, and the temperature of its policy."""
        self.judge, self.temperature = judge, temperature
        self._finisher = Finisher()

    def decide(self, games: Games, mine: Tensor) -> Tensor:
        """Tries the likely decisions."""
        policy = opinion(games, self.judge, self.temperature)
        tried = action_values(games, self.judge, policy, policy.likely() & mine.unsqueeze(1))
        return self._finisher.finish(games, tried, tried.worth.argmax(dim=1))


class Score(NamedTuple):
    """The result of a match."""

    share: float  # of the win, for the one against the many; 1 / players would be level
    error: float  # the standard error of it
    rounds: float  # a game lasted so many on average

    @property
    def elo(self) -> float:
        """The difference in rating that two players with such a result have."""
        share = min(max(self.share, 0.001), 0.999)
        return 400 * math.log10(share / (1 - share))


def match(hero: Decider, others: Decider, judge: Judge, players: int, count: int, seed: int) -> Score:
    """`hero` in one seat against `others` in the rest: `count` games, each deal once from each seat."""
    machine = judge.machine
    number = torch.arange(count)
    seat = (number % players).to(machine.device)
    games = Games(machine, torch.full((count,), players), seed + number // players, ROUND_CAP)
    games.look()
    while bool(games.legal.any()):
        is_hero = games.seats == seat
        actions = torch.where(is_hero, hero.decide(games, is_hero), others.decide(games, ~is_hero))
        games.step(actions, restart=False)
        games.look()
    deals = games.shares.gather(1, seat.unsqueeze(1)).view(-1, players).mean(dim=1)
    error = float(deals.std()) / math.sqrt(len(deals))
    return Score(float(deals.mean()), error, float(games.rounds.float().mean()))
