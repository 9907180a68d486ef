"""A trained network at work: ratings of positions by onnxruntime, on any CPU. PyTorch is not needed.

>>> import numpy as np
>>> from splendor.many.batch import Batch
>>> shares, ratings = load_network().rate(Batch(games=3, players=4).observe())
>>> shares.shape, ratings.shape, bool(np.allclose(shares.sum(axis=1), 1))
((3, 4), (3, 72), True)
"""

from __future__ import annotations

import hashlib
import json
import threading
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from splendor.core.actions import ACTIONS
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.network.rotation import COLUMNS, DECISIONS, ROTATIONS

# What policies learn is a softmax of shares of the win, divided by this, with 2, 3 and 4 players. Where more players
# have a share, shares differ by less.
POLICY_TEMPERATURE = (0.02, 0.0133, 0.01)
WIDTHS = {"shares": MAX_PLAYERS, "ratings": ACTIONS}  # of a row of each output

Rows = NDArray[np.float32]


class Critic(Protocol):
    """Has opinions of positions: a network, or several together."""

    policy_temperature: NDArray[np.float64]  # with 2, 3 and 4 players

    def rate(self, observations: NDArray[np.int8]) -> tuple[Rows, Rows]:
        """The share of the win for each seat from the one that looks on, and the logit of each action  [row, …]."""
        ...

    def shares(self, observations: NDArray[np.int8]) -> Rows:
        """The shares alone."""
        ...


class Network:
    """Rates observations; may be shared by threads."""

    def __init__(self, source: Path | bytes, threads: int = 1) -> None:
        """Read an ONNX file that `splendor train` has made, or its content; use so many cores."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3  # errors only
        if threads == 1:
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        content = source if isinstance(source, bytes) else source.read_bytes()
        self.fingerprint = hashlib.sha256(content).hexdigest()[:16]
        self._session: Any = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        self.about: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)
        config = json.loads(self.about.get("config", "{}"))
        temperature = config.get("policy_temperature", POLICY_TEMPERATURE)
        self.policy_temperature = np.broadcast_to(temperature, len(POLICY_TEMPERATURE))  # with 2, 3 and 4 players

    def rate(self, observations: NDArray[np.int8], steps: int = 0) -> tuple[Rows, Rows]:
        """Shares and logits, as of a Critic; of positions whose colors have all moved on by so many `steps`."""
        shares, ratings = self._run(list(WIDTHS), rotated(observations, steps))
        return shares, ratings[:, DECISIONS[-steps]] if steps else ratings

    def shares(self, observations: NDArray[np.int8], steps: int = 0) -> Rows:
        """The shares alone."""
        return self._run(["shares"], rotated(observations, steps))[0]

    def _run(self, names: list[str], observations: NDArray[np.int8]) -> list[Rows]:
        """What the graph says; it wants the same number of players in all rows."""
        if len(observations) == 0:
            return [np.zeros((0, WIDTHS[name]), np.float32) for name in names]
        if len(observations) == 1 or is_uniform(numbers := named(observations).players.argmax(axis=1)):
            return self._session.run(names, {"observations": observations})  # type: ignore[no-any-return]
        groups = [np.flatnonzero(numbers == number) for number in np.unique(numbers)]
        parts = zip(*(self._run(names, observations[rows]) for rows in groups), strict=True)
        order = np.argsort(np.concatenate(groups))
        return [np.concatenate(part)[order] for part in parts]


class AllRotations:
    """A network that looks at a position in all five rotations, and says what it thinks on average."""

    def __init__(self, network: Network) -> None:
        """Five looks take five times as long as one."""
        self.network, self.policy_temperature = network, network.policy_temperature

    def rate(self, observations: NDArray[np.int8]) -> tuple[Rows, Rows]:
        """The means of shares and logits."""
        looks = [self.network.rate(observations, steps) for steps in range(ROTATIONS)]
        shares, ratings = (np.mean(parts, axis=0) for parts in zip(*looks, strict=True))
        return shares, ratings

    def shares(self, observations: NDArray[np.int8]) -> Rows:
        """The mean of the shares."""
        mean: Rows = np.mean([self.network.shares(observations, steps) for steps in range(ROTATIONS)], axis=0)
        return mean


def is_uniform(numbers: NDArray[np.int64]) -> bool:
    """Are they all the same?"""
    return bool((numbers == numbers[0]).all())


def rotated(observations: NDArray[np.int8], steps: int) -> NDArray[np.int8]:
    """The same positions in other colors."""
    return np.ascontiguousarray(observations[:, COLUMNS[steps]]) if steps else observations


_lock = threading.Lock()


def load_network(file: Path | None = None) -> Network:
    """The network of the package, or one that `splendor train` has made; it is read once in a process.

    Raises ValueError if there is no such file, or something else in it.
    """
    with _lock:
        return _load(file)


@cache
def _load(file: Path | None) -> Network:
    if file is None:
        return Network(resources.files("splendor").joinpath("data", "network.onnx").read_bytes())
    if not file.is_file():
        raise ValueError(f"there is no network {file}; it is a file that splendor train has made, ….onnx")
    try:
        network = Network(file)
        network.rate(np.zeros((1, OBSERVATION_SIZE), np.int8))
    except Exception as error:
        raise ValueError(f"{file} is not a network that splendor train has made") from error
    return network
