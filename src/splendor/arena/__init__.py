"""The arena: matches, tournaments and the ladder, with fair seats and honest error bars.

>>> from splendor.arena import play_match
>>> result = play_match(["greedy", "random"], games=4, seed=1)
>>> result.games, [player.name for player in result.players]
(4, ['greedy', 'random'])
"""

from splendor.arena.match import MatchResult, play_match
from splendor.arena.schedule import Conditions
from splendor.arena.tournament import TournamentResult, play_tournament

__all__ = ["Conditions", "MatchResult", "TournamentResult", "play_match", "play_tournament"]
