"""A board as SVG and PNG, 1200 by 630, as links show it: market and decks left, nobles, bank and players right.

It knows what a viewer is shown, which is plain data, and draws nothing else: whoever asks for a picture says through
whose eyes. Cards and tokens look as in the web client, with its drawings and colors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from splendor.game.shown import BoardView, CardFace, Gems, Hand, NobleTile, ShownCard
from splendor.server.pictures.drawings import Drawings, drawings, fonts

WIDTH, HEIGHT = 1200, 630
GEMS = ("white", "blue", "green", "red", "black")
COLORS = (*GEMS, "gold")
FONT = "Alegreya Sans"
INK, PAPER, LINE, GILT = "#221a12", "#fffaf0", "#c9b68f", "#b07c16"
EDGE = 30
CARD_WIDTH, CARD_HEIGHT, GAP = 129, 180, 15
RIGHT = EDGE + 5 * CARD_WIDTH + 4 * GAP + 32  # where the right half begins
RIGHT_WIDTH = WIDTH - EDGE - RIGHT
NOBLE, TOKEN = 74, 54
COSTS_IN_ROW = 2
ROOMY = 130  # the height from which a player's name and points are written large


class NotDrawn(Exception):
    """There is nothing to draw with."""


def picture(board: BoardView | None, names: Sequence[str]) -> bytes:
    """A board as PNG; without one, a picture of the game that shows nothing of any."""
    import resvg_py

    found = drawings()
    if found is None:
        raise NotDrawn
    files = [str(file) for file in fonts()]
    drawn = svg(found, board, names)
    return resvg_py.svg_to_bytes(svg_string=drawn, font_files=files, skip_system_fonts=True, font_family=FONT)


def svg(drawn: Drawings, board: BoardView | None, names: Sequence[str]) -> str:
    """The picture as SVG."""
    parts = list(nothing_in_particular() if board is None else whole(drawn, board, names))
    background = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#cloth)"/>'
    cloth = '<radialGradient id="cloth" cx=".5" cy=".3" r="1"><stop stop-color="#f6eedd"/>'
    cloth += '<stop offset="1" stop-color="#e0d2b4"/></radialGradient>'
    symbols = "".join(symbol for name, symbol in drawn.symbols.items() if name.startswith("gem-"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="{FONT}" '
        f'font-weight="700" font-size="24" fill="{INK}"><defs>{cloth}{symbols}{"".join(scenes(drawn))}</defs>'
        f"{background}{''.join(parts)}</svg>"
    )


def scenes(drawn: Drawings) -> Iterator[str]:
    """The scene of each kind of card in each color, whose parts have the color's shades."""
    for name, symbol in drawn.symbols.items():
        for gem in GEMS if name.startswith("scene-") else ():
            painted = symbol.replace(f'id="{name}"', f'id="{name}-{gem}"')
            for shade, value in drawn.card[gem].items():
                painted = painted.replace(f"var(--{shade})", value)
            yield painted


# ------------------------------------------------------------------------------------------------------ small parts


def text(
    x: float, y: float, size: float, said: object, *, anchor: str = "start", fill: str = INK, more: str = ""
) -> str:
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text {place} fill="{fill}" {more}>{escape(str(said))}</text>'


def gem(color: str, x: float, y: float, size: float) -> str:
    return f'<use href="#gem-{color}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"/>'


def box(x: float, y: float, width: float, height: float, round: float, fill: str, more: str = "") -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round:g}" fill="{fill}" {more}/>'


def nothing_in_particular() -> Iterator[str]:
    """The name of the game and its gems."""
    yield text(WIDTH / 2, 300, 150, "Splendor", anchor="middle")
    for n, color in enumerate(COLORS):
        yield gem(color, WIDTH / 2 - 345 + n * 120, 380, 90)


# -------------------------------------------------------------------------------------------------------- the board


