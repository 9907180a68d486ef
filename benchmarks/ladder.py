"""`docs/ladder.md`: how strong the levels and the network are, section by section.

    python benchmarks/ladder.py levels --deals 24     # the ladder at tables of 2, 3 and 4
    python benchmarks/ladder.py matches               # each level in one seat against the one before in the others
    python benchmarks/ladder.py network               # the network against others and with more simulations
    python benchmarks/ladder.py network --effort 0.1  # with a tenth of the games

Each puts its sections into the page, in the place of the old ones. The same seed plays the same games, unless a player
is limited by time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import NamedTuple

from results import machine, write_section

from splendor.arena.dispatch import Alone, Crew
from splendor.arena.ladder import in_percent, ladder_table
from splendor.arena.match import MatchResult, play_match
from splendor.arena.tournament import play_tournament
from splendor.arena.workers import Workers
from splendor.game.game import Game
from splendor.players import LEVELS, load

PAGE = Path(__file__).parents[1] / "docs" / "ladder.md"
COMMAND = "python benchmarks/ladder.py"
TIMED_GAMES = 3


class Meeting(NamedTuple):
    """The first player takes one seat, the others the rest."""

    players: tuple[str, ...]
    games: int


SEARCH = "search:time=0.3"
NETWORK = [
    Meeting(("network", "greedy"), 1000),
    Meeting(("network", "search:simulations=5000"), 200),
    Meeting(("network", SEARCH), 100),
    Meeting(("network", SEARCH, SEARCH), 60),
    Meeting(("network", SEARCH, SEARCH, SEARCH), 60),
    Meeting(("network:simulations=50", "network"), 200),
    Meeting(("network:simulations=400", "network"), 200),
    Meeting(("network:simulations=3200", "network:simulations=400"), 60),
]
MATCHES = [  # the grandmaster thinks for up to two seconds
    Meeting((level, *[before] * (seats - 1)), 100 if level == "grandmaster" else 400)
    for seats in (2, 3, 4)
    for before, level in pairwise(["random", *LEVELS])
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("levels", "matches", "network"))
    parser.add_argument("--deals", type=int, default=24, help="of the ladder, for each group")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], help="at a table")
    parser.add_argument("--effort", type=float, default=1.0, help="multiplies the games of the matches")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="processes; 0 plays in this one")
    options = parser.parse_args()

    def new_crew() -> Crew:
        return Workers(options.workers) if options.workers else Alone()

    if options.part == "levels":
        write_levels(options.players, options.deals, options.seed, new_crew)
        return
    chosen = [meeting for meeting in MATCHES if len(meeting.players) in options.players]
    meetings = chosen if options.part == "matches" else NETWORK
    rows = [
        row_of(meeting.players, max(2, round(meeting.games * options.effort)), options.seed, new_crew)
        for meeting in meetings
    ]
    tables = f" --players {' '.join(map(str, options.players))}" if options.part == "matches" else ""
    arguments = f"{options.part}{tables} --effort {options.effort:g} --seed {options.seed}"
    made = f"`{COMMAND} {arguments}`, {machine()}. Seats rotate; brackets are 95 % confidence."
    head = ["| player | against | share of the win | even | games |", "|:--|:--|--:|--:|--:|"]
    parts = [made, "\n".join(head + rows)]
    if options.part == "network":
        parts.append(speed_table())
    title = "Longer matches" if options.part == "matches" else "The network"
    write_section(title, "\n\n".join(parts), PAGE)


def write_levels(players: list[int], deals: int, seed: int, new_crew: Callable[[], Crew]) -> None:
    """The tables that `splendor ladder` prints."""
    for seats in players:
        result = play_tournament(["random", *LEVELS], deals, seed, seats=seats, crew=new_crew())
        made = f"`{COMMAND} levels --players {seats} --deals {deals} --seed {seed}`\n\n"
        write_section(f"{seats} players", made + "\n".join(ladder_table(result)), PAGE)


def row_of(players: tuple[str, ...], games: int, seed: int, new_crew: Callable[[], Crew]) -> str:
    """One match as a line; the command that plays it again is `splendor match PLAYERS --games --seed`."""
    result = play_match(players, games, seed, crew=new_crew())
    refuse_forfeits(result)
    first, *others = players
    against = f"`{others[0]}`" + (f" in {len(others)} seats" if len(others) > 1 else "")
    share = in_percent(result.players[0].share)
    row = f"| `{first}` | {against} | {share} | {100 / len(players):.0f} % | {games} |"
    print(row, flush=True)
    return row


def refuse_forfeits(result: MatchResult) -> None:
    """Nobody may have crashed or moved against the rules."""
    lost = result.to_json()["forfeits"]
    if lost:
        raise RuntimeError(f"forfeits: {lost}")


def speed_table() -> str:
    """Milliseconds a move, over whole games against itself in this process."""
    lines = ["| simulations | ms a move, mean | longest |", "|--:|--:|--:|"]
    for simulations in (0, 50, 400, 3200):
        took = sorted(thinking_times(f"network:simulations={simulations}"))
        lines.append(f"| {simulations} | {1000 * fmean(took):.1f} | {1000 * took[-1]:.1f} |")
    return "\n".join(["One core, whole games of two:", "", *lines])


def thinking_times(spec: str) -> list[float]:
    load(spec, seed=0).choose(Game(players=2, seed=0).view(0))  # so that all is compiled
    took = []
    for seed in range(TIMED_GAMES):
        game = Game(players=2, seed=seed)
        players = [load(spec, seed=seed + seat) for seat in range(2)]
        while not game.is_over:
            view = game.view(game.seat)
            began = perf_counter()
            move = players[game.seat].choose(view)
            took.append(perf_counter() - began)
            game.play(move)
    return took


if __name__ == "__main__":
    main()
