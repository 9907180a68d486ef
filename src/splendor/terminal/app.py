"""The terminal program: a start screen, a table to play at, and a replay, one after another."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from splendor.game.game import Game
from splendor.terminal.dialogs import Page
from splendor.terminal.help import help_text
from splendor.terminal.play_screen import PlayScreen
from splendor.terminal.replay_screen import ReplayScreen
from splendor.terminal.session import Session
from splendor.terminal.start_screen import StartScreen

PACE = 0.6  # seconds that a computer takes at least for a move, so that people can follow


class SplendorApp(App[None]):
    """Splendor in the terminal."""

    CSS_PATH = "style.tcss"
    TITLE = "Splendor"
    ENABLE_COMMAND_PALETTE = False
    # priority: above a dialog too
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1", "help", "Help", key_display="F1", priority=True)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - as the base class declares it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (34, "-tall")]  # noqa: RUF012

    def __init__(self, begin_with: Session | Game | None = None, *, pace: float = PACE) -> None:
        """Begin with a session to play, a game to replay, or the start screen."""
        super().__init__()
        self._begin_with, self._pace = begin_with, pace

    def on_mount(self) -> None:
        """Open the first screen."""
        if isinstance(self._begin_with, Session):
            self._play(self._begin_with)
        elif isinstance(self._begin_with, Game):
            self.push_screen(ReplayScreen(self._begin_with), lambda _: self.exit())
        else:
            self._choose()

    def action_help(self) -> None:
        """Show the help page; once more puts it away."""
        if isinstance(self.screen, Page):
            self.screen.dismiss(None)
        else:
            self.push_screen(Page("Splendor in the terminal", help_text()))

    def _choose(self, _: None = None) -> None:
        self.push_screen(StartScreen(), self._play)

    def _play(self, session: Session | None) -> None:
        if session is None:
            self.exit()
        else:
            self.push_screen(PlayScreen(session, self._pace), self._choose)
