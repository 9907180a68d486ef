"""A finished table as a game file, with what proves its deal; and game files as replays."""

from __future__ import annotations

from datetime import UTC, datetime

from splendor.game import Game
from splendor.server import fairness, showing
from splendor.server import messages as m
from splendor.server.table import OnlineTable


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
    game.tag("Deal", fairness.PROCEDURE)
    game.tag("Commit", table.commit)
    game.tag("Secret", table.made.secret)
    for number, (commit, nonce) in enumerate(table.sat_down):
        if commit is not None and nonce is not None:
            game.tag(f"Commit{number}", commit)
            game.tag(f"Nonce{number}", nonce)
    if table.made.order == "random":
        game.tag("Order", ",".join(map(str, table.order or [])))
    return game.record()


def player_name(person: m.Person | None) -> str:
    """A name for a game file."""
    if person is None:
        return "?"
    return person.name or person.level or f"guest {person.guest}"


# --------------------------------------------------------------------------------------------------- verify


def verify(text: str) -> m.Verdict:
    """Does the deal of a record follow from the secrets in it? Raises ValueError if it is no legal game."""
    game = Game.from_record(text)
    tags = game.tags
    while game.moves:
        game.undo()
    if tags.get("Deal") != fairness.PROCEDURE or "Secret" not in tags or "Commit" not in tags:
        return _unfair("no_secrets")
    nonces: list[str | None] = [tags.get(f"Nonce{seat}") for seat in range(game.players)]
    try:
        if fairness.commit_to(tags["Secret"]) != tags["Commit"]:
            return _unfair("secret_differs")
        for seat, nonce in enumerate(nonces):
            if nonce is not None and fairness.commit_to(nonce) != tags.get(f"Commit{seat}"):
                return _unfair("nonce_differs", seat=seat)
        dealt = fairness.deal(tags["Secret"], nonces, shuffle_seats="Order" in tags)
    except ValueError:
        return _unfair("no_secrets")
    if "Order" in tags and tags["Order"] != ",".join(map(str, dealt.order)):
        return _unfair("order_differs")
    if dealt.position != game.position:
        return _unfair("deal_differs")
    contributors = [seat for seat, nonce in enumerate(nonces) if nonce is not None]
    return m.Verdict(is_fair=True, problem=None, contributors=contributors)


def _unfair(code: str, **params: int) -> m.Verdict:
    return m.Verdict(is_fair=False, problem=m.Problem(code=code, params=params), contributors=[])


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
