"""How fast the engine for browsers is, beside the same code for this processor: python benchmarks/browser.py

Both take turns, round by round, so that whatever else the machine does meets both. The best round of each counts.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

import hatch_build

from splendor import Game
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.state import new_states
from splendor.many.batch import Batch
from splendor.network import load_network
from splendor.players import load
from splendor.search import Search
from splendor.search.kernel.judgement import observe_deciders

GAMES, SIMULATIONS = 500, 1000
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 40


def middle_of_a_game(players: int) -> Game:
    """After ten rounds of greedy play."""
    game, seats = Game(players=players, seed=1), [load("greedy", seed=seat) for seat in range(players)]
    while game.round <= 10:
        game.play(seats[game.seat].choose(game.view(game.seat)))
    return game


class Node:
    """The other side, which answers with seconds."""

    def __init__(self) -> None:
        command = [hatch_build.node_and_npm()[0], "--disable-warning=ExperimentalWarning"]
        program = str(Path(__file__).with_suffix(".ts"))
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([*command, program, str(hatch_build.ENGINE)], **pipes)

    def ask(self, question: str) -> float:
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def best(node: Node, question: str, native: Callable[[], float]) -> tuple[float, float]:
    """The best round of this processor and of WebAssembly, in seconds."""
    native(), node.ask(question)  # compiled and warm
    rounds = [(native(), node.ask(question)) for _ in range(ROUNDS)]
    return min(n for n, _ in rounds), min(w for _, w in rounds)


def main() -> None:
    hatch_build.build_engine()
    node, network = Node(), load_network()
    print("| what | native | WebAssembly | ratio |\n|---|---|---|---|")
    for players in (2, 4):
        batch = Batch(games=GAMES, players=players, threads=1)

        def play(batch: Batch = batch) -> float:
            return timed(lambda: (batch.reset(np.arange(GAMES, dtype=np.uint64)), batch.playout()))

        batch.reset(np.arange(GAMES, dtype=np.uint64))
        decisions = int(batch.playout().sum())
        ours, theirs = best(node, f"playouts {players}", play)
        rates = f"{decisions / ours / 1e6:.1f} M/s | {decisions / theirs / 1e6:.1f} M/s"
        print(f"| playouts, {players} players, decisions | {rates} | {ours / theirs:.0%} |")
    for players in (2, 4):
        game = middle_of_a_game(players)
        view = game.view(game.seat)

        def think(view: object = view) -> float:
            search = Search(view, seed=1, nodes=1 << 15)
            return timed(lambda: search._simulate(SIMULATIONS))

        ours, theirs = best(node, f"search {game.position}", think)
        rates = f"{SIMULATIONS / ours:,.0f}/s | {SIMULATIONS / theirs:,.0f}/s"
        print(f"| search with rollouts, {players} players, simulations | {rates} | {ours / theirs:.0%} |")
    for players in (2, 3, 4):
        game = middle_of_a_game(players)
        states, row = new_states(1), np.zeros((1, OBSERVATION_SIZE), np.int8)
        states[0] = game.view(game.seat).state
        observe_deciders(states, 1, named(row))
        ours, theirs = best(node, f"network {game.position}", lambda row=row: timed(lambda: network.rate(row)))
        times = f"{ours * 1e3:.2f} ms | {theirs * 1e3:.2f} ms"
        print(f"| network, {players} players, a position | {times} | {ours / theirs:.0%} |")
    start = min(node.ask("start") for _ in range(ROUNDS))
    print(f"\nstart of the rules: {start * 1e3:.1f} ms; memory with two trees: {node.ask('memory'):.0f} MB")
    print("bytes, and after gzip:")
    for file in ("rules.wasm", "network.wasm", "network.bin"):
        content = (hatch_build.ENGINE / file).read_bytes()
        print(f"  {file}: {len(content):,} → {len(gzip.compress(content, 9)):,}")
    node.process.stdin.close()
    node.process.wait()


if __name__ == "__main__":
    main()
