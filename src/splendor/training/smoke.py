"""A trial of everything that a long run will need, in about a minute: right first, then fast.

On a GPU every kernel is compared with the same loop on the CPU, game by game and bit by bit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from splendor.network import POLICY_TEMPERATURE, Network
from splendor.training.config import Config
from splendor.training.games import Games, try_decisions
from splendor.training.grove import Grove
from splendor.training.judge import Judge
from splendor.training.ladder import AtFirstSight, GreedyDecider, RandomDecider, match
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
    with timed(machine, say, "the same games as on the CPU, kernels compiled"):
        compare_with_cpu(machine, 384, 40)
    with timed(machine, say, "the same ratings as on the CPU"):
        compare_ratings(model, machine, say)
    with timed(machine, say, "the same searches as on the CPU"):
        compare_searches(model, machine, 96, 24, say)
    for games in (config.games // 2, config.games):
        for simulations in (0, 32):
            measure_speed(replace(config, games=games, simulations=simulations, window=8), machine, say)
    judge = Judge(model, machine)
    for name, decider in (("random", RandomDecider()), ("greedy", GreedyDecider())):
        with timed(machine, say, f"a match against {name}"):
            score = match(AtFirstSight(judge), decider, judge, 2, config.ladder_games, 1)
        say(f"  untrained: {100 * score.share:.1f} % ± {100 * score.error:.1f}, {score.rounds:.1f} rounds")
    try_run(config, machine, out, say)
    say("smoke: all is well")


def compare_with_cpu(machine: Machine, count: int, steps: int) -> None:
    """Play the same random games on both, and compare everything that the loops write."""
    players = mixed_players(replace(Config(), games=count))
    both = [Games(where, players, torch.arange(count), 100) for where in (machine, Cpu())]
    random, greedy = RandomDecider(), GreedyDecider()
    model = Model(32, 1)
    for step in range(steps):
        for games in both:
            games.look()
        same("legal decisions", both[0].legal, both[1].legal)
        same("observations", both[0].seen, both[1].seen)
        same("seats", both[0].seats, both[1].seats)
        if step % 10 == 0:
            tried = [try_decisions(games, Judge(model, games.machine), games.legal) for games in both]
            same("afterstates", tried[0].seen, tried[1].seen)
            everybody = torch.ones(count, dtype=torch.bool)
            choices = [greedy.decide(games, everybody.to(games.machine.device)).cpu() for games in both]
            if float((choices[0] == choices[1]).float().mean()) < 0.99:  # noqa: PLR2004 (exp may differ in the last bit)
                raise RuntimeError("the greedy player decides differently on the CPU")
        everybody = torch.ones(count, dtype=torch.bool)
        actions = [random.decide(games, everybody.to(games.machine.device)) for games in both]
        same("random decisions", *actions)
        for games, chosen in zip(both, actions, strict=True):
            games.step(chosen, restart=True)
        same("ends", both[0].done, both[1].done)
        same("results", both[0].shares, both[1].shares)


def same(what: str, here: torch.Tensor, there: torch.Tensor) -> None:
    if not torch.equal(here.cpu(), there.cpu()):
        raise RuntimeError(f"{what} differ between this machine and the CPU")


def compare_ratings(model: Model, machine: Machine, say: Say) -> None:
    """The judge says the same as the model, up to its precision."""
    games = Games(Cpu(), mixed_players(replace(Config(), games=300)), torch.arange(300), 100)
    games.look()
    with torch.no_grad():
        shares, ratings = model(games.seen, games.crowds)
    judge = Judge(model, machine)
    seen = games.seen.to(machine.device)
    worst = float((judge.shares(seen, games.crowds).cpu() - torch.softmax(shares, dim=1)).abs().max())
    worst_rating = float((judge.ratings(seen, games.crowds).cpu() - ratings).abs().max())
    say(f"  largest difference: {worst:.2g} of a share, {worst_rating:.2g} of a rating")
    if worst > 0.01 or worst_rating > 0.1:  # noqa: PLR2004
        raise RuntimeError("the judge rates differently from the model")


def compare_searches(model: Model, machine: Machine, count: int, simulations: int, say: Say) -> None:
    """A search finds the same, up to the precision of the ratings, which now and then leads it elsewhere."""
    worth = []
    for where in (machine, Cpu()):
        games = Games(where, mixed_players(replace(Config(), games=count)), torch.arange(count), 100)
        for _ in range(20):
            games.look()
            games.step(RandomDecider().decide(games, games.done), restart=True)
        games.look()
        judge = Judge(model, where)
        grove = Grove(games, judge, simulations=simulations, exploration=1.0, doubt=POLICY_TEMPERATURE, seed=1)
        worth.append(grove.refine(try_decisions(games, judge, games.legal)).worth.cpu())
    off = float((worth[0] - worth[1]).abs().max(dim=1).values.median())
    say(f"  half of the games are nowhere off by more than {off:.2g} of a share")
    if off > 0.01:  # noqa: PLR2004
        raise RuntimeError("a search on this machine finds something else than on the CPU")


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
