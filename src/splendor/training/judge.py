"""A frozen copy of the network that rates many positions fast.

Without normalisation a residual network is a chain of matrix products with the rest of the arithmetic fused into
them: adding the bias and cutting at zero belong to one product, adding to what came in to the other.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from splendor.components import MAX_PLAYERS
from splendor.training.machine import Machine
from splendor.training.model import Model

VALUE_COLUMNS = 8  # the four seats, and as many zeros: products like widths that are multiples of eight
PADDING = 4096  # rows are filled up to a multiple, so that few shapes occur


class Layer(NamedTuple):
    """A fully connected layer, the weights turned as a product of matrices wants them."""

    weight: Tensor
    bias: Tensor


class Judge:
    """Rates observations; knows nothing of gradients."""

    def __init__(self, model: Model, machine: Machine) -> None:
        """Take over the weights of a model; `update` takes them over again, into the same memory."""
        self.machine = machine
        self._layers = self._frozen(model)
        self._absent = model.absent.to(machine.device)

    def update(self, model: Model) -> None:
        """Take over the weights of a model of the same size."""
        for layer, latest in zip(self._layers, self._frozen(model), strict=True):
            layer.weight.copy_(latest.weight)
            layer.bias.copy_(latest.bias)

    def _frozen(self, model: Model) -> list[Layer]:
        """A copy in the precision of the machine: enter, then inner and outer of each block, shares, policy."""

        def frozen(weight: Tensor, bias: Tensor) -> Layer:
            weight, bias = (
                tensor.detach().to(self.machine.device, self.machine.precision) for tensor in (weight, bias)
            )
            return Layer(weight.contiguous().T, bias.contiguous())

        weight, bias = model.leave.weight.detach(), model.leave.bias.detach()
        shares = torch.zeros(VALUE_COLUMNS, model.width, device=weight.device)
        shares[:MAX_PLAYERS] = weight[:MAX_PLAYERS]
        shares_bias = torch.zeros(VALUE_COLUMNS, device=weight.device)
        shares_bias[:MAX_PLAYERS] = bias[:MAX_PLAYERS]
        layers = [frozen(model.enter.weight * model.scale, model.enter.bias)]
        for inner, outer in zip(model.inner, model.outer, strict=True):
            layers += [frozen(inner.weight, inner.bias), frozen(outer.weight, torch.zeros(0))]
        return [*layers, frozen(shares, shares_bias), frozen(weight[MAX_PLAYERS:], bias[MAX_PLAYERS:])]

    def rate(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """The shares of the win [row, seat] and the ratings of the actions [row, action], as below."""
        hidden = self._hidden(seen)
        return self._shares(seen, hidden), self._ratings(hidden)

    def shares(self, seen: Tensor) -> Tensor:
        """The share of the win for each seat, from the one that looks on  [row, seat]."""
        return self._shares(seen, self._hidden(seen))

    def ratings(self, seen: Tensor) -> Tensor:
        """The policy's logits  [row, action]."""
        return self._ratings(self._hidden(seen))

    def _hidden(self, seen: Tensor) -> Tensor:
        enter, *blocks = self._layers[:-2]
        hidden = torch._addmm_activation(enter.bias, seen.to(self.machine.precision), enter.weight)
        for inner, outer in zip(blocks[::2], blocks[1::2], strict=True):
            hidden.addmm_(torch._addmm_activation(inner.bias, hidden, inner.weight), outer.weight)
        return hidden

    def _shares(self, seen: Tensor, hidden: Tensor) -> Tensor:
        layer = self._layers[-2]
        logits = torch.addmm(layer.bias, hidden, layer.weight)[:, :MAX_PLAYERS].float()
        return torch.softmax(logits + seen[:, :3].float() @ self._absent, dim=1)

    def _ratings(self, hidden: Tensor) -> Tensor:
        layer = self._layers[-1]
        return torch.addmm(layer.bias, hidden, layer.weight).float()
