"""What needs no table: the cards, positions to learn on, hints, records to look at and to verify."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from splendor.moves import IllegalMove, play_move
from splendor.notation import Move, NotationError, format_position, parse_move, parse_position
from splendor.server import messages as m
from splendor.server import records, showing
from splendor.server.access import Calling, Serving
from splendor.server.computers import ComputerFailed
from splendor.server.refusal import Refused
from splendor.server.routes.encoding import PackedRoute
from splendor.state import State

router = APIRouter(prefix="/api", tags=["library"], route_class=PackedRoute)

Viewer = Annotated[int | None, Query(ge=0, le=3, description="as this seat saw it; without one, as a spectator did")]
Reveal = Annotated[bool, Query(description="show the cards in all hands")]


@router.get("/catalogue")
async def catalogue() -> m.Catalogue:
    """All cards and nobles as they are printed."""
    return showing.catalogue()


@router.get("/levels")
async def levels(service: Serving) -> list[m.LevelInfo]:
    """The computers one can play against, weakest first, with their ratings."""
    return [
        m.LevelInfo(level=level, ratings=await service.archive.ratings_of(f"computer:{level}"))
        for level in service.hub.levels
    ]


def read_position(text: str) -> State:
    try:
        return parse_position(text)
    except NotationError as error:
        raise Refused("bad_position", column=error.column) from None


def read_move(text: str) -> Move:
    try:
        return parse_move(text)
    except NotationError as error:
        raise Refused("bad_notation", column=error.column) from None


@router.post("/positions")
async def position(question: m.PositionQuestion, caller: Calling, service: Serving) -> m.PositionAnswer:
    """A position with its legal moves, after some moves were played on it: for lessons and puzzles.

    It may be a viewer's position: a card that comes from an unseen deck then stays unseen.
    """
    service.limits.spend("analysis", caller.id or caller.address)
    state = read_position(question.position)
    if question.viewer is not None and question.viewer >= state.players:
        raise Refused("no_such_seat", seat=question.viewer)
    eyes = showing.OPEN_HANDS if question.viewer is None else question.viewer
    frames = []
    for number, text in enumerate(question.moves, 1):
        move = read_move(text)
        try:
            is_step = showing.is_step(state, move)
            after, played = showing.begun(state, move) if is_step else play_move(state, move)
        except IllegalMove as error:
            raise Refused("illegal_move", move=number - 1, reason=error.code, **error.params) from None
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
    return m.PositionAnswer(
        board=showing.board(state, eyes, len(frames)),
        moves=showing.offered_moves(state, int(state.seat)),
        played=frames,
        result=showing.result(state),
    )


@router.post("/hints")
async def hint(question: m.HintQuestion, caller: Calling, service: Serving) -> m.Hint:
    """What a computer would play for the seat whose turn it is, knowing what that seat may know."""
    service.limits.spend("analysis", caller.id or caller.address)
    state = read_position(question.position)
    seat = int(state.seat)
    if question.level not in service.hub.levels:
        raise Refused("no_such_level", levels=list(service.hub.levels))
    moves = showing.offered_moves(state, seat)
    if not moves:
        raise Refused("game_over")
    seen = showing.seen_by(state, seat)
    try:
        text = await service.computers.choose(service.hub.levels[question.level], format_position(seen), seat)
        _, move = play_move(seen, parse_move(text))
    except (ComputerFailed, NotationError, IllegalMove):
        raise Refused("busy") from None
    return m.Hint(level=question.level, move=showing.move_form(seen, move))


@router.post("/records/replay")
async def replay(
    upload: m.RecordText, caller: Calling, service: Serving, viewer: Viewer = None, reveal: Reveal = True
) -> m.Replay:
    """A game file, text or JSON, step by step. Nothing is kept."""
    service.limits.spend("analysis", caller.id or caller.address)
    try:
        return records.replay(upload.record, viewer, reveal=reveal and viewer is None)
    except NotationError as error:
        raise Refused("bad_record", line=error.line, column=error.column) from None
    except ValueError:
        raise Refused("illegal_record") from None


@router.post("/records/verify")
async def verify(upload: m.RecordText, caller: Calling, service: Serving) -> m.Verdict:
    """Does the deal of a game file follow from the secrets in it?"""
    service.limits.spend("analysis", caller.id or caller.address)
    try:
        return records.verify(upload.record)
    except ValueError:
        raise Refused("illegal_record") from None
