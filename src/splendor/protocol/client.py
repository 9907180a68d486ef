"""Drive a program that speaks the engine protocol, as a player like any other.

The program gets the view of its seat as text and nothing else. Whatever it does wrong, from not starting to
an illegal move, ends it and raises `EngineFailure` with a reason; the next game starts it anew.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from splendor.game.moves import IllegalMove, play_move
from splendor.game.position import View
from splendor.notation import Move, NotationError, parse_move
from splendor.protocol.messages import (
    MAX_LINE,
    PROTOCOL,
    Analyse,
    Analysis,
    Best,
    Candidate,
    Error,
    Go,
    Hello,
    Info,
    Message,
    Position,
    ProtocolError,
    Quit,
    Reply,
    SetOptions,
    Stop,
    Welcome,
    format_message,
    parse_reply,
)
from splendor.protocol.process import LAST_WORDS, LineTooLong, Program, ProgramEnded
from splendor.protocol.ruleset import fingerprint

MAX_REPLIES = 10_000  # lines for one request; more is flooding
MAX_REPLY_BYTES = 8 * 1024 * 1024  # likewise
SHOWN = 200  # characters of a bad line, or of stderr, in a reason

R = TypeVar("R", Welcome, Best, Analysis)


class EngineFailure(RuntimeError):
    """An external engine broke the protocol, the rules or its time; the message says how."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an engine may think; without simulations and time it decides by itself."""

    simulations: int | None = None
    time: float | None = None  # seconds
    start_timeout: float = 120.0  # seconds to start and to say hello
    move_timeout: float = 60.0  # seconds for an answer, whatever the other limits say


