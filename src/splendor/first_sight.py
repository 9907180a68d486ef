"""What decisions seem to be worth to a network before any search, in one position or in many.

The network has two opinions. It rates afterstates: what share of the win can be expected behind a decision. And it has
learned from searches, as a policy, which decisions turned out best. Each knows something that the other overlooks, so
they are mixed; a decision that the policy thinks little of is not tried at all, which saves most of the time.

To a network all ways to win are the same, and it could put off a certain win for ever. So where a game is as good as
won, the decision that the greedy player would take goes first, if it wins as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splendor._jit import rule
from splendor.actions import ACTIONS
from splendor.afterstates import Afterstates
from splendor.chance import new_rng
from splendor.components import MAX_PLAYERS
from splendor.features import OBSERVATION_SIZE, named, observe
from splendor.network import Critic
from splendor.search.evaluation import ROW
from splendor.search.greedy import SCRATCH_STATES, best_decision
from splendor.search.weights import WEIGHTS
from splendor.state import new_states

Floats = NDArray[np.float64]

POLICY_PART = 0.6  # how much the opinion of the policy counts; the rest is the afterstate's
UNLIKELY = 1.5  # a decision whose logarithm is so far below that of the likeliest one is not tried
TRIED = 4  # so many are tried at most
NOT_LEGAL = -1.0  # less than any share of the win
WON = 0.98  # a game with such a share is as good as won
AS_WELL = 0.01  # a decision that costs no more of the win than this wins as well
FIRST = 1e-6  # what puts it before the others
ROWS = 4096  # afterstates that are rated together at most


class FirstSight:
    """A network that looks at positions once, with memory that is used again and again."""

    def __init__(self, network: Critic) -> None:
        """The network must have been trained with a policy."""
        self.network = network
        self._seen = np.zeros((0, OBSERVATION_SIZE), np.int8)
        self._after = Afterstates()
        self._rng = new_rng(0)  # for noise, of which there is none
        self._paper = new_states(SCRATCH_STATES), np.zeros(MAX_PLAYERS), np.zeros(ROW)

    def worth(self, views: Any, legal: NDArray[np.bool_]) -> Floats:
        """The share of the win that the deciding seats can expect after each legal decision; else NOT_LEGAL.

        `views` are states hidden from all but the seat that decides; one that is over has no legal decision.
        """
        games = len(views)
        if len(self._seen) < games:
            self._seen = np.zeros((games, OBSERVATION_SIZE), np.int8)
            self._after = Afterstates(min(games * ACTIONS, ROWS))
        observe_deciders(views, games, named(self._seen))
        chances = log_softmax(self._ratings(self._seen[:games]), legal)
        tried, is_exact = self._tried(views, legal, likely(chances))
        worth = mixed(tried, is_exact, chances, legal, self.network.policy_temperature[views["players"] - 2])
        for game in np.flatnonzero(worth.max(axis=1, initial=NOT_LEGAL) >= WON):
            best = worth[game].max()
            decision = int(best_decision(views[game], 0.0, self._rng, WEIGHTS, *self._paper))
            if not is_exact[game, worth[game] == best].any() and worth[game, decision] >= best - AS_WELL:
                worth[game, decision] = best + FIRST
        return worth

    def _ratings(self, seen: NDArray[np.int8]) -> Floats:
        parts = [self.network.rate(seen[first : first + ROWS])[1] for first in range(0, len(seen), ROWS)]
        return np.concatenate(parts).astype(np.float64)

    def _tried(
        self, views: Any, legal: NDArray[np.bool_], chosen: NDArray[np.bool_]
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """What chosen decisions lead to, and those that end the game, else NaN; and which end it  [game, action]."""
        worth, ends = np.full(legal.shape, np.nan), np.zeros(legal.shape, np.bool_)
        after, (games, actions) = self._after, legal.nonzero()
        for first in range(0, len(games), ROWS):
            game, action = games[first : first + ROWS], actions[first : first + ROWS]
            count = after.play(views, game, action)
            is_final = after.is_final[:count]
            ends[game, action] = is_final
            worth[game[is_final], action[is_final]] = after.shares[:count][is_final, 0]
            rows = np.flatnonzero(chosen[game, action] & ~is_final)
            if len(rows) > 0:
                worth[game[rows], action[rows]] = self.network.shares(after.seen[rows])[:, 0]
        return worth, ends


def likely(chances: Floats) -> NDArray[np.bool_]:
    """Which decisions are worth a try, by the logarithms of how likely each is the best  [game, action]."""
    best = np.sort(chances, axis=1)[:, -TRIED:]
    return chances >= np.maximum(best[:, :1], best[:, -1:] - UNLIKELY)


def mixed(
    tried: Floats, is_exact: NDArray[np.bool_], chances: Floats, legal: NDArray[np.bool_], temperature: Floats
) -> Floats:
    """Both opinions together: `tried` is NaN for decisions that were not, `chances` are logarithms  [game, action].

    A policy that is the softmax of shares divided by a temperature tells these shares up to a constant, which is set
    so that both opinions agree on the mean. A result that is exact needs no second opinion.
    """
    weights = np.exp(chances)
    is_known = ~np.isnan(tried)
    known = np.where(is_known, tried, 0.0)
    mean = (weights * known).sum(axis=1) / np.maximum((weights * is_known).sum(axis=1), 1e-30)
    logarithms = np.where(legal, chances, 0.0)
    surprise = logarithms - (weights * logarithms).sum(axis=1, keepdims=True)
    policy = np.clip(mean[:, None] + temperature[:, None] * surprise, 0.0, 1.0)
    both = np.where(is_exact, tried, known + POLICY_PART * (policy - known))
    return np.where(legal, np.where(is_known, both, policy), NOT_LEGAL)


def log_softmax(ratings: Floats, legal: NDArray[np.bool_]) -> Floats:
    """The logarithms of how likely each legal decision is the best; of others, minus infinity  [game, action]."""
    masked = np.where(legal, ratings, -np.inf)
    masked -= masked.max(axis=1, keepdims=True, initial=-1e9)
    with np.errstate(divide="ignore", invalid="ignore"):  # where nothing is legal
        chances: Floats = masked - np.log(np.exp(masked).sum(axis=1, keepdims=True))
    return chances


@rule
def observe_deciders(states: Any, count: Any, seen: Any) -> None:
    """What the seat that decides knows in each of the first `count` states."""
    for number in range(count):
        observe(states[number], states[number].seat, seen[number])
