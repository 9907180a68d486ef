"""The arena: matches, tournaments and the ladder, with fair seats and honest error bars.

>>> from splendor.arena import Conditions, play_match
>>> result = play_match(["random", "random"], games=4, seed=1, conditions=Conditions(round_cap=3))
>>> result.games, [player.name for player in result.players]
(4, ['random', 'random #2'])
"""

from splendor.arena.match import MatchResult, play_match
from splendor.arena.schedule import Conditions
from splendor.arena.tournament import TournamentResult, play_tournament

__all__ = ["Conditions", "MatchResult", "TournamentResult", "play_match", "play_tournament"]
