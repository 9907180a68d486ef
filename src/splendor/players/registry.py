"""Players by name: a level such as `master`, or a kind of player with its options, such as `search:time=1`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from splendor.game.position import View
from splendor.notation.moves import Move
from splendor.players.greedy import Greedy
from splendor.players.levels import LEVELS
from splendor.players.network import NetworkPlayer
from splendor.players.random import Random
from splendor.players.search import SearchPlayer


class Player(Protocol):
    """Whoever decides for a seat."""

    def choose(self, view: View) -> Move:
        """A legal move for the seat whose view this is and whose turn it is."""
        ...


KINDS: dict[str, Callable[..., Player]] = {
    "random": Random,
    "greedy": Greedy,
    "search": SearchPlayer,
    "network": NetworkPlayer,
}

WHOLE_NUMBERS = (int, int | None)
NUMBERS = (*WHOLE_NUMBERS, float, float | None)
FILES = (Path | None,)
Option = int | float | Path


def load(spec: str, *, seed: int | None = None) -> Player:
    """A player by its name, with options behind a colon: `greedy:noise=0.3`. With a seed it can be repeated.

    `engine:COMMAND` is an external program that speaks the engine protocol.

    Raises ValueError, with what there is to choose from, if there is no such player or option.
    """
    if spec.startswith("engine:"):
        from splendor.protocol.client import EnginePlayer

        return EnginePlayer(spec.removeprefix("engine:"), seed=seed)
    name, _, options = LEVELS.get(spec, spec).partition(":")
    if name not in KINDS:
        raise ValueError(f"there is no player {spec!r}; there are {', '.join([*LEVELS, *KINDS])}")
    return KINDS[name](**read_options(name, options), seed=seed)


def read_options(name: str, text: str) -> dict[str, Any]:
    """The options of a kind of player, from `time=1,threads=2`; they are numbers and files."""
    known = {
        option: parameter.annotation
        for option, parameter in inspect.signature(KINDS[name], eval_str=True).parameters.items()
        if option != "seed" and parameter.annotation in (*NUMBERS, *FILES)
    }
    options: dict[str, Any] = {}
    for part in text.split(",") if text else []:
        option, equals, value = part.partition("=")
        if option not in known:
            has = f"its options are {', '.join(known)}" if known else "it has none"
            raise ValueError(f"{name} has no option {option!r}; {has}")
        options[option] = read_value(name, option, known[option], value if equals else None)
    return options


def read_value(name: str, option: str, kind: object, text: str | None) -> Option:
    """The value of one option."""
    if kind in FILES:
        if not text:
            raise ValueError(f"the option {option} of {name} needs a file, as in {name}:{option}=my-run/network.onnx")
        return Path(text).expanduser()
    if text is None:
        raise ValueError(f"the option {option} of {name} needs a number, as in {name}:{option}=1")
    number = int if kind in WHOLE_NUMBERS else float
    try:
        return number(text)
    except ValueError:
        what = "a whole number" if number is int else "a number"
        raise ValueError(f"the option {option} of {name} is {what}, not {text!r}") from None
