"""Masked PPO learns Splendor for two by playing against itself, on a CPU, in minutes.

    python examples/ppo.py

One file in the manner of CleanRL: the vector environment, a small network, the loss. Every game is self-play: the
network decides for the seat whose turn it is. A game is zero-sum between its two seats, so the value of the next
position counts with the other sign when it is the other seat's: that is all that differs from PPO for one agent.

At the end it plays against `random` and against `greedy`, which looks one move ahead, with and without noise in its
judgement. docs/research.md says what was reached.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from splendor import Game, Move, View
from splendor.adapters.gymnasium import make_vec
from splendor.adapters.observations import action_mask, observe
from splendor.core.actions import ACTIONS
from splendor.core.features import OBSERVATION_SIZE
from splendor.core.state import State
from splendor.players import load
from splendor.players.turn import whole_turn


@dataclass
class Settings:
    decisions: int = 6_000_000
    games: int = 256  # side by side
    steps: int = 64  # decisions in each game before the network learns
    epochs: int = 2
    batch: int = 4096
    rate: float = 1e-3
    discount: float = 0.995
    trace: float = 0.95  # lambda of the advantage estimate
    clip: float = 0.2
    entropy: float = 0.01
    width: int = 256
    seed: int = 1


class Network(nn.Module):
    """From an observation to a logit for each action and the expected result, from -1 for a loss to 1 for a win."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(OBSERVATION_SIZE, width), nn.ReLU(), nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.value = nn.Linear(width, ACTIONS), nn.Linear(width, 1)
        nn.init.zeros_(self.policy.weight)
        nn.init.zeros_(self.value.weight)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        hidden = self.body(torch.log1p(seen.float()))
        logits = self.policy(hidden).masked_fill(mask == 0, -1e9)
        return Categorical(logits=logits, validate_args=False), torch.tanh(self.value(hidden)[:, 0])


class NetworkPlayer:
    """The network as a player of this package, choosing what it thinks most likely best."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def decide(self, state: State) -> int:
        seen = torch.from_numpy(observe(state, int(state.seat)))[None]
        with torch.no_grad():
            choice, _ = self.network(seen, torch.from_numpy(action_mask(state))[None])
        return int(choice.probs.argmax())

    def choose(self, view: View) -> Move:
        return whole_turn(view, self.decide)


def train(settings: Settings) -> Network:
    torch.set_num_threads(1)  # the network is small: more threads only wait for each other
    torch.manual_seed(settings.seed)
    network = Network(settings.width)
    optimizer = torch.optim.Adam(network.parameters(), settings.rate, eps=1e-5)
    envs = make_vec(settings.games, players=2, autoreset_mode="SameStep")
    seen, info = envs.reset(seed=settings.seed)
    shape = (settings.steps, settings.games)
    observations = torch.zeros((*shape, OBSERVATION_SIZE), dtype=torch.int8)
    masks = torch.zeros((*shape, ACTIONS), dtype=torch.int8)
    actions, chances, values, rewards = (torch.zeros(shape) for _ in range(4))
    goes_on, sign = torch.zeros(shape), torch.zeros(shape)  # is there a next decision in the game, and is it ours?
    start, decisions, finished, update = time.monotonic(), 0, 0, 0
    while decisions < settings.decisions:
        optimizer.param_groups[0]["lr"] = settings.rate * (1 - decisions / settings.decisions)
        for step in range(settings.steps):
            observations[step] = torch.from_numpy(seen["observation"])
            masks[step] = torch.from_numpy(seen["action_mask"])
            with torch.no_grad():
                choice, values[step] = network(observations[step], masks[step])
                action = choice.sample()
                actions[step], chances[step] = action, choice.log_prob(action)
            seats = info["seat"]
            seen, reward, ended, _, info = envs.step(action.numpy())
            rewards[step] = torch.from_numpy(np.where(ended, 2 * reward - 1, 0.0))
            goes_on[step] = torch.from_numpy(~ended)
            sign[step] = torch.from_numpy(np.where(info["seat"] == seats, 1.0, -1.0))
            decisions += settings.games
            finished += int(ended.sum())
        advantages = estimate_advantages(network, seen, values, rewards, goes_on * sign, settings)
        learn(network, optimizer, observations, masks, actions, chances, values, advantages, settings)
        update += 1
        if update % 20 == 0:
            pace = decisions / (time.monotonic() - start)
            print(f"{decisions / 1e6:6.2f} M decisions, {finished:>7} games, {pace:>7.0f} decisions/s", flush=True)
    return network


def estimate_advantages(
    network: Network, seen: dict[str, np.ndarray], values: Tensor, rewards: Tensor, link: Tensor, settings: Settings
) -> Tensor:
    """How much better each decision was than expected. `link` is 1 or -1 where the next value is ours or theirs."""
    with torch.no_grad():
        _, following = network(torch.from_numpy(seen["observation"]), torch.from_numpy(seen["action_mask"]))
    advantages = torch.zeros_like(values)
    later = torch.zeros(settings.games)
    for step in reversed(range(settings.steps)):
        surprise = rewards[step] + settings.discount * link[step] * following - values[step]
        later = surprise + settings.discount * settings.trace * link[step] * later
        advantages[step], following = later, values[step]
    return advantages


def learn(
    network: Network,
    optimizer: torch.optim.Optimizer,
    observations: Tensor,
    masks: Tensor,
    actions: Tensor,
    chances: Tensor,
    values: Tensor,
    advantages: Tensor,
    settings: Settings,
) -> None:
    """Some passes over what was played, in random order, with PPO's clipped objective."""
    targets = (advantages + values).flatten()
    gains = (advantages.flatten() - advantages.mean()) / (advantages.std() + 1e-8)
    observations, masks = observations.flatten(0, 1), masks.flatten(0, 1)
    actions, chances = actions.flatten(), chances.flatten()
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(targets)).split(settings.batch):
            choice, value = network(observations[rows], masks[rows])
            ratio = (choice.log_prob(actions[rows]) - chances[rows]).exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.min(ratio * gains[rows], clipped * gains[rows]).mean()
            loss = 0.5 * (value - targets[rows]).square().mean() - gain - settings.entropy * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def share_against(network: Network, opponent: str, games: int) -> float:
    """The share of the win in games with seats in turn."""
    total = 0.0
    for number in range(games):
        game, seat = Game(2, seed=1_000_000 + number // 2, round_cap=100), number % 2
        players = [NetworkPlayer(network), load(opponent, seed=number)][:: -1 if seat else 1]
        while not game.is_over:
            game.play(players[game.seat].choose(game.view(game.seat)))
        total += game.win_shares[seat]
    return total / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--decisions", type=int, default=Settings.decisions, help="how many to learn from")
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--test-games", type=int, default=200)
    parser.add_argument("--save", type=Path, help="keep the network in this file")
    options = parser.parse_args()
    network = train(Settings(decisions=options.decisions, seed=options.seed))
    if options.save:
        torch.save(network.state_dict(), options.save)
    for opponent in ("random", "greedy:noise=1", "greedy:noise=0.3", "greedy"):
        share = share_against(network, opponent, options.test_games)
        error = 1.96 * (share * (1 - share) / options.test_games) ** 0.5
        print(f"against {opponent:<17} {share:6.1%} of the wins ± {error:.1%}", flush=True)


if __name__ == "__main__":
    main()
