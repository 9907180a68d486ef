"""Learning from lessons: gradient steps, the running average of the weights, and checkpoints."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from splendor.training.config import Config, make_config
from splendor.training.games import NOTHING
from splendor.training.machine import Machine
from splendor.training.model import Model
from splendor.training.selfplay import Lesson

RATING_OF_NOTHING = -10000.0


class Learner:
    """A model, the average that plays, and the optimizer."""

    def __init__(self, config: Config, machine: Machine) -> None:
        """Random weights from the config's seed."""
        self.config, self.machine = config, machine
        torch.manual_seed(config.seed)
        self.model = Model(config.width, config.blocks).to(machine.device)
        self.average = copy.deepcopy(self.model).requires_grad_(False)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(),
            lr=config.learning_rate[0],
            betas=(0.9, 0.98),
            weight_decay=config.weight_decay,
            fused=True,
        )
        self.steps = 0
        self._warm = 0  # steps since the start or the resume

    def learn(self, lesson: Lesson, rate: float) -> tuple[float, float, float]:
        """Go through a lesson in random order; return the mean losses: afterstates, positions, policy."""
        rows, batch = len(lesson.after), self.config.batch
        losses = torch.zeros(3, device=self.machine.device)
        batches = max(rows // batch, 1)
        for _ in range(self.config.epochs):
            order = torch.randperm(rows, device=self.machine.device)
            for number in range(batches):
                self._warm += 1
                for group in self.optimizer.param_groups:
                    group["lr"] = rate * min(1.0, self._warm / max(self.config.warm_up, 1))
                losses += self._step(lesson, order[number * batch : (number + 1) * batch])
        after, before, policy = (losses / (batches * self.config.epochs)).tolist()
        return after, before, policy

    def _step(self, lesson: Lesson, rows: Tensor) -> Tensor:
        seen = torch.cat([lesson.after[rows], lesson.before[rows]])
        targets = torch.cat([lesson.after_shares[rows], lesson.before_shares[rows]])
        half = len(rows)
        with torch.autocast(self.machine.device.type, torch.bfloat16, enabled=self.machine.device.type == "cuda"):
            shares, ratings = self.model(seen)
        losses = -(targets * functional.log_softmax(shares, dim=1)).sum(dim=1)
        policy = lesson.policy[rows].float()
        logs = functional.log_softmax(ratings[half:].masked_fill(policy == NOTHING, RATING_OF_NOTHING), dim=1)
        policy_loss = -(policy.clamp(min=0.0) * logs).sum(dim=1).mean()
        after, before = losses[:half].mean(), losses[half:].mean()
        self.optimizer.zero_grad(set_to_none=True)
        (after + before + self.config.policy_weight * policy_loss).backward()
        clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.optimizer.step()
        self.steps += 1
        self._average()
        return torch.stack([after.detach(), before.detach(), policy_loss.detach()])

    def _average(self) -> None:
        """Move the average a little towards the model; at first, when there is little to average, by more."""
        keep = min(self.config.average, self.steps / (self.steps + 10))
        latest = [parameter.detach() for parameter in self.model.parameters()]
        torch._foreach_lerp_(list(self.average.parameters()), latest, 1.0 - keep)

    # ------------------------------------------------------------------------------------- checkpoints

    def save(self, path: Path, progress: dict[str, Any]) -> None:
        """Everything that is needed to go on: weights, average, optimizer, settings, and how far it has come.

        Moments of the optimizer and the average are rounded to half precision, which they can stand.
        """
        moments = self.optimizer.state_dict()["state"]
        checkpoint = {
            "config": self.config.to_dict(),
            "progress": progress,
            "steps": self.steps,
            "model": {name: tensor.cpu() for name, tensor in self.model.state_dict().items()},
            "average": {name: tensor.half().cpu() for name, tensor in self.average.state_dict().items()},
            "first": [moment["exp_avg"].bfloat16().cpu() for moment in moments.values()],
            "second": [moment["exp_avg_sq"].bfloat16().cpu() for moment in moments.values()],
        }
        partial = path.with_suffix(".partial")
        torch.save(checkpoint, partial)
        partial.replace(path)

    def load(self, checkpoint: dict[str, Any]) -> None:
        """Go on from a checkpoint of a network of the same size."""
        self.model.load_state_dict(checkpoint["model"])
        self.average.load_state_dict({name: tensor.float() for name, tensor in checkpoint["average"].items()})
        self.steps = int(checkpoint["steps"])
        for parameter, first, second in zip(
            self.model.parameters(), checkpoint["first"], checkpoint["second"], strict=bool(checkpoint["first"])
        ):
            self.optimizer.state[parameter] = {
                "step": torch.tensor(float(self.steps), device=self.machine.device),
                "exp_avg": first.float().to(self.machine.device),
                "exp_avg_sq": second.float().to(self.machine.device),
            }


def read_checkpoint(path: Path) -> dict[str, Any]:
    """The content of a checkpoint file; only data is read, never code. Raises ValueError if it is none."""
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    if not isinstance(checkpoint, dict) or "average" not in checkpoint:
        raise ValueError(f"{path} is not a checkpoint of splendor train")
    return checkpoint


def network_of(checkpoint: dict[str, Any]) -> Model:
    """The network that a checkpoint or a snapshot holds: the average of the weights, which is what plays."""
    config = make_config(checkpoint["config"])
    model = Model(config.width, config.blocks)
    model.requires_grad_(False)
    model.load_state_dict({name: tensor.float() for name, tensor in checkpoint["average"].items()})
    return model
