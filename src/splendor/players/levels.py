"""Names for people: each level is a player with fixed options, and clearly stronger than the one before.

All of them are the network. Nobody is made weak by blunders at random: the lower levels look at one turn, and cannot
tell apart what is about as good. How much that costs them is the temperature. An apprentice overlooks a lot, a
journeyman less, an artisan little; a master judges as well as the network can; a grandmaster also thinks ahead.
"""

from __future__ import annotations

LEVELS = {
    "apprentice": "network:temperature=0.022",
    "journeyman": "network:temperature=0.014",
    "artisan": "network:temperature=0.008",
    "master": "network",
    "grandmaster": "network:simulations=1600,time=2",
}
