"""Questions about positions and game files that take a while to answer: asked by visitors, answered in a worker.

Each answer is a reply's body as it goes out, so that nothing is left to be done for whoever passes it on.
"""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Callable
from functools import partial
from itertools import zip_longest

from pydantic import BaseModel

from splendor.core.components import FIRST_CARD, LEVELS
from splendor.core.hidden import hide_deck
from splendor.core.state import State, copy_state
from splendor.game import showing
from splendor.game.game import Game, drawn_level, unseen_cards
from splendor.game.moves import IllegalMove, play_part
from splendor.notation import Move, NotationError, parse_position
from splendor.notation.json import parse_any_record
from splendor.notation.records import TooManyTurns
from splendor.server import messages as m
from splendor.server.refusal import RequestRefused
from splendor.server.tables import proof, records
from splendor.server.tables.commands import MOST_TURNS, read_move

MOST_BYTES = 16_000_000  # of an answer
GZIP_LEVEL = 5  # nearly as small as the best, in a fraction of the time
SHORT = 2000  # bytes that are not worth packing

Ask = Callable[[], BaseModel | str]


def answer(ask: Ask, is_packed: bool) -> tuple[bytes, bool]:
    """The body of the answer, and whether it is packed; raises RequestRefused."""
    given = ask()
    body = given.encode() if isinstance(given, str) else given.model_dump_json().encode()
    if len(body) > MOST_BYTES:
        raise RequestRefused("too_long")
    if is_packed and len(body) >= SHORT:
        return gzip.compress(body, GZIP_LEVEL, mtime=0), True
    return body, False


# ------------------------------------------------------------------------------------------------ game files


def check(text: str) -> int:
    """Is this a game file of a length that is played? The number of players; raises RequestRefused."""
    try:
        return int(parse_any_record(text, most_turns=MOST_TURNS).position.players)
    except TooManyTurns:
        raise RequestRefused("too_long") from None
    except NotationError as error:
        raise RequestRefused("bad_record", line=error.line, column=error.column) from None


def replay(text: str, viewer: int | None, reveal: bool, result: m.Result | None = None) -> m.Replay:
    """A game step by step; a `result` that the moves alone do not give replaces theirs."""
    players = check(text)
    if viewer is not None and viewer >= players:
        raise RequestRefused("no_such_seat", seat=viewer)
    try:
        shown = records.replay(text, viewer, reveal=reveal and viewer is None)
    except ValueError:
        raise RequestRefused("illegal_record") from None
    return shown if result is None else shown.model_copy(update={"result": result})


def verify(text: str) -> m.Verdict:
    """Does the deal of a game file follow from the secrets in it?"""
    check(text)
    try:
        return proof.verify(text)
    except ValueError:
        raise RequestRefused("illegal_record") from None


def as_json(text: str) -> str:
    """The JSON twin of a game file."""
    check(text)
    return Game.from_record(text).record(as_json=True)


# ------------------------------------------------------------------------------------------------- positions


def read_position(text: str) -> State:
    """A position; raises RequestRefused."""
    try:
        return parse_position(text)
    except NotationError as error:
        raise RequestRefused("bad_position", column=error.column, sentence=error.problem, **error.why) from None


def position(question: m.PositionQuestion) -> m.PositionAnswer:
    """A position after some moves, with its legal moves."""
    state = read_position(question.position)
    if question.viewer is not None and question.viewer >= state.players:
        raise RequestRefused("no_such_seat", seat=question.viewer)
    eyes = showing.OPEN_HANDS if question.viewer is None or question.open_hands else question.viewer
    if question.cards is not None:
        for level in range(LEVELS):
            hide_deck(state, level)
    frames = []
    for number, (text, card) in enumerate(zip_longest(question.moves, question.cards or ()), 1):
        if text is None:
            raise RequestRefused("card_not_left", card=card)
        move = read_move(text)
        if question.cards is not None:
            state = dealt(state, move, card)
        try:
            after, played, _ = play_part(state, move)
        except IllegalMove as error:
            raise RequestRefused("illegal_move", move=number - 1, reason=error.code, **error.params) from None
        frames.append(
            m.Frame(
                turn=number,
                seat=int(state.seat),
                move=showing.move_form(state, played),
                movements=showing.movements(state, after, played, eyes),
                comment="",
                clock=None,
                evaluation=None,
                board=showing.board(after, eyes, number),
            )
        )
        state = after
    turned_to = int(state.seat) if question.viewer is None else question.viewer
    return m.PositionAnswer(
        board=showing.board(state, eyes, len(frames), turned_to if question.open_hands else None),
        moves=showing.offered_moves(state, int(state.seat)),
        played=frames,
        result=showing.result(state),
    )


def dealt(state: State, move: Move, card: int | None) -> State:
    """The same position with the card on its deck that the move brings; None: one at random. Raises RequestRefused."""
    level = drawn_level(state, move)
    left = unseen_cards(state, level) if level is not None else []
    if card is not None and card - 1 not in left:
        raise RequestRefused("card_not_left", card=card)
    if level is None:
        return state
    after = copy_state(state)
    after.deck[FIRST_CARD[level] + state.deck_size[level] - 1] = secrets.choice(left) if card is None else card - 1
    return after


asking = partial  # `asking(replay, text, …)` is an `Ask` that can travel to a worker