def whole(drawn: Drawings, board: BoardView, names: Sequence[str]) -> Iterator[str]:
    """Everything on the table."""
    for row, level in enumerate(reversed(range(len(board.market)))):
        y = EDGE + row * (CARD_HEIGHT + GAP)
        yield at(EDGE, y, back(drawn, level + 1, str(board.decks[level])))
        for slot, shown in enumerate(board.market[level]):
            if shown is not None:
                yield at(EDGE + (slot + 1) * (CARD_WIDTH + GAP), y, card(drawn, shown))
    left = [noble for noble in board.nobles if noble.seat is None]
    for n, tile in enumerate(left):
        yield at(RIGHT + n * (NOBLE + 9), EDGE, noble(drawn, tile))
    yield from bank(drawn, board, EDGE + NOBLE + 18)
    top = EDGE + NOBLE + 18 + TOKEN + 22
    height = (HEIGHT - EDGE - top + 10) / board.players - 10
    for seat, hand in enumerate(board.hands):
        is_turn = seat == board.seat and not board.is_over
        yield at(RIGHT, top + seat * (height + 10), player(drawn, hand, names[seat], height, is_turn=is_turn))


def at(x: float, y: float, part: str) -> str:
    return f'<g transform="translate({x:g} {y:g})">{part}</g>'


