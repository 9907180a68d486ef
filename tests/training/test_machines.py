"""Every machine plays, rates and searches as the CPU does; on the CPU, the loops agree with themselves.

With a GPU: `make test-gpu`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

import pytest

pytest.importorskip("torch")

import torch

from splendor.network.kernel.things import things_of
from splendor.network.network import POLICY_TEMPERATURE
from splendor.training.config import Config
from splendor.training.games import Games, try_decisions
from splendor.training.grove import Grove
from splendor.training.judge import Judge
from splendor.training.ladder import GreedyDecider, RandomDecider
from splendor.training.machine import Cpu, Machine, machine
from splendor.training.model import Model
from splendor.training.selfplay import mixed_players
from training.games import NEEDS_GPU

pytestmark = pytest.mark.compiled_only

every_machine = pytest.mark.parametrize("name", ["cpu", pytest.param("gpu", marks=[pytest.mark.gpu, NEEDS_GPU])])


def games_on(where: Machine, count: int) -> Games:
    """Games of 2, 3 and 4 players, the same on every machine."""
    return Games(where, mixed_players(replace(Config(), games=count)), torch.arange(count), 100)


@every_machine
def test_games_are_those_of_the_cpu_bit_by_bit(name: str) -> None:
    count, steps = (12, 12) if name == "cpu" else (384, 40)
    here, there = both = [games_on(machine(name), count), games_on(Cpu(), count)]
    random, greedy, model = RandomDecider(), GreedyDecider(), Model(32, 1)
    everybody = torch.ones(count, dtype=torch.bool)

    def same(what: Callable[[Games], torch.Tensor]) -> bool:
        return bool(torch.equal(what(here).cpu(), what(there).cpu()))

    for step in range(steps):
        for games in both:
            games.look()
        assert same(lambda games: games.legal)
        assert same(lambda games: games.seen)
        assert same(lambda games: games.seats)
        if step % 10 == 0:
            assert same(lambda games: try_decisions(games, Judge(model, games.machine), games.legal).seen)
            choices = [greedy.decide(games, everybody.to(games.machine.device)).cpu() for games in both]
            assert (choices[0] == choices[1]).float().mean() >= 0.99  # exp may differ in the last bit
        actions = [random.decide(games, everybody.to(games.machine.device)) for games in both]
        assert torch.equal(actions[0].cpu(), actions[1].cpu())
        for games, chosen in zip(both, actions, strict=True):
            games.step(chosen, restart=True)
        assert same(lambda games: games.done)
        assert same(lambda games: games.shares)


@every_machine
def test_the_judge_says_what_the_model_says(name: str) -> None:
    model, games, judged_on = Model(64, 2), games_on(Cpu(), 300), machine(name)
    games.look()
    with torch.no_grad():
        shares, ratings = model(games.seen, games.crowds)
    judge, seen = Judge(model, judged_on), games.seen.to(judged_on.device)
    assert (judge.shares(seen, games.crowds).cpu() - torch.softmax(shares, dim=1)).abs().max() < 0.01
    assert (judge.ratings(seen, games.crowds).cpu() - ratings).abs().max() < 0.1


@every_machine
def test_searches_find_what_they_find_on_the_cpu(name: str) -> None:
    """Up to the precision of the ratings, which now and then leads a search elsewhere."""
    count, simulations = (12, 8) if name == "cpu" else (96, 24)
    model, worth = Model(64, 2), []
    for where in (machine(name), Cpu()):
        games = games_on(where, count)
        for _ in range(20):
            games.look()
            games.step(RandomDecider().decide(games, games.done), restart=True)
        games.look()
        judge = Judge(model, where)
        grove = Grove(
            games, judge, simulations=simulations, exploration=1.0, policy_temperature=POLICY_TEMPERATURE, seed=1
        )
        worth.append(grove.refine(try_decisions(games, judge, games.legal)).worth.cpu())
    assert (worth[0] - worth[1]).abs().max(dim=1).values.median() < 0.01


@pytest.mark.gpu
@NEEDS_GPU
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_gradient_is_that_of_the_cpu(players: int) -> None:
    torch.manual_seed(players)
    model, things = Model(128, 2), torch.randn(1001, things_of(players), 128)
    model.requires_grad_(True)
    with torch.no_grad():
        for layer in (*model.hear, *model.outer):
            layer.weight.mul_(5)  # new blocks change nearly nothing
        for layer in model.inner:
            layer.bias.normal_()
    slope = torch.randn_like(things)
    found = []
    for where in (model, copy.deepcopy(model).to("cuda")):
        given = things.detach().to(where.place.device).requires_grad_(True)
        after = where.through_blocks(given)
        (after * slope.to(after.device)).sum().backward()
        weights = [*where.matrices(), *(layer.bias for layer in where.inner)]
        found.append([after.detach().cpu(), given.grad.cpu(), *(weight.grad.cpu() for weight in weights)])
    for here, there in zip(*found, strict=True):
        assert (there - here).norm() < 0.1 * here.norm()  # numbers of 16 bits
