"""The things that lie on the table, as widgets: cards, decks, tokens, nobles, seats.

A `Choosable` can be reached with the keyboard and pressed with the mouse; what that means is up to the screen.
"""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import Static

from splendor.core.components import GOLD
from splendor.core.rules import HAND_LIMIT
from splendor.game.position import Board, Card, Noble
from splendor.notation.moves import LETTERS, Tokens
from splendor.terminal.gems import (
    GROUND,
    ON_GROUND,
    SHAPES,
    card_cost,
    card_title,
    color_of,
    gem,
    letters,
    noble_face,
    row_of_counts,
)

ROOMY_CARD = 6  # lines; from there on a card has blank ones


class Face(Static):
    """Something drawn, and drawn again only when it looks different: most of a table stays as it is."""

    _drawn: Text | None = None

    def draw(self, text: Text) -> None:
        """Show this."""
        if self._drawn is None or text != self._drawn or text.style != self._drawn.style:
            self._drawn = text
            self.update(text)


class Choosable(Face):
    """Something that can be chosen."""

    can_focus = True

    class Pressed(Message):
        """The place was clicked."""

        def __init__(self, place: Choosable, is_putting_back: bool) -> None:
            """`is_putting_back`: with the right button, which puts a token back."""
            super().__init__()
            self.place, self.is_putting_back = place, is_putting_back

    def on_click(self, event: events.Click) -> None:
        """Say so to the screen."""
        event.stop()
        self.post_message(self.Pressed(self, is_putting_back=event.button > 1))


def verdict(card: Card, board: Board, seat: int) -> Text:
    """Can this seat pay for the card, and what does it lack?"""
    missing, gold = board.missing(seat, card), board.tokens(seat).gold
    if sum(missing) > gold:
        return Text("✗ ") + letters(missing)
    text = Text("✓ buy", style="bold #8cf08c")
    return text + Text(" ") + gem(GOLD, sum(missing)) if any(missing) else text


class CardPlace(Choosable):
    """A slot of the market."""

    def __init__(self, level: int, slot: int) -> None:
        """The slot from the left of a level, both as the market of a table counts them."""
        super().__init__(id=f"card-{level + 1}-{slot + 1}")
        self.level, self.slot = level, slot
        self.card: Card | None = None
        self._verdict = Text()

    def lay(self, board: Board, seat: int, picked: str | None) -> None:
        """Show the card of this slot to a seat; `picked` says what it has been picked for."""
        card, old = board.market[self.level][self.slot], (self.card, self._verdict)
        is_known = card is not None and not card.is_unseen
        is_payable = card is not None and is_known and sum(board.missing(seat, card)) <= board.tokens(seat).gold
        if picked:
            self._verdict = Text(f"▶ {picked.upper()}", style="bold reverse")
        else:
            self._verdict = verdict(card, board, seat) if card is not None and is_known else Text()
        self.card = card
        self.can_focus = is_known
        self.set_class(is_payable and not picked, "-payable")
        self.set_class(bool(picked), "-picked")
        if (self.card, self._verdict) != old:
            self.refresh()

    def render(self) -> Text:
        """Title, two lines of cost, and what the seat can do."""
        if self.card is None:
            return Text("\n  (empty)", style="dim")
        if self.card.is_unseen:
            return Text(f"\n  level {self.card.level} ?", style="dim")
        first, second = card_cost(self.card)
        lines = [card_title(self.card, self.size.width), first, second, Text(" ") + self._verdict]
        if self.size.height >= ROOMY_CARD:
            lines.insert(1, Text())
            lines.insert(4, Text())
        return Text("\n").join(lines)


class DeckPlace(Choosable):
    """The face-down cards of a level."""

    def __init__(self, level: int) -> None:
        """A deck; the lowest level is 1."""
        super().__init__(id=f"deck-{level}")
        self.level = level

    def lay(self, board: Board, is_picked: bool) -> None:
        """Show how many cards are left."""
        size = board.deck_sizes[self.level - 1]
        self.can_focus = size > 0
        self.set_class(is_picked, "-picked")
        last_line = Text("▶TAKE", style="bold reverse") if is_picked else Text(f"×{size}" if size else "none")
        self.draw(Text(f" DECK\n {self.level} {'•' * self.level}\n\n ", style="bold") + last_line)


