"""What every screen with a table has: where the game stands, a line for messages, and pages to read."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Footer, Label, Static

from splendor.game.position import Board
from splendor.terminal.choice import PartialMove
from splendor.terminal.dialogs import Page
from splendor.terminal.table_view import TableView
from splendor.terminal.words import belongings, situation


class TableScreen(Screen[None]):
    """A table, shown."""

    AUTO_FOCUS = ""

    names: Sequence[str]
    board: Board

    def compose(self) -> ComposeResult:
        """Where the game stands, the table, what a screen adds, a message, and the keys."""
        yield Label(id="status")
        yield TableView()
        yield from self.compose_more()
        yield Footer()

    def compose_more(self) -> ComposeResult:
        """What stands between the table and the keys."""
        yield Static(id="message")

    def draw(self, viewer: int | None, choice: PartialMove | None = None, before: str = "") -> None:
        """Show the table for a viewer, with what is picked; `before` begins the status."""
        self.query_one("#status", Label).update(before + situation(self.board, self.names))
        self.query_one(TableView).show(self.board, self.names, viewer, choice)

    def draw_log(self, lines: Sequence[Text]) -> None:
        """Show what was played."""
        self.query_one(TableView).show_log(lines)

    def say(self, sentence: str | Text) -> None:
        """Show a message."""
        self.query_one("#message", Static).update(Text(" ") + sentence)

    def action_inspect(self) -> None:
        """Show every card and noble before the seats."""
        self.app.push_screen(Page("What lies before the seats", belongings(self.board, self.names)))
