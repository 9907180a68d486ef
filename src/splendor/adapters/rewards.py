"""What agents are rewarded for, by name. A reward is paid after every decision, to all seats at once.

    win_share           at the end, the share of the win: 1 for the winner, 1/n for each of n who are level, else 0
    points_difference   at once, by how much the seat's lead grew: its points less the most points of another seat

The lead starts at 0, so the second adds up to the seat's final lead, and it says how far, not only who. An illegal
action costs `ILLEGAL_REWARD`, whatever else is rewarded.
"""

from __future__ import annotations

from splendor.core.lockstep import ILLEGAL_REWARD, lead
from splendor.game.position import Board

__all__ = ["ILLEGAL_REWARD", "REWARDS", "check_reward", "leads", "rewards_after"]

REWARDS = ("win_share", "points_difference")


def check_reward(name: str) -> str:
    """Raise ValueError unless there is such a reward."""
    if name not in REWARDS:
        raise ValueError(f"there is no reward {name!r}; there are {' and '.join(REWARDS)}")
    return name


def leads(table: Board) -> list[int]:
    """By how much each seat is ahead of the best of the others."""
    state = table.state
    return [int(lead(state, seat)) for seat in range(table.players)]


def rewards_after(name: str, leads_before: list[int], table: Board) -> list[float]:
    """The reward of each seat for the decision that led from these leads to this table."""
    if name == "win_share":
        return list(table.win_shares)
    return [float(now - before) for before, now in zip(leads_before, leads(table), strict=True)]
