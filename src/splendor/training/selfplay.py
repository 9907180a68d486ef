"""Games that the network plays against itself, and what it should have said about them.

A decision is made by rating the afterstates of those that the policy finds likely, and of a few others, by both
opinions that the network has (`action_values`), correcting the ratings by a search where the run asks for one, and
taking the best, with some noise. What the policy should have said is the softmax of that; of decisions that were not
tried it keeps its own opinion. The target for the afterstate that was chosen follows from the next decision in the same
game, whoever makes it:

    target(t) = best(t + 1) + λ · (target(t + 1) - chosen(t + 1))

which is TD(λ), with one thing set right: what the noise cost at t + 1 is not blamed on t. Where the game ends the
target is the result. Everything is a share of the win for each seat, so it means the same from every side.

Siblings are afterstates that could have been chosen instead. The target of one is that of the chosen afterstate and how
much more it seems to be worth: the luck of the game is the same in both, so what they differ in is learned without it.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from splendor.core.actions import ACTIONS
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE
from splendor.training.config import Config
from splendor.training.games import (
    NOTHING,
    Games,
    Tried,
    absolute,
    action_values,
    noisy_best,
    opinion,
    relative,
)
from splendor.training.grove import Grove
from splendor.training.judge import Judge
from splendor.training.ladder import Finisher
from splendor.training.machine import Machine

SEARCHES = 1 << 50  # the distance from the seeds of games to those of searches


class Lesson(NamedTuple):
    """What a window of decisions teaches; a row for each decision."""

    after: Tensor  # the afterstate that was chosen               [row, OBSERVATION_SIZE]
    after_shares: Tensor  # the target for it                     [row, seat]
    before: Tensor  # the position that was decided in            [row, OBSERVATION_SIZE]
    before_shares: Tensor  #                                      [row, seat]
    policy: Tensor  # how good each decision is there; NOTHING: not tried or not legal  [row, action]
    siblings: Tensor  # afterstates that were not chosen          [row, sibling, OBSERVATION_SIZE]
    siblings_shares: Tensor  #                                    [row, sibling, seat]


class Tally(NamedTuple):
    """What happened in a window."""

    decisions: int
    games: int
    rounds: float  # a finished game lasted so many on average


class SelfPlay:
    """Games in lock-step that never stop: where one ends the next begins."""

    def __init__(self, config: Config, machine: Machine, seed: int) -> None:
        """Deal all games."""
        self.config, self.machine, self._seed = config, machine, seed
        seeds = torch.arange(seed, seed + config.games)
        self.games = Games(machine, mixed_players(config), seeds, config.round_cap)
        self._grove: Grove | None = None
        self._finisher = Finisher()
        window, count = config.window, config.games

        def room(*shape: int, dtype: torch.dtype) -> Tensor:
            return torch.zeros((window, count, *shape), dtype=dtype, device=machine.device)

        self._after = room(OBSERVATION_SIZE, dtype=torch.int8)
        self._before = room(OBSERVATION_SIZE, dtype=torch.int8)
        self._policy = room(ACTIONS, dtype=torch.float16)
        self._siblings = room(config.siblings, OBSERVATION_SIZE, dtype=torch.int8)
        self._ahead = room(config.siblings, MAX_PLAYERS, dtype=torch.float32)  # of the chosen afterstate, by seat
        self._chosen = room(MAX_PLAYERS, dtype=torch.float32)  # shares of the chosen afterstate, by seat
        self._best = room(MAX_PLAYERS, dtype=torch.float32)  # and of the best one
        self._result = room(MAX_PLAYERS, dtype=torch.float32)
        self._done = room(dtype=torch.bool)
        self._seats = room(dtype=torch.int64)
        self._rounds = room(dtype=torch.int64)

    def spread(self, judge: Judge, temperature: float) -> None:
        """Let the policy play on for a while; from the deal on all games would be in the same round."""
        for _ in range(self.config.spread):
            self.games.look()
            policy = opinion(self.games, judge, self.config.policy_temperature)
            worth = torch.where(self.games.legal, policy.temperature * policy.chances, NOTHING)
            self.games.step(noisy_best(worth, self._noise(temperature)), restart=True)

    def play(self, judge: Judge, temperature: float, trace: float) -> tuple[Lesson, Tally]:
        """Play a window of decisions in every game."""
        for time in range(self.config.window):
            self._decide(judge, time, temperature)
        after_targets, before_targets = td_targets(self._chosen, self._best, self._result, self._done, trace)
        order = absolute(self._seats, self.games.players.expand_as(self._seats))
        siblings_targets = as_shares(after_targets.unsqueeze(2) + self._ahead)
        siblings_order = order.unsqueeze(2).expand_as(siblings_targets)
        rows = (self.config.window - 1) * self.config.games  # the last decisions have no target yet

        def flat(tensor: Tensor) -> Tensor:
            return tensor.flatten(0, 1)[:rows]

        lesson = Lesson(
            flat(self._after),
            flat(after_targets.gather(2, order)),
            flat(self._before),
            flat(before_targets.gather(2, order)),
            flat(self._policy),
            flat(self._siblings),
            flat(siblings_targets.gather(3, siblings_order)),
        )
        finished = int(self._done.sum())
        rounds = float((self._rounds * self._done).sum()) / max(finished, 1)
        return lesson, Tally(self._done.numel(), finished, rounds)

    def _noise(self, temperature: float) -> Tensor:
        """Its temperature in each game: where more players have a share of the win, shares differ by less."""
        return temperature * 2 / self.games.players.unsqueeze(1)

    def _searched(self, judge: Judge, tried: Tried) -> Tried:
        """The same decisions, rated after a search."""
        config = self.config
        if self._grove is None or self._grove.judge is not judge:
            self._grove = Grove(
                self.games,
                judge,
                simulations=config.simulations,
                exploration=config.exploration,
                policy_temperature=config.policy_temperature,
                seed=self._seed + SEARCHES,
            )
        return self._grove.refine(tried)

    def _decide(self, judge: Judge, time: int, temperature: float) -> None:
        """One decision in every game, and all that is kept of it."""
        games, config = self.games, self.config
        games.look()
        policy = opinion(games, judge, config.policy_temperature)
        others = torch.rand(games.legal.shape, device=games.legal.device) < config.explore
        tried = action_values(games, judge, policy, (policy.likely() | others) & games.legal)
        if config.simulations:
            tried = self._searched(judge, tried)
        actions = self._finisher.finish(games, tried, noisy_best(tried.worth, self._noise(temperature)))
        seat_order = relative(games.seats, games.players)

        def pick(decisions: Tensor) -> Tensor:
            return tried.rows.gather(1, decisions.unsqueeze(1)).view(-1)

        chosen = pick(actions)
        torch.index_select(tried.seen, 0, chosen, out=self._after[time])
        self._chosen[time] = tried.shares[chosen].gather(1, seat_order)
        self._best[time] = tried.shares[pick(tried.worth.argmax(dim=1))].gather(1, seat_order)
        self._before[time] = games.seen
        is_guess = (tried.worth == NOTHING) & games.legal
        worth = torch.where(is_guess, policy.worth(tried.worth), tried.worth)
        self._policy[time] = soft_policy(worth, policy.temperature)
        if config.siblings:
            others = pick_siblings(tried, actions, config.siblings)
            self._siblings[time] = tried.seen[others]
            shares = tried.shares[others].gather(2, seat_order.unsqueeze(1).expand(-1, config.siblings, -1))
            self._ahead[time] = shares - self._chosen[time].unsqueeze(1)
        self._seats[time] = games.seats
        self._rounds[time] = games.rounds
        games.step(actions, restart=True)
        self._done[time] = games.done
        self._result[time] = games.shares


def mixed_players(config: Config) -> Tensor:
    """The number of players of each game, in the shares that the config asks for."""
    shares = torch.tensor(config.players, dtype=torch.float64)
    limits = (shares.cumsum(0) / shares.sum() * config.games).round().long()
    return 2 + torch.bucketize(torch.arange(config.games), limits, right=True)


def soft_policy(worth: Tensor, temperature: Tensor) -> Tensor:
    """How likely each decision is to be the best  [game, action]: the softmax of what they are worth; or NOTHING."""
    is_out = worth == NOTHING
    return torch.softmax((worth / temperature).masked_fill(is_out, -torch.inf), dim=1).masked_fill(is_out, NOTHING)


def pick_siblings(tried: Tried, actions: Tensor, count: int) -> Tensor:
    """The rows of the best decisions beside the chosen ones; where there are too few, the chosen  [game, sibling]."""
    chosen = actions.unsqueeze(1)
    worth, others = tried.worth.scatter(1, chosen, NOTHING).topk(count, dim=1)
    return tried.rows.gather(1, torch.where(worth == NOTHING, chosen, others))


def td_targets(chosen: Tensor, best: Tensor, result: Tensor, done: Tensor, trace: float) -> tuple[Tensor, Tensor]:
    """The targets of the chosen afterstates, and of the positions before the decisions  [time, game, seat].

    The last afterstate has no successor in the window: its target is what the network says itself.
    """
    after, before = torch.empty_like(chosen), torch.empty_like(chosen)
    ahead = chosen[-1]
    for time in range(len(chosen) - 1, -1, -1):
        after[time] = torch.where(done[time].unsqueeze(1), result[time], ahead)
        ahead = as_shares(best[time] + trace * (after[time] - chosen[time]))
        before[time] = ahead
    return after, before


def as_shares(values: Tensor) -> Tensor:
    """Corrections can lead a little outside of what shares can be: back to the nearest that make one win."""
    values = values.clamp(0.0, 1.0)
    return values / values.sum(dim=-1, keepdim=True)
