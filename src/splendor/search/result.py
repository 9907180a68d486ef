"""What a search has found."""

from __future__ import annotations

from dataclasses import dataclass

from splendor.notation.moves import Move


@dataclass(frozen=True)
class Choice:
    """A decision at the root."""

    action: int
    move: Move  # the whole turn that begins with it; of the best one, as the search would play it
    visits: int
    value: tuple[float, ...]  # the expected win share of each seat, the mean of the visits
    worth: float  # what the choice is made by: the win share of the deciding seat, its prior value included
    error: float | None  # the standard error of the worth, see `worth.standard_error`; needs two visits
    prior: float  # the probability that it is the best, before any visit
    line: tuple[Move, ...]  # its principal variation: this move, and what will be played after it


@dataclass(frozen=True)
class Result:
    """The choices in the order of their worth, the best first."""

    simulations: int
    choices: list[Choice]
    value: tuple[float, ...]  # of the position: the expected win share of each seat

    @property
    def best(self) -> Move:
        """The whole turn that the search would play."""
        return self.choices[0].move

    @property
    def principal_variation(self) -> tuple[Move, ...]:
        """What will be played if everybody agrees, as far as cards are known; it begins with the best move."""
        return self.choices[0].line
