"""A tournament between players of this package and a bot of one's own; prints a table and keeps all games.

python examples/tournament.py [deals]
"""

import sys
from pathlib import Path

from rich.console import Console

from splendor.arena import Conditions, play_tournament
from splendor.arena.records import Records
from splendor.arena.report import tournament_table
from splendor.arena.workers import Workers, all_cores

HERE = Path(__file__).parent
PLAYERS = ["random", "greedy", "search:simulations=200", f"engine:{sys.executable} {HERE / 'ten_line_bot.py'}"]


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    records = Records(Path("tournament-games"))
    result = play_tournament(
        PLAYERS,
        deals=deals,
        seed=2026,
        seats=2,
        conditions=Conditions(round_cap=100, keep_records=True),
        crew=Workers(all_cores()),
        watch=records.keep,
    )
    Console().print(tournament_table(result))


if __name__ == "__main__":  # the workers import this file, too
    main()
