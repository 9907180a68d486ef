"""How gems, cards and nobles look in the terminal: always a letter and a shape, never color alone.

The letters are those of the notation. Everything here turns values of a table into styled text and knows
nothing of widgets.
"""

from __future__ import annotations

from rich.text import Text

from splendor.core.components import COLORS
from splendor.game.position import Card, Noble
from splendor.notation.moves import LETTERS, Tokens

SHAPES = "○◆▲■●✦"  # white, blue, green, red, black, gold
INK = ("#f4f4ee", "#6aa5ff", "#4fce78", "#ff6b6b", "#b3a6c2", "#f2c744")  # on a dark ground
GROUND = ("#e6e6df", "#2a5bc8", "#177d40", "#b62b32", "#3b3443", "#d6a416")  # behind a gem's own text
ON_GROUND = ("#16161a", "#ffffff", "#ffffff", "#ffffff", "#f3ecfa", "#16161a")

CARD_WIDTH = 11
COSTS_IN_ROW = 2


def gem(color: int, count: int | str = "") -> Text:
    """A gem with an optional number: `○w3`."""
    return Text(f"{SHAPES[color]}{LETTERS[color]}{count}", style=f"bold {INK[color]}")


def gems(tokens: Tokens, separator: str = " ") -> Text:
    """All gems of a count; a dash for none."""
    parts = [gem(color, count) for color, count in enumerate(tokens) if count]
    return Text(separator).join(parts) if parts else Text("–", style="dim")


def letters(tokens: Tokens) -> Text:
    """The same in as little room as possible: `w1u4`."""
    text = Text()
    for color, count in enumerate(tokens):
        if count:
            text.append(f"{LETTERS[color]}{count}", style=INK[color])
    return text


def row_of_counts(tokens: Tokens, colors: int) -> Text:
    """One column for each color, zeros faint, so that rows stand below each other."""
    text = Text()
    for color in range(colors):
        count = tokens[color]
        text.append(f"{LETTERS[color]}{count:<2}", style=f"bold {INK[color]}" if count else "dim")
    text.rstrip()
    return text


def color_of(card: Card) -> int:
    """The color of a card's bonus."""
    return COLORS.index(card.bonus)


def card_title(card: Card, width: int) -> Text:
    """Bonus, points and id on the ground of the card's color."""
    color = color_of(card)
    left = f" {SHAPES[color]}{LETTERS[color]}" + (f" +{card.points}" if card.points else "")
    return Text(left + f"#{card.id} ".rjust(width - len(left)), style=f"bold {ON_GROUND[color]} on {GROUND[color]}")


def card_cost(card: Card) -> tuple[Text, Text]:
    """The printed cost in two rows."""
    costs = [gem(color, count) for color, count in enumerate(card.cost) if count]
    rows = costs[:COSTS_IN_ROW], costs[COSTS_IN_ROW:]
    first, second = (Text(" ") + Text("  ").join(row) for row in rows)
    return first, second


def noble_face(noble: Noble) -> Text:
    """A noble in two lines: id and points, and the bonuses it asks for."""
    asks = Text("").join(gem(color, count) for color, count in enumerate(noble.cost) if count)
    return Text(f"@{noble.id} ", style="bold") + Text(f"+{noble.points}\n", style="bold #f2c744") + asks
