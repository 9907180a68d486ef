"""A position as a picture: a NumPy array of pixels, drawn with rectangles, discs and a small font of its own.

Cards show their bonus as a colored band, their points, and their cost as discs with numbers. Face-down cards are
gray with their level as dots. It is meant for videos and quick looks, and needs no drawing library.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from splendor.core.components import COLORS, GOLD
from splendor.game.position import Board, Card, Noble

Picture = NDArray[np.uint8]
Paint = tuple[int, int, int]

WIDTH, LEAST_HEIGHT = 640, 400
FELT, PANEL, TURN, PAPER, BACK, INK, SHINE = (
    (34, 68, 52),
    (24, 50, 38),
    (58, 104, 82),
    (238, 232, 216),
    (120, 116, 110),
    (24, 24, 24),
    (250, 250, 250),
)
PAINT: dict[str, Paint] = {
    "white": (214, 218, 224),
    "blue": (40, 88, 190),
    "green": (28, 138, 76),
    "red": (192, 40, 44),
    "black": (52, 48, 50),
    "gold": (226, 180, 44),
}
CARD_WIDTH, CARD_HEIGHT, GAP = 56, 76, 8
TABLE_LEFT, TABLE_TOP = 12, 12
SEATS_LEFT, SEAT_HEIGHT = 372, 136
DISC = 8  # radius

# Digits of 3 by 5 pixels, row by row.
FONT = dict(
    zip(
        "0123456789",
        (
            "###" "#.#" "#.#" "#.#" "###",
            ".#." "##." ".#." ".#." "###",
            "###" "..#" "###" "#.." "###",
            "###" "..#" ".##" "..#" "###",
            "#.#" "#.#" "###" "..#" "..#",
            "###" "#.." "###" "..#" "###",
            "###" "#.." "###" "#.#" "###",
            "###" "..#" "..#" ".#." ".#.",
            "###" "#.#" "###" "#.#" "###",
            "###" "#.#" "###" "..#" "###",
        ),
        strict=True,
    )
)  # fmt: skip


def picture(table: Board) -> Picture:
    """The table with all that lies on it  [row, column, red green blue]; more seats make it higher."""
    room = max(LEAST_HEIGHT - TABLE_TOP, SEAT_HEIGHT * table.players)
    image = np.empty((TABLE_TOP + room, WIDTH, 3), np.uint8)
    image[:] = FELT
    on_table = [noble for noble in table.nobles if noble.seat is None]
    for place, noble in enumerate(on_table):
        draw_noble(image, TABLE_LEFT + place * (CARD_WIDTH + GAP), TABLE_TOP, noble)
    for row, level in enumerate((3, 2, 1)):
        top = TABLE_TOP + CARD_WIDTH + GAP + row * (CARD_HEIGHT + GAP)
        draw_deck(image, TABLE_LEFT, top, level, table.deck_sizes[level - 1])
        for slot, card in enumerate(table.market[level - 1]):
            if card is not None:
                draw_card(image, TABLE_LEFT + (slot + 1) * (CARD_WIDTH + GAP), top, card)
    for color, count in enumerate(table.bank):
        draw_count(image, TABLE_LEFT + 28 + color * 48, LEAST_HEIGHT - 32, COLORS[color], count, radius=18, scale=3)
    height = room // table.players
    for seat in range(table.players):
        draw_seat(image, TABLE_TOP + seat * height, height - GAP, table, seat)
    return image


def draw_seat(image: Picture, top: int, height: int, table: Board, seat: int) -> None:
    """A player's points, bonuses and tokens; nobles and reserved cards below, where there is room."""
    is_deciding = seat == table.seat and not table.is_over
    rectangle(image, SEATS_LEFT, top, WIDTH - SEATS_LEFT - 8, height, TURN if is_deciding else PANEL)
    write(image, SEATS_LEFT + 8, top + 8, table.points[seat], SHINE, scale=5)
    for color, name in enumerate(COLORS):
        left = SEATS_LEFT + 60 + color * 33
        if color < GOLD:
            rectangle(image, left, top + 6, 20, 20, PAINT[name])
            write(image, left + 5, top + 8, table.bonuses(seat)[color], ink_on(name), scale=3)
        draw_count(image, left + 10, top + 42, name, table.tokens(seat)[color], radius=11, scale=2)
    visits = sum(noble.seat == seat for noble in table.nobles)
    for visit in range(visits):
        rectangle(image, SEATS_LEFT + 8 + visit * 16, top + 44, 12, 12, PAINT["gold"])
    for place, card in enumerate(table.reserved(seat)):
        left, below = SEATS_LEFT + 60 + place * (CARD_WIDTH + GAP), top + 58
        draw_card(image, left, below, card, min(CARD_HEIGHT, height - 62))


