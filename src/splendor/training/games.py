"""Many games in lock-step as tensors, and the choice of a decision by rating what each one leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from splendor.core.actions import ACTIONS
from splendor.core.afterstates import look_at_games, play_decisions
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION, OBSERVATION_SIZE
from splendor.core.games import step_games
from splendor.core.state import STATE
from splendor.network.kernel.action_values import POLICY_PART, TRIED, UNLIKELY
from splendor.search.kernel.loops import deal_games
from splendor.training.judge import Judge
from splendor.training.machine import Machine
from splendor.training.model import crowds_of

NOTHING = -1.0  # less than any share of the win: a decision that was not tried


class Games:
    """Games side by side, each with its own number of players and its own generator."""

    def __init__(self, machine: Machine, players: Tensor, seeds: Tensor, round_cap: int) -> None:
        """Deal a game for each number in `players`, which do not fall, from the seed at the same place."""
        if bool((players.diff() < 0).any()):
            raise ValueError("games come in the order of their number of players")
        self.machine = machine
        self.crowds = crowds_of(players)
        self.players = players.to(machine.device, torch.int64)
        self.count = count = len(players)

        def zeros(*shape: int, dtype: torch.dtype = torch.int8) -> Tensor:
            return torch.zeros(shape, dtype=dtype, device=machine.device)

        self.seats = zeros(count, dtype=torch.int64)  # who decides
        self.rounds = zeros(count, dtype=torch.int64)
        self.legal = zeros(count, ACTIONS, dtype=torch.bool)
        self.seen = zeros(count, OBSERVATION_SIZE)  # what the deciding seat knows
        self.done = zeros(count, dtype=torch.bool)  # by the last step
        self.shares = zeros(count, MAX_PLAYERS, dtype=torch.float32)  # of the game that ended last
        self._rng = zeros(count, dtype=torch.int64)
        self.states = machine.array(zeros(count, STATE.itemsize), STATE)
        self.views = machine.array(zeros(count, STATE.itemsize), STATE)
        self.rng = machine.array(self._rng, np.uint64)
        self._places = machine.array(zeros(count, MAX_PLAYERS))
        self._arrays = {
            name: machine.array(getattr(self, name)) for name in ("seats", "rounds", "legal", "done", "shares")
        }
        self._seen = machine.array(self.seen, OBSERVATION)
        self._rng.copy_(seeds)
        self._room: Room | None = None
        machine.run(deal_games, count, self.states, self.rng, machine.array(self.players), round_cap)

    def look(self) -> None:
        """Bring `seats`, `rounds`, `legal`, `seen` and the views up to date."""
        arrays = self._arrays
        self.machine.run(
            look_at_games,
            self.count,
            self.states,
            self.views,
            arrays["legal"],
            arrays["seats"],
            arrays["rounds"],
            self._seen,
        )

    def step(self, actions: Tensor, restart: bool) -> None:
        """Carry out one decision in each game; `done` and `shares` tell of those that ended."""
        arrays = self._arrays
        self.machine.run(
            step_games,
            self.count,
            self.states,
            self.rng,
            self.machine.array(actions),
            restart,
            arrays["done"],
            arrays["shares"],
            self._places,
        )

    def each(self, values: Sequence[float]) -> Tensor:
        """Of values for 2, 3 and 4 players, the one of each game  [game, 1]."""
        return torch.tensor(values, device=self.machine.device)[self.players - 2].unsqueeze(1)

    def room(self, rows: int) -> Room:
        """Room for at least so many afterstates, kept from step to step."""
        if self._room is None or len(self._room.seen) < rows:
            self._room = Room(self.machine, rows + rows // 4)
        return self._room


class Room:
    """Memory for afterstates, as tensors and as the loops see them."""

    def __init__(self, machine: Machine, rows: int) -> None:
        """Room for so many."""
        self.seen = torch.zeros((rows, OBSERVATION_SIZE), dtype=torch.int8, device=machine.device)
        self.is_final = torch.zeros(rows, dtype=torch.bool, device=machine.device)
        self.shares = torch.zeros((rows, MAX_PLAYERS), dtype=torch.float32, device=machine.device)
        self.arrays = machine.array(self.seen, OBSERVATION), machine.array(self.is_final), machine.array(self.shares)


def relative(seats: Tensor, players: Tensor) -> Tensor:
    """The distance in turn order from `seats` to each seat  [..., seat]; an index both ways round for `gather`."""
    every = torch.arange(MAX_PLAYERS, device=seats.device)
    seats, players = seats.unsqueeze(-1), players.unsqueeze(-1)
    return torch.where(every < players, (every - seats) % players, every)


def absolute(seats: Tensor, players: Tensor) -> Tensor:
    """The seat at each distance in turn order from `seats`  [..., distance]: the reverse of `relative`."""
    every = torch.arange(MAX_PLAYERS, device=seats.device)
    seats, players = seats.unsqueeze(-1), players.unsqueeze(-1)
    return torch.where(every < players, (every + seats) % players, every)


class Tried(NamedTuple):
    """Decisions that were tried in some games, and what they are worth; the next try uses the same memory."""

    places: Tensor  # of the rows that were tried among all decisions, game * ACTIONS + action  [row]
    rows: Tensor  # the reverse: the row of each decision that was tried   [game, action]
    seen: Tensor  # the afterstates                                        [row, OBSERVATION_SIZE]
    shares: Tensor  # of the win, from the deciding seat on                [row, seat]
    is_final: Tensor  # the game is over there: shares are the result      [row]
    worth: Tensor  # the share of the deciding seat; NOTHING: not tried    [game, action]


def try_decisions(games: Games, judge: Judge, mask: Tensor) -> Tried:
    """Rate what the decisions in `mask` [game, action] lead to; `games.look` must have been called."""
    machine = games.machine
    two, three, four = torch.stack([rows.sum() for rows in mask.split(list(games.crowds))]).tolist()
    count = two + three + four
    places = mask.view(-1).nonzero().view(-1)
    room = games.room(max(count, 1))
    seen, is_final, shares = room.seen[:count], room.is_final[:count], room.shares[:count]
    if count:
        rows, actions = machine.array(places // ACTIONS), machine.array(places % ACTIONS)
        machine.run(play_decisions, count, games.views, rows, actions, *room.arrays)
        shares = torch.where(is_final.unsqueeze(1), shares, judge.shares(seen, (two, three, four)))
    worth = torch.full((games.count * ACTIONS,), NOTHING, device=machine.device)
    worth[places] = shares[:, 0]
    row_of = torch.zeros(games.count * ACTIONS, dtype=torch.int64, device=machine.device)
    row_of[places] = torch.arange(count, device=machine.device)
    return Tried(places, row_of.view(-1, ACTIONS), seen, shares, is_final, worth.view(-1, ACTIONS))


class Opinion(NamedTuple):
    """What the policy thinks of all legal decisions."""

    chances: Tensor  # the logarithm of how likely each is the best; of others, minus infinity  [game, action]
    temperature: Tensor  # the policy is a softmax of shares of the win, divided by this  [game, 1]

    def likely(self) -> Tensor:
        """Those that are worth a try  [game, action]."""
        best = self.chances.topk(TRIED, dim=1).values
        return self.chances >= torch.maximum(best[:, -1:], best[:, :1] - UNLIKELY)

    def worth(self, tried: Tensor) -> Tensor:
        """The share of the win after each decision, in the mean as high as of those `tried`, which are not NOTHING."""
        weights, is_tried = self.chances.exp(), tried != NOTHING
        known = weights * is_tried
        mean = (known * tried).sum(dim=1, keepdim=True) / known.sum(dim=1, keepdim=True).clamp_min(1e-30)
        logarithms = self.chances.masked_fill(weights == 0, 0.0)
        surprise = logarithms - (weights * logarithms).sum(dim=1, keepdim=True)
        return (mean + self.temperature * surprise).clamp(0.0, 1.0)


def opinion(games: Games, judge: Judge, temperature: Sequence[float]) -> Opinion:
    """The opinion of a policy with these temperatures, for 2, 3 and 4 players; `games.look` must have been called."""
    ratings = judge.ratings(games.seen, games.crowds).masked_fill(~games.legal, -torch.inf)
    return Opinion(torch.log_softmax(ratings, dim=1), games.each(temperature))


def action_values(games: Games, judge: Judge, policy: Opinion, mask: Tensor) -> Tried:
    """Try the decisions in `mask`, and take both into account, what they lead to and what the policy thinks of them.

    It is what `splendor.network.action_values` does, in many games; but a decision outside `mask` that ends the game is
    not looked at.
    """
    tried = try_decisions(games, judge, mask)
    is_final = torch.zeros(mask.numel(), dtype=torch.bool, device=mask.device)
    is_final[tried.places] = tried.is_final
    both = torch.lerp(tried.worth, policy.worth(tried.worth), POLICY_PART)
    return tried._replace(worth=torch.where((tried.worth == NOTHING) | is_final.view_as(mask), tried.worth, both))


def noisy_best(worth: Tensor, temperature: Tensor) -> Tensor:
    """The best decision of each game, when Gumbel noise is added to what they are worth: a draw from the softmax."""
    noise = torch.empty_like(worth).exponential_().log_()  # the negative of Gumbel noise
    return torch.where(worth == NOTHING, -torch.inf, worth - temperature * noise).argmax(dim=1)
