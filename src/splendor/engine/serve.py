"""Be an engine: read requests, think in threads, write replies; for any of our players.

The main thread reads, so that `stop`, `ping` and `quit` are heard while a player thinks. One player makes the moves, so
there is one `go` at a time; each analysis has a player of its own, so there may be several at once. Nothing that comes
in ends the engine but `quit` and the end of the input: what is not understood is answered with an error.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple, TextIO

import splendor
from splendor.engine.thinking import think
from splendor.game.game import Game
from splendor.game.position import View
from splendor.players import Player, load
from splendor.protocol.messages import (
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
from splendor.protocol.ruleset import fingerprint

AUTHOR = "The splendor developers"
FAREWELL = 1.0  # seconds that all who think get to end
MOST_AT_ONCE = 16  # requests that are thought about


class EngineRefusal(ValueError):
    """A request that cannot be carried out; the message says why."""


class Thinking(NamedTuple):
    """A request under way."""

    request: Go | Analyse
    stop: threading.Event
    thread: threading.Thread


class Engine:
    """One player behind the protocol."""

    def __init__(self, spec: str, write_line: Callable[[str], None]) -> None:
        """Speak for a player by its name; `write_line` takes the replies. Raises ValueError for no such player."""
        self.spec = spec
        self._write_line = write_line
        self._writing = threading.Lock()
        self._player = load(spec)
        self._seed: int | None = None
        self._view: View | None = None
        self._thinking: dict[int, Thinking] = {}  # by the id of the request

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
            with self._writing:
                thinking = self._thinking.get(request.id)
            if thinking is not None:
                thinking.stop.set()
        elif isinstance(request, Ping):
            self._reply(Pong(id=request.id))

    def _greet(self, request: Hello) -> None:
        if request.protocol != PROTOCOL:
            raise EngineRefusal(f"this engine speaks protocol {PROTOCOL}, not {request.protocol}")
        if request.rules != fingerprint():
            raise EngineRefusal(f"this engine plays the rules {fingerprint()}, not {request.rules}")
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
        self._refuse_while_thinking(Go, Analyse)
        for name, value in request.values.items():
            if name != "seed":
                raise EngineRefusal(f"there is no option {name!r}; there is seed")
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**64:
                raise EngineRefusal("a seed is a whole number from 0 to 2**64 - 1")
            self._seed, self._player = value, load(self.spec, seed=value)

    def _look_at(self, request: Position) -> None:
        self._view = None
        self._view = View.from_position(request.position, request.viewer)

    def _begin(self, request: Go | Analyse) -> None:
        player = self._player_for(request)
        view = self._view
        if view is None:
            raise EngineRefusal("there is no position to think about")
        if view.is_over:
            raise EngineRefusal("the game is over")
        if view.seat != view.viewer:
            raise EngineRefusal(f"it is the turn of seat {view.seat}, but this is the view of seat {view.viewer}")
        stop = threading.Event()
        thread = threading.Thread(target=self._think, args=(player, request, view, stop), daemon=True)
        with self._writing:
            self._thinking[request.id] = Thinking(request, stop, thread)
        thread.start()

    def _player_for(self, request: Go | Analyse) -> Player:
        """The one player for moves, another for each analysis."""
        if isinstance(request, Go):
            self._refuse_while_thinking(Go)
        with self._writing:
            if request.id in self._thinking:
                raise EngineRefusal(f"the engine still thinks about another request {request.id}")
            if len(self._thinking) >= MOST_AT_ONCE:
                raise EngineRefusal(f"the engine thinks about {MOST_AT_ONCE} requests at once and no more")
        return self._player if isinstance(request, Go) else load(self.spec, seed=self._seed)

    def _refuse_while_thinking(self, *kinds: type[Go | Analyse]) -> None:
        with self._writing:
            for thinking in self._thinking.values():
                if isinstance(thinking.request, kinds):
                    raise EngineRefusal(f"the engine still thinks about request {thinking.request.id}")

    def _think(self, player: Player, request: Go | Analyse, view: View, stop: threading.Event) -> None:
        answer: Message
        try:
            moves = think(player, view, request, stop, self._reply)
            if isinstance(request, Go):
                answer = Best(id=request.id, move=moves[0].move)
            else:
                answer = Analysis(id=request.id, moves=moves)
        except Exception as error:  # whatever a player raises, the host must hear of it
            answer = Error(id=request.id, reason=f"{type(error).__name__}: {error}"[:MAX_TEXT])
        with self._writing:
            del self._thinking[request.id]  # before the answer, so that the next request is not refused
            self._write_line(format_message(answer))

    def _reply(self, message: Message) -> None:
        with self._writing:
            self._write_line(format_message(message))

    def close(self) -> None:
        """Stop thinking and wait for it a little."""
        with self._writing:
            everybody = list(self._thinking.values())
        for thinking in everybody:
            thinking.stop.set()
        until = time.monotonic() + FAREWELL
        for thinking in everybody:
            thinking.thread.join(max(until - time.monotonic(), 0.0))


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
