"""The tree search: `Search` thinks about a view.

search       the loop around the simulations: threads, limits, from one turn to the next
evaluator    what can take the place of rollouts at the leaves
worth        what decisions are worth after the search, and how sure that is
result       what was found

The parts of one simulation are compiled, in `kernel/`:

tree         the arrays of nodes and edges
descend      from the root to a leaf, through a random deal of what is hidden
leaves       the batch of positions that wait to be judged
rollout      judge them by playing on, by the light `policy`, and by the `evaluation`
backup       take the judgement into the tree
"""

from splendor.search.evaluator import Evaluator
from splendor.search.kernel.settings import SearchSettings
from splendor.search.result import Choice, Result
from splendor.search.search import Search

__all__ = ["Choice", "Evaluator", "Result", "Search", "SearchSettings"]
