"""Sentences about a game: what was played, what is to be done, how it ended and why."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from splendor.notation.moves import Move
from splendor.table import Card, Table, card_of
from splendor.terminal.gems import color_of, gem, gems

YOU = "You"  # the name of the only person at the table


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


def visits(before: Table, after: Table, names: Sequence[str]) -> str:
    """Which nobles have come between two positions; empty if none."""
    came = [
        f"Noble @{new.id} visits {'you' if names[new.seat] == YOU else names[new.seat]}: +{new.points} points."
        for old, new in zip(before.nobles, after.nobles, strict=True)
        if old.seat is None and new.seat is not None
    ]
    return " ".join(came)


def situation(table: Table, names: Sequence[str]) -> str:
    """Where the game stands, in one line."""
    if table.is_over:
        return f"Over after round {table.round} · {headline(table, names)}"
    cap = f" of {table.round_cap}" if table.round_cap else ""
    last = " · LAST ROUND" if table.is_last_round else ""
    name = names[table.seat]
    who = "it is your turn" if name == YOU else f"it is the turn of {name}"
    return f"Round {table.round}{cap}{last} · {who}{DEEDS[table.phase]}"


DEEDS = {"act": "", "return": ", to return tokens", "noble": ", to choose a noble"}


def headline(table: Table, names: Sequence[str]) -> str:
    """Who won."""
    winners = [names[seat] for seat in table.winners]
    if len(winners) == 1:
        return f"{winners[0]} {'win' if winners[0] == YOU else 'wins'}"
    return f"{listing(winners)} share the win"


def last_round(table: Table, names: Sequence[str]) -> str:
    """Why this round is the last, and who still plays in it."""
    reached = [names[seat] for seat in range(table.players) if table.points[seat] >= max(table.points)]
    still = [names[(table.first + turn) % table.players] for turn in range(table.players)]
    still = [name.replace(YOU, "you") for name in still[(table.seat - table.first) % table.players :]]
    return f"Last round: {listing(reached)} reached {max(table.points)} points. Still to play: {listing(still)}."


def how_it_ended(table: Table, names: Sequence[str]) -> str:
    """The end of the game and the reason for its winner, in full sentences."""
    ends = {
        "points": f"Round {table.round} was the last: somebody had reached 15 points, and everyone has had equally "
        "many turns.",
        "stalemate": "Nobody could do anything but pass, so the game ends here.",
        "cap": f"The game was to last {table.round_cap} rounds.",
    }
    return f"{headline(table, names)}. {ends[table.phase]} {decider(table, names)}"


def decider(table: Table, names: Sequence[str]) -> str:
    """Points decide; among equals, fewer cards; and who is level there too shares the place."""
    best = max(table.points)
    level = [seat for seat in range(table.players) if table.points[seat] == best]
    if len(level) == 1:
        return f"{names[level[0]]} {has(names[level[0]])} the most points: {best}."
    cards = {seat: len(table.bought(seat)) for seat in level}
    who = listing([names[seat] for seat in level])
    counts = listing([f"{names[seat]} {cards[seat]}" for seat in level])
    if len(table.winners) == 1:
        winner = names[table.winners[0]]
        return f"{who} have {best} points each, so fewer bought cards decide ({counts}): {winner} {has(winner)} fewest."
    return f"{who} have {best} points each, and fewer bought cards do not decide either ({counts})."


def standings(table: Table, names: Sequence[str]) -> str:
    """The places of all seats, best first."""
    seats = sorted(range(table.players), key=lambda seat: table.placement[seat])
    cards = [len(table.bought(seat)) for seat in range(table.players)]
    return "\n".join(
        f"{table.placement[seat]}.  {names[seat]:<14} {table.points[seat]:>2} points  {cards[seat]:>2} cards"
        for seat in seats
    )


def belongings(table: Table, names: Sequence[str]) -> Text:
    """All cards and nobles before the seats, with what they cost and ask for."""
    text = Text()
    for seat, name in enumerate(names):
        text.append(f"{name}  {table.points[seat]} points\n", style="bold underline")
        lines = [Text("reserved  ") + in_full(card) for card in table.reserved(seat)]
        lines += [Text("noble     ") + f"@{n.id} +{n.points}" for n in table.nobles if n.seat == seat]
        lines += [Text("bought    ") + in_full(card) for card in table.bought(seat)]
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
