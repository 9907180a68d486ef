"""Names for people: each level is a player with fixed options, and clearly stronger than the one before."""

from __future__ import annotations

LEVELS = {
    "apprentice": "greedy:noise=1",
    "journeyman": "greedy:noise=0.3",
}
