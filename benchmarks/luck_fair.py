"""Is luck fair? Its mean by seat, deck and kind of reveal over many thousands of games; `docs/findings.md`.

    python benchmarks/luck_fair.py --games 10000 5000 5000 --keep fair.jsonl --write

Luck is fair if the cards that are enumerated are the cards that could have come, each with the same chance. For that
it does not matter how well the games are played, but how many there are. So the light policy of the search plays them.
Each reveal is looked at with the same small chance, which nothing that comes later can change, and is compared with a
few of the other cards that could have come. Both leave the mean of luck as it is, and make its error larger.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from luck import KINDS, compared, table
from results import write_section

from splendor.analysis.luck import Draw
from splendor.analysis.value import PositionValue, package_value
from splendor.core import rules
from splendor.core.actions import ACTIONS
from splendor.core.chance import new_rng
from splendor.core.components import CARD_LEVEL, LEVELS, MAX_PLAYERS
from splendor.core.state import State, copy_state, new_states
from splendor.search.kernel.policy import PAPER, likely_decision
from splendor.search.kernel.weights import POLICY

PAGE = Path(__file__).parents[1] / "docs" / "findings.md"
FIRST_SEED = 1 << 43
ROUND_CAP = 100
NOISE = 1.0  # of the light policy
CHANCE = {"market": 1 / 40, "hand": 1 / 2}  # that a reveal is looked at
CARDS = 3  # that it is compared with
TOGETHER = 250  # games whose reveals are rated together


class Luck(NamedTuple):
    """Of one reveal."""

    players: int
    game: int
    level: int
    kind: str
    seat: int  # that drew
    gained: list[float]  # [seat]


def reveals_of(players: int, seed: int, chance: np.random.Generator) -> Iterator[Draw]:
    """Play a game, and look at some of its reveals."""
    states, rng = new_states(1), new_rng(seed)
    state: State = states[0]
    rules.setup(state, players, 0, ROUND_CAP, rng)
    ratings, row = np.zeros(ACTIONS), np.zeros(PAPER)
    while not rules.is_over(state):
        action = int(likely_decision(state, NOISE, rng, POLICY, ratings, row))
        level, seat = int(rules.drawn_level(state, action)), int(state.seat)
        card = int(rules.top_card(state, level)) if level < LEVELS else None
        rules.apply(state, action)
        if card is not None:
            draw = Draw(0, seat, card, state)
            if chance.random() < CHANCE[draw.kind]:
                yield draw._replace(after=copy_state(state))


def measure(players: int, games: range, value: PositionValue) -> list[Luck]:
    """The luck of some reveals of these games."""
    chance = np.random.default_rng([players, games.start])
    found = [(game, draw) for game in games for draw in reveals_of(players, FIRST_SEED + game, chance)]
    told = compared([draw for _, draw in found], value, CARDS, chance).estimates()
    return [
        Luck(players, game, int(CARD_LEVEL[draw.card]), draw.kind, draw.seat, one.luck[:players].tolist())
        for (game, draw), one in zip(found, told, strict=True)
    ]


def mean_of(parts: dict[int, list[float]]) -> str:
    """A mean in percentage points with twice its standard error, by the numbers of each game."""
    sums = np.array([sum(numbers) for numbers in parts.values()])
    counts = np.array([len(numbers) for numbers in parts.values()])
    mean = sums.sum() / counts.sum()
    error = np.sqrt(((sums - mean * counts) ** 2).sum()) / counts.sum()
    return f"{100 * mean:+.3f} ± {200 * error:.3f}"


def by_game(lucks: list[Luck], seat: int | None = None) -> str:
    """The mean luck of a seat, or of those that drew."""
    parts: dict[int, list[float]] = defaultdict(list)
    for one in lucks:
        parts[one.game * MAX_PLAYERS + one.players - 1].append(one.gained[one.seat if seat is None else seat])
    return mean_of(parts) if parts else "–"


def tables(lucks: list[Luck], games: dict[int, int]) -> str:
    """By seat, and by deck and kind."""
    seats = []
    for players in sorted(games):
        of_these = [one for one in lucks if one.players == players]
        means = [by_game(of_these, seat) if seat < players else "–" for seat in range(MAX_PLAYERS)]
        seats.append([f"{players} players", *means, str(len(of_these)), str(games[players])])
    decks = []
    for level in range(LEVELS):
        for kind in KINDS:
            of_these = [one for one in lucks if (one.level, one.kind) == (level, kind)]
            decks.append([f"level {level + 1}, to the {kind}", by_game(of_these), str(len(of_these))])
    return "\n\n".join(
        [
            table(["mean luck of a card, pp", "first", "second", "third", "fourth", "cards", "games"], seats),
            table(["deck and where the card goes", "mean luck of a card for who drew it, pp", "cards"], decks),
        ]
    )


NOTE = """± is two standard errors; games count as independent. Played by the light policy of the search; a card that
goes to the market is looked at with a chance of 1 in 40, one that goes to a hand with 1 in 2, and compared with three
others that could have come, drawn at random. That leaves means as they are. Made by

    python benchmarks/luck_fair.py --games {games} --keep FILE --write"""


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, nargs=3, default=[10_000, 5_000, 5_000], help="of 2, 3 and 4 players")
    parser.add_argument("--keep", type=Path, required=True, help="what was found; a later run goes on from there")
    parser.add_argument("--write", action="store_true", help="into the page")
    options = parser.parse_args()
    value = PositionValue(package_value().critic, remembered=0)
    lines = [json.loads(line) for line in options.keep.read_text().splitlines()] if options.keep.exists() else []
    done = {(line["players"], line["first"]): line["lucks"] for line in lines}
    parts = [(players, first) for players, games in enumerate(options.games, 2) for first in range(0, games, TOGETHER)]
    for players, first in sorted(parts, key=lambda part: (part[1] / options.games[part[0] - 2], part[0])):
        if (players, first) not in done:
            done[players, first] = [[*one] for one in measure(players, range(first, first + TOGETHER), value)]
            with options.keep.open("a", encoding="utf-8") as file:
                line = {"players": players, "first": first, "lucks": done[players, first]}
                file.write(json.dumps(line) + "\n")
    lucks = [Luck(*one) for part in parts for one in done[part]]
    text = (
        f"{NOTE.format(games=' '.join(map(str, options.games)))}\n\n{tables(lucks, dict(enumerate(options.games, 2)))}"
    )
    print(text)
    if options.write:
        write_section("Is luck fair?", text, PAGE)


if __name__ == "__main__":
    main()
