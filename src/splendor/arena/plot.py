"""A picture of a result: each player's share of the win with its interval, as an SVG file without dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from splendor.arena.intervals import Interval

ROW, LEFT, WIDTH, MARGIN = 36, 220, 520, 40  # pixels


def share_plot(title: str, rows: Sequence[tuple[str, Interval]], fair: float) -> str:
    """The SVG text: one row for each player; the dashed line is a fair share."""
    height = MARGIN + ROW * len(rows) + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + MARGIN} {height}" role="img" '
        'font-family="sans-serif" font-size="14">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT}" y="24" font-weight="bold">{escape(title)}</text>',
    ]
    for percent in range(0, 101, 25):
        x = place(percent / 100)
        parts.append(f'<line x1="{x}" y1="{MARGIN}" x2="{x}" y2="{height - MARGIN}" stroke="#ddd"/>')
        parts.append(f'<text x="{x}" y="{height - MARGIN + 20}" text-anchor="middle">{percent} %</text>')
    x = place(fair)
    parts.append(f'<line x1="{x}" y1="{MARGIN}" x2="{x}" y2="{height - MARGIN}" stroke="#555" stroke-dasharray="4 4"/>')
    for row, (name, share) in enumerate(rows):
        y = MARGIN + ROW * row + ROW // 2
        parts += [
            f'<text x="{LEFT - 12}" y="{y + 5}" text-anchor="end">{escape(name)}</text>',
            f'<line x1="{place(share.low)}" y1="{y}" x2="{place(share.high)}" y2="{y}" '
            'stroke="#1f5f99" stroke-width="4" stroke-linecap="round"/>',
            f'<circle cx="{place(share.value)}" cy="{y}" r="6" fill="#1f5f99"><title>{escape(name)}: '
            f"{share.value:.1%}, {share.low:.1%} to {share.high:.1%}</title></circle>",
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def place(share: float) -> float:
    return round(LEFT + WIDTH * share, 1)
