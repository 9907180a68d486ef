"""Sentences about a game: what was played, what is to be done, how it ended and why."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from splendor.core.rules import WINNING_POINTS
from splendor.game.position import Board, Card, card_of
from splendor.notation.moves import Move
from splendor.terminal.gems import color_of, gem, gems

YOU = "You"  # the name of the only person at the table

STRENGTHS = {
    "apprentice": "for beginners",
    "journeyman": "casual",
    "artisan": "experienced",
    "master": "strong",
    "grandmaster": "the world's strongest",
}


def level_text(level: str) -> str:
    """A level with what to expect of it.

    >>> level_text("apprentice")
    'apprentice: for beginners'
    """
    return f"{level}: {STRENGTHS[level]}" if level in STRENGTHS else level


def log_line(name: str, move: Move) -> Text:
    """Who did what, in one line."""

    def verb(word: str, end: str = "s") -> str:
        return word if name == YOU else word + end

    text = Text()
    text.append(f"{name} ", style="bold")
    if move.kind == "take":
        taken = [gem(color) for color, count in enumerate(move.taken) for _ in range(count)]
        text.append(f"{verb('take')} ").append_text(Text("").join(taken))
    elif move.kind == "draw":
        text.append(f"{verb('reserve')} from deck {move.level}")
    elif move.kind == "pass":
        text.append(verb("pass", "es"))
    elif move.card is not None:
        text.append(f"{verb(move.kind)} #{move.card}")
        card = card_of(move.card - 1)
        if card is not None:
            text.append(" ").append_text(gem(color_of(card), f"+{card.points}" if card.points else ""))
        if move.payment is not None:
            text.append(" for ").append_text(gems(move.payment))
    if any(move.returned):
        text.append(f", {verb('return')} ").append_text(gems(move.returned))
    if move.noble is not None:
        text.append(f", noble @{move.noble}")
    return text


def visits(before: Board, after: Board, names: Sequence[str]) -> str:
    """Which nobles have come between two positions; empty if none."""
    came = [
        f"Noble @{new.id} visits {'you' if names[new.seat] == YOU else names[new.seat]}: +{new.points} points."
        for old, new in zip(before.nobles, after.nobles, strict=True)
        if old.seat is None and new.seat is not None
    ]
    return " ".join(came)


def situation(board: Board, names: Sequence[str]) -> str:
    """Where the game stands, in one line."""
    if board.is_over:
        return f"Over after round {board.round} · {headline(board, names)}"
    cap = f" of {board.round_cap}" if board.round_cap else ""
    last = " · LAST ROUND" if board.is_last_round else ""
    name = names[board.seat]
    who = "it is your turn" if name == YOU else f"it is the turn of {name}"
    return f"Round {board.round}{cap}{last} · {who}{DEEDS[board.phase]}"


DEEDS = {"act": "", "return": ", to return tokens", "noble": ", to choose a noble"}


def headline(board: Board, names: Sequence[str]) -> str:
    """Who won."""
    winners = [names[seat] for seat in board.winners]
    if len(winners) == 1:
        return f"{winners[0]} {'win' if winners[0] == YOU else 'wins'}"
    return f"{listing(winners)} share the win"


def last_round(board: Board, names: Sequence[str]) -> str:
    """Why this round is the last, and who still plays in it."""
    reached = [names[seat] for seat in range(board.players) if board.points[seat] >= max(board.points)]
    still = [names[(board.first + turn) % board.players] for turn in range(board.players)]
    still = [name.replace(YOU, "you") for name in still[(board.seat - board.first) % board.players :]]
    return f"Last round: {listing(reached)} reached {max(board.points)} points. Still to play: {listing(still)}."


def how_it_ended(board: Board, names: Sequence[str]) -> str:
    """The end of the game and the reason for its winner, in full sentences."""
    ends = {
        "points": f"Round {board.round} was the last: somebody had reached {WINNING_POINTS} points, and everyone has "
        "had equally many turns.",
        "stalemate": "Nobody could do anything but pass, so the game ends here.",
        "cap": f"The game was to last {board.round_cap} rounds.",
    }
    return f"{headline(board, names)}. {ends[board.phase]} {decider(board, names)}"


def decider(board: Board, names: Sequence[str]) -> str:
    """Points decide; among equals, fewer cards; and who is level there too shares the place."""
    best = max(board.points)
    level = [seat for seat in range(board.players) if board.points[seat] == best]
    if len(level) == 1:
        return f"{names[level[0]]} {has(names[level[0]])} the most points: {best}."
    cards = {seat: len(board.bought(seat)) for seat in level}
    who = listing([names[seat] for seat in level])
    counts = listing([f"{names[seat]} {cards[seat]}" for seat in level])
    if len(board.winners) == 1:
        winner = names[board.winners[0]]
        return f"{who} have {best} points each, so fewer bought cards decide ({counts}): {winner} {has(winner)} fewest."
    return f"{who} have {best} points each, and fewer bought cards do not decide either ({counts})."


def standings(board: Board, names: Sequence[str]) -> str:
    """The places of all seats, best first."""
    seats = sorted(range(board.players), key=lambda seat: board.placement[seat])
    cards = [len(board.bought(seat)) for seat in range(board.players)]
    return "\n".join(
        f"{board.placement[seat]}.  {names[seat]:<14} {board.points[seat]:>2} points  {cards[seat]:>2} cards"
        for seat in seats
    )


def belongings(board: Board, names: Sequence[str]) -> Text:
    """All cards and nobles before the seats, with what they cost and ask for."""
    text = Text()
    for seat, name in enumerate(names):
        text.append(f"{name}  {board.points[seat]} points\n", style="bold underline")
        lines = [Text("reserved  ") + in_full(card) for card in board.reserved(seat)]
        lines += [Text("noble     ") + f"@{n.id} +{n.points}" for n in board.nobles if n.seat == seat]
        lines += [Text("bought    ") + in_full(card) for card in board.bought(seat)]
        text.append_text(Text("\n").join(lines or [Text("nothing yet", style="dim")])).append("\n\n")
    return text


def in_full(card: Card) -> Text:
    """A card with its cost: `#77 ◆u +4  cost ○w7`; of one that is hidden, the level."""
    if card.is_unseen:
        return Text(f"a card of level {card.level} that only its owner has seen")
    points = f" +{card.points}" if card.points else "   "
    return Text(f"#{card.id:<3}") + gem(color_of(card), points) + "  cost " + gems(card.cost)


def has(name: str) -> str:
    return "have" if name == YOU else "has"


def listing(words: Sequence[str]) -> str:
    """Words as a list in a sentence.

    >>> listing(["Ann"]), listing(["Ann", "Bob", "Cid"])
    ('Ann', 'Ann, Bob and Cid')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