class TokenPlace(Choosable):
    """A pile of tokens in the bank."""

    def __init__(self, color: int) -> None:
        """The pile of one color."""
        super().__init__(id=f"token-{LETTERS[color]}")
        self.color = color
        self.can_focus = color != GOLD

    def lay(self, count: int, picked: int) -> None:
        """Show what is left of the pile, and what has been picked from it."""
        more = f" +{picked}" if picked else ""
        face = f" {SHAPES[self.color]}{LETTERS[self.color]} {count - picked}{more}"
        self.set_class(picked > 0, "-picked")
        self.styles.background, self.styles.color = GROUND[self.color], ON_GROUND[self.color]
        self.draw(Text(face, style="bold" if count else "strike"))


class HandPlace(Choosable):
    """A reserved card of the person at the screen."""

    def __init__(self, index: int) -> None:
        """The oldest card has the index 0."""
        super().__init__(id=f"hand-{index + 1}")
        self.index = index
        self.card: Card | None = None
        self._verdict = Text()

    def lay(self, board: Board, seat: int | None, is_picked: bool) -> None:
        """Show the card, if the seat has so many."""
        cards = board.reserved(seat) if seat is not None else ()
        self.card = cards[self.index] if self.index < len(cards) else None
        self.display = self.card is not None
        self.set_class(is_picked, "-picked")
        if self.card is not None and seat is not None:
            is_paid = Text("▶ BUY", style="bold reverse")
            self._verdict = is_paid if is_picked else verdict(self.card, board, seat)
            self.refresh()

    def render(self) -> Text:
        """The card in one line; where that is too long, its cost gives way to what is missing of it."""
        if self.card is None:
            return Text()
        if self.card.is_unseen:
            return Text(f" level {self.card.level} card, hidden", style="dim")
        name = Text(f" #{self.card.id} ") + gem(color_of(self.card), self.card.points or "") + " "
        whole = name + letters(self.card.cost) + "  " + self._verdict
        return whole if whole.cell_len <= self.size.width else name + self._verdict


class NobleFace(Face):
    """A noble on the table."""

    def lay(self, noble: Noble | None) -> None:
        """Show a noble, or nothing."""
        self.display = noble is not None
        if noble is not None:
            self.draw(noble_face(noble))


class SeatPanel(Face):
    """What lies before one seat."""

    def lay(self, board: Board, seat: int, name: str, shows_hand: bool) -> None:
        """Points, bonuses, tokens and nobles; reserved cards unless they are shown beside."""
        is_deciding = seat == board.seat and not board.is_over
        self.set_class(is_deciding, "-deciding")
        nobles = sum(noble.seat == seat for noble in board.nobles)
        text = Text()
        text.append(f"{'▶' if is_deciding else ' '}{name}  ", style="bold")
        text.append(f"{board.points[seat]} pts", style="bold #f2c744")
        text.append(f" ♛{nobles}" if nobles else "", style="bold")
        text.append("\n bonus ", style="dim").append_text(row_of_counts(board.bonuses(seat), GOLD))
        held = f"{sum(board.tokens(seat))}/{HAND_LIMIT}"
        text.append(f"\n {held:<6}", style="dim").append_text(row_of_counts(board.tokens(seat), GOLD + 1))
        reserved = board.reserved(seat)
        if reserved and not shows_hand:
            text.append("\n [").append_text(Text(" ").join(short_card(card) for card in reserved)).append("]")
        self.draw(text)


def short_card(card: Card) -> Text:
    """A reserved card of somebody else: `◆u4#77`, or its level."""
    if card.is_unseen:
        return Text(f"L{card.level}?")
    return gem(color_of(card), card.points or "") + Text(f"#{card.id}")


def chips(tokens: Tokens) -> Text:
    """Tokens with their numbers on their own ground, for dialogs."""
    text = Text()
    for color, count in enumerate(tokens):
        if count:
            text.append(
                f" {SHAPES[color]}{LETTERS[color]} {count} ", style=f"bold {ON_GROUND[color]} on {GROUND[color]}"
            )
            text.append(" ")
    return text
