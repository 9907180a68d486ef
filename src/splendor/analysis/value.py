"""V, the one value function of a review: what share of the win each seat can expect in a position.

The position is that of the finished game: the reserved cards of all seats are known, and the decks are not. The seat
that decides looks at it; when a game is over its result is exact. Luck and the curve are made of this function, so
that they fit together. Grades are not: these ask what a seat could know.

What the network says is raised to a power and made to add up to 1 again. The power was fitted so that of the positions
in which V promises 70 %, 70 % are won: below 1 where the network is too sure of itself, above where it is too careful.
`calibration.json` has it for the network of the package, measured by `benchmarks/review_proof.py calibration`.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.games import observe_games
from splendor.core.rules import write_win_shares
from splendor.core.state import ENDED_BY_POINTS, States
from splendor.network.network import Critic, load_network

Floats = NDArray[np.float64]

ROWS = 512  # positions that are rated together
REMEMBERED = 1 << 16  # positions


class PositionValue:
    """V, with a memory of positions; may be shared by threads."""

    def __init__(
        self,
        critic: Critic | None = None,
        *,
        remembered: int = REMEMBERED,
        powers: Mapping[int, float] | None = None,
    ) -> None:
        """Ask the network of the package, or this one; remember so many positions.

        The `powers` by number of players are those that were measured for this network, or given.
        """
        self.critic = load_network() if critic is None else critic
        powers = powers_of(self.critic) if powers is None else powers
        self._powers = np.array([powers.get(players, 1.0) for players in range(MAX_PLAYERS + 1)])
        self._remembered = remembered
        self._memory: dict[bytes, Floats] = {}
        self._lock = threading.Lock()

    def shares(self, states: States) -> Floats:
        """The share of the win that each seat can expect in each position; 0 for empty seats  [position, seat]."""
        states = np.atleast_1d(states)
        shares = np.zeros((len(states), MAX_PLAYERS))
        is_over = states["phase"] >= ENDED_BY_POINTS
        for place in np.flatnonzero(is_over):
            write_win_shares(states[place], shares[place])
        going_on = np.flatnonzero(~is_over)
        shares[going_on] = self._expected(states[going_on])
        return shares

    def _expected(self, states: States) -> Floats:
        """The same of games that go on."""
        seen = observe_openly(states)
        keys = [key(row, seat) for row, seat in zip(seen, states["seat"].tolist(), strict=True)]
        with self._lock:
            known = {name: self._memory[name] for name in keys if name in self._memory}
        unknown = {name: place for place, name in enumerate(keys) if name not in known}
        places = np.fromiter(unknown.values(), np.int64, len(unknown))
        for first in range(0, len(places), ROWS):
            rows = places[first : first + ROWS]
            for place, shares in zip(rows, self._calibrated(states[rows], seen[rows]), strict=True):
                known[keys[place]] = shares
        self._remember({name: known[name] for name in unknown})
        return np.array([known[name] for name in keys]).reshape(len(keys), MAX_PLAYERS)

    def _calibrated(self, states: States, seen: NDArray[np.int8]) -> Floats:
        """What the network says, by seat, with the power of this number of players  [position, seat]."""
        shares: Floats = by_seat(self.critic.shares(seen), states) ** self._powers[states["players"]][:, None]
        shares[np.arange(MAX_PLAYERS) >= states["players"][:, None]] = 0.0
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def _remember(self, found: dict[bytes, Floats]) -> None:
        with self._lock:
            self._memory.update(found)
            excess = len(self._memory) - self._remembered
            for name in [name for name, _ in zip(self._memory, range(excess), strict=False)]:
                del self._memory[name]


@cache
def package_value() -> PositionValue:
    """V by the network of the package, shared by all who ask for it."""
    return PositionValue()


def powers_of(critic: Critic) -> Mapping[int, float]:
    """The powers that were measured for a network, by number of players; none for one that was not measured."""
    text = resources.files("splendor").joinpath("data", "calibration.json").read_text(encoding="utf-8")
    table = json.loads(text)
    if getattr(critic, "fingerprint", None) != table["network"]:
        return {}
    return {int(players): float(entry["power"]) for players, entry in table["players"].items()}


def observe_openly(states: States) -> NDArray[np.int8]:
    """What the seats that decide would know if nobody held a card that the others have not seen  [position, number]."""
    open_states = states.copy()
    open_states["from_deck"] = 0
    seen = np.zeros((len(states), OBSERVATION_SIZE), np.int8)
    observe_games(0, len(states), open_states, open_states["seat"], named(seen))
    return seen


def by_seat(shares: NDArray[np.float32], states: States) -> Floats:
    """Shares counted from the seat that decides, put in the order of the seats, and adding up to 1 [position, seat]."""
    players, distance = states["players"].astype(np.int64)[:, None], np.arange(MAX_PLAYERS)
    seats = np.where(distance < players, (states["seat"][:, None] + distance) % players, distance)
    ordered = np.zeros(shares.shape)
    np.put_along_axis(ordered, seats, shares.astype(np.float64), axis=1)
    ordered[distance >= players] = 0.0
    ordered /= ordered.sum(axis=1, keepdims=True)
    return ordered


def key(seen: NDArray[np.int8], seat: int) -> bytes:
    """A short name for a position as V sees it."""
    return hashlib.blake2b(seen.tobytes(), digest_size=16, salt=bytes([seat])).digest()
