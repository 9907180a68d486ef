"""The tree search: `Search` thinks about a view. The other modules are its parts, in the order of one simulation.

tree         the arrays of nodes and edges
descend      from the root to a leaf, through a random deal of what is hidden
leaves       the batch of positions that wait to be judged
rollout      judge them by playing on, by the light `policy`, and by the `evaluation`
backup       take the judgement into the tree
search       the loop around it, threads, limits, results
"""

from splendor.search.search import Choice, Evaluator, Result, Search, Settings

__all__ = ["Choice", "Evaluator", "Result", "Search", "Settings"]
