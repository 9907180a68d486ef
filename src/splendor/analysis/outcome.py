"""How a game ended: by the rules, or before that because somebody resigned, ran out of time or stayed away.

A server notes the latter in the tags `Termination` and `Winners` of the record; the moves alone do not show it.
"""

from __future__ import annotations

from splendor.analysis.model import Shares
from splendor.game.game import Game


def result_of(game: Game) -> Shares | None:
    """The share of the win that each seat got; None if the game goes on."""
    if game.is_over:
        return game.win_shares
    tags = game.tags
    winners = {int(seat) for seat in tags.get("Winners", "").split(",") if seat in "0123" and seat}
    if "Termination" not in tags or not winners or max(winners) >= game.players:
        return None
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(game.players))
