"""Names for people: each level is a player with fixed options, and clearly stronger than the one before.

Nobody is made weak by blunders at random. An apprentice looks at one move and misjudges what it leads to; a journeyman
judges well but looks no further; an artisan thinks ahead for a moment; a master takes the time to think it through.
"""

from __future__ import annotations

LEVELS = {
    "apprentice": "greedy:noise=0.25",
    "journeyman": "greedy",
    "artisan": "search:simulations=100",
    "master": "search:simulations=5000",
}
