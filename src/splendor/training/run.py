"""A training run from start to end: play, learn, measure, save, until the time is up.

The folder of a run holds

    checkpoint.pt       to go on from
    network.onnx        what it has learned so far, to play with
    log.csv, curves.svg what was measured on the way
    snapshot-N.onnx     what it knew when line N of the log was written
"""

from __future__ import annotations

import copy
import csv
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from splendor.training.config import Checkpoint, Config, Given, between
from splendor.training.curves import draw_curves, read_log
from splendor.training.export import export_onnx
from splendor.training.judge import Judge
from splendor.training.ladder import (
    ActionValuesOnly,
    Decider,
    GreedyDecider,
    PolicyOnly,
    RandomDecider,
    Searching,
    match,
)
from splendor.training.learner import Learner, write_checkpoint
from splendor.training.machine import Machine
from splendor.training.model import parameters
from splendor.training.selfplay import SelfPlay

COLUMNS = (
    *("minutes", "decisions", "games", "steps", "decisions_per_second", "games_per_second"),
    *("temperature", "rate", "trace", "loss_after", "loss_before", "loss_policy", "rounds"),
    *("elo", "random", "greedy", "policy", "search", "earlier_2", "earlier_3", "earlier_4", "error", "match_rounds"),
)
BEATEN = 0.995  # a player that is beaten so clearly is not asked again
SEED_OF_MATCHES = 1 << 40  # deals that self-play never sees


class Mark(NamedTuple):
    """How far a run had come at some time."""

    seconds: float
    decisions: int
    games: int


