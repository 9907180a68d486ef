"""Fits the weights of the evaluation to games that greedy players with these weights play against each other.

    python benchmarks/fit_evaluation.py --rounds 4 --games 3000 --noise 0.3

Each round plays games with the weights of the round before, notes every seat's features at the start of every fifth
turn, and fits the weights to who won: multinomial logistic regression by Newton's method, with a small ridge. The last
lines of the output are weights for `search/weights.py`; take them only if they win against those that are there.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splendor.core.chance import new_rng
from splendor.core.components import MAX_PLAYERS
from splendor.core.hidden import hide
from splendor.core.jit import rule
from splendor.core.rules import apply, is_over, setup, write_win_shares
from splendor.core.state import ACT, new_states
from splendor.search.kernel.evaluation import FEATURES, RESERVED, ROW, count_features, progress
from splendor.search.kernel.greedy import SCRATCH_STATES, best_decision
from splendor.search.kernel.weights import WEIGHTS

ROUND_CAP = 100
MOST_TURNS = ROUND_CAP * MAX_PLAYERS
STEPS = 6  # of Newton's method
RESERVED_WEIGHT = -0.1  # not as fitted: who is ahead has time to reserve, but reserving does not bring anyone ahead
EVERY = 5  # positions one turn apart are much the same; no multiple of the players, so that all seats come to move


@rule
def play_game(states: Any, players: Any, noise: Any, rng: Any, weights: Any, shares: Any, rows: Any, late: Any) -> Any:
    """One game; write the features of all seats and the progress at the start of each turn. Return the turns."""
    state = states[0]
    setup(state, players, 0, ROUND_CAP, rng)
    turns = 0
    while not is_over(state):
        if state.phase == ACT:
            for seat in range(players):
                count_features(state, seat, rows[turns, seat])
            late[turns] = progress(state)
            turns += 1
        states[1] = state
        hide(states[1], state.seat)
        apply(state, best_decision(states[1], noise, rng, weights, states[2:], shares, rows[turns, 0]))
    write_win_shares(state, shares)
    return turns


def play_games(
    games: int, players: int, noise: float, seed: int, weights: NDArray[np.float64]
) -> tuple[NDArray[np.float32], NDArray[np.float32], list[int]]:
    """Features of all positions, start and end part  [position, seat, 2 * FEATURES], the shares, and the lengths."""
    states, rng = new_states(2 + SCRATCH_STATES), new_rng(seed)
    rows = np.zeros((MOST_TURNS + 1, MAX_PLAYERS, ROW))
    late, shares = np.zeros(MOST_TURNS), np.zeros(MAX_PLAYERS)
    features, targets, lengths = [], [], []
    for _ in range(games):
        turns = int(play_game(states, players, noise, rng, weights, shares, rows, late))
        kept = slice(int(turns) % EVERY, turns, EVERY)
        mix = late[kept, None, None]
        seats = rows[kept, :players, :FEATURES]
        features.append(np.concatenate([seats * (1 - mix), seats * mix], axis=2).astype(np.float32))
        targets.append(np.repeat(shares[None, :players], len(mix), axis=0).astype(np.float32))
        lengths.append(turns // players)
    return np.concatenate(features), np.concatenate(targets), lengths


def fit(features: NDArray[np.float32], targets: NDArray[np.float32], ridge: float) -> tuple[NDArray[np.float64], float]:
    """The weights under which the results are likeliest, and the loss per position (log 2 would be knowing nothing)."""
    weights = np.zeros(features.shape[2])
    for _ in range(STEPS):
        gradient, curvature, loss = -ridge * weights, ridge * np.eye(len(weights)), 0.0
        for at in range(0, len(features), 100_000):
            x, y = features[at : at + 100_000].astype(np.float64), targets[at : at + 100_000]
            scores = x @ weights
            p = np.exp(scores - scores.max(axis=1, keepdims=True))
            p /= p.sum(axis=1, keepdims=True)
            loss -= float((y * np.log(p + 1e-12)).sum())
            gradient = gradient + np.einsum("ns,nsf->f", y - p, x)
            mean = np.einsum("ns,nsf->nf", p, x)
            flat = x.reshape(-1, x.shape[2])
            curvature = curvature + (flat * p.reshape(-1, 1)).T @ flat - mean.T @ mean
        weights = weights + np.linalg.solve(curvature, gradient)
    return weights, loss / len(features)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--noise", type=float, default=0.3)
    parser.add_argument("--ridge", type=float, default=50.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    weights = WEIGHTS.copy()
    for number in range(options.rounds):
        for players in (2, 3, 4):
            seed = options.seed + 1000 * number + players
            features, targets, lengths = play_games(options.games, players, options.noise, seed, weights)
            fitted, loss = fit(features, targets, options.ridge)
            weights[players - 2] = fitted.reshape(2, FEATURES)
            weights[players - 2, :, RESERVED] = RESERVED_WEIGHT
            print(
                f"round {number} players {players}: {np.mean(lengths):.2f} rounds a game, loss {loss:.4f}", flush=True
            )
    rows = np.array2string(weights, separator=", ", max_line_width=110, formatter={"float": lambda x: f"{x:.2f}"})
    print(f"WEIGHTS = np.array({rows})")


if __name__ == "__main__":
    main()
