"""Evaluations of a position, reviews of a game: what each decision cost, how lucky it was, and why.

model        the values that come out: reviews, turns, candidates, reveals
value        V: the win shares of all seats in a position
averages     the mean of V over all deals
luck         what the cards that came have changed
ledger       deal, luck, errors and rest of a game
turns        a whole turn as its decisions
evaluation   `evaluate`: a search at one position, from the view of the seat that decides
grades       what a decision cost, in one word
levels       what the graded levels would have decided
accuracy     a number from 0 to 100
performance  between which levels somebody decided
reasons      why a decision was better, as facts and in words
gaps         records that do not name every card
summary      the sums of each seat, key moments
reviewer     `review`: all of it, turn by turn
"""

from splendor.analysis.evaluation import Analysis, evaluate
from splendor.analysis.ledger import SeatLedger, ledger
from splendor.analysis.model import Candidate, Evaluation, RevealedCard, Review, SeatReview, TurnReview
from splendor.analysis.reviewer import review

__all__ = [
    "Analysis",
    "Candidate",
    "Evaluation",
    "RevealedCard",
    "Review",
    "SeatLedger",
    "SeatReview",
    "TurnReview",
    "evaluate",
    "ledger",
    "review",
]
