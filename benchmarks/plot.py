"""A line plot as SVG: enough for the docs, and no dependency."""

from __future__ import annotations

import math
from typing import NamedTuple

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 50, 60
COLORS = ("#1f6f8b", "#c0392b", "#2e7d32", "#6a3d9a", "#b9770e", "#455a64", "#ad1457")
TICKS = 5
MOST_TICKS = 12  # on the x axis


class Line(NamedTuple):
    """A named series of (x, y)."""

    name: str
    points: list[tuple[float, float]]


def line_plot(
    title: str, x_label: str, y_label: str, lines: list[Line], *, log: bool = True, legend_below: bool = False
) -> str:
    """With `log` the x axis is logarithmic. The names stand at the top right, or at the bottom right."""
    xs = sorted({x for line in lines for x, _ in line.points})
    top = round_up(max(y for line in lines for _, y in line.points))

    def place(x: float, y: float) -> tuple[float, float]:
        share = math.log(x / xs[0]) / math.log(xs[-1] / xs[0]) if log else (x - xs[0]) / (xs[-1] - xs[0])
        return LEFT + share * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif" '
        f'font-size="12"><title>{title}</title><rect width="100%" height="100%" fill="#ffffff"/>',
        text(WIDTH / 2, 24, title, size=15),
        text(WIDTH / 2, HEIGHT - 14, x_label),
        f'<g transform="rotate(-90 16 {HEIGHT / 2})">{text(16, HEIGHT / 2, y_label)}</g>',
    ]
    for tick in range(TICKS + 1):
        value = top * tick / TICKS
        x, y = place(xs[0], value)
        parts.append(f'<path d="M{x:.1f} {y:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>')
        parts.append(text(x - 8, y + 4, f"{value:,.0f}", anchor="end"))
    marked = xs if len(xs) <= MOST_TICKS else [x for x in xs if x % TICKS == 0]
    parts += [text(place(x, 0)[0], HEIGHT - BOTTOM + 18, f"{x:,.0f}") for x in marked]
    legend = HEIGHT - BOTTOM - 16 * len(lines) if legend_below else TOP
    for number, line in enumerate(lines):
        color = COLORS[number % len(COLORS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in line.points))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in (place(*p) for p in line.points)
        ]
        parts.append(text(WIDTH - RIGHT, legend + 16 * number, line.name, anchor="end", color=color))
    return "\n".join([*parts, "</svg>", ""])


def text(x: float, y: float, words: str, size: int = 12, anchor: str = "middle", color: str = "#333333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{color}">{words}</text>'


def round_up(value: float) -> float:
    """The next number with one leading digit, or one and a half."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * power >= value)
