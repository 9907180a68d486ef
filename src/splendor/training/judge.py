"""A frozen copy of the network that rates many positions, in the precision of the machine."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import torch
from torch import Tensor

from splendor.network.rotation import COLUMNS, DECISIONS, ROTATIONS
from splendor.training.machine import Machine
from splendor.training.model import Crowds, Model, by_players

TOGETHER = 32768  # rows that go through the network at once


class Judge:
    """Rates observations; knows nothing of gradients."""

    def __init__(self, model: Model, machine: Machine) -> None:
        """Take over the weights of a model; `update` takes them over again, into the same memory."""
        self.machine = machine
        self._model = copy.deepcopy(model).requires_grad_(False).to(machine.device, machine.precision)
        self._columns = torch.from_numpy(COLUMNS.copy()).to(machine.device)
        self._decisions = torch.from_numpy(DECISIONS.copy()).to(machine.device)

    def update(self, model: Model) -> None:
        """Take over the weights of a model of the same size."""
        for mine, latest in zip(self._model.parameters(), model.parameters(), strict=True):
            mine.copy_(latest.detach())

    def rate(self, seen: Tensor, crowds: Crowds) -> tuple[Tensor, Tensor]:
        """The shares of the win [row, seat] and the ratings of the actions [row, action], as below."""
        both = [(self._shares(things), self._model.rate_actions(things)) for things in self._parts(seen, crowds)]
        shares, ratings = zip(*both, strict=True)
        return torch.cat(shares), torch.cat(ratings)

    def rate_rotated(self, seen: Tensor, crowds: Crowds, steps: Tensor) -> tuple[Tensor, Tensor]:
        """The same, of positions whose colors have all moved on by so many steps  [row]."""
        shares, ratings = self.rate(seen.gather(1, self._columns[steps]), crowds)
        return shares, ratings.gather(1, self._decisions[-steps % ROTATIONS])

    def shares(self, seen: Tensor, crowds: Crowds) -> Tensor:
        """The share of the win for each seat, from the one that looks on  [row, seat]."""
        return torch.cat([self._shares(things) for things in self._parts(seen, crowds)])

    def ratings(self, seen: Tensor, crowds: Crowds) -> Tensor:
        """The policy's logits  [row, action]."""
        return torch.cat([self._model.rate_actions(things) for things in self._parts(seen, crowds)])

    def _parts(self, seen: Tensor, crowds: Crowds) -> Iterator[Tensor]:
        """What the network thinks of every thing in observations, in parts."""
        for players, rows in by_players(seen, crowds):
            for part in rows.split(TOGETHER):
                yield self._model.thoughts(part, players)

    def _shares(self, things: Tensor) -> Tensor:
        return torch.softmax(self._model.rate_seats(things), dim=1)
