"""What all reports say in the same words: grades with their signs, shares in per cent, and why it was so."""

from __future__ import annotations

from splendor.analysis.model import Cause, Grade, Performance, Review, SeatReview, TurnReview

SIGNS: dict[Grade, str] = {
    "best": "★",
    "great": "!",
    "excellent": "✓",
    "good": "·",
    "inaccuracy": "?!",
    "mistake": "?",
    "blunder": "??",
    "forced": "□",
}
COLORS: dict[Grade, str] = {
    "best": "#177d40",
    "great": "#1668c7",
    "excellent": "#4f9d3a",
    "good": "#7d8a3c",
    "inaccuracy": "#b9870e",
    "mistake": "#cf6a1b",
    "blunder": "#c0302f",
    "forced": "#777777",
}
CAUSES: dict[Cause, str] = {
    "errors": "Errors decided it.",
    "deck": "The deck decided it.",
    "deal": "The deal decided it.",
    "open": "Neither errors nor luck alone decided it.",
}


def name_of(review: Review, seat: int) -> str:
    """The player's name, or the seat."""
    return review.names[seat] or f"seat {seat}"


def percent(share: float) -> str:
    """A share of the win: `52.3 %`."""
    return f"{100 * share:.1f} %"


def points(change: float) -> str:
    """A change of it, with its sign: `+2.1`."""
    rounded = round(100 * change, 1) + 0.0
    return f"{rounded:+.1f}" if rounded else "0.0"


def cost_words(turn: TurnReview) -> str:
    """What a decision cost, and how sure that is; empty where nothing was lost."""
    if turn.grade in (None, "forced", "best", "great") or not turn.loss:
        return ""
    return f"{100 * turn.loss:.1f} ± {100 * turn.error:.1f}"


def turn_words(turn: TurnReview) -> str:
    """A turn in one or two sentences: its grade, what would have been better, and why."""
    if turn.grade is None:
        return ""
    if turn.grade in ("inaccuracy", "mistake", "blunder"):
        words = [f"{turn.grade}: {turn.best} was better by {cost_words(turn)} % of the win."]
    elif turn.grade in ("excellent", "good") and turn.best != turn.move:
        words = [f"{turn.grade}; best {turn.best}."]
    else:
        words = [f"{turn.grade}."]
    return " ".join([*words, why(turn)]).strip()


def why(turn: TurnReview) -> str:
    """The reasons; the number alone stands elsewhere."""
    return " ".join(reason.text for reason in turn.reasons if reason.code != "search")


def luck_words(turn: TurnReview) -> str:
    """The card that came, what it changed for its seat, and the best and worst that could have come."""
    words = []
    for reveal in turn.reveals:
        text = f"card {reveal.card} came: {points(reveal.luck[turn.seat])} for seat {turn.seat}"
        if reveal.best and reveal.worst:
            text += f" (best card {reveal.best.card}, worst card {reveal.worst.card})"
        words.append(text)
    return "; ".join(words)


def performance_words(performance: Performance | None) -> str:
    """Between which levels somebody decided."""
    if performance is None:
        return "–"
    if performance.below is None:
        return f"below {performance.above}"
    if performance.above is None:
        return f"like {performance.below}"
    return f"{performance.below} – {performance.above}"


def parts_of(seat: SeatReview) -> dict[str, float]:
    """What adds up to the result beyond an average deal."""
    return {
        "deal": seat.deal,
        "luck": seat.luck,
        "own errors": seat.own_errors,
        "others' errors": seat.others_errors,
        "rest": seat.rest,
    }
