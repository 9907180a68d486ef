"""What needs no table: the cards, positions to learn on, hints, records to look at and to verify."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from splendor.core.state import State
from splendor.game import showing
from splendor.game.moves import IllegalMove, play_move
from splendor.notation import NotationError, format_position, parse_move
from splendor.players.strength import ratings
from splendor.server import messages as m
from splendor.server.live.service import Service
from splendor.server.refusal import RequestRefused
from splendor.server.routes.answers import answered
from splendor.server.routes.callers import Calling, Serving
from splendor.server.routes.encoding import PackedRoute
from splendor.server.tables import questions

router = APIRouter(prefix="/api", tags=["library"], route_class=PackedRoute)

TABLE_SIZES = (2, 3, 4)
Viewer = Annotated[int | None, Query(ge=0, le=3, description="as this seat saw it; without one, as a spectator did")]
Reveal = Annotated[bool, Query(description="show the cards in all hands")]


@router.get("/catalogue")
async def catalogue() -> m.Catalogue:
    """All cards and nobles as they are printed."""
    return m.Catalogue(cards=showing.CARD_FACES, nobles=showing.NOBLE_TILES, letters=m.COLOR_LETTERS)


@cache
def strength_of(level: str) -> list[m.Strength]:
    """What was measured of a level."""
    return [one for size in TABLE_SIZES for one in strengths(size) if one.level == level]


def strengths(players: int) -> list[m.Strength]:
    """What was measured of all levels at tables of one size."""
    return [
        m.Strength(
            players=players,
            level=match.level,
            rating=rating,
            against=match.against,
            share=match.share,
            games=match.games,
        )
        for match, rating in ratings(players)
    ]


@router.get("/levels")
async def levels(service: Serving) -> list[m.LevelInfo]:
    """The computers one can play against, weakest first, with their ratings."""
    rated = await service.archive.ratings_of(*(f"computer:{level}" for level in service.hub.levels))
    return [
        m.LevelInfo(level=level, ratings=rated[f"computer:{level}"], strength=strength_of(level))
        for level in service.hub.levels
    ]


@router.post("/positions", response_model=m.PositionAnswer)
async def position(question: m.PositionQuestion, request: Request, caller: Calling, service: Serving) -> Response:
    """A position with its legal moves, after some moves were played on it: for lessons and puzzles.

    It may be a viewer's position: a card that comes from an unseen deck then stays unseen.
    """
    return await answered(request, service, caller, questions.asking(questions.position, question))


async def insist_not_played(service: Service, state: State) -> None:
    """Nothing is told about a position that people play against each other right now; raises RequestRefused."""
    if await service.hub.is_being_played(state):
        raise RequestRefused("still_played")


@router.post("/hints")
async def hint(question: m.HintQuestion, caller: Calling, service: Serving) -> m.Hint:
    """What a computer would play for the seat whose turn it is, knowing what that seat may know; not in a game that
    people play against each other.
    """
    service.limits.spend("analysis", caller.visitor, caller.network)
    state = questions.read_position(question.position)
    await insist_not_played(service, state)
    seat = int(state.seat)
    if question.level not in service.hub.levels:
        raise RequestRefused("no_such_level", levels=list(service.hub.levels))
    moves = showing.offered_moves(state, seat)
    if not moves:
        raise RequestRefused("game_over")
    seen = showing.seen_by(state, seat)
    text = await service.computers.advise(caller.asker, service.hub.levels[question.level], format_position(seen), seat)
    try:
        _, move = play_move(seen, parse_move(text))
    except (NotationError, IllegalMove):
        raise RequestRefused("busy") from None
    return m.Hint(level=question.level, move=showing.move_form(seen, move))


@router.post("/records/replay", response_model=m.Replay)
async def replay(
    upload: m.RecordText,
    request: Request,
    caller: Calling,
    service: Serving,
    viewer: Viewer = None,
    reveal: Reveal = True,
) -> Response:
    """A game file, text or JSON, step by step. Nothing is kept."""
    asked = questions.asking(questions.replay, upload.record, viewer, reveal)
    return await answered(request, service, caller, asked)


@router.post("/records/verify", response_model=m.Verdict)
async def verify(upload: m.RecordText, request: Request, caller: Calling, service: Serving) -> Response:
    """Does the deal of a game file follow from the secrets in it?"""
    return await answered(request, service, caller, questions.asking(questions.verify, upload.record))
