"""Playing and watching: the course of a game between people at this screen and computers in the background."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from splendor.game.moves import IllegalMove
from splendor.game.position import View
from splendor.notation.moves import Move
from splendor.players import Player
from splendor.terminal.dialogs import Curtain, Page, Question
from splendor.terminal.picking_screen import PickingScreen
from splendor.terminal.session import Session
from splendor.terminal.words import how_it_ended, last_round, log_line, standings, visits

SLOWEST, FASTEST = 4.0, 0.05  # seconds for each move of a computer


class PlayScreen(PickingScreen):
    """One game, from the deal to its end."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("z", "undo", "Undo"),
        Binding("l", "log", "Log"),
        Binding("i", "inspect", "Seats"),
        Binding("n", "again", "New"),
        Binding("ctrl+s", "save", "Save", key_display="^s"),
        Binding("question_mark", "app.help", show=False),
        Binding("q", "leave", "Leave"),
        Binding("plus", "pace(0.5)", show=False),
        Binding("minus", "pace(2)", show=False),
    ]

    def __init__(self, session: Session, pace: float) -> None:
        """Play a session; `pace` is the shortest time for a move of a computer, in seconds."""
        super().__init__(session.game.view(None))
        self.session, self.pace = session, pace
        self.names = session.names
        self._reader: int | None = None  # the person who looks at the screen
        self._thought = 0  # which thinking is still wanted
        self._is_paused = False

    def on_mount(self) -> None:
        """Begin."""
        super().on_mount()
        self.query_one("#typed", Input).display = bool(self.session.people)
        self.begin_turn()

    # ------------------------------------------------------------------------------------- the course

    def begin_turn(self, news: str = "") -> None:
        """Show where the game stands, and let whoever decides next do so."""
        self._thought += 1
        is_new_reader = self.session.is_persons_turn and self.session.game.seat != self._reader
        if is_new_reader and self.session.has_secrets:
            self.show(self.session.game.view(None), news)
            self._draw_curtain(news)
            return
        self.show(self.session.view, news)
        if self.session.game.is_over:
            self._show_end()
        elif not self.session.is_persons_turn and not self._is_paused:
            self._let_think()

    def _draw_curtain(self, news: str) -> None:
        seat = self.session.game.seat

        def open_curtain(_: None) -> None:
            self._reader = seat
            self.begin_turn(news)

        self.app.push_screen(Curtain(self.names[seat]), open_curtain)

    def play(self, move: Move) -> None:
        """Play a whole turn, or the rest of one; raises IllegalMove and changes nothing if it is not legal."""
        game = self.session.game
        before, seat = game.view(None), game.seat
        played = game.play(move)
        if seat in self.session.people:
            self._reader = seat
        self.begin_turn(f"{log_line(self.names[seat], played).plain}. {visits(before, game, self.names)}".strip())

    def begin_turn_with(self, action: int) -> None:
        """Play the action of a turn; its returns are still to come."""
        self.session.game.decide(action)
        self.show(self.session.view)

    def _show_end(self) -> None:
        game, names = self.session.game, self.names
        keys = "z takes back your last turn, n deals a new game, Ctrl+S saves this one."
        text = f"{how_it_ended(game, names)}\n\n{standings(game, names)}\n\n{keys}"
        self.app.push_screen(Page("The game is over", text))

    # ---------------------------------------------------------------------------------------- computers

    class Answered(Message):
        """A computer has chosen its move, or says why it cannot."""

        def __init__(self, thought: int, answer: Move | str) -> None:
            """`thought` tells which question this answers."""
            super().__init__()
            self.thought, self.answer = thought, answer

    def _let_think(self) -> None:
        """Ask a computer, in a thread that neither holds up the screen nor the end of the program."""
        game = self.session.game
        player = self.session.seats[game.seat].player
        assert player is not None
        arguments = (self._thought, player, game.view(game.seat))
        threading.Thread(target=self._think, args=arguments, daemon=True, name="thinking").start()

    def _think(self, thought: int, player: Player, view: View) -> None:
        began = time.monotonic()
        try:
            answer: Move | str = player.choose(view)
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"  # whatever a player does wrong, the program goes on
        time.sleep(max(0.0, self.pace - (time.monotonic() - began)))
        self.post_message(self.Answered(thought, answer))

    def on_play_screen_answered(self, event: Answered) -> None:
        """Play what a computer chose, unless the game has gone another way since it was asked."""
        if event.thought != self._thought:
            return
        try:
            if isinstance(event.answer, str):
                raise IllegalMove(event.answer)
            self.play(event.answer)
        except IllegalMove as error:
            self.say(f"{self.names[self.session.game.seat]} cannot go on ({error}). Press q to leave.")

    # ------------------------------------------------------------------------------------ what is shown

    def show(self, view: View, news: str = "") -> None:
        """Show a view, what was played, and what to do."""
        self.offer(view)
        self.draw_log([log_line(self.names[seat], move) for seat, move in self.session.history])
        said = [self._advice(), news] if view.is_last_round else [news, self._advice()]
        self.say(" ".join(filter(None, said)))

    def _advice(self) -> str:
        if self.board.is_over:
            return "n deals a new game, q leaves."
        if [move.kind for move in self.choice.legal] == ["pass"]:
            return "Nothing is possible but to pass: press Enter."
        if self._is_paused:
            return "Paused: Space goes on."
        if self.board.is_last_round:
            return last_round(self.board, self.names)
        if not self.session.is_persons_turn:
            return f"{self.names[self.board.seat]} is thinking …"
        return "Your turn: pick tokens, a card or a deck." if len(self.session.people) == 1 else "Pick a move."

    def action_log(self) -> None:
        """Show all moves, with their notation."""
        lines = [
            Text(f"{turn:>3}  {move!s:<14}") + log_line(self.names[seat], move)
            for turn, (seat, move) in enumerate(self.session.history, 1)
        ]
        self.app.push_screen(Page("What was played", Text("\n").join(lines) if lines else "Nothing yet."))

    # --------------------------------------------------------------------------------- around the game

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Which keys mean something now."""
        if action == "again":
            return self.session.game.is_over
        if action == "undo":
            return self.session.can_undo
        if action in ("confirm", "type"):
            return bool(self.choice.legal)
        return True

    def action_pick(self) -> None:
        """Pick what has the focus; or while computers play each other, pause and go on."""
        if self.session.people:
            super().action_pick()
        else:
            self._is_paused = not self._is_paused
            self.begin_turn()

    def action_pace(self, factor: float) -> None:
        """Let computers play faster or slower."""
        self.pace = min(SLOWEST, max(FASTEST, self.pace * factor))
        self.say(f"A computer takes at least {self.pace:.2f} seconds for a move.")

    def action_undo(self) -> None:
        """Take back the last turn of a person, and all that was played after it."""
        self.session.undo()
        self._reader = None
        self.begin_turn("Taken back.")

    def action_again(self) -> None:
        """Deal a new game for the same seats."""
        self.session = Session(self.session.who)
        self._reader = None
        self.begin_turn()

    def action_save(self) -> None:
        """Write the record of the game into a new file of this folder."""
        name = f"splendor-{datetime.now():%Y%m%d-%H%M%S}.txt"
        try:
            with Path(name).open("x", encoding="utf-8") as file:
                file.write(self.session.game.record())
        except OSError as error:
            self.say(f"The game could not be saved: {error.strerror}.")
        else:
            self.say(f"Saved as {name}; splendor replay {name} shows it again.")

    @work(exclusive=True, group="leave")
    async def action_leave(self) -> None:
        """Resign or quit, after asking."""
        answers = ["Keep playing", "Resign, and go to the start screen", "Quit splendor"]
        if self.session.game.is_over or not self.session.people:
            answers = ["Stay", "Go to the start screen", "Quit splendor"]
        answer = await self.app.push_screen_wait(Question("Leave this game?", answers))
        if answer:
            self._thought += 1
            self.dismiss() if answer == 1 else self.app.exit()
