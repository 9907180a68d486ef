"""A finished table as a game file, with what proves its deal; and game files as replays."""

from __future__ import annotations

from datetime import UTC, datetime

from splendor.game import showing
from splendor.game.game import Game
from splendor.server import messages as m
from splendor.server.tables import fairness
from splendor.server.tables.table import OnlineTable


def record_of(table: OnlineTable) -> str:
    """The game file of a table that is over."""
    assert table.game is not None
    game = table.game.copy()
    for number, seat in enumerate(table.seats):
        game.tag(f"Seat{number}", seat.label or player_name(seat.player))
    game.tag("Date", datetime.fromtimestamp(table.created, UTC).strftime("%Y-%m-%d"))
    game.tag("Table", table.id)
    if table.result is not None and not game.is_over:
        game.tag("Termination", table.result.reason)
        game.tag("Winners", ",".join(map(str, table.result.winners)))
    if table.made.position is None:
        tag_deal(game, table)
    return game.record()


def tag_deal(game: Game, table: OnlineTable) -> None:
    """All that the deal follows from."""
    game.tag("Deal", table.made.procedure)
    game.tag("Commit", table.commit)
    game.tag("Secret", table.made.secret)
    for number, (commit, nonce) in enumerate(table.sat_down):
        if commit is not None and nonce is not None:
            game.tag(f"Commit{number}", commit)
            game.tag(f"Nonce{number}", nonce)
    is_first = table.made.procedure == fairness.FIRST_PROCEDURE
    if not is_first:
        game.tag("Seating", table.made.order)
    if not is_first or table.made.order == "random":
        game.tag("Order", ",".join(map(str, table.order or [])))


def player_name(person: m.Person | None) -> str:
    """A name for a game file."""
    if person is None:
        return "?"
    return person.name or person.level or f"guest {person.guest}"


# --------------------------------------------------------------------------------------------------- replay


def replay(text: str, viewer: int | None, *, reveal: bool) -> m.Replay:
    """A record step by step, as a viewer saw it or, revealed, with all hands open. Raises ValueError."""
    game = Game.from_record(text)
    if viewer is not None and viewer >= game.players:
        raise ValueError(f"there is no seat {viewer}")
    eyes = showing.OPEN_HANDS if reveal else viewer
    turns, end = game.turns, game.state
    again = game.copy()
    while again.moves:
        again.undo()
    frames = [
        m.Frame(
            turn=0,
            seat=None,
            move=None,
            movements=[],
            comment="",
            clock=None,
            evaluation=None,
            board=showing.board(again.state, eyes, 0),
        )
    ]
    for number, turn in enumerate(turns, 1):
        before, seat = again.state, again.seat
        again.play(turn.move)
        frames.append(
            m.Frame(
                turn=number,
                seat=seat,
                move=showing.move_form(before, turn.move),
                movements=showing.movements(before, again.state, turn.move, eyes),
                comment=turn.comment,
                clock=turn.clock,
                evaluation=None if turn.evaluation is None else list(turn.evaluation),
                board=showing.board(again.state, eyes, number),
            )
        )
    return m.Replay(
        tags=game.tags,
        names=[game.tags.get(f"Seat{seat}") for seat in range(game.players)],
        viewer=viewer,
        reveals=reveal,
        frames=frames,
        result=showing.result(end),
        record=game.record(),
    )
