"""Is a deal as it was promised? From a record alone, and with what a player kept.

`verify` computes the deal again from the secrets in a record. A record that a dishonest server wrote may have other
secrets in it than those that were promised; `compare` finds this out for a player who kept the promises, as the web
client does (`web/src/lib/proof.ts` is the same once more, so that a browser does not have to ask the server).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from splendor.game.game import Game
from splendor.server import messages as m
from splendor.server.tables import fairness


class Kept(BaseModel):
    """What a player knew when giving the nonce to the server."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    commit: m.Hex256  # the server's promise
    commits: Annotated[list[m.Hex256 | None], Field(max_length=4)]  # the players', as they sat down
    nonce: m.Hex256


def verify(text: str) -> m.Verdict:
    """Does the deal follow from the secrets? Raises ValueError if the record is no legal game."""
    game = Game.from_record(text)
    tags = game.tags
    while game.moves:
        game.undo()
    procedure = tags.get("Deal")
    if procedure not in (fairness.PROCEDURE, fairness.FIRST_PROCEDURE) or not {"Secret", "Commit"} <= set(tags):
        return _problem(procedure, "no_secrets")
    order, seating = tags.get("Order"), tags.get("Seating")
    if procedure == fairness.FIRST_PROCEDURE:
        seating = None if order is None else "random"
    elif order is None or seating not in ("random", "chosen"):
        return _problem(procedure, "no_order")
    nonces: list[str | None] = [tags.get(f"Nonce{seat}") for seat in range(game.players)]
    try:
        if fairness.commit_to(tags["Secret"]) != tags["Commit"]:
            return _problem(procedure, "secret_differs")
        for seat, nonce in enumerate(nonces):
            if (None if nonce is None else fairness.commit_to(nonce)) != tags.get(f"Commit{seat}"):
                return _problem(procedure, "nonce_differs", seat=seat)
        dealt = fairness.deal(tags["Secret"], nonces, shuffle_seats=seating == "random", procedure=procedure)
    except ValueError:
        return _problem(procedure, "no_secrets")
    if order is not None and order != ",".join(map(str, dealt.order)):
        return _problem(procedure, "order_differs")
    if dealt.position != game.position:
        return _problem(procedure, "deal_differs")
    contributors = [seat for seat, nonce in enumerate(nonces) if nonce is not None]
    return m.Verdict.model_validate(
        {"follows": True, "procedure": procedure, "problem": None, "contributors": contributors, "seating": seating}
    )


def _problem(procedure: str | None, code: str, **params: int) -> m.Verdict:
    problem = m.Problem(code=code, params=params)
    return m.Verdict(follows=False, procedure=procedure, problem=problem, contributors=[], seating=None)


def compare(text: str, kept: Kept) -> m.Problem | None:
    """Are the secrets of a record those that were promised to a player? What is wrong, or None."""
    tags = Game.from_record(text).tags
    if tags.get("Commit") != kept.commit:
        return m.Problem(code="other_secret", params={})
    mine = fairness.commit_to(kept.nonce)
    for seat in range(4):
        promised = kept.commits[seat] if seat < len(kept.commits) else None
        if tags.get(f"Commit{seat}") != promised:
            return m.Problem(code="other_promise", params={"seat": seat})
    if mine not in kept.commits:
        return m.Problem(code="own_nonce_missing", params={})
    return None
