"""The settings of a training run, with their defaults: read from a TOML file, checked, and kept in every checkpoint.

A run has one part, or several that follow each other: each has settings of its own and begins with what the part
before it has learned. A pair of numbers is a value at the start and one at the end of a part; in between it falls
evenly on a log scale.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from splendor.core.actions import ACTIONS
from splendor.network.network import POLICY_TEMPERATURE

Pair = tuple[float, float]

WIDTHS = (32, 64, 128)  # a GPU works on whole rows, of such lengths, in its fastest memory
PARTS = "part"  # in a file, the settings that only one part has
HALF_HOUR = Path(__file__).with_name("half-hour.toml")  # what is trained if nothing else is asked for


Given = dict[str, Any]  # settings by name, as a file or an option gives them
Checkpoint = dict[str, Any]  # what a checkpoint file holds


@dataclass(frozen=True)
class Config:
    """What decides how a network is trained, in one part of a run."""

    seed: int = 1

    # How long: by the clock, or by the number of decisions (0: no limit); the schedules run over whichever ends first.
    minutes: float = 27.0
    decisions: int = 0

    # The network: the numbers that it keeps of each thing on the table, and how often the things look at each other.
    width: int = 128
    blocks: int = 4

    # Self-play: games in lock-step, the decisions of each before the network learns from them, and how they are made.
    games: int = 12288
    window: int = 24
    players: tuple[float, float, float] = (0.5, 0.25, 0.25)  # the share of games with 2, 3 and 4 players
    spread: int = 128  # decisions of each game before the first window, so that not all are in the same round
    round_cap: int = 100  # ends games that go nowhere; the network is not told
    temperature: Pair = (0.06, 0.005)  # of the noise on a share of the win with two players; with more it is less
    explore: float = 0.05  # try this part of the decisions that the policy finds unlikely
    simulations: int = 64  # of a search before each decision; 0: none
    exploration: float = 1.0  # of the search
    siblings: int = 1  # of the afterstate that was chosen, the best ones: so many are learned beside it

    # Learning.
    batch: int = 2048  # decisions in one step; each is an afterstate, the position before it, and siblings
    epochs: int = 2  # how often the decisions of a window are gone through
    rotated: float = 0.8  # this part of them with rotated colors, one of the four ways (`splendor.network.rotation`)
    learning_rate: Pair = (1e-3, 3e-5)
    matrix_rate: float = 3.0  # times the learning rate, for the matrices inside of blocks
    warm_up: int = 200  # steps in which the rate rises, at the start of a part and after a resume
    weight_decay: float = 1e-4
    clip: float = 1.0  # the largest gradient
    trace: Pair = (1.0, 0.85)  # λ: how far a target looks beyond the next decision
    # What the policy learns is the softmax of shares of the win divided by this, with 2, 3 and 4 players.
    policy_temperature: tuple[float, float, float] = POLICY_TEMPERATURE
    policy_weight: float = 1.0
    average: float = 0.999  # the network that plays is an average over about 1 / (1 - this) steps

    # The ladder: matches during training, against fixed players and against earlier networks.
    ladder_seconds: float = 300.0
    ladder_games: int = 768

    def __post_init__(self) -> None:
        """Refuse what cannot work, in a sentence that says why."""
        for name in ("games", "window", "batch", "epochs", "ladder_games"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1")
        if self.window < 2:  # noqa: PLR2004
            raise ValueError("window is 1; a target needs the decision after it, so it must be at least 2")
        if self.width not in WIDTHS:
            raise ValueError(f"width is {self.width}; it must be one of {', '.join(map(str, WIDTHS))}")
        if self.ladder_games % 12:
            raise ValueError(f"ladder_games is {self.ladder_games}; 2, 3 and 4 seats must divide it, so 12 must")
        if min(self.players) < 0 or not sum(self.players):
            raise ValueError(f"players is {list(self.players)}; it must be three shares, for 2, 3 and 4 players")
        if min(self.policy_temperature) <= 0:
            raise ValueError(f"policy_temperature is {list(self.policy_temperature)}; it must be above 0")
        if not 0 <= self.average < 1:
            raise ValueError(f"average is {self.average}; it must be at least 0 and less than 1")
        if self.simulations < 0:
            raise ValueError(f"simulations is {self.simulations}; it must be at least 0")
        if not 0 <= self.siblings < ACTIONS:
            raise ValueError(f"siblings is {self.siblings}; it must be at least 0 and less than {ACTIONS}")
        for name in ("explore", "rotated"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be a part of the decisions, from 0 to 1")
        if not (self.minutes or self.decisions):
            raise ValueError("set minutes or decisions, or training never ends")

    def to_dict(self) -> Given:
        """All settings, for a checkpoint."""
        return asdict(self)


def make_config(settings: Given) -> Config:
    """A config from names and values. Raises ValueError for a name or a kind of value that there is not."""
    known = {field.name: field for field in fields(Config)}
    checked: Given = {}
    for name, value in settings.items():
        if name not in known:
            raise ValueError(f"there is no setting {name!r}; there are {', '.join(known)}")
        default = known[name].default
        if isinstance(default, tuple):
            numbers = value if isinstance(value, (list, tuple)) else [value] * len(default)
            if len(numbers) != len(default) or not all(isinstance(n, (int, float)) for n in numbers):
                raise ValueError(f"{name} is {value!r}; it must be {len(default)} numbers")
            checked[name] = tuple(float(n) for n in numbers)
        elif isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError(f"{name} is {value!r}; it must be a number")
        elif isinstance(default, int) and value != int(value):
            raise ValueError(f"{name} is {value!r}; it must be a whole number")
        else:
            checked[name] = int(value) if isinstance(default, int) else float(value)
    return Config(**checked)


def make_parts(settings: Given, on_top: Given | None = None) -> list[Config]:
    """The parts of a run. What is set beside them holds for each that does not set it itself; `on_top` for all."""
    common = {name: value for name, value in settings.items() if name != PARTS}
    parts = settings.get(PARTS, [{}])
    if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
        raise ValueError(f"{PARTS} is {parts!r}; a part is a table, which begins with [[{PARTS}]]")
    return [make_config(common | part | (on_top or {})) for part in parts]


def lasting(parts: Sequence[Config], minutes: float) -> list[Config]:
    """The same parts, together so long: each as much shorter or longer as the others."""
    total = sum(part.minutes for part in parts)
    shares = [part.minutes / total if total else 1 / len(parts) for part in parts]
    return [replace(part, minutes=minutes * share) for part, share in zip(parts, shares, strict=True)]


def check_growth(parts: Sequence[Config]) -> None:
    """Raise ValueError if a part cannot begin with the network of the part before it."""
    for before, after in pairwise(parts):
        if after.width != before.width or after.blocks < before.blocks:
            raise ValueError(
                f"a part has a network of width {before.width} with {before.blocks} blocks; in the part after it the "
                f"width must be the same, not {after.width}, and the blocks as many or more, not {after.blocks}"
            )


def read_settings(path: Path) -> Given:
    """The settings in a TOML file, which need not name all."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not a file of settings: {error}") from None


def between(pair: Pair, progress: float) -> float:
    """The value of a schedule after so much of it, from 0 to 1."""
    start, end = pair
    return float(start ** (1 - progress) * end**progress)
