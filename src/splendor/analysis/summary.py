"""What a review says about the whole game: the sums of each seat, the moments that mattered, and what decided it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from splendor.analysis.accuracy import accuracy
from splendor.analysis.grades import CERTAINTY, COUNTED, ERRORS
from splendor.analysis.ledger import SeatLedger
from splendor.analysis.model import Cause, Effort, Grade, KeyMoment, SeatReview, TurnReview
from splendor.analysis.performance import YARDSTICK, Sample, performance

# Of the win of two players; with more they are multiplied by 2 / players.
LUCKY = 0.05  # a reveal that changed so much is a key moment
COSTLY = 0.025  # and so is a decision that lost so much
MOST_MOMENTS = 8
DIGITS = 9  # to which luck is compared: of two, what one wins the other loses, but for the last bits


def seat_reviews(
    ledgers: Sequence[SeatLedger], turns: Sequence[TurnReview], names: Sequence[str | None], effort: Effort
) -> tuple[SeatReview, ...]:
    """The sums of each seat, by its ledger and its turns."""
    return tuple(seat_review(ledger, turns, names[ledger.seat], len(ledgers), effort) for ledger in ledgers)


def seat_review(
    ledger: SeatLedger, turns: Sequence[TurnReview], name: str | None, players: int, effort: Effort
) -> SeatReview:
    """The same of one seat."""
    own = [turn for turn in turns if turn.seat == ledger.seat and turn.grade is not None]
    others = [turn for turn in turns if turn.seat != ledger.seat and turn.grade is not None]
    counted = [turn for turn in own if turn.grade in COUNTED]
    losses = [turn.loss for turn in counted]
    grades: Counter[Grade] = Counter(turn.grade for turn in own if turn.grade is not None)
    samples = [Sample(turn.loss, turn.expected_loss.get(YARDSTICK, 0.0)) for turn in counted]
    return SeatReview(
        **ledger._asdict(),
        name=name,
        own_errors_error=spread(own),
        others_errors_error=spread(others),
        decisions=len(counted),
        grades=dict(grades),
        mean_loss=sum(losses) / len(losses) if losses else None,
        accuracy=accuracy(losses, players),
        performance=performance(samples, players, effort),
    )


def spread(turns: Sequence[TurnReview]) -> float:
    """The standard error of the sum of their losses."""
    return math.sqrt(sum(turn.error**2 for turn in turns if turn.loss > 0))


def key_moments(turns: Sequence[TurnReview], players: int) -> tuple[KeyMoment, ...]:
    """The turns that are worth looking at again, in their order."""
    scale = 2 / players
    found = []
    for turn in turns:
        if turn.grade in ERRORS and turn.loss >= COSTLY * scale:
            found.append(KeyMoment(turn=turn.number, seat=turn.seat, kind="error", swing=-turn.loss))
        elif turn.grade == "great":
            lead = turn.candidates[0].worth - turn.candidates[1].worth
            found.append(KeyMoment(turn=turn.number, seat=turn.seat, kind="great", swing=lead))
        luckiest = max(range(players), key=lambda seat: round(abs(turn.luck[seat]), DIGITS))
        if abs(turn.luck[luckiest]) >= LUCKY * scale:
            found.append(KeyMoment(turn=turn.number, seat=luckiest, kind="luck", swing=turn.luck[luckiest]))
    found.sort(key=lambda moment: -abs(moment.swing))
    return tuple(sorted(found[:MOST_MOMENTS], key=lambda moment: (moment.turn, moment.kind)))


def decided_by(seats: Sequence[SeatReview]) -> Cause:
    """What made the winner win, if one thing outweighs all the others, the rest and its own error included."""
    winner = max(seats, key=lambda seat: seat.result)
    errors = winner.own_errors + winner.others_errors
    doubt = CERTAINTY * math.hypot(winner.own_errors_error, winner.others_errors_error)
    parts: dict[Cause, float] = {"errors": errors - doubt, "deck": winner.luck, "deal": winner.deal}
    cause = max(parts, key=lambda part: parts[part])
    others = {"errors": errors + doubt, "deck": winner.luck, "deal": winner.deal, "rest": winner.rest}
    del others[cause]
    is_alone = winner.result == 1 and parts[cause] > sum(max(part, 0.0) for part in others.values())
    return cause if is_alone and parts[cause] > 0 else "open"