def draw_card(image: Picture, left: int, top: int, card: Card, height: int = CARD_HEIGHT) -> None:
    """A card, or the back of one; of a card that has too little room, the upper part."""
    sheet = np.empty((CARD_HEIGHT, CARD_WIDTH, 3), np.uint8)
    sheet[:] = BACK if card.is_unseen else PAPER
    if card.is_unseen:
        draw_level(sheet, card.level)
    else:
        rectangle(sheet, 0, 0, CARD_WIDTH, 20, PAINT[card.bonus])
        if card.points:
            write(sheet, 6, 3, card.points, ink_on(card.bonus), scale=3)
        draw_cost(sheet, 32, card.cost)
    image[top : top + height, left : left + CARD_WIDTH] = sheet[:height]


def draw_noble(image: Picture, left: int, top: int, noble: Noble) -> None:
    """A noble: its points, and the bonuses it asks for as squares."""
    rectangle(image, left, top, CARD_WIDTH, CARD_WIDTH, PAPER)
    write(image, left + 4, top + 4, noble.points, INK, scale=3)
    asked = [(color, count) for color, count in enumerate(noble.cost) if count]
    for place, (color, count) in enumerate(asked):
        rectangle(image, left + 4 + place * 17, top + 34, 14, 18, PAINT[COLORS[color]])
        write(image, left + 8 + place * 17, top + 38, count, ink_on(COLORS[color]), scale=2)


def draw_deck(image: Picture, left: int, top: int, level: int, size: int) -> None:
    """A deck face down, with its level as dots and how many cards are left; nothing if it is empty."""
    if size:
        rectangle(image, left, top, CARD_WIDTH, CARD_HEIGHT, BACK)
        draw_level(image[top:, left:], level)
        write(image, left + 16, top + 44, size, SHINE, scale=3)


def draw_level(sheet: Picture, level: int) -> None:
    for dot in range(level):
        disc(sheet, 14 + dot * 14, 18, 5, SHINE)


def draw_cost(sheet: Picture, top: int, cost: tuple[int, ...]) -> None:
    """The colors of a cost, two in a row."""
    asked = [(color, count) for color, count in enumerate(cost) if count]
    for place, (color, count) in enumerate(asked):
        x, y = 16 + place % 2 * 24, top + place // 2 * 17
        draw_count(sheet, x, y, COLORS[color], count, radius=DISC, scale=2)


def draw_count(image: Picture, x: int, y: int, color: str, count: int, radius: int, scale: int) -> None:
    """A token with a number on it."""
    disc(image, x, y, radius, PAINT[color])
    width = (4 * len(str(count)) - 1) * scale
    write(image, x - width // 2, y - 5 * scale // 2, count, ink_on(color), scale)


def ink_on(color: str) -> Paint:
    """A paint that can be read on this color."""
    return INK if color in ("white", "gold") else SHINE


def rectangle(image: Picture, left: int, top: int, width: int, height: int, paint: Paint) -> None:
    image[top : top + height, left : left + width] = paint


def disc(image: Picture, x: int, y: int, radius: int, paint: Paint) -> None:
    rows, columns = np.ogrid[-radius : radius + 1, -radius : radius + 1]
    inside = rows**2 + columns**2 <= radius**2
    image[y - radius : y + radius + 1, x - radius : x + radius + 1][inside] = paint


def write(image: Picture, left: int, top: int, number: int, paint: Paint, scale: int) -> None:
    """A number, with digits of 3 by 5 squares of `scale` pixels."""
    for place, digit in enumerate(str(number)):
        pixels = np.array([sign == "#" for sign in FONT[digit]]).reshape(5, 3)
        pixels = pixels.repeat(scale, axis=0).repeat(scale, axis=1)
        x = left + 4 * scale * place
        image[top : top + 5 * scale, x : x + 3 * scale][pixels] = paint