class EnginePlayer:
    """A player that asks an external program.

    The program starts with the first question. Between games `new_game` sets another seed and starts it again
    if it failed. Use it with `with`, or `close` it.
    """

    def __init__(self, command: str, *, seed: int | None = None, limits: Limits | None = None) -> None:
        """An engine by the command line that starts it; no shell is involved."""
        self.command, self.seed, self.limits = command, seed, limits or Limits()
        self.on_info: Callable[[Info], None] | None = None
        self._program: Program | None = None
        self._welcome: Welcome | None = None
        self._ids = 0
        self._asked = 0  # the id of the question that is being answered

    # ------------------------------------------------------------------------------------------ questions

    def choose(self, view: View) -> Move:
        """The engine's move; raises EngineFailure if there is none or if it is illegal."""
        request_id = self._show(view)
        self._send(Go(id=request_id, simulations=self.limits.simulations, time=self.limits.time))
        best = self._answer(request_id, Best)
        return self._legal_move(view, best.move)

    def analyse(self, view: View) -> list[tuple[Move, Candidate]]:
        """The moves that the engine considers, the best first, each with its visits and shares."""
        request_id = self._show(view)
        self._send(Analyse(id=request_id, simulations=self.limits.simulations, time=self.limits.time))
        analysis = self._answer(request_id, Analysis)
        return [(self._legal_move(view, candidate.move), candidate) for candidate in analysis.moves]

    def stop(self) -> None:
        """End the engine's thinking early; for another thread, or for `on_info`."""
        if self._program is not None:
            self._send(Stop(id=self._asked))

    @property
    def welcome(self) -> Welcome:
        """How the engine introduced itself."""
        self._start()
        assert self._welcome is not None
        return self._welcome

    def new_game(self, seed: int | None) -> None:
        """Be ready for another game."""
        self.seed = seed
        if self._program is not None:
            self._send_seed()

    # ---------------------------------------------------------------------------------- the conversation

    def _show(self, view: View) -> int:
        """Send the position; return the id for the question about it."""
        if view.viewer is None or view.viewer != view.seat:
            raise ValueError(f"it is the turn of seat {view.seat}, but this is the view of {view.viewer}")
        self._start()
        moves = tuple(str(move) for move in view.legal_moves)
        self._send(Position(id=self._next_id(), position=view.position, viewer=view.viewer, moves=moves))
        return self._next_id()

    def _start(self) -> None:
        if self._program is not None:
            return
        try:
            self._program = Program(self.command, MAX_LINE)
        except (OSError, ValueError) as error:
            raise EngineFailure(f"the engine does not start: {error}") from None
        weakref.finalize(self, self._program.close)
        hello = Hello(id=self._next_id(), protocol=PROTOCOL, rules=fingerprint())
        self._send(hello)
        welcome = self._answer(hello.id, Welcome)
        if welcome.protocol != PROTOCOL:
            raise self._failure(f"the engine speaks protocol {welcome.protocol}, not {PROTOCOL}")
        if welcome.rules != fingerprint():
            raise self._failure(f"the engine plays other rules: {welcome.rules[:SHOWN]!r}, not {fingerprint()!r}")
        self._welcome = welcome
        self._send_seed()

    def _send_seed(self) -> None:
        assert self._welcome is not None
        if self.seed is not None and any(option.name == "seed" for option in self._welcome.options):
            self._send(SetOptions(id=self._next_id(), values={"seed": self.seed}))

    def _answer(self, request_id: int, kind: type[R]) -> R:
        """Wait for the answer to a request, past the info on the way and remains of earlier requests."""
        timeout = self.limits.start_timeout if kind is Welcome else self.limits.move_timeout
        self._asked = request_id
        for reply in self._replies(timeout):
            if isinstance(reply, Error):
                raise self._failure(f"the engine reports an error: {reply.reason[:SHOWN]}")
            if isinstance(reply, kind) and reply.id == request_id:
                return reply
            if not isinstance(reply, Info) and reply.id == request_id:
                raise self._failure(f"the engine answered with {reply.type!r}, not {kind.__name__.lower()!r}")
            if isinstance(reply, Info) and reply.id == request_id and self.on_info is not None:
                self.on_info(reply)
        raise self._failure(f"the engine floods: more than {MAX_REPLIES} messages for one request")

    def _replies(self, timeout: float) -> Iterator[Reply]:
        deadline, size = time.monotonic() + timeout, 0
        for _ in range(MAX_REPLIES):
            try:
                line = self._receive(deadline)
                yield parse_reply(line)
            except ProtocolError as error:
                raise self._failure(f"the engine wrote what is no message: {error}") from None
            except TimeoutError:
                raise self._failure(f"the engine did not answer within {timeout:g} seconds") from None
            size += len(line)
            if size > MAX_REPLY_BYTES:
                raise self._failure(f"the engine floods: more than {MAX_REPLY_BYTES} bytes for one request")

    def _receive(self, deadline: float) -> bytes:
        assert self._program is not None
        try:
            return self._program.receive(deadline - time.monotonic())
        except LineTooLong:
            raise self._failure(f"the engine wrote a line of more than {MAX_LINE} bytes") from None
        except ProgramEnded:
            raise self._failure("the engine ended", LAST_WORDS) from None

    def _send(self, message: Message) -> None:
        assert self._program is not None
        self._program.send(format_message(message))

    def _next_id(self) -> int:
        self._ids += 1
        return self._ids

    def _legal_move(self, view: View, text: str) -> Move:
        try:
            return play_move(view.state, parse_move(text))[1]
        except (IllegalMove, NotationError) as error:
            raise self._failure(f"the engine's move {text!r} is illegal: {error}") from None

    # --------------------------------------------------------------------------------------------- the end

    def _failure(self, reason: str, patience: float = 0.0) -> EngineFailure:
        """End the program; the failure says why, with the last words of its stderr."""
        program, self._program, self._welcome = self._program, None, None
        if program is not None:
            status = program.close(patience)
            if patience:
                reason += f" with {f'signal {-status}' if status < 0 else f'exit status {status}'}"
            errors = program.errors()
            if errors:
                reason += f"; it wrote to stderr: {errors[-SHOWN:]}"
        return EngineFailure(reason)

    def close(self) -> None:
        """Ask the program to quit, and end it if it doesn't."""
        program, self._program, self._welcome = self._program, None, None
        if program is not None:
            program.send(format_message(Quit(id=self._next_id())))
            program.close(LAST_WORDS)

    def __enter__(self) -> EnginePlayer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