def card(drawn: Drawings, shown: ShownCard | CardFace) -> str:
    """A card face up, or its back if it is not known."""
    if shown.bonus is None or shown.cost is None or shown.id is None:
        return back(drawn, shown.level, "")
    colors, frame = drawn.card[shown.bonus], drawn.card[f"level-{shown.level}"]["frame"]
    scene = f"scene-{shown.level}{'ab'[(shown.id + 1) % 2]}-{shown.bonus}"
    costs = [(color, n) for color in GEMS if (n := getattr(shown.cost, color))]
    rows = (len(costs) + 1) // COSTS_IN_ROW
    foot = CARD_HEIGHT - 12 - 26 * rows
    flip = f"translate({CARD_WIDTH} 0) scale(-1 1)" if shown.id % 4 > 1 else ""
    parts = [
        f'<clipPath id="card"><rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="10"/></clipPath>',
        '<g clip-path="url(#card)">',
        box(0, 0, CARD_WIDTH, CARD_HEIGHT, 0, colors["s1"]) + box(0, 90, CARD_WIDTH, 90, 0, colors["s4"]),
        f'<use href="#{scene}" y="42" width="{CARD_WIDTH}" height="95" transform="{flip}"/>',
        box(0, 0, CARD_WIDTH, 46, 0, PAPER) + box(0, foot, CARD_WIDTH, CARD_HEIGHT - foot, 0, PAPER) + "</g>",
        gem(shown.bonus, CARD_WIDTH - 42, 6, 34),
    ]
    if shown.points:
        parts.append(text(10, 37, 40, shown.points))
    for n, (color, cost) in enumerate(costs):
        x, y = 9 + (n % 2) * 59, foot + 6 + (n // 2) * 26
        parts.append(gem(color, x, y, 23) + text(x + 28, y + 20, 25, cost))
    return "".join(parts) + box(1, 1, CARD_WIDTH - 2, CARD_HEIGHT - 2, 10, "none", f'stroke="{frame}" stroke-width="3"')


def back(drawn: Drawings, level: int, count: str) -> str:
    """A deck with the number of its cards, or a card that nobody may know."""
    colors = drawn.card[f"level-{level}"]
    middle = CARD_WIDTH / 2
    parts = [
        box(0, 0, CARD_WIDTH, CARD_HEIGHT, 10, colors["back1"]),
        box(
            8,
            8,
            CARD_WIDTH - 16,
            CARD_HEIGHT - 16,
            6,
            "none",
            'stroke="#f3dda5" stroke-opacity=".55" stroke-width="1.5"',
        ),
        f'<circle cx="{middle}" cy="80" r="36" fill="{colors["back2"]}" stroke="#f3dda5" stroke-width="2.5"/>',
        text(middle, 93, 36, "I" * level, anchor="middle", fill="#fff6df"),
    ]
    if count:
        parts.append(text(middle, 156, 26, count, anchor="middle", fill="#fff6df"))
    return "".join(parts)


def noble(drawn: Drawings, tile: NobleTile) -> str:
    """A noble with the bonuses it asks for."""
    portrait = NOBLE - 25
    costs = [(color, n) for color in GEMS if (n := getattr(tile.cost, color))]
    parts = [
        f'<clipPath id="noble"><rect width="{NOBLE}" height="{NOBLE}" rx="7"/></clipPath><g clip-path="url(#noble)">',
        f'<svg width="{portrait}" height="{NOBLE}" viewBox="0 0 80 80" preserveAspectRatio="xMidYMax slice">',
        drawn.nobles[str(tile.id)],
        "</svg>" + box(portrait, 0, 25, NOBLE, 0, PAPER),
        box(0, 0, 18, 24, 4, PAPER) + "</g>" + text(4, 19, 20, tile.points),
    ]
    for n, (color, cost) in enumerate(costs):
        y = NOBLE / 2 + (n - len(costs) / 2) * 20
        parts.append(gem(color, portrait + 1, y + 4, 12) + text(portrait + 14, y + 16, 17, cost))
    return "".join(parts) + box(1, 1, NOBLE - 2, NOBLE - 2, 7, "none", 'stroke="#b9943f" stroke-width="2"')


def token(drawn: Drawings, color: str, size: float) -> str:
    """A token as the client draws it, without its count."""
    colors = drawn.token[color]
    return (
        f'<g transform="scale({size / 48:g})"><circle cx="24" cy="25.5" r="22.5" fill="#000" fill-opacity=".25"/>'
        f'<circle cx="24" cy="24" r="22.5" fill="{colors["rim"]}" stroke="#000" stroke-opacity=".35"/>'
        f'<circle cx="24" cy="24" r="19.7" fill="none" stroke="{colors["notch"]}" '
        'stroke-width="4" stroke-dasharray="5.16 5.16"/>'
        f'<circle cx="24" cy="24" r="16.3" fill="{colors["well"]}"/>{gem(color, 13, 13, 22)}</g>'
    )


def bank(drawn: Drawings, board: BoardView, y: float) -> Iterator[str]:
    """The piles of tokens with their counts."""
    step = (RIGHT_WIDTH + 8) / len(COLORS)
    for n, color in enumerate(COLORS):
        count = getattr(board.bank, color)
        part = token(drawn, color, TOKEN) if count else f'<circle cx="27" cy="27" r="25" fill="none" stroke="{LINE}"/>'
        badge = box(TOKEN - 19, TOKEN - 20, 25, 25, 9, "#1d1610") if count else ""
        number = text(TOKEN - 6.5, TOKEN, 21, count, anchor="middle", fill="#fff") if count else ""
        yield at(RIGHT + n * step, y, part + badge + number)


def player(drawn: Drawings, hand: Hand, name: str, height: float, *, is_turn: bool) -> str:
    """What lies before a seat: points, bonuses as squares, tokens as discs, cards in hand."""
    edge = f'stroke="{GILT if is_turn else LINE}" stroke-width="{4 if is_turn else 1.5}"'
    roomy = height > ROOMY
    line = 44 if roomy else 33
    size = 32 if roomy else 25
    room = RIGHT_WIDTH - 100 - 24 * len(hand.reserved)  # beside the cards in hand and the points
    fits = f'textLength="{room}" lengthAdjust="spacingAndGlyphs"' if len(name) * size * 0.52 > room else ""
    parts = [
        box(0, 0, RIGHT_WIDTH, height, 12, "#fbf5e9", edge),
        text(16, line, size, name, more=fits),
        text(RIGHT_WIDTH - 16, line + 3, 46 if roomy else 34, hand.points, anchor="end"),
    ]
    for n, reserved in enumerate(hand.reserved):
        colors = drawn.card[f"level-{reserved.level}"]
        x = RIGHT_WIDTH - 98 - (len(hand.reserved) - n - 1) * 24
        parts.append(box(x, line - 24, 19, 27, 3, colors["back1"], 'stroke="#f3dda5"'))
    cell = min(36.0, (height - line - 12) / 2.16)
    step = (RIGHT_WIDTH - 26) / len(COLORS)
    top = line + (height - line - 2 * cell - 5) / 2 + (2 if roomy else 0)
    for n, color in enumerate(COLORS):
        parts.append(at(14 + n * step, top, holding(drawn, hand.bonuses, hand, color, cell)))
    return "".join(parts)


def holding(drawn: Drawings, bonuses: Gems, hand: Hand, color: str, size: float) -> str:
    """The bonuses of a color, and below them its tokens."""
    parts = []
    count, held = getattr(bonuses, color, 0), getattr(hand.tokens, color)
    if count:
        ground = drawn.card[color]["s2"]
        parts += [box(0, 0, size * 1.45, size, 5, ground), gem(color, 3, size * 0.16, size * 0.68)]
        parts.append(text(size * 1.08, size * 0.8, size * 0.8, count, anchor="middle"))
    if held:
        parts.append(at(0, size + 5, token(drawn, color, size)))
        parts.append(text(size * 1.22, size * 1.8 + 5, size * 0.8, held, anchor="middle"))
    return "".join(parts)
