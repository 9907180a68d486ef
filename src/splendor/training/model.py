"""The network: a position in, the share of the win for each seat and a rating of each action out.

    688 numbers → width → blocks of two layers, each added to what it got → 4 seats and 72 actions

One network for 2, 3 and 4 players. The seats are counted from the one that looks, as in `features`; a seat that
nobody sits in gets no share. There is no normalisation: `judge` then needs nothing but matrix products.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from splendor.actions import ACTIONS
from splendor.components import MAX_PLAYERS
from splendor.features import OBSERVATION, OBSERVATION_SIZE

OUTPUTS = MAX_PLAYERS + ACTIONS
ABSENT = -10000.0  # added to the rating of a seat that nobody sits in

# Fields are divided by about their largest usual value; one that is not named is a flag or a one-hot.
SIZES = {
    "round_number": 30,
    "rounds_left": np.inf,  # the end of bot matches is not learned
    "passes": 2,
    "returns": 3,
    "bank": 4,
    "deck_size": 20,
    "tokens": 3,
    "held": 10,
    "bonuses": 4,
    "points": 8,
    "bought": 10,
    "visits": 2,
    "noble_cost": 4,
    "noble_lacking": 6,
    "market_points": 3,
    "market_cost": 4,
    "market_missing": 4,
    "market_shortfall": 6,
    "reserved_points": 3,
    "reserved_cost": 4,
    "reserved_missing": 4,
    "reserved_shortfall": 6,
}


def input_scale() -> Tensor:
    """What each number of an observation is multiplied with  [number]."""
    scale = np.ones(OBSERVATION_SIZE, np.float32)
    for name, size in SIZES.items():
        dtype, offset = OBSERVATION.fields[name][:2]  # type: ignore[index]
        scale[offset : offset + dtype.itemsize] = 1.0 / size
    return torch.from_numpy(scale)


def absent_seats() -> Tensor:
    """ABSENT for every seat beyond the number of players, which an observation tells one-hot  [players - 2, seat]."""
    seats = torch.arange(MAX_PLAYERS)
    return torch.stack([(seats >= players) * ABSENT for players in range(2, MAX_PLAYERS + 1)])


class Model(nn.Module):  # type: ignore[misc]
    """The network as it is trained."""

    def __init__(self, width: int, blocks: int) -> None:
        """Random weights; each block begins as one that changes nothing."""
        super().__init__()
        self.width, self.blocks = width, blocks
        self.enter = nn.Linear(OBSERVATION_SIZE, width)
        self.inner = nn.ModuleList(nn.Linear(width, width) for _ in range(blocks))
        self.outer = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(blocks))
        self.leave = nn.Linear(width, OUTPUTS)
        self.register_buffer("scale", input_scale(), persistent=False)
        self.register_buffer("absent", absent_seats(), persistent=False)
        for layer in [self.enter, *self.inner]:
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)
        for layer in self.outer:
            nn.init.normal_(layer.weight, std=0.1 * width**-0.5)
        nn.init.normal_(self.leave.weight, std=0.1 * width**-0.5)
        nn.init.zeros_(self.leave.bias)

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of the seats' shares and of the actions, of observations as `int8`."""
        hidden = functional.relu(self.enter(seen * self.scale))
        for inner, outer in zip(self.inner, self.outer, strict=True):
            hidden = hidden + outer(functional.relu(inner(hidden)))
        out = self.leave(hidden).float()
        return out[:, :MAX_PLAYERS] + seen[:, :3].float() @ self.absent, out[:, MAX_PLAYERS:]


def parameters(model: nn.Module) -> int:
    """How many numbers are learned."""
    return sum(parameter.numel() for parameter in model.parameters())
