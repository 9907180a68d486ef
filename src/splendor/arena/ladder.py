"""The ladder: all levels in order, at tables of two, three and four, as a page of Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from splendor.arena.intervals import Interval
from splendor.arena.tournament import TournamentResult


def ladder_page(tournaments: Sequence[TournamentResult], command: str) -> str:
    """The text of `docs/ladder.md`: a table for each number of seats, the weakest player first."""
    parts = [
        "# The ladder",
        "",
        "Every group of players met with rotated seats and the same deals. A rating is openskill's, 25 for an average",
        "player of that table; error bars and brackets are 95 % confidence over deals. *Before the previous* is",
        "how often a player is placed before the one above it in the table when both play; level counts half.",
        "Rounds are the mean length of all games of the player.",
        "",
        "Made by",
        "",
        f"    {command}",
    ]
    for tournament in tournaments:
        parts += ["", f"## {tournament.seats} players", "", *ladder_table(tournament)]
    return "\n".join(parts) + "\n"


def ladder_table(tournament: TournamentResult) -> list[str]:
    """The lines of a Markdown table."""
    lines = [
        f"{tournament.games:,} games, seed {tournament.seed}. Share of the win by seat: "
        + ", ".join(map(in_percent, tournament.scoreboard.seat_shares(tournament.seats)))
        + ".",
        "",
        "| player | rating | share of the win | before the previous | rounds |",
        "|:--|--:|--:|--:|--:|",
    ]
    for entrant, player in enumerate(tournament.players):
        previous = player.against[entrant - 1] if entrant else None
        lines.append(
            f"| {player.name} | {player.rating.value:.1f} ± {player.rating.error:.1f} | {in_percent(player.share)} "
            f"| {'–' if previous is None else in_percent(previous)} | {player.rounds:.1f} |"
        )
    return lines


def in_percent(interval: Interval) -> str:
    """An interval for reading.

    >>> in_percent(Interval(0.75, 0.7, 0.79))
    '75.0 % (70.0–79.0)'
    """
    return f"{interval.value:.1%} ({100 * interval.low:.1f}–{100 * interval.high:.1f})".replace("%", " %")
