"""Learning from lessons: gradient steps, the running average of the weights, and checkpoints."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from splendor.training.config import Checkpoint, Config, make_config
from splendor.training.export import read_onnx
from splendor.training.games import NOTHING
from splendor.training.machine import Machine
from splendor.training.minibatch import Minibatch
from splendor.training.model import Model
from splendor.training.muon import Muon
from splendor.training.selfplay import Lesson

RATING_OF_NOTHING = -10000.0


class Learner:
    """A model, the average that plays, and the optimizers: one for the matrices inside of blocks, one for the rest.

    Every step works on the same page, so on a GPU the whole step is recorded once and started by one call.
    """

    def __init__(self, config: Config, machine: Machine) -> None:
        """Random weights from the config's seed."""
        self.config, self.machine = config, machine
        device = machine.device
        torch.manual_seed(config.seed)
        self.model = Model(config.width, config.blocks).to(device)
        self.average = copy.deepcopy(self.model).requires_grad_(False)
        is_gpu = device.type == "cuda"
        self._rate = torch.tensor(config.learning_rate[0], device=device)
        self._matrix_rate = self._rate.clone()
        matrices = {id(matrix) for matrix in self.model.matrices()}
        self._others = {
            name: parameter for name, parameter in self.model.named_parameters() if id(parameter) not in matrices
        }
        self._matrices = {
            name: parameter for name, parameter in self.model.named_parameters() if id(parameter) in matrices
        }
        self.muon = Muon(list(self._matrices.values()), self._matrix_rate)
        self.optimizer = torch.optim.AdamW(
            self._others.values(),
            lr=self._rate,
            betas=(0.9, 0.98),
            weight_decay=config.weight_decay,
            fused=True,
            capturable=is_gpu,
        )
        self.steps = 0
        self._warm = 0  # steps since the start or the resume
        self.minibatch = Minibatch(config, device)
        self._toward = torch.tensor(0.0, device=device)  # how far the average moves towards the model
        self._step: Callable[[], Tensor] | None = None

    def learn(self, lesson: Lesson, rate: float) -> tuple[float, float, float]:
        """Go through a lesson, in random order; return the mean losses: afterstates, positions, policy."""
        losses, steps = torch.zeros(3, device=self.machine.device), 0
        for _ in range(self.config.epochs):
            for rows in zip(*self.minibatch.batches(lesson), strict=False):
                self.minibatch.write(lesson, rows)
                losses += self._next(rate)
                steps += 1
        after, before, policy = (losses / steps).tolist()
        return after, before, policy

    def _next(self, rate: float) -> Tensor:
        """One gradient step on the page; returns its losses."""
        self.steps += 1
        self._warm += 1
        rate *= min(1.0, self._warm / max(self.config.warm_up, 1))
        self._rate.fill_(rate)
        self._matrix_rate.fill_(rate * self.config.matrix_rate)
        # The average moves a little; at first, when there is little to average, by more.
        self._toward.fill_(1.0 - min(self.config.average, self.steps / (self.steps + 10)))
        if self._step is None:
            self._step = self.machine.recorded(self._step_on_minibatch)
        return self._step()

    def _step_on_minibatch(self) -> Tensor:
        minibatch, batch, device = self.minibatch, self.config.batch, self.machine.device.type
        self.model.zero_grad(set_to_none=True)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda", cache_enabled=False):
            shares, ratings = self.model(minibatch.seen, minibatch.crowds)
        losses = -(minibatch.targets * functional.log_softmax(shares, dim=1)).sum(dim=1)
        policy = minibatch.policy.float()
        logs = functional.log_softmax(
            ratings.index_select(0, minibatch.before).masked_fill(policy == NOTHING, RATING_OF_NOTHING), dim=1
        )
        policy_loss = -(policy.clamp(min=0.0) * logs).sum(dim=1).mean()
        (losses.sum() / batch + self.config.policy_weight * policy_loss).backward()
        clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.optimizer.step()
        self.muon.step()
        for mean, latest in zip(self.average.parameters(), self.model.parameters(), strict=True):
            mean.lerp_(latest.detach(), self._toward)
        after, before = (losses.detach() * (minibatch.kind == kind) for kind in range(2))
        return torch.stack([after.sum() / batch, before.sum() / batch, policy_loss.detach()])

    # ------------------------------------------------------------------------------------- checkpoints

    def checkpoint(self) -> Checkpoint:
        """What is needed to go on: weights, average, optimizers, and the settings."""
        moments = self.optimizer.state
        return {
            "config": self.config.to_dict(),
            "steps": self.steps,
            "model": on_cpu(self.model.state_dict()),
            "average": on_cpu(self.average.state_dict()),
            "first": on_cpu({name: moments[weights]["exp_avg"] for name, weights in self._others.items() if moments}),
            "second": on_cpu(
                {name: moments[weights]["exp_avg_sq"] for name, weights in self._others.items() if moments}
            ),
            "momentum": on_cpu(dict(zip(self._matrices, self.muon.momentum, strict=True))),
        }

    def load(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint. Blocks that its network did not have yet begin as ones that change nothing.

        Raises ValueError if this network is narrower, wider or has fewer blocks.
        """
        was, config = make_config(checkpoint["config"]), self.config
        if was.width != config.width or was.blocks > config.blocks:
            raise ValueError(
                f"the checkpoint is of a network of width {was.width} with {was.blocks} blocks; to go on from it, "
                f"the width must be the same, not {config.width}, and the blocks as many or more, not {config.blocks}"
            )
        self._step = None
        self.steps = int(checkpoint["steps"])
        for network, weights in ((self.model, checkpoint["model"]), (self.average, checkpoint["average"])):
            network.load_state_dict(grown(weights, self.model))
        for name, parameter in self._others.items():
            moments = {
                key: checkpoint[part].get(name, torch.zeros(parameter.shape)).to(self.machine.device)
                for key, part in (("exp_avg", "first"), ("exp_avg_sq", "second"))
            }
            step = torch.tensor(float(self.steps if name in checkpoint["first"] else 0), device=self.machine.device)
            self.optimizer.state[parameter] = {"step": step, **moments}
        for name, momentum in zip(self._matrices, self.muon.momentum, strict=True):
            if name in checkpoint["momentum"]:
                momentum.copy_(checkpoint["momentum"][name])


def on_cpu(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.cpu() for name, tensor in tensors.items()}


def grown(weights: dict[str, Tensor], model: Model) -> dict[str, Tensor]:
    """These weights and, for each block of the model that they lack, one that changes nothing."""
    lacking = {name: tensor for name, tensor in model.state_dict().items() if name not in weights}
    return weights | {
        name: torch.zeros_like(tensor) if name.startswith(("hear.", "outer.")) else tensor
        for name, tensor in lacking.items()
    }


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint file: the new one whole, or the old one stays."""
    partial = path.with_suffix(".partial")
    torch.save(checkpoint, partial)
    partial.replace(path)


def read_checkpoint(path: Path) -> Checkpoint:
    """The content of a checkpoint file, or of a network's; only data is read, never code. Raises ValueError."""
    if path.suffix == ".onnx":
        model, about = read_onnx(path)
        if not about.keys() >= {"minutes", "decisions", "games", "steps"}:
            raise ValueError(f"{path} does not say how it was trained; to go on from it, it must")
        return checkpoint_of(model, about)
    with path.open("rb") as file:
        try:
            checkpoint = torch.load(file, map_location="cpu", weights_only=True)
        except Exception as error:
            raise ValueError(f"{path} is not a checkpoint of splendor train") from error
    if not isinstance(checkpoint, dict) or "average" not in checkpoint:
        raise ValueError(f"{path} is not a checkpoint of splendor train")
    if "parts" not in checkpoint:
        raise ValueError(f"{path} is a checkpoint of an earlier kind; the network that was written beside it will do")
    return checkpoint


def checkpoint_of(model: Model, about: dict[str, str]) -> Checkpoint:
    """All that a network's file has of a checkpoint: the weights, and where they come from; what it began is done."""
    known = Config().to_dict()
    parts = [
        {name: value for name, value in config.items() if name in known}
        for config in (*json.loads(about.get("before", "[]")), json.loads(about["config"]))
    ]
    config = known | parts[-1]
    seconds, decisions = 60 * float(about["minutes"]), int(about["decisions"])
    return {
        "config": config,
        "parts": parts,
        "part": len(parts) - 1,
        "steps": int(about["steps"]),
        "progress": {
            "seconds": seconds,
            "part_start": seconds - 60 * config["minutes"] - 1,
            "part_decisions": decisions - config["decisions"],
            "decisions": decisions,
            "games": int(about["games"]),
            "elo": 0.0,
        },
        "model": model.state_dict(),
        "average": model.state_dict(),
        "first": {},
        "second": {},
        "momentum": {},
    }


def network_of(checkpoint: Checkpoint) -> Model:
    """The network that a checkpoint or a snapshot holds: the average of the weights, which is what plays."""
    config = make_config(checkpoint["config"])
    model = Model(config.width, config.blocks)
    model.requires_grad_(False)
    model.load_state_dict(checkpoint["average"])
    return model
