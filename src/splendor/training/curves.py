"""The log of a training run as a drawing: an SVG file with one small plot for each thing that was measured."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from html import escape
from pathlib import Path

WIDTH, HEIGHT, COLUMNS = 420, 260, 2  # of one plot, in pixels
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 36, 40  # its margins
TICKS = 4  # about so many on an axis
LETTER, GAP = 7, 14  # about the width of a letter, and between two labels
INKS = ("#1f5f99", "#b3541e", "#3b7d3b", "#7a3b8f")

PLOTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("rating, from match to match with the network before", {"elo": "Elo"}),
    (
        "share of the win",
        {"random": "random", "greedy": "greedy", "policy": "its policy alone", "search": "a search against it"},
    ),
    (
        "share against the network before, a fair one being 1",
        {"earlier_2": "2 players", "earlier_3": "3 players", "earlier_4": "4 players"},
    ),
    ("loss", {"loss_after": "afterstate", "loss_before": "position"}),
    ("loss of the policy", {"loss_policy": "policy"}),
    ("rounds in a game", {"rounds": "self-play", "match_rounds": "match, 2 players"}),
)
FAIR = {"earlier_2": 2.0, "earlier_3": 3.0, "earlier_4": 4.0}  # what a share is multiplied with


def read_log(path: Path) -> list[dict[str, float]]:
    """The rows of a CSV log; empty cells are left out."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: float(cell) for name, cell in row.items() if cell} for row in csv.DictReader(file)]


def draw_curves(rows: Sequence[dict[str, float]]) -> str:
    """The SVG text."""
    height = HEIGHT * -(-len(PLOTS) // COLUMNS)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * COLUMNS} {height}" role="img" '
        'font-family="sans-serif" font-size="12">',
        "<title>Learning curves</title>",
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for number, (title, lines) in enumerate(PLOTS):
        x, y = WIDTH * (number % COLUMNS), HEIGHT * (number // COLUMNS)
        parts += [f'<g transform="translate({x} {y})">', *plot(title, lines, rows), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def plot(title: str, lines: dict[str, str], rows: Sequence[dict[str, float]]) -> list[str]:
    """One plot: a line for each column of the log, over minutes."""
    points = {
        name: [(row["minutes"], row[name] * FAIR.get(name, 1.0)) for row in rows if name in row] for name in lines
    }
    parts = [f'<text x="{LEFT}" y="20" font-weight="bold">{escape(title)}</text>']
    every = [point for line in points.values() for point in line]
    if not every:
        return parts
    end = max(x for x, _ in every) or 1.0
    low, high, step = round_axis(min(y for _, y in every), max(y for _, y in every))
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(x: float, y: float) -> str:
        return f"{LEFT + inner_width * x / end:.1f},{TOP + inner_height * (high - y) / (high - low):.1f}"

    for tick in range(round((high - low) / step) + 1):
        value = low + tick * step
        left, right = place(0, value), place(end, value)
        x, y = left.split(",")
        parts.append(f'<polyline points="{left} {right}" stroke="#ddd" fill="none"/>')
        parts.append(f'<text x="{float(x) - 6}" y="{float(y) + 4}" text-anchor="end">{value:,.6g}</text>')
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 22}">0</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 22}" text-anchor="end">{end:.1f} minutes</text>')
    label_at = LEFT
    for number, (name, label) in enumerate(lines.items()):
        ink = INKS[number]
        line = " ".join(place(x, y) for x, y in points[name])
        parts.append(f'<polyline points="{line}" stroke="{ink}" stroke-width="2" fill="none"/>')
        parts.append(f'<text x="{label_at}" y="{HEIGHT - 6}" fill="{ink}">{escape(label)}</text>')
        label_at += LETTER * len(label) + GAP
    return parts


def round_axis(low: float, high: float) -> tuple[float, float, float]:
    """An axis with round numbers: its ends, around all values, and the distance of its ticks."""
    step = (high - low) / TICKS or abs(high) / TICKS or 1.0
    power = 10.0 ** math.floor(math.log10(step))
    step = next(digit * power for digit in (1, 2, 5, 10) if digit * power >= step * 0.999)
    first, last = math.floor(low / step), math.ceil(high / step)
    return first * step, max(last, first + 1) * step, step
