"""A record with its review: evaluations, grades and reasons as comments, which any reader of version 1 can read."""

from __future__ import annotations

from splendor.analysis.model import Review
from splendor.game.game import Game
from splendor.reports.words import luck_words, turn_words


def annotated(game: Game, review: Review) -> str:
    """The text of the game with a comment behind each turn; comments that were there stay in front."""
    copy = game.copy()
    for turn, played in zip(review.turns, game.turns, strict=True):
        said = [words for words in (turn_words(turn), luck_words(turn)) if words and words not in played.comment]
        copy.annotate(
            turn.number,
            comment=" ".join([played.comment, *said]).strip(),
            evaluation=tuple(min(max(round(share, 4), 0.0), 1.0) for share in turn.shares),
        )
    return copy.record()
