"""The start screen: who sits where, or which record to replay."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, Label, Select, Static

from splendor.core.components import MAX_PLAYERS
from splendor.game.game import Game
from splendor.players import KINDS, LEVELS
from splendor.terminal.gems import INK, SHAPES
from splendor.terminal.replay_screen import ReplayScreen
from splendor.terminal.session import PERSON, Session
from splendor.terminal.words import level_text

NOBODY = "nobody"
FIRST_CHOICE = (PERSON, "apprentice", NOBODY, NOBODY)


class StartScreen(Screen[Session | None]):
    """Choose a game; the answer is a session, or None to quit."""

    AUTO_FOCUS = "#start"  # so Enter starts
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+n", "start", "Start", key_display="Enter"),
        Binding("escape,ctrl+q", "quit", "Quit", key_display="Esc"),
    ]

    def compose(self) -> ComposeResult:
        """A form."""
        gems = "  ".join(f"[{ink}]{shape}[/]" for ink, shape in zip(INK, SHAPES, strict=True))
        with Vertical(id="form"):
            yield Static(f"{gems}   [b]S P L E N D O R[/b]   {gems}", id="title")
            yield Label("Who sits where? Without a person you watch computers play.")
            for seat, chosen in enumerate(FIRST_CHOICE):
                who = [("a person", PERSON), *((level_text(name), name) for name in LEVELS)]
                who += [(name, name) for name in KINDS]
                if seat > 1:
                    who.insert(0, ("nobody", NOBODY))
                with Horizontal(classes="line"):
                    yield Label(f"Player {seat + 1}")
                    yield Select(who, value=chosen, allow_blank=False, id=f"who-{seat}", compact=True)
            with Horizontal(classes="line"):
                yield Label("Seed")
                yield Input(id="seed", placeholder="leave empty for a new deal", type="integer", compact=True)
            yield Button("Start the game", id="start", variant="success", compact=True)
            yield Label("Or look at a recorded game:")
            with Horizontal(classes="line"):
                yield Label("File")
                yield Input(id="file", placeholder="game.txt", compact=True)
            yield Button("Replay", id="replay", compact=True)
            yield Static(id="problem")
        yield Footer()

    @property
    def who(self) -> list[str]:
        """Who is chosen for the seats that are taken."""
        chosen = [str(self.query_one(f"#who-{seat}", Select).value) for seat in range(MAX_PLAYERS)]
        return [name for name in chosen if name != NOBODY]

    @on(Button.Pressed, "#start")
    @on(Input.Submitted, "#seed")
    def action_start(self) -> None:
        """Deal the game that is chosen."""
        seed = self.query_one("#seed", Input).value.strip()
        try:
            session = Session(self.who, seed=int(seed) if seed else None)
        except ValueError as error:
            self.query_one("#problem", Static).update(f"{error}")
        else:
            self.dismiss(session)

    @on(Button.Pressed, "#replay")
    @on(Input.Submitted, "#file")
    def replay(self) -> None:
        """Open a record."""
        name = self.query_one("#file", Input).value.strip()
        try:
            game = Game.from_record(Path(name).read_text(encoding="utf-8-sig"))
        except (OSError, ValueError) as error:
            reason = f"{name}: {error.strerror}" if isinstance(error, OSError) else f"{name}: {error}"
            self.query_one("#problem", Static).update(reason.replace("[", "\\["))
        else:
            self.app.push_screen(ReplayScreen(game))

    def action_quit(self) -> None:
        """Leave the program."""
        self.dismiss(None)
