"""Many games in lock-step on Torch tensors: on a GPU the games live beside the network, and nothing is copied.

    env = TorchEnv(games=65_536, players=2, device="cuda")
    seen = env.reset(seed=1)
    while True:
        logits = policy(seen.observation.float()).masked_fill(~seen.mask, -torch.inf)
        seen = env.step(Categorical(logits=logits).sample())

In every game the agent decides for the seat whose turn it is, as in `vector`. A game that ends is dealt anew at once.
Actions must be legal; they are not checked, since a check would wait for the GPU: sample from the mask. On
`device="cpu"` the games are those of `Batch`, on `"cuda"` those of `GpuBatch`, and both are the same games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION
from splendor.many.batch import Batch

assert OBSERVATION.fields is not None
_first = int(OBSERVATION.fields["first"][1])
FIRST = slice(_first, _first + MAX_PLAYERS)  # where an observation shows the seat that begins every round


@dataclass(frozen=True, slots=True)
class Seen:
    """What an agent sees of all games at once. The tensors are written anew by the next step: clone what you keep."""

    observation: torch.Tensor  # what the seat that decides knows         int8 [game, OBSERVATION_SIZE]
    mask: torch.Tensor  # which actions are legal                         bool [game, ACTIONS]
    seat: torch.Tensor  # who decides                                     int64 [game]
    done: torch.Tensor  # 1: the step ended a game, and dealt a new one   bool [game]
    shares: torch.Tensor  # of the win, in the game that ended last       float32 [game, seat]


class TorchEnv:
    """Games side by side as tensors on one device."""

    def __init__(self, games: int, players: int = 2, *, device: str = "cpu", round_cap: int = 0) -> None:
        """So many tables; `reset` deals the games. Raises `NoGpu` where `device` asks for a GPU that is not there."""
        self.device = torch.device(device)
        self.players = players
        self.batch: Any
        if self.device.type == "cuda":
            from splendor.many.batch_gpu import GpuBatch

            self.batch = GpuBatch(games, players, round_cap=round_cap)
        else:
            self.batch = Batch(games, players, round_cap=round_cap)
        self._observation = self._tensor(self.batch.observe())
        self._mask = self._tensor(self.batch.legal_mask())

    def __len__(self) -> int:
        return len(self.batch)

    def reset(self, seed: int = 0) -> Seen:
        """Deal all games, number i as `Game(players, seed=seed + i)`."""
        self.batch.reset(np.uint64(seed) + np.arange(len(self), dtype=np.uint64))
        return self._look()

    def step(self, actions: torch.Tensor) -> Seen:
        """One decision in each game; the result of those that it ended is in `shares`."""
        self.batch.step(self._array(actions.to(torch.int8)), restart=True)
        return self._look()

    def random_actions(self) -> torch.Tensor:
        """A legal action for each game, uniformly at random."""
        return self._tensor(self.batch.random_actions())

    def _look(self) -> Seen:
        self.batch.observe(out=self._array(self._observation))
        self.batch.legal_mask(out=self._array(self._mask))
        done, shares = self._tensor(self.batch.done), self._tensor(self.batch.shares)
        return Seen(self._observation, self._mask, self._seats(), done, shares)

    def _seats(self) -> torch.Tensor:
        """Who decides, from how far after them the seat sits that begins every round."""
        distance: torch.Tensor = self._observation[:, FIRST].argmax(dim=1)
        seats: torch.Tensor = (self.batch.first - distance) % self.players
        return seats

    def _tensor(self, array: Any) -> torch.Tensor:
        """The same memory as a tensor."""
        return torch.as_tensor(array, device=self.device)

    def _array(self, tensor: torch.Tensor) -> Any:
        """The same memory as the batch takes it."""
        return tensor if self.device.type == "cuda" else tensor.numpy()
