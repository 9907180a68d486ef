"""The ledger of a game: where the result of each seat came from.

    result - average  =  deal + luck + own errors + others' errors + rest

*Deal* is V of the first position less its mean over all deals, *luck* the sum over all reveals. Errors come from
whoever has reviewed the decisions; without a review they are zero. The *rest* is how the game went beyond what V
foresaw. It is not skill.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from splendor.analysis.averages import average_by_seat
from splendor.analysis.luck import draws_of, reveals
from splendor.analysis.model import RevealedCard
from splendor.analysis.value import PositionValue, package_value
from splendor.game.game import Game


class SeatLedger(NamedTuple):
    """The sums of one seat, as shares of the win."""

    seat: int
    average: float  # the share that this seat has of an average deal
    deal: float
    luck: float
    own_errors: float
    others_errors: float
    rest: float
    result: float  # in a game that goes on, what the seat can expect


def ledger(
    game: Game,
    errors: Mapping[int, Sequence[float]] | None = None,
    *,
    value: PositionValue | None = None,
    revealed: Sequence[RevealedCard] | None = None,
    result: Sequence[float] | None = None,
) -> list[SeatLedger]:
    """The ledger of each seat.

    `errors` has for turns by number what the decision changed for each seat: the shares of the played decision less
    those of the best. Reveals that are known already need not be looked at again. A `result` that
    the moves alone do not give, as after a resignation, replaces theirs.

    >>> game = Game(seed=1)
    >>> [of_seat.rest for of_seat in ledger(game)]
    [0.0, 0.0]
    """
    value = value or package_value()
    revealed = reveals(list(draws_of(game)), value) if revealed is None else revealed
    states = game.states
    start, end = value.shares(np.array([states[0], states[-1]]))
    end = end if result is None else np.array(result)
    averages = average_by_seat(value, game.players, game.first)
    seat_of = [int(state.seat) for state in states]
    ledgers = []
    for seat, average in enumerate(averages):
        deal = float(start[seat]) - average
        luck = sum(reveal.luck[seat] for reveal in revealed)
        own = sum(changes[seat] for turn, changes in (errors or {}).items() if seat_of[turn] == seat)
        others = sum(changes[seat] for turn, changes in (errors or {}).items() if seat_of[turn] != seat)
        got = float(end[seat])
        rest = got - average - deal - luck - own - others
        ledgers.append(SeatLedger(seat, average, deal, luck, own, others, rest, got))
    return ledgers
