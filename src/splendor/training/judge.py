"""A frozen copy of the network that rates many positions fast.

Without normalisation a residual network is a chain of matrix products with the rest of the arithmetic fused into
them: adding the bias and cutting at zero belong to one product, adding to what came in to the other.
"""

from __future__ import annotations

import torch
from torch import Tensor

from splendor.components import MAX_PLAYERS
from splendor.training.machine import Machine
from splendor.training.model import Model

VALUE_COLUMNS = 8  # the four seats, and as many zeros: products like widths that are multiples of eight
PADDING = 4096  # rows are filled up to a multiple, so that few shapes occur


class Judge:
    """Rates observations; knows nothing of gradients."""

    def __init__(self, model: Model, machine: Machine) -> None:
        """Take over the weights of a model; `update` takes them over again."""
        self.machine = machine
        self.update(model)

    def update(self, model: Model) -> None:
        """Copy the weights of a model in the precision of the machine."""

        def frozen(tensor: Tensor) -> Tensor:
            return tensor.detach().to(self.machine.device, self.machine.precision).contiguous()

        self._enter = frozen(model.enter.weight * model.scale).T, frozen(model.enter.bias)
        self._inner = [(frozen(layer.weight).T, frozen(layer.bias)) for layer in model.inner]
        self._outer = [frozen(layer.weight).T for layer in model.outer]
        weight, bias = model.leave.weight.detach(), model.leave.bias.detach()
        values = torch.zeros(VALUE_COLUMNS, model.width, device=weight.device)
        values[:MAX_PLAYERS] = weight[:MAX_PLAYERS]
        self._values = frozen(values).T
        self._values_bias = bias[:MAX_PLAYERS].float().to(self.machine.device)
        self._policy = frozen(weight[MAX_PLAYERS:]).T, frozen(bias[MAX_PLAYERS:])
        self._absent = model.absent.to(self.machine.device)

    def _hidden(self, seen: Tensor) -> Tensor:
        weight, bias = self._enter
        hidden = torch._addmm_activation(bias, seen.to(self.machine.precision), weight)
        for (inner, bias), outer in zip(self._inner, self._outer, strict=True):
            hidden.addmm_(torch._addmm_activation(bias, hidden, inner), outer)
        return hidden

    def shares(self, seen: Tensor) -> Tensor:
        """The share of the win for each seat, from the one that looks on  [row, seat]."""
        logits = (self._hidden(seen) @ self._values)[:, :MAX_PLAYERS].float() + self._values_bias
        return torch.softmax(logits + seen[:, :3].float() @ self._absent, dim=1)

    def ratings(self, seen: Tensor) -> Tensor:
        """The policy's logits  [row, action]."""
        weight, bias = self._policy
        return torch.addmm(bias, self._hidden(seen), weight).float()
