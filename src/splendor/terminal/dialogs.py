"""Small questions on top of the table: what to return, how to pay, which noble; and pages to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Label, OptionList, Static
from textual.widgets.option_list import Option

from splendor.core.components import COLORS, GOLD
from splendor.game.position import Noble
from splendor.notation.moves import LETTERS, Tokens
from splendor.terminal.choice import Returning
from splendor.terminal.faces import Choosable, TokenPlace, chips
from splendor.terminal.gems import gem


class Question(ModalScreen[int | None]):
    """A list to choose one line from; the answer is its number, or None for none of them."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]

    def __init__(self, title: str, lines: Sequence[Text | str]) -> None:
        """A question with its possible answers."""
        super().__init__()
        self._title, self._lines = title, lines

    def compose(self) -> ComposeResult:
        """The question above its answers."""
        with Vertical(classes="dialog"):
            yield Label(self._title, classes="title")
            yield OptionList(*(Option(line) for line in self._lines))
            yield Label("↑ ↓ and Enter, or click · Esc goes back", classes="hint")

    @on(OptionList.OptionSelected)
    def answer(self, event: OptionList.OptionSelected) -> None:
        """Close with the answer."""
        self.dismiss(event.option_index)


def ask_payment(card: int, payments: Sequence[Tokens]) -> Question:
    """Which tokens shall pay? The first way spends the least gold."""
    lines = [chips(payment) + (Text("least gold", style="dim") if n == 0 else "") for n, payment in enumerate(payments)]
    return Question(f"How do you pay for #{card}?", lines)


def ask_noble(nobles: Sequence[Noble]) -> Question:
    """Which noble shall visit?"""
    lines = []
    for noble in nobles:
        asks = Text(" ").join(gem(color, count) for color, count in enumerate(noble.cost) if count)
        lines.append(Text(f"@{noble.id}  +{noble.points}  asks ") + asks)
    return Question("Several nobles could visit: choose one", lines)


class ReturnDialog(ModalScreen[Tokens | None]):
    """Give back tokens, down to ten."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(LETTERS[color], f"add({color})", COLORS[color], show=False) for color in range(GOLD + 1)),
        Binding("backspace", "put_back", "Put back"),
        Binding("enter", "confirm", "Return", priority=True),
        Binding("escape", "cancel", "Back"),
    ]

    def __init__(self, held: Tokens, ways: Sequence[Tokens], can_cancel: bool) -> None:
        """`held`: what the hand holds now; `ways`: what may be returned from it."""
        super().__init__()
        self.held, self.choice, self.can_cancel = held, Returning(ways), can_cancel
        self._order: list[int] = []

    def compose(self) -> ComposeResult:
        """The hand as piles to pick from."""
        with Vertical(classes="dialog"):
            yield Label("", classes="title")
            with Horizontal(classes="piles"):
                for color in range(GOLD + 1):
                    yield TokenPlace(color)
            yield Label("Press a letter or click a pile; Backspace or right click keeps one.", classes="hint")
            with Horizontal(classes="buttons"):
                yield Button("Return ⏎", id="return", compact=True, variant="success")
                if self.can_cancel:
                    yield Button("Back Esc", id="back", compact=True)

    def on_mount(self) -> None:
        """Draw."""
        for pile in self.query(TokenPlace):
            pile.can_focus = self.held[pile.color] > 0
            pile.display = pile.can_focus
        self._draw()

    def _draw(self) -> None:
        for pile in self.query(TokenPlace):
            pile.lay(self.held[pile.color], self.choice.returned[pile.color])
        left = self.choice.left
        what = "that is enough" if left == 0 else f"{left} more to return"
        self.query_one(".title", Label).update(f"You hold {sum(self.held)} tokens; ten is the limit: {what}")
        self.query_one("#return", Button).disabled = not self.choice.is_ready

    def action_add(self, color: int) -> None:
        """Pick a token to return."""
        if self.choice.add(color):
            self._order.append(color)
            self._draw()

    def action_put_back(self) -> None:
        """Keep the one picked last."""
        if self._order:
            self.choice.put_back(self._order.pop())
            self._draw()

    def on_choosable_pressed(self, event: Choosable.Pressed) -> None:
        """A pile was clicked."""
        if isinstance(event.place, TokenPlace):
            color = event.place.color
            if not event.is_putting_back:
                self.action_add(color)
            elif self.choice.put_back(color):
                self._order.remove(color)
                self._draw()

    def action_confirm(self) -> None:
        """Close with what is picked; or pick the pile that has the focus."""
        if self.choice.is_ready:
            self.dismiss(self.choice.returned)
        elif isinstance(self.focused, TokenPlace):
            self.action_add(self.focused.color)

    def action_cancel(self) -> None:
        """Close without an answer, where that is possible."""
        if self.can_cancel:
            self.dismiss(None)

    @on(Button.Pressed, "#return")
    def _return(self) -> None:
        self.action_confirm()

    @on(Button.Pressed, "#back")
    def _back(self) -> None:
        self.action_cancel()


class Curtain(ModalScreen[None]):
    """Hides the table while the screen goes from one person to the next."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "dismiss(None)", "Ready")]

    def __init__(self, name: str) -> None:
        """Whose turn it is."""
        super().__init__()
        self._name = name

    def compose(self) -> ComposeResult:
        """Nothing of the game."""
        with Center(), Vertical(classes="dialog"):
            yield Label(f"{self._name}, it is your turn", classes="title")
            yield Label("Somebody holds a card that only they have seen.\nTake the screen, then press Enter.")
            yield Button("I am ready ⏎", id="ready", compact=True, variant="success")

    @on(Button.Pressed)
    def _ready(self) -> None:
        self.dismiss(None)


class Page(ModalScreen[None]):
    """Something to read: help, the log, the end of a game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,question_mark", "dismiss(None)", "Close"),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown,space", "scroll(10)", show=False),
    ]

    def __init__(self, title: str, text: Text | str) -> None:
        """A title and what stands below it."""
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """The text, which scrolls if it is long."""
        with Vertical(classes="dialog page"):
            yield Label(self._title, classes="title")
            with VerticalScroll():
                yield Static(self._text)
            yield Button("Close Esc", compact=True)

    def action_scroll(self, lines: int) -> None:
        """Scroll by some lines."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    @on(Button.Pressed)
    def _close(self) -> None:
        self.dismiss(None)
