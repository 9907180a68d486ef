"""Players: programs that decide for a seat. Each is one small class with `choose(view) -> move`.

A player is given a view and nothing else, so it cannot know more than its seat may. `load` makes one from its name:

>>> from splendor import Game
>>> from splendor.players import load
>>> game, player = Game(players=2, seed=1), load("greedy", seed=1)
>>> str(game.play(player.choose(game.view(0))))[0]
'+'
"""

from __future__ import annotations

from splendor.players.greedy import Greedy
from splendor.players.levels import LEVELS
from splendor.players.random import Random
from splendor.players.registry import KINDS, Player, load

__all__ = ["KINDS", "LEVELS", "Greedy", "Player", "Random", "load"]
