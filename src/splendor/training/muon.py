"""Gradient steps for matrices: a step turns a matrix in all directions by the same amount.

The momentum of a gradient is dominated by a few directions. Here it is replaced by the nearest orthogonal matrix, so
that the rare directions are learned as fast as the frequent ones (Jordan et al., "Muon", 2024). PyTorch has such an
optimizer too, but not one whose step can be recorded with a rate that changes.
"""

from __future__ import annotations

import math
from collections import defaultdict

import torch
from torch import Tensor

MOMENTUM = 0.95
ROUNDS = 5  # of Newton's iteration
# A polynomial a·x + b·x³ + c·x⁵ that brings singular values near 1 in few rounds; near is enough.
A, B, C = 3.4445, -4.7750, 2.0315
SIZE = 0.2  # of a step, for one number of the matrix: about that of AdamW at the same rate


class Muon:
    """The optimizer of some matrices; `rate` is a tensor that may be changed between steps."""

    def __init__(self, matrices: list[torch.nn.Parameter], rate: Tensor) -> None:
        """No momentum yet."""
        self.matrices, self.rate = matrices, rate
        self.momentum = [torch.zeros_like(matrix) for matrix in matrices]
        shapes: dict[torch.Size, list[int]] = defaultdict(list)
        for number, matrix in enumerate(matrices):
            shapes[matrix.shape].append(number)
        self._alike = list(shapes.values())

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def step(self) -> None:
        """Follow the gradients; matrices of the same shape are worked on together."""
        for numbers in self._alike:
            gradients = [self.matrices[number].grad for number in numbers]
            momentum = [self.momentum[number] for number in numbers]
            torch._foreach_lerp_(momentum, gradients, 1 - MOMENTUM)
            ahead = torch.stack(gradients).lerp(torch.stack(momentum), MOMENTUM)
            steps = orthogonal(ahead) * (SIZE * math.sqrt(max(ahead.shape[1:])))
            for number, step in zip(numbers, steps, strict=True):
                self.matrices[number].sub_(self.rate * step)


def orthogonal(matrices: Tensor) -> Tensor:
    """About the nearest orthogonal matrix of each  [matrix, row, column]."""
    is_tall = matrices.shape[1] > matrices.shape[2]
    wide = matrices.mT if is_tall else matrices
    wide = wide.to(torch.bfloat16) if matrices.is_cuda else wide
    wide = wide / (wide.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(ROUNDS):
        square = wide @ wide.mT
        wide = A * wide + (B * square + C * square @ square) @ wide
    return (wide.mT if is_tall else wide).float()
