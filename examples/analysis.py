"""Which cards win games? What is the first seat worth? How long is a game? Answers with plots, from self-play.

    python examples/analysis.py --games 400 --player greedy --output plots/

Written to be read from top to bottom like a notebook. Without matplotlib the numbers are printed and no plots drawn.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from splendor import Game
from splendor.core.components import CARDS
from splendor.game.board import format_card
from splendor.players import load

PLAYERS = (2, 3, 4)


def play(players: int, seed: int, spec: str) -> Game:
    """A game of a player against itself."""
    game = Game(players, seed=seed, round_cap=100)
    seats = [load(spec, seed=seed * players + seat) for seat in range(players)]
    while not game.is_over:
        game.play(seats[game.seat].choose(game.view(game.seat)))
    return game


def interval(share: float, count: int) -> float:
    """Half the width of a 95 % interval for a share."""
    return 1.96 * float(np.sqrt(share * (1 - share) / max(count, 1)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=400, help="for each number of players")
    parser.add_argument("--player", default="greedy:noise=0.3")
    parser.add_argument("--output", type=Path, default=Path("plots"))
    options = parser.parse_args()

    # --- Play -----------------------------------------------------------------------------------------------------
    games = {n: [play(n, seed, options.player) for seed in range(options.games)] for n in PLAYERS}

    # --- Seat advantage: how much of the win each seat gets -------------------------------------------------------
    shares = {}
    for players, played in games.items():
        won = np.zeros(players)
        for game in played:
            won += game.win_shares
        shares[players] = won / len(played)
        words = ", ".join(f"seat {seat} {share:.1%}" for seat, share in enumerate(shares[players]))
        print(f"{players} players: {words} (± {interval(1 / players, len(played)):.1%}, fair is {1 / players:.1%})")

    # --- Game length ----------------------------------------------------------------------------------------------
    rounds = {players: np.array([game.round for game in played]) for players, played in games.items()}
    for players, lengths in rounds.items():
        print(f"{players} players: {lengths.mean():.1f} rounds on average, from {lengths.min()} to {lengths.max()}")

    # --- Which cards win games: how often the buyer of a card wins, in games of two -------------------------------
    bought, won_with = np.zeros(CARDS), np.zeros(CARDS)
    for game in games[2]:
        for seat in range(2):
            for card in game.bought(seat):
                bought[card.id - 1] += 1
                won_with[card.id - 1] += game.win_shares[seat]
    rate = np.divide(won_with, bought, out=np.full(CARDS, np.nan), where=bought > 0)
    often = np.flatnonzero(bought >= min(20, bought.max()))
    best = often[np.argsort(rate[often])][::-1]
    print("cards whose buyers won most often (bonus and points, cost), in games of two:")
    for card in best[:8]:
        error = interval(rate[card], int(bought[card]))
        print(f"  {format_card(int(card)):<16} {rate[card]:.0%} ± {error:.0%} of {bought[card]:.0f} buyers")
    print("  (an interval is for one card; the best of ninety look better than they are, so take many games)")

    # --- Plots ----------------------------------------------------------------------------------------------------
    try:
        import matplotlib as mpl
    except ImportError:
        print("matplotlib is not installed, so there are no plots")
        return
    mpl.use("Agg")
    from matplotlib import pyplot

    figure, (seats, lengths_plot, cards) = pyplot.subplots(1, 3, figsize=(15, 4.5))
    for players, share in shares.items():
        error = interval(1 / players, len(games[players]))
        seats.errorbar(range(players), share * players, yerr=error * players, marker="o", label=f"{players} players")
    seats.axhline(1, color="gray", linewidth=0.8)
    seats.set(
        title="Seat advantage", xlabel="seat, in turn order", ylabel="share of the win, fair = 1", xticks=range(4)
    )
    seats.legend()
    for players, lengths in rounds.items():
        lengths_plot.hist(lengths, bins=range(10, 60), histtype="step", density=True, label=f"{players} players")
    lengths_plot.set(title="Game length", xlabel="rounds", ylabel="share of the games")
    lengths_plot.legend()
    level = np.digitize(np.arange(CARDS), [40, 70])
    for number, color in enumerate(("tab:green", "tab:orange", "tab:blue")):
        mine = level == number
        cards.scatter(bought[mine] / len(games[2]), rate[mine], color=color, label=f"level {number + 1}")
    cards.axhline(0.5, color="gray", linewidth=0.8)
    cards.set(title="Cards, two players", xlabel="bought, times a game", ylabel="how often its buyer wins")
    cards.legend()
    figure.suptitle(f"{options.player} against itself, {options.games} games each")
    figure.tight_layout()
    options.output.mkdir(parents=True, exist_ok=True)
    figure.savefig(options.output / "analysis.png", dpi=120)
    print(f"the plots are in {options.output / 'analysis.png'}")


if __name__ == "__main__":
    main()
