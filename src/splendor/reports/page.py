"""A review as one page of HTML that needs nothing else: it opens from disk, prints, and follows light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib import resources

from splendor.analysis.model import KeyMoment, Review, SeatReview, TurnReview
from splendor.core.components import COLORS
from splendor.game.game import Game
from splendor.game.position import Board, Card, View
from splendor.notation.moves import LETTERS, Tokens, parse_move
from splendor.reports import words

WIDTH, HEIGHT, LEFT, TOP = 900, 260, 44, 12
SEAT_COLORS = ("#2f6fb0", "#d0662a", "#2f8f57", "#8a56b8")
DASHES = ("", "7 4", "2 3", "10 3 2 3")  # the seats are told apart without color as well
KINDS = {"error": "a costly decision", "great": "a great decision", "luck": "luck"}


def page(game: Game, review: Review) -> str:
    """The whole page."""
    names = " – ".join(words.name_of(review, seat) for seat in range(review.players))
    title = escape(f"Review: {names}")
    css = resources.files("splendor.reports").joinpath("page.css").read_text(encoding="utf-8")
    date = review_date(game)
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title><style>{css}</style></head><body>",
            f"<h1>{title}</h1>",
            f'<p class="soft">{escape(date)}{len(review.turns)} turns, effort {review.effort}, '
            f"network {review.network[:8]}</p>",
            *(f"<p>{escape(sentence)}</p>" for sentence in closing(review)),
            "<h2>Win shares</h2>",
            curve(review),
            "<h2>Players</h2>",
            '<div class="scroll">',
            summary(review),
            "</div>",
            '<p class="soft">In per cent of the win. An average deal, the deal, luck, errors and the rest add up to '
            "the result. The rest is how the game went beyond what the network foresaw; it is not skill.</p>",
            *moments(game, review),
            "<h2>Turns</h2>",
            '<div class="scroll">',
            turns(review),
            "</div></body></html>",
            "",
        ]
    )


def review_date(game: Game) -> str:
    date = game.tags.get("Date", "")
    return f"{date}, " if date else ""


def closing(review: Review) -> Iterator[str]:
    if review.is_over:
        yield words.CAUSES[review.decided_by]
    yield from (note.text for note in review.notes)


# -------------------------------------------------------------------------------------------------- curve


def curve(review: Review) -> str:
    """The win shares of all seats over the turns, with the key moments marked."""
    series = [review.start, *(turn.shares for turn in review.turns)]

    def place(turn: int, share: float) -> tuple[float, float]:
        x = LEFT + turn / max(len(series) - 1, 1) * (WIDTH - LEFT - 12)
        return x, TOP + (1 - share) * (HEIGHT - 2 * TOP - 16)

    parts = [f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Win share of each seat">']
    for share in (0, 0.25, 0.5, 0.75, 1):
        _, y = place(0, share)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - 12}" stroke="currentColor" stroke-opacity=".15"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    for seat in range(review.players):
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(n, shares[seat]) for n, shares in enumerate(series)))
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{SEAT_COLORS[seat]}" stroke-width="2.5" '
            f'stroke-dasharray="{DASHES[seat]}" stroke-linejoin="round"/>'
        )
        parts.append(
            f'<text x="{LEFT + 10 + 190 * seat}" y="{HEIGHT - 6}" style="fill:{SEAT_COLORS[seat]};font-weight:600">'
            f"● {escape(words.name_of(review, seat)[:22])}</text>"
        )
    for moment in review.key_moments:
        x, y = place(moment.turn + 1, review.turns[moment.turn].shares[moment.seat])
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{moment_color(review, moment)}" stroke="#fff">'
            f"<title>turn {moment.turn + 1}: {KINDS[moment.kind]}</title></circle>"
        )
    return "".join([*parts, "</svg>"])


def moment_color(review: Review, moment: KeyMoment) -> str:
    grade = review.turns[moment.turn].grade
    return "#d6a416" if moment.kind == "luck" or grade is None else words.COLORS[grade]


# ------------------------------------------------------------------------------------------------- tables


def summary(review: Review) -> str:
    """One row for each seat."""
    heads = ["Accuracy", "Average", "Deal", "Luck", "Own errors", "Others’ errors", "Rest", "Result"]
    head = '<tr><th class="text">Player</th><th class="text">Decided like</th>' + "".join(
        f"<th>{name}</th>" for name in heads
    )
    return f"<table>{head}</tr>{''.join(seat_row(review, seat) for seat in review.summary)}</table>"


def seat_row(review: Review, seat: SeatReview) -> str:
    errors = f"{words.points(seat.own_errors)} ± {100 * seat.own_errors_error:.1f}"
    others = f"{words.points(seat.others_errors)} ± {100 * seat.others_errors_error:.1f}"
    cells = [
        "–" if seat.accuracy is None else f"{seat.accuracy:.0f}",
        f"{100 * seat.average:.1f}",
        words.points(seat.deal),
        words.points(seat.luck),
        errors,
        others,
        words.points(seat.rest),
        f"{100 * seat.result:.1f}",
    ]
    return (
        f'<tr><td class="text"><span class="dot" style="background:{SEAT_COLORS[seat.seat]}"></span>'
        f"{escape(words.name_of(review, seat.seat))}</td>"
        f'<td class="text">{escape(words.performance_words(seat.performance))}</td>'
        + "".join(f"<td>{cell}</td>" for cell in cells)
        + "</tr>"
    )


def turns(review: Review) -> str:
    """One row for each turn."""
    shares = "".join(f"<th>{escape(words.name_of(review, seat)[:12])}</th>" for seat in range(review.players))
    head = (
        '<tr><th>Turn</th><th class="text">Player</th><th class="text">Played</th><th class="text">Grade</th>'
        f'<th class="text">Best</th><th>Loss</th><th>Luck</th>{shares}<th class="text">Why</th></tr>'
    )
    return f"<table>{head}{''.join(turn_row(review, turn) for turn in review.turns)}</table>"


def turn_row(review: Review, turn: TurnReview) -> str:
    better = turn.best if turn.best not in (None, turn.move) and turn.grade != "forced" else ""
    return (
        f'<tr><td>{turn.number + 1}</td><td class="text">'
        f'<span class="dot" style="background:{SEAT_COLORS[turn.seat]}"></span>'
        f"{escape(words.name_of(review, turn.seat))}</td>"
        f'<td class="move">{turn.move}</td><td class="text">{grade_cell(turn)}</td><td class="move">{better}</td>'
        f"<td>{words.cost_words(turn)}</td><td>{words.points(turn.luck[turn.seat]) if turn.reveals else ''}</td>"
        + "".join(f"<td>{100 * share:.0f}</td>" for share in turn.shares)
        + f'<td class="text">{escape(words.why(turn))}</td></tr>'
    )


def grade_cell(turn: TurnReview) -> str:
    if turn.grade is None:
        return ""
    color = words.COLORS[turn.grade]
    return f'<span class="grade" style="color:{color}">{words.SIGNS[turn.grade]} {turn.grade}</span>'


# ------------------------------------------------------------------------------------------------ moments


def moments(game: Game, review: Review) -> Iterator[str]:
    """The key moments with their boards."""
    if review.key_moments:
        yield "<h2>Key moments</h2>"
        yield '<div class="moments">'
        for moment in review.key_moments:
            yield moment_panel(game, review, moment)
        yield "</div>"


def moment_panel(game: Game, review: Review, moment: KeyMoment) -> str:
    turn = review.turns[moment.turn]
    state = game.states[moment.turn]
    best = turn.best or turn.move
    names = [words.name_of(review, seat) for seat in range(review.players)]
    is_whole = all(note.code != "unseen_cards" for note in review.notes)
    viewer = turn.seat if is_whole else None  # a card that only takes the place of another is not shown
    head = f"Turn {turn.number + 1}: {escape(words.name_of(review, turn.seat))} plays {turn.move}"
    text = words.luck_words(turn) if moment.kind == "luck" else words.turn_words(turn)
    return (
        f'<section class="moment"><h3>{head}</h3>'
        f"<p>{escape(text[:1].upper() + text[1:])}</p>"
        f"{board(View(state, viewer), names, best if moment.kind != 'luck' else None, turn.move)}</section>"
    )


def board(table: Board, names: list[str], best: str | None, played: str) -> str:
    """A small board as the seat saw it; the cards of the best and of the played decision are framed."""
    framed = {parse_move(played).card: "played"}
    if best is not None:
        framed[parse_move(best).card] = "best"
    rows = []
    for level in (2, 1, 0):
        cards = "".join(card_box(card, framed) for card in table.market[level])
        rows.append(f'<div class="row"><div class="back">{table.deck_sizes[level]}</div>{cards}</div>')
    nobles = " ".join(
        f'<span class="chip">noble {noble.id}: {costs(noble.cost)}</span>'
        for noble in table.nobles
        if noble.seat is None
    )
    hands = "".join(hand(table, seat, names[seat]) for seat in range(table.players))
    bank = f'<div class="hand">bank {chips(table.bank)} {nobles}</div>'
    return f'<div class="board">{"".join(rows)}</div>{bank}{hands}'


def card_box(card: Card | None, framed: dict[int | None, str]) -> str:
    if card is None:
        return '<div class="card none"></div>'
    points = f"<b>{card.points}</b>" if card.points else "&nbsp;"
    return (
        f'<div class="card {card.bonus} {framed.get(card.id, "")}">{points}<span class="id">{card.id}</span>'
        f"<small>{costs(card.cost)}</small></div>"
    )


def costs(tokens: Tokens) -> str:
    """As in the notation: a letter and how many."""
    return " ".join(f"{count}{LETTERS[color]}" for color, count in enumerate(tokens) if count)


def chips(tokens: Tokens) -> str:
    return "".join(
        f'<span class="chip {COLORS[color]}">{count}{LETTERS[color]}</span>'
        for color, count in enumerate(tokens)
        if count
    )


def hand(table: Board, seat: int, name: str) -> str:
    reserved = ", ".join(f"level {card.level}" if card.is_unseen else str(card.id) for card in table.reserved(seat))
    who = escape(name) + (" ▸" if seat == table.seat else "")
    return (
        f'<div class="hand"><b>{who}</b> {table.points[seat]} points · tokens {chips(table.tokens(seat))} '
        f"· bonuses {chips(table.bonuses(seat))}" + (f" · reserved {reserved}" if reserved else "") + "</div>"
    )
