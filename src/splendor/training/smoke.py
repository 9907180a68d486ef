"""A trial of everything that a long run will need, in about a minute: how fast it is, and a short run from end to end.

Whether a GPU computes what the CPU does, game by game and bit by bit, is what `make test-gpu` shows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from splendor.network.network import Network
from splendor.training.config import Config
from splendor.training.games import Games, try_decisions
from splendor.training.judge import Judge
from splendor.training.ladder import ActionValuesOnly, GreedyDecider, RandomDecider, match
from splendor.training.learner import Learner, network_of, read_checkpoint
from splendor.training.machine import Cpu, Machine
from splendor.training.model import Model, parameters
from splendor.training.run import start
from splendor.training.selfplay import SelfPlay, mixed_players

Say = Callable[[str], None]


@contextmanager
def timed(machine: Machine, say: Say, what: str) -> Iterator[None]:
    machine.wait()
    begin = time.perf_counter()
    yield
    machine.wait()
    say(f"{what}: {time.perf_counter() - begin:.2f} s")


def try_everything(config: Config, machine: Machine, out: Path, say: Say) -> None:
    """Raises RuntimeError at the first thing that is not as it should be."""
    model = Model(config.width, config.blocks)
    say(
        f"{machine.name} · torch {torch.__version__} · numpy {np.__version__} · {parameters(model) / 1e6:.2f} M weights"
    )
    for games in (config.games // 2, config.games):
        for simulations in (0, 32):
            measure_speed(replace(config, games=games, simulations=simulations, window=8), machine, say)
    judge = Judge(model, machine)
    for name, decider in (("random", RandomDecider()), ("greedy", GreedyDecider())):
        with timed(machine, say, f"a match against {name}"):
            score = match(ActionValuesOnly(judge), decider, judge, 2, config.ladder_games, 1)
        say(f"  untrained: {100 * score.share:.1f} % ± {100 * score.error:.1f}, {score.rounds:.1f} rounds")
    try_run(config, machine, out, say)
    say("smoke: all is well")


def measure_speed(config: Config, machine: Machine, say: Say) -> None:
    """Time a window of self-play and the lesson from it, after one to warm up; and the parts of a decision."""
    learner = Learner(config, machine)
    judge = Judge(learner.average, machine)
    selfplay = SelfPlay(config, machine, seed=1)
    lesson, _ = selfplay.play(judge, 0.06, 0.8)
    learner.learn(lesson, 1e-3)
    seconds = {}
    for what in ("play", "learn"):
        machine.wait()
        begin = time.perf_counter()
        if what == "play":
            lesson, played = selfplay.play(judge, 0.06, 0.8)
        else:
            learner.learn(lesson, 1e-3)
        machine.wait()
        seconds[what] = time.perf_counter() - begin
    speed = played.decisions / sum(seconds.values()) / 1e6
    say(
        f"{config.games} games, {config.simulations} simulations: "
        f"{speed:.3f} M decisions/s (play "
        f"{1e3 * seconds['play'] / config.window:.1f} ms a step, learn {1e3 * seconds['learn']:.0f} ms for "
        f"{len(lesson.after)} rows in batches of {config.batch})"
    )
    say("  " + ", ".join(f"{name} {1e3 * took:.2f} ms" for name, took in parts(selfplay.games, judge).items()))


def parts(games: Games, judge: Judge) -> dict[str, float]:
    """How long the parts of one step take, each on its own."""
    machine = games.machine
    games.look()
    tried = try_decisions(games, judge, games.legal)
    actions = tried.worth.argmax(dim=1)
    work: dict[str, Callable[[], object]] = {
        "look": games.look,
        "try all": lambda: try_decisions(games, judge, games.legal),
        f"rate {games.count}": lambda: judge.shares(games.seen, games.crowds),
        "step": lambda: games.step(actions, restart=True),
    }
    seconds = {}
    for name, deed in work.items():
        machine.wait()
        begin = time.perf_counter()
        deed()
        machine.wait()
        seconds[name] = time.perf_counter() - begin
    return seconds


def try_run(config: Config, machine: Machine, out: Path, say: Say) -> None:
    """A short run that is stopped, resumed and exported."""
    short = replace(config, minutes=0.0, decisions=8 * config.games * 16, window=16, ladder_seconds=1e9)
    short = replace(short, ladder_games=min(config.ladder_games, 768), simulations=min(config.simulations, 8))
    with timed(machine, say, "a short run"):
        half = replace(short, decisions=4 * config.games * 16)
        first = start([half], machine, out, say=say)
    with timed(machine, say, "the same, resumed"):
        run = start([half, short], machine, out, part=1, checkpoint=read_checkpoint(out / "checkpoint.pt"), say=say)
    if run.decisions != first.decisions + short.decisions:
        raise RuntimeError("the resumed run did not go on where the first one ended")
    games = Games(Cpu(), mixed_players(replace(Config(), games=60)), torch.arange(60), 100)
    games.look()
    with torch.no_grad():
        network = network_of(read_checkpoint(out / "checkpoint.pt"))
        expected = torch.softmax(network(games.seen, games.crowds)[0], dim=1).numpy()
    worst = float(np.abs(Network(out / "network.onnx").shares(games.seen.numpy()) - expected).max())
    say(f"  the ONNX file: {(out / 'network.onnx').stat().st_size / 1e6:.2f} MB, off by {worst:.2g} at most")
    if worst > 0.01:  # noqa: PLR2004
        raise RuntimeError("the exported network rates differently")
