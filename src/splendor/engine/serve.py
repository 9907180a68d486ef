"""Be an engine: read requests, think in a thread, write replies; for any of our players.

The main thread reads, so that `stop`, `ping` and `quit` are heard while a player thinks. Nothing that comes in
ends the engine but `quit` and the end of the input: what is not understood is answered with an error.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO, TextIO

import splendor
from splendor.engine.messages import (
    MAX_LINE,
    MAX_TEXT,
    PROTOCOL,
    Analyse,
    Analysis,
    Best,
    Error,
    Go,
    Hello,
    Message,
    Option,
    Ping,
    Pong,
    Position,
    ProtocolError,
    Quit,
    Request,
    SetOptions,
    Stop,
    Welcome,
    format_message,
    parse_request,
)
from splendor.engine.ruleset import fingerprint
from splendor.engine.thinking import think
from splendor.game import Game
from splendor.players import load
from splendor.table import View

AUTHOR = "The splendor developers"
FAREWELL = 1.0  # seconds that a thinking player gets to end


class Refused(ValueError):
    """A request that cannot be carried out; the message says why."""


class Engine:
    """One player behind the protocol."""

    def __init__(self, spec: str, write_line: Callable[[str], None]) -> None:
        """Speak for a player by its name; `write_line` takes the replies. Raises ValueError for no such player."""
        self.spec = spec
        self._write_line = write_line
        self._writing = threading.Lock()
        self._player = load(spec)
        self._view: View | None = None
        self._thinking: threading.Thread | None = None
        self._thinking_id: int | None = None
        self._stop = threading.Event()

    def hear(self, line: bytes | str) -> bool:
        """Answer one line; False when the conversation is over."""
        try:
            request = parse_request(line)
        except ProtocolError as error:
            self._reply(Error(id=error.id, reason=str(error)))
            return True
        if isinstance(request, Quit):
            return False
        try:
            self._carry_out(request)
        except ValueError as error:
            self._reply(Error(id=request.id, reason=str(error)[:MAX_TEXT]))
        return True

    def _carry_out(self, request: Request) -> None:
        if isinstance(request, Hello):
            self._greet(request)
        elif isinstance(request, SetOptions):
            self._set_options(request)
        elif isinstance(request, Position):
            self._look_at(request)
        elif isinstance(request, Go | Analyse):
            self._begin(request)
        elif isinstance(request, Stop):
            if request.id == self._thinking_id:
                self._stop.set()
        elif isinstance(request, Ping):
            self._reply(Pong(id=request.id))

    def _greet(self, request: Hello) -> None:
        if request.protocol != PROTOCOL:
            raise Refused(f"this engine speaks protocol {PROTOCOL}, not {request.protocol}")
        if request.rules != fingerprint():
            raise Refused(f"this engine plays the rules {fingerprint()}, not {request.rules}")
        seed = Option(name="seed", default=0, help="the same seed gives the same choices")
        self._reply(
            Welcome(
                id=request.id,
                protocol=PROTOCOL,
                name=f"splendor {splendor.__version__} {self.spec}",
                author=AUTHOR,
                rules=fingerprint(),
                options=(seed,),
            )
        )

    def _set_options(self, request: SetOptions) -> None:
        self._refuse_while_thinking()
        for name, value in request.values.items():
            if name != "seed":
                raise Refused(f"there is no option {name!r}; there is seed")
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**64:
                raise Refused("a seed is a whole number from 0 to 2**64 - 1")
            self._player = load(self.spec, seed=value)

    def _look_at(self, request: Position) -> None:
        self._view = None
        self._view = View.from_position(request.position, request.viewer)

    def _begin(self, request: Go | Analyse) -> None:
        self._refuse_while_thinking()
        view = self._view
        if view is None:
            raise Refused("there is no position to think about")
        if view.is_over:
            raise Refused("the game is over")
        if view.seat != view.viewer:
            raise Refused(f"it is the turn of seat {view.seat}, but this is the view of seat {view.viewer}")
        self._stop = threading.Event()
        self._thinking_id = request.id
        self._thinking = threading.Thread(target=self._think, args=(request, view, self._stop), daemon=True)
        self._thinking.start()

    def _refuse_while_thinking(self) -> None:
        if self._thinking_id is not None:
            raise Refused(f"the engine still thinks about request {self._thinking_id}")

    def _think(self, request: Go | Analyse, view: View, stop: threading.Event) -> None:
        answer: Message
        try:
            moves = think(self._player, view, request, stop, self._reply)
            if isinstance(request, Go):
                answer = Best(id=request.id, move=moves[0].move)
            else:
                answer = Analysis(id=request.id, moves=moves)
        except Exception as error:  # whatever a player raises, the host must hear of it
            answer = Error(id=request.id, reason=f"{type(error).__name__}: {error}"[:MAX_TEXT])
        with self._writing:
            self._thinking_id = None  # before the answer, so that the next request is not refused
            self._write_line(format_message(answer))

    def _reply(self, message: Message) -> None:
        with self._writing:
            self._write_line(format_message(message))

    def close(self) -> None:
        """Stop thinking and wait for it a little."""
        self._stop.set()
        if self._thinking is not None:
            self._thinking.join(FAREWELL)


def serve(spec: str, lines: BinaryIO, output: TextIO) -> None:
    """Speak the protocol for a player until the host says quit, closes our input or is gone."""

    def write_line(line: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            output.write(line + "\n")
            output.flush()

    engine = Engine(spec, write_line)
    warm_up(spec)
    for line in bounded_lines(lines):
        if line.strip() and not engine.hear(line):
            break
    engine.close()


def warm_up(spec: str) -> None:
    """Let a player of this kind look at a position, so that compiling takes no time from the first move."""
    stop = threading.Event()
    think(load(spec, seed=0), Game(seed=0).view(0), Go(id=0, simulations=1), stop, lambda _: None)


def bounded_lines(lines: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream; of one that is too long, only so much that this can be seen."""
    while line := lines.readline(MAX_LINE + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = lines.readline(MAX_LINE)
        yield line
