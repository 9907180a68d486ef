"""The weakest player: every legal decision is equally likely."""

from __future__ import annotations

import secrets

from splendor.core.chance import new_rng
from splendor.core.playout import random_action
from splendor.game.position import View
from splendor.notation.moves import Move
from splendor.players.turn import whole_turn


class Random:
    """Plays at random."""

    def __init__(self, *, seed: int | None = None) -> None:
        """The same seed gives the same choices."""
        self._rng = new_rng(secrets.randbits(64) if seed is None else seed)

    def choose(self, view: View) -> Move:
        """Any move that is legal."""
        return whole_turn(view, lambda state: int(random_action(state, self._rng)))
