"""A training run from start to end: play, learn, measure, save, until the time is up.

The folder of a run holds

    checkpoint.pt       to go on from
    network.onnx        what it has learned so far, to play with
    snapshot-N.onnx     what it knew on the way: the last at the end, each one before after half the time
    log.csv, curves.svg what was measured on the way
"""

from __future__ import annotations

import copy
import csv
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch

from splendor.training.config import Config, between, make_config
from splendor.training.curves import draw_curves, read_log
from splendor.training.export import export_onnx
from splendor.training.judge import Judge
from splendor.training.ladder import AtFirstSight, Decider, GreedyDecider, PolicyOnly, RandomDecider, Searching, match
from splendor.training.learner import Learner, read_checkpoint
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
    """One training run."""

    def __init__(
        self, config: Config, machine: Machine, out: Path, say: Callable[[str], None], started: float | None = None
    ) -> None:
        """Prepare everything; `started` is when the clock began, on `time.monotonic`."""
        self.config, self.machine, self.out, self.say = config, machine, out, say
        self._mark = time.monotonic() if started is None else started
        self.seconds = self.schedule_start = 0.0  # of all calls together; where this schedule began
        self.decisions = self.games = self.schedule_decisions = 0
        self.elo = 0.0
        self.learner = Learner(config, machine)
        self.judge = Judge(self.learner.average, machine)
        self.earlier = copy.deepcopy(self.learner.average)  # the network of the last measurement
        self._beaten: set[str] = set()
        self._snapshots = {self.config.snapshots - 1 - n: 0.5**n for n in range(self.config.snapshots)}
        self.selfplay: SelfPlay | None = None
        out.mkdir(parents=True, exist_ok=True)

    @property
    def progress(self) -> float:
        """How much of the schedule is done, from 0 to 1."""
        by_clock = (self.seconds - self.schedule_start) / (60 * self.config.minutes) if self.config.minutes else 0.0
        done = self.decisions - self.schedule_decisions
        by_count = done / self.config.decisions if self.config.decisions else 0.0
        return min(max(by_clock, by_count), 1.0)

    def resume(self, path: Path, same_schedule: bool) -> None:
        """Go on from a checkpoint: in the middle of its schedule, or with its weights at the start of a new one."""
        checkpoint = read_checkpoint(path)
        self.learner.load(checkpoint)
        done = checkpoint["progress"]
        self.decisions, self.games, self.elo = done["decisions"], done["games"], done["elo"]
        self.seconds = done["seconds"]
        self.schedule_start = done["schedule_start"] if same_schedule else self.seconds
        self.schedule_decisions = done["schedule_decisions"] if same_schedule else self.decisions
        self.judge.update(self.learner.average)
        self.earlier = copy.deepcopy(self.learner.average)
        self._snapshots = {name: part for name, part in self._snapshots.items() if part > self.progress}

    def train(self, stop_after: float | None = None) -> None:
        """Until the schedule ends, or until this call has taken `stop_after` minutes."""
        config, machine = self.config, self.machine
        begin = self._mark
        self.say(
            f"{machine.name} · {parameters(self.learner.model) / 1e6:.2f} M weights · {config.games} games · "
            f"{config.window} decisions a window · "
            f"{config.simulations} simulations"
        )
        self.selfplay = SelfPlay(config, machine, seed=(config.seed << 24) + self.decisions)
        self.selfplay.spread(self.judge, between(config.temperature, self.progress))
        self._tick()
        next_ladder = self.seconds + config.ladder_seconds
        since = Mark(self.seconds, self.decisions, self.games)
        losses = (0.0, 0.0, 0.0)
        rounds = 0.0
        while self.progress < 1 and (stop_after is None or self._mark - begin < 60 * stop_after):
            progress = self.progress
            search = config.simulations > 0 and progress >= config.search_from
            lesson, played = self.selfplay.play(
                self.judge,
                between(config.temperature, progress),
                between(config.trace, progress),
                search,
            )
            epochs = config.epochs if search else config.sight_epochs
            losses = self.learner.learn(lesson, between(config.learning_rate, progress), epochs)
            self.judge.update(self.learner.average)
            self.decisions += played.decisions
            self.games += played.games
            rounds = played.rounds
            self._tick()
            self._snapshot()
            if self.seconds >= next_ladder:
                self.measure(losses, rounds, since)
                self.save()
                self._tick()
                next_ladder = self.seconds + config.ladder_seconds
                since = Mark(self.seconds, self.decisions, self.games)
        self.save()  # before the matches too, which take a while
        if self.decisions > since.decisions:
            self.measure(losses, rounds, since)
            self.save()
        self._tick()
        self.say(
            f"done: {self.decisions / 1e6:.1f} M decisions, {self.games / 1e6:.3f} M games, "
            f"{self.learner.steps} steps, {self.seconds / 60:.2f} minutes on {machine.name}"
        )

    def _tick(self) -> None:
        self.machine.wait()
        now = time.monotonic()
        self.seconds += now - self._mark
        self._mark = now

    def measure(self, losses: tuple[float, float, float], rounds: float, since: Mark) -> None:
        """Play the matches of the ladder, and write a line of the log."""
        config = self.config
        seconds = max(self.seconds - since.seconds, 1e-9)
        speed, games_speed = (self.decisions - since.decisions) / seconds, (self.games - since.games) / seconds
        before = AtFirstSight(Judge(self.earlier, self.machine), config.policy_temperature)
        hero = AtFirstSight(self.judge, config.policy_temperature)
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
        self.earlier.load_state_dict(self.learner.average.state_dict())
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
            "rounds": rounds,
        }
        self._log(row)
        shown = " ".join(
            f"{name} {100 * row[name]:.1f}" for name in ("random", "greedy", "policy", "search") if name in row
        )
        levels = "/".join(f"{100 * row[f'earlier_{players}']:.1f}" for players in (2, 3, 4))
        self.say(
            f"{row['minutes']:6.2f} min {self.decisions / 1e6:8.1f} M {speed / 1e6:6.3f} M/s "
            f"{games_speed:5.0f} games/s loss {losses[0]:.4f} {losses[1]:.4f} {losses[2]:.3f} rounds {rounds:.1f} "
            f"elo {self.elo:+.0f} earlier {levels} {shown}"
        )

    def _log(self, row: dict[str, float]) -> None:
        path = self.out / "log.csv"
        is_new = not path.exists()
        with path.open("a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            if is_new:
                writer.writeheader()
            writer.writerow({name: f"{value:.6g}" for name, value in row.items()})
        (self.out / "curves.svg").write_text(draw_curves(read_log(path)), encoding="utf-8")

    def about(self) -> dict[str, Any]:
        """What is written into an exported network."""
        return {
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
            "schedule_start": self.schedule_start,
            "schedule_decisions": self.schedule_decisions,
            "decisions": self.decisions,
            "games": self.games,
            "elo": self.elo,
        }
        self.learner.save(self.out / "checkpoint.pt", progress)
        export_onnx(self.learner.average, self.out / "network.onnx", about=self.about())

    def _snapshot(self) -> None:
        """Keep what the network knows after 1/2, 1/4, 1/8 … of the schedule."""
        for name, part in list(self._snapshots.items()):
            if self.progress >= part:
                del self._snapshots[name]
                export_onnx(self.learner.average, self.out / f"snapshot-{name}.onnx", about=self.about())


def start(
    config: Config | None,
    machine: Machine,
    out: Path,
    *,
    resume: Path | None = None,
    stop_after: float | None = None,
    say: Callable[[str], None] = print,
    started: float | None = None,
) -> Run:
    """Train. Without a config a resumed run goes on with its own; with one it begins that one's schedule."""
    if config is None:
        config = make_config(read_checkpoint(resume)["config"]) if resume else Config()
        same_schedule = True
    else:
        same_schedule = False
    run = Run(config, machine, out, say, started)
    if resume:
        run.resume(resume, same_schedule)
    run.train(stop_after)
    return run
