"""Stepping through a recorded game, with all cards shown."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType

from splendor.game.game import Game
from splendor.game.position import Board
from splendor.terminal.table_screen import TableScreen
from splendor.terminal.words import decider, headline, log_line

SECONDS_PER_TURN = 1.0


def positions(game: Game) -> list[Board]:
    """The table before the first turn and after each."""
    game = game.copy()
    boards = [Board(game.state)]
    while game.moves:
        game.undo()
        boards.append(Board(game.state))
    return boards[::-1]


class ReplayScreen(TableScreen):
    """A record, turn by turn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Back", key_display="←"),
        Binding("right,enter", "step(1)", "Next", key_display="→"),
        Binding("pageup", "step(-10)", show=False),
        Binding("pagedown", "step(10)", show=False),
        Binding("home", "jump(0)", "Start"),
        Binding("end", "jump(-1)", "End"),
        Binding("space", "run", "Play on"),
        Binding("i", "inspect", "Seats"),
        Binding("question_mark", "app.help", show=False),
        Binding("q,escape", "leave", "Leave"),
    ]

    def __init__(self, game: Game) -> None:
        """The game to step through; it begins at its start."""
        super().__init__()
        self.turns = game.turns
        self.boards = positions(game)
        self.names = [game.tags.get(f"Seat{seat}") or f"Player {seat + 1}" for seat in range(game.players)]
        self._is_running = False
        self.turn = 0

    def on_mount(self) -> None:
        """Show the start."""
        self.set_interval(SECONDS_PER_TURN, self._tick)
        self.action_jump(0)

    def action_jump(self, turn: int) -> None:
        """Go to a turn; -1 is the end."""
        self.turn = len(self.turns) if turn < 0 else turn
        self.board = self.boards[self.turn]
        self.draw(None, before=f"Turn {self.turn} of {len(self.turns)} · ")
        played = zip(self.boards, self.turns[: self.turn], strict=False)
        self.draw_log([log_line(self.names[board.seat], turn.move) for board, turn in played])
        self.say(self._about())

    def _about(self) -> Text:
        """The move that led here, what was noted about it, and at the end who won and why."""
        text = Text()
        if self.turn:
            turn = self.turns[self.turn - 1]
            name = self.names[self.boards[self.turn - 1].seat]
            text.append_text(log_line(name, turn.move)).append(f"  [{turn.move}]", style="dim")
            if turn.comment:
                text.append(f"  {' '.join(turn.comment.split())}", style="italic")
            if turn.evaluation is not None:
                text.append("  win " + "/".join(f"{share:.0%}" for share in turn.evaluation), style="dim")
        if self.board.is_over:
            text.append(f". {headline(self.board, self.names)}. {decider(self.board, self.names)}")
        return text

    def action_step(self, turns: int) -> None:
        """Go some turns on or back."""
        self.action_jump(min(max(self.turn + turns, 0), len(self.turns)))

    def action_run(self) -> None:
        """Play on by itself, or stop that."""
        self._is_running = not self._is_running

    def _tick(self) -> None:
        if self._is_running and self.app.screen is self:
            self.action_step(1)
            self._is_running = self.turn < len(self.turns)

    def action_leave(self) -> None:
        """Back to where we came from."""
        self.dismiss()
