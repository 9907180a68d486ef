"""A review in the terminal: the curve, the turns, and the sums of each seat."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from splendor.analysis.model import Review, TurnReview
from splendor.reports.words import (
    CAUSES,
    COLORS,
    SIGNS,
    cost_words,
    name_of,
    parts_of,
    percent,
    performance_words,
    points,
    turn_words,
)

BLOCKS = " ▁▂▃▄▅▆▇█"
SEAT_COLORS = ("#5b9bd5", "#e07b39", "#5aa469", "#a678c2")
ROWS = 5  # of the curve, for each seat with two players


def screen(review: Review) -> RenderableType:
    """Everything, one below the other; it fits 80 columns."""
    parts: list[RenderableType] = [curve(review), turns_table(review), *explanations(review), summary_table(review)]
    parts += [Text(sentence, style="dim") for sentence in closing_words(review)]
    return Group(*parts)


def explanations(review: Review) -> Iterator[Text]:
    """What would have been better, and why, of the decisions that cost something."""
    for turn in review.turns:
        if turn.reasons and turn.grade is not None:
            text = Text(f"\nturn {turn.number + 1}, {name_of(review, turn.seat)} ", style="bold")
            yield text.append(turn_words(turn), style=COLORS[turn.grade])


def closing_words(review: Review) -> Iterator[str]:
    if review.is_over:
        yield f"\n{CAUSES[review.decided_by]}"
    yield from (note.text for note in review.notes)


def curve(review: Review) -> Text:
    """The win share of each seat, from the deal to the end, one column for each turn."""
    text = Text()
    series = [review.start, *(turn.shares for turn in review.turns)]
    for seat in range(review.players):
        color = SEAT_COLORS[seat]
        for row in range(ROWS - 1, -1, -1):
            label = f"{name_of(review, seat)[:12]:>12} " if row == ROWS - 1 else " " * 13
            text.append(label, style=f"bold {color}")
            for shares in series:
                level = min(max(round((shares[seat] * ROWS - row) * (len(BLOCKS) - 1)), 0), len(BLOCKS) - 1)
                text.append(BLOCKS[level], style=color)
            text.append(f" {percent(series[-1][seat])}\n" if row == 0 else "\n", style=color)
    return text


def turns_table(review: Review) -> Table:
    """One line for each turn."""
    table = Table(box=None, padding=(0, 1), header_style="bold")
    for name in ("turn", "player", "played", "", "best", "loss, %", "luck, %"):
        table.add_column(name, justify="right" if name in ("turn", "loss, %", "luck, %") else "left")
    for seat in range(review.players):
        table.add_column(Text(name_of(review, seat)[:6]), justify="right", style=SEAT_COLORS[seat])
    for turn in review.turns:
        luck = points(turn.luck[turn.seat]) if turn.reveals else ""
        better = turn.best if turn.best not in (None, turn.move) and turn.grade != "forced" else ""
        table.add_row(
            str(turn.number + 1),
            Text(name_of(review, turn.seat)[:10], style=SEAT_COLORS[turn.seat]),
            turn.move,
            grade_text(turn),
            better,
            cost_words(turn),
            luck,
            *(f"{100 * share:.0f}" for share in turn.shares),
        )
    return table


def grade_text(turn: TurnReview) -> Text:
    """The grade by its sign, its word and its color."""
    return Text(f"{SIGNS[turn.grade]} {turn.grade}", style=COLORS[turn.grade]) if turn.grade else Text("")


def summary_table(review: Review) -> Table:
    """One column for each seat; below the line what adds up to the result, in per cent of the win."""
    table = Table(box=None, padding=(0, 1), header_style="bold")
    table.add_column("\nplayer")
    for seat in range(review.players):
        table.add_column(Text(f"\n{name_of(review, seat)[:16]}"), justify="right", style=SEAT_COLORS[seat])
    seats = review.summary
    table.add_row("accuracy", *("–" if seat.accuracy is None else f"{seat.accuracy:.0f}" for seat in seats))
    table.add_row("decided like", *(performance_words(seat.performance).replace(" – ", "\n– ") for seat in seats))
    table.add_row("average deal", *(f"{100 * seat.average:.1f}" for seat in seats))
    for name in parts_of(seats[0]):
        table.add_row(name, *(points(parts_of(seat)[name]) for seat in seats))
    table.add_row("result", *(percent(seat.result) for seat in seats))
    return table