class Run:
    """One training run, part after part."""

    def __init__(
        self,
        parts: Sequence[Config],
        machine: Machine,
        out: Path,
        say: Callable[[str], None],
        *,
        part: int = 0,
        started: float | None = None,
    ) -> None:
        """Begin with this part; `started` is when the clock began, on `time.monotonic`."""
        self.parts, self.part = parts, part
        self.machine, self.out, self.say = machine, out, say
        self._mark = time.monotonic() if started is None else started
        self.seconds = self.part_start = 0.0  # of all calls together; where this part began
        self.decisions = self.games = self.part_decisions = 0
        self.elo = 0.0
        self.learner = Learner(self.config, machine)
        self.judge = Judge(self.learner.average, machine)
        self.earlier = copy.deepcopy(self.learner.average)  # the network of the last measurement
        self._beaten: set[str] = set()
        self._since = Mark(0.0, 0, 0)  # the last measurement
        self._losses, self._rounds = (0.0, 0.0, 0.0), 0.0  # of the last window
        out.mkdir(parents=True, exist_ok=True)

    @property
    def config(self) -> Config:
        """The settings of the part under way."""
        return self.parts[self.part]

    @property
    def progress(self) -> float:
        """How much of this part is done, from 0 to 1."""
        by_clock = (self.seconds - self.part_start) / (60 * self.config.minutes) if self.config.minutes else 0.0
        done = self.decisions - self.part_decisions
        by_count = done / self.config.decisions if self.config.decisions else 0.0
        return min(max(by_clock, by_count), 1.0)

    def resume(self, checkpoint: Checkpoint) -> None:
        """Take over what a checkpoint has learned: in the middle of its part, or to begin another one with it."""
        self.learner.load(checkpoint)
        goes_on = checkpoint["part"] == self.part
        done = checkpoint["progress"]
        self.decisions, self.games, self.elo = done["decisions"], done["games"], done["elo"]
        self.seconds = done["seconds"]
        self.part_start = done["part_start"] if goes_on else self.seconds
        self.part_decisions = done["part_decisions"] if goes_on else self.decisions
        self.judge.update(self.learner.average)
        self.earlier = copy.deepcopy(self.learner.average)
        self._since = Mark(self.seconds, self.decisions, self.games)

    def train(self, stop_after: float | None = None) -> None:
        """Until the last part ends, or until this call has taken `stop_after` minutes.

        Raises ValueError if it has ended already.
        """
        if self.progress == 1 and self.part == len(self.parts) - 1:
            raise ValueError("this run is done; to train on, say for how long with --minutes, or give other settings")
        stop = math.inf if stop_after is None else self._mark + 60 * stop_after
        if self.progress < 1:
            self._train_part(stop)
        while self.part + 1 < len(self.parts) and self._mark < stop:
            self._next_part()
            self._train_part(stop)
        if self.decisions > self._since.decisions:
            self.measure()
            self.save()
        self._tick()
        self.say(
            f"done: {self.decisions / 1e6:.1f} M decisions, {self.games / 1e6:.3f} M games, "
            f"{self.learner.steps} steps, {self.seconds / 60:.2f} minutes on {self.machine.name}"
        )

    def _train_part(self, stop: float) -> None:
        """Until this part ends, or until this time."""
        config = self.config
        self.say(
            f"{self.machine.name} · {parameters(self.learner.model) / 1e6:.2f} M weights · {config.games} games · "
            f"{config.window} decisions a window · {config.simulations} simulations"
        )
        selfplay = SelfPlay(config, self.machine, seed=(config.seed << 24) + self.decisions)
        selfplay.spread(self.judge, between(config.temperature, self.progress))
        self._tick()
        while self.progress < 1 and self._mark < stop:
            lesson, played = selfplay.play(
                self.judge, between(config.temperature, self.progress), between(config.trace, self.progress)
            )
            self._losses = self.learner.learn(lesson, between(config.learning_rate, self.progress))
            self.judge.update(self.learner.average)
            self.decisions += played.decisions
            self.games += played.games
            self._rounds = played.rounds
            self._tick()
            if self.seconds >= self._since.seconds + config.ladder_seconds:
                self.measure()
                self.save()
        self.save()  # before the last matches too, which take a while

    def _next_part(self) -> None:
        """Go on with the settings of the next part."""
        learned = self.learner.checkpoint()
        self.part += 1
        self.learner = Learner(self.config, self.machine)
        self.learner.load(learned)
        self.judge = Judge(self.learner.average, self.machine)
        self.part_start, self.part_decisions = self.seconds, self.decisions

    def _tick(self) -> None:
        self.machine.wait()
        now = time.monotonic()
        self.seconds += now - self._mark
        self._mark = now

    def measure(self) -> None:
        """Play the matches of the ladder, write a line of the log, and keep the network that it is about."""
        config, since, losses = self.config, self._since, self._losses
        seconds = max(self.seconds - since.seconds, 1e-9)
        speed, games_speed = (self.decisions - since.decisions) / seconds, (self.games - since.games) / seconds
        before = ActionValuesOnly(Judge(self.earlier, self.machine), config.policy_temperature)
        hero = ActionValuesOnly(self.judge, config.policy_temperature)
        seed, count = SEED_OF_MATCHES + self.decisions, config.ladder_games
        row: dict[str, float] = {}
        fixed: dict[str, Decider] = {"random": RandomDecider(), "greedy": GreedyDecider()}
        fixed["policy"] = PolicyOnly(self.judge)
        for name, other in fixed.items():
            if name not in self._beaten:
                row[name] = match(hero, other, self.judge, 2, count // (2 if name == "policy" else 1), seed).share
                if row[name] > BEATEN:
                    self._beaten.add(name)
        if config.simulations:
            thinker = Searching(self.judge, config.simulations, config.exploration, config.policy_temperature)
            row["search"] = match(thinker, hero, self.judge, 2, count // 2, seed).share
        for players in (2, 3, 4):
            score = match(hero, before, self.judge, players, count, seed)
            row[f"earlier_{players}"] = score.share
            if players == 2:  # noqa: PLR2004
                self.elo += score.elo
                row |= {"elo": self.elo, "error": score.error, "match_rounds": score.rounds}
        self.earlier = copy.deepcopy(self.learner.average)
        row |= {
            "minutes": self.seconds / 60,
            "decisions": self.decisions,
            "games": self.games,
            "steps": self.learner.steps,
            "decisions_per_second": speed,
            "games_per_second": games_speed,
            "temperature": between(config.temperature, self.progress),
            "rate": between(config.learning_rate, self.progress),
            "trace": between(config.trace, self.progress),
            "loss_after": losses[0],
            "loss_before": losses[1],
            "loss_policy": losses[2],
            "rounds": self._rounds,
        }
        line = self._log(row)
        export_onnx(self.learner.average, self.out / f"snapshot-{line}.onnx", about=self.about())
        shown = " ".join(
            f"{name} {100 * row[name]:.1f}" for name in ("random", "greedy", "policy", "search") if name in row
        )
        levels = "/".join(f"{100 * row[f'earlier_{players}']:.1f}" for players in (2, 3, 4))
        self.say(
            f"{row['minutes']:6.2f} min {self.decisions / 1e6:8.1f} M {speed / 1e6:6.3f} M/s "
            f"{games_speed:5.0f} games/s loss {losses[0]:.4f} {losses[1]:.4f} {losses[2]:.3f} "
            f"rounds {self._rounds:.1f} elo {self.elo:+.0f} earlier {levels} {shown}"
        )
        self._tick()
        self._since = Mark(self.seconds, self.decisions, self.games)

    def _log(self, row: dict[str, float]) -> int:
        """Write a line of the log, and draw all of it; return the number of the line."""
        path = self.out / "log.csv"
        is_new = not path.exists()
        with path.open("a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            if is_new:
                writer.writeheader()
            writer.writerow({name: f"{value:.6g}" for name, value in row.items()})
        rows = read_log(path)
        (self.out / "curves.svg").write_text(draw_curves(rows), encoding="utf-8")
        return len(rows)

    def about(self) -> Given:
        """What is written into an exported network."""
        return {
            "before": [config.to_dict() for config in self.parts[: self.part]],
            "config": self.config.to_dict(),
            "decisions": self.decisions,
            "games": self.games,
            "steps": self.learner.steps,
            "minutes": round(self.seconds / 60, 2),
            "machine": self.machine.name,
            "torch": torch.__version__,
        }

    def save(self) -> None:
        """Write the checkpoint and the network."""
        progress = {
            "seconds": self.seconds,
            "part_start": self.part_start,
            "part_decisions": self.part_decisions,
            "decisions": self.decisions,
            "games": self.games,
            "elo": self.elo,
        }
        plan = {"parts": [config.to_dict() for config in self.parts], "part": self.part}
        write_checkpoint(self.out / "checkpoint.pt", self.learner.checkpoint() | plan | {"progress": progress})
        export_onnx(self.learner.average, self.out / "network.onnx", about=self.about())


def start(
    parts: Sequence[Config],
    machine: Machine,
    out: Path,
    *,
    part: int = 0,
    checkpoint: Checkpoint | None = None,
    stop_after: float | None = None,
    say: Callable[[str], None] = print,
    started: float | None = None,
) -> Run:
    """Train: from the start of this part on, or where a checkpoint of it ends."""
    run = Run(parts, machine, out, say, part=part, started=started)
    if checkpoint:
        run.resume(checkpoint)
    run.train(stop_after)
    return run
