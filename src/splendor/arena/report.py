"""Results for reading in a terminal."""

from __future__ import annotations

from rich.table import Table

from splendor.arena.ladder import in_percent
from splendor.arena.match import MatchResult
from splendor.arena.tournament import TournamentResult


def match_table(result: MatchResult) -> Table:
    """The players of a match with their shares."""
    table = Table(title=f"{result.games} games, {result.scoreboard.rounds():.1f} rounds on average, seed {result.seed}")
    table.add_column("player", overflow="fold")  # a command may be long; figures keep their width
    is_adjusted = any(player.adjusted is not None for player in result.players)
    for heading in ("share of the win", *(["freed of luck"] if is_adjusted else []), "rating", "forfeits"):
        table.add_column(heading, justify="right", no_wrap=True)
    for player in result.players:
        rating = f"{player.rating.value:.1f} ± {player.rating.error:.1f}"
        adjusted = [] if player.adjusted is None else [in_percent(player.adjusted)]
        table.add_row(player.name, in_percent(player.share), *adjusted, rating, str(player.forfeits or ""))
    table.caption = "by seat: " + ", ".join(map(in_percent, result.scoreboard.seat_shares(len(result.players))))
    return table


def tournament_table(result: TournamentResult) -> Table:
    """The players of a tournament, the best first, with how often each is placed before the others."""
    table = Table(title=f"{result.games} games at tables of {result.seats}, seed {result.seed}")
    table.add_column("player", overflow="fold")  # a command may be long; figures keep their width
    order = sorted(range(len(result.players)), key=lambda entrant: -result.players[entrant].rating.value)
    for heading in ("rating", "share of the win", "rounds", *(str(place + 1) for place in range(len(order)))):
        table.add_column(heading, justify="right", no_wrap=True)
    for place, entrant in enumerate(order):
        player = result.players[entrant]
        against = [player.against[other] for other in order]
        table.add_row(
            f"{place + 1} {player.name}",
            f"{player.rating.value:.1f} ± {player.rating.error:.1f}",
            in_percent(player.share),
            f"{player.rounds:.1f}",
            *("" if ahead is None else f"{100 * ahead.value:.0f}" for ahead in against),
        )
    return table
