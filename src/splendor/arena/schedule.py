"""Which games are played: the jobs of a match or a tournament, each complete in itself.

Luck of the deal and of the seat is shared out: a *deal set* is one deal played once for every rotation of the
seats, so that everybody has each seat once with the same cards. All chance comes from seeds that are derived
here, so that a job played anywhere, at any time, alone or among others, is the same game.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from splendor.core.components import MAX_PLAYERS
from splendor.protocol.client import Limits

MIN_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Conditions:
    """What holds for every game of a match."""

    round_cap: int | None = None
    keep_records: bool = False
    adjusted: bool = False  # find out how lucky every seat was
    limits: Limits = field(default_factory=Limits)  # for external engines


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play."""

    number: int  # from 0, in the order of the schedule
    deal: int  # the deal set it belongs to
    entrants: tuple[int, ...]  # who sits where                 [seat]
    players: tuple[str, ...]  # how to load them                [seat]
    seed: int  # of the deal
    player_seeds: tuple[int, ...]  # of the players' own chance  [seat]
    conditions: Conditions


def match_jobs(players: Sequence[str], games: int, seed: int, conditions: Conditions) -> list[Job]:
    """A match of all against all at one table; the last deal set is cut short where `games` asks for it."""
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise ValueError(f"a match is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {len(players)}")
    if games < 1:
        raise ValueError("a match has at least one game")
    jobs: list[Job] = []
    deal = 0
    while len(jobs) < games:
        jobs += deal_set(players, range(len(players)), deal, len(jobs), seed, conditions)
        deal += 1
    return jobs[:games]


def tournament_jobs(players: Sequence[str], seats: int, deals: int, seed: int, conditions: Conditions) -> list[Job]:
    """Every group of `seats` players meets in `deals` deal sets; the groups take turns."""
    if not MIN_PLAYERS <= seats <= min(MAX_PLAYERS, len(players)):
        raise ValueError(f"{len(players)} players cannot fill tables of {seats}; a table has 2 to {MAX_PLAYERS} seats")
    if deals < 1:
        raise ValueError("a tournament has at least one deal for each group")
    jobs: list[Job] = []
    deal = 0
    for _ in range(deals):
        for group in combinations(range(len(players)), seats):
            jobs += deal_set(players, group, deal, len(jobs), seed, conditions)
            deal += 1
    return jobs


def deal_set(
    players: Sequence[str], group: Sequence[int], deal: int, first_number: int, seed: int, conditions: Conditions
) -> list[Job]:
    """One deal, once for every rotation of a group; who sits beside whom is drawn anew for each deal."""
    order = list(group)
    random.Random(derived_seed(seed, "order", deal)).shuffle(order)
    jobs = []
    for rotation in range(len(order)):
        entrants = tuple(order[rotation:] + order[:rotation])
        jobs.append(
            Job(
                number=first_number + rotation,
                deal=deal,
                entrants=entrants,
                players=tuple(players[entrant] for entrant in entrants),
                seed=derived_seed(seed, "deal", deal),
                player_seeds=tuple(derived_seed(seed, "player", deal, rotation, entrant) for entrant in entrants),
                conditions=conditions,
            )
        )
    return jobs


def derived_seed(seed: int, *path: object) -> int:
    """A seed for one purpose, independent of those for others.

    >>> derived_seed(1, "deal", 0) == derived_seed(1, "deal", 0) != derived_seed(1, "deal", 1)
    True
    """
    text = "/".join(str(part) for part in (seed, *path))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])  # exact in every JSON reader


def names_of(players: Sequence[str]) -> list[str]:
    """A name for each entrant; who enters twice is numbered.

    >>> names_of(["greedy", "random", "greedy"])
    ['greedy', 'random', 'greedy #2']
    """
    names: list[str] = []
    for place, player in enumerate(players):
        earlier = list(players[:place]).count(player)
        names.append(player if not earlier else f"{player} #{earlier + 1}")
    return names
