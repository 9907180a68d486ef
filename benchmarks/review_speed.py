"""How long a review takes: the curve, luck, *quick* and *normal* for a game of two, on one core and with threads.

    python benchmarks/review_speed.py --efforts quick normal --threads 1 2 --write

The game has 56 turns. Seconds of the processor are told beside those of the clock: on a busy machine only these can be
compared. One evaluation of the network is timed in the same run.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from results import machine, write_section

from splendor import Game
from splendor.analysis import Review, review
from splendor.analysis.model import EFFORTS
from splendor.core.features import OBSERVATION_SIZE
from splendor.network.network import load_network
from splendor.players import load

TURNS = 56
EVALUATIONS = 300


def game_of(turns: int) -> Game:
    """A game of the master against the artisan, as far as it has so many turns."""
    seed = 1
    while True:
        game, players = Game(2, seed=seed), [load("master", seed=seed), load("artisan", seed=seed)]
        while not game.is_over and len(game.moves) < turns:
            game.play(players[game.seat].choose(game.view(game.seat)))
        if len(game.moves) == turns:
            return game
        seed += 1


def evaluation_seconds() -> float:
    """One evaluation of one position, in seconds of the processor."""
    network, seen = load_network(), np.zeros((1, OBSERVATION_SIZE), np.int8)
    seen[0, 0] = 1
    network.rate(seen)
    began = time.process_time()
    for _ in range(EVALUATIONS):
        network.rate(seen)
    return (time.process_time() - began) / EVALUATIONS


def measure(game: Game, effort: str, threads: int) -> list[str]:
    """The rows of one review."""
    marks: list[tuple[float, float]] = []
    began, worked = time.monotonic(), time.process_time()

    def watch(_: Review) -> None:
        marks.append((time.monotonic() - began, time.process_time() - worked))

    found = review(game, effort, seed=1, threads=threads, progress=watch)  # type: ignore[arg-type]
    marks.append((time.monotonic() - began, time.process_time() - worked))
    spent = sum(turn.simulations for turn in found.turns) / len(found.turns)
    names = {"curve": marks[0], "curve and luck": marks[1], f"{effort}, {spent:.0f} simulations a decision": marks[-1]}
    return [f"| {name} | {threads} | {clock:.2f} | {work:.2f} |" for name, (clock, work) in names.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--efforts", nargs="+", default=["quick", "normal"], choices=EFFORTS[1:])
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    game = game_of(TURNS)
    review(game_of(2), "quick")  # compile
    rows = [f"One evaluation of the network: {1000 * evaluation_seconds():.2f} ms of the processor.", ""]
    rows += ["| what | threads | s | s of the processor |", "|:--|--:|--:|--:|"]
    for threads in options.threads:
        for effort in options.efforts:
            rows += measure(game, effort, threads)
    command = f"python benchmarks/review_speed.py --efforts {' '.join(options.efforts)}"
    text = "\n".join([f"`{command}`, {machine()}. A game of two with {TURNS} turns.", "", *rows])
    print(text)
    if options.write:
        write_section("Reviews", text)


if __name__ == "__main__":
    main()
