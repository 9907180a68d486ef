"""What strong play says about Splendor: the tables and plots of `docs/findings.md`.

    python benchmarks/findings.py --games 3000 --write

Plays so many games for each number of players, a network that ships with the package against itself, every decision
the one it likes best, and prints the tables as Markdown; `--write` puts them into the page, and the plots beside it.
What they mean is written by hand, at the head of the page. `--network FILE` takes another network. The deals follow
from the seed, so two runs print the same.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from plot import Line, line_plot
from results import write_section

from splendor.core.actions import (
    ACTIONS,
    BUY_MARKET,
    BUY_RESERVED,
    PASS,
    RESERVE_DECK,
    RESERVE_MARKET,
    RETURN_TOKEN,
    TAKE_PAIR,
    TAKE_TWO_DIFFERENT,
)
from splendor.core.afterstates import look_at_games
from splendor.core.components import (
    CARD_BONUS,
    CARD_COST,
    CARD_LEVEL,
    CARD_POINTS,
    CARDS,
    COLORS,
    NOBLE_COST,
    NOBLES,
)
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.state import bought_cards, new_states
from splendor.many.batch import Batch
from splendor.network.action_values import ActionValues
from splendor.network.network import Network, load_network
from splendor.notation.moves import LETTERS

PAGE = Path(__file__).parents[1] / "docs" / "findings.md"
LUCK_ROUNDS = (1, 5, 10, 15, 20, 25)
LOCKSTEP = 256  # games side by side
CLOSE = 0.01  # of the win: a decision that costs no more than this is as right as the best
ROUND_CAP = 200
Z95 = 1.96

# The kinds of turn, by the action each begins with.
KINDS = {
    "take three different": range(TAKE_TWO_DIFFERENT),
    "take fewer different": range(TAKE_TWO_DIFFERENT, TAKE_PAIR),
    "take a pair": range(TAKE_PAIR, RESERVE_MARKET),
    "reserve from the market": range(RESERVE_MARKET, RESERVE_DECK),
    "reserve from a deck": range(RESERVE_DECK, BUY_MARKET),
    "buy from the market": range(BUY_MARKET, BUY_RESERVED),
    "buy a reserved card": range(BUY_RESERVED, PASS),
    "pass, there being nothing else": range(PASS, RETURN_TOKEN),
}
KIND_OF = np.full(ACTIONS, -1)
for _number, _actions in enumerate(KINDS.values()):
    KIND_OF[list(_actions)] = _number

Floats = NDArray[np.float64]


@dataclass
class Played:
    """Many games of one number of players. Decisions are those that begin a turn, in any order."""

    players: int
    shares: Floats  # of the win                                        [game, seat]
    points: NDArray[np.int64]  #                                        [game, seat]
    rounds: NDArray[np.int64]  #                                        [game]
    buys: NDArray[np.bool_]  # who has bought which card                [game, seat, card]
    visits: NDArray[np.int64]  # whom the nobles visited; -1: nobody    [game, noble]
    dealt: NDArray[np.bool_]  # which nobles were on the table          [game, noble]
    game: NDArray[np.int64]  # of each decision                         [decision]
    seat: NDArray[np.int64]
    round: NDArray[np.int64]
    action: NDArray[np.int64]
    worth: Floats  # the best decision of each kind; nan: none is legal [decision, kind]

    @property
    def best(self) -> Floats:
        """What the decider could expect  [decision]."""
        return np.nanmax(self.worth, axis=1)


def play(sight: ActionValues, players: int, count: int, seed: int) -> Played:
    """Play `count` games in lock-step."""
    parts = [
        play_together(sight, players, min(LOCKSTEP, count - first), seed + first) for first in range(0, count, LOCKSTEP)
    ]
    offsets = np.cumsum([0, *(len(part.rounds) for part in parts[:-1])])
    for part, offset in zip(parts, offsets, strict=True):
        part.game += offset
    names = [name for name in Played.__dataclass_fields__ if name != "players"]
    return Played(players, *(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def play_together(sight: ActionValues, players: int, count: int, seed: int) -> Played:
    """The games of one lock-step."""
    batch = Batch(count, players, seed=seed, round_cap=ROUND_CAP)
    views = new_states(count)
    masks = np.zeros((count, ACTIONS), np.bool_)
    seats, rounds = np.zeros(count, np.int64), np.zeros(count, np.int64)
    seen = named(np.zeros((count, OBSERVATION_SIZE), np.int8))
    turns: list[tuple[NDArray[np.int64], ...]] = []
    worths: list[Floats] = []
    while True:
        look_at_games(0, count, batch.states, views, masks, seats, rounds, seen)
        worth = sight.of_many(views, masks)
        if not masks.any():
            break
        actions = worth.argmax(axis=1)
        begins = np.flatnonzero(masks[:, :RETURN_TOKEN].any(axis=1))
        turns.append((begins, seats[begins], rounds[begins], actions[begins]))
        worths.append(best_of_kinds(worth[begins]))
        batch.step(actions)
    columns = [np.concatenate(column) for column in zip(*turns, strict=True)]
    return Played(players, *results(batch, rounds), *columns, np.concatenate(worths))


def best_of_kinds(worth: Floats) -> Floats:
    best = np.stack([worth[:, list(actions)].max(axis=1) for actions in KINDS.values()], axis=1)
    return np.where(best < 0, np.nan, best)


def results(batch: Batch, rounds: NDArray[np.int64]) -> tuple[NDArray[np.generic], ...]:
    """What is known when all games are over."""
    count, players = len(rounds), batch.players
    buys = np.zeros((count, players, CARDS), np.bool_)
    visits, dealt = np.full((count, NOBLES), -1), np.zeros((count, NOBLES), np.bool_)
    for game, state in enumerate(batch.states):
        for seat in range(players):
            buys[game, seat, bought_cards(state, seat)] = True
        for place in range(players + 1):
            noble, owner = int(state.nobles[place]), int(state.noble_seat[place])
            dealt[game, noble] = True
            visits[game, noble] = owner if 0 <= owner < players else -1
    points = batch.states["points"][:, :players].astype(np.int64)
    return batch.shares[:, :players].astype(np.float64), points, rounds.copy(), buys, visits, dealt


# --------------------------------------------------------------------------------------------------- tables


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def percent(values: Floats) -> str:
    """A mean of shares with its 95 % interval."""
    if not len(values):
        return "–"
    return f"{100 * values.mean():.1f} ± {100 * Z95 * values.std() / np.sqrt(len(values)):.1f}"


def seat_table(all_played: list[Played]) -> str:
    """The share of the win of each seat."""
    rows = []
    for played in all_played:
        shares = [percent(played.shares[:, seat]) for seat in range(played.players)]
        rows.append([f"{played.players} players", *shares, *["–"] * (4 - played.players), str(len(played.rounds))])
    return table(["% of the wins", "first", "second", "third", "fourth", "games"], rows)


def length_table(all_played: list[Played]) -> str:
    """How long games last and how they end."""
    rows = []
    for played in all_played:
        low, middle, high = np.percentile(played.rounds, [5, 50, 95])
        winners = np.where(played.shares == played.shares.max(axis=1, keepdims=True), played.points, 0).max(axis=1)
        cards = played.buys.sum(axis=2)[played.shares > 0]
        rows.append(
            [
                f"{played.players} players",
                f"{played.rounds.mean():.1f} ± {Z95 * played.rounds.std() / np.sqrt(len(played.rounds)):.1f}",
                f"{low:.0f}–{middle:.0f}–{high:.0f}",
                f"{winners.mean():.1f}",
                f"{cards.mean():.1f}",
                f"{100 * ((played.visits >= 0).sum(axis=1) / played.dealt.sum(axis=1)).mean():.0f} %",
            ]
        )
    return table(["", "rounds", "5–50–95 %", "winner's points", "winner's cards", "nobles that came"], rows)


def card_table(played: Played, values: Floats) -> str:
    """The cards that are worth most and least as a gift before the game, by level."""
    bought = played.buys.any(axis=1).mean(axis=0)
    rows = []
    for level in range(3):
        cards = np.flatnonzero(CARD_LEVEL[:CARDS] == level)
        order = cards[np.argsort(-values[cards])]
        for card in [*order[:5], *order[-3:]]:
            cost = "".join(LETTERS[c] * n for c, n in enumerate(CARD_COST[card]))
            rows.append(
                [
                    f"{level + 1} · {COLORS[CARD_BONUS[card]]} {CARD_POINTS[card]} · {cost}",
                    f"{100 * values[card]:+.1f}",
                    f"{100 * bought[card]:.0f} %",
                    buyer_share(played, card),
                ]
            )
    return table(["level · bonus points · cost", "gift, % of the win", "bought in", "buyer wins"], rows)


def buyer_share(played: Played, card: int) -> str:
    return percent(played.shares[played.buys[:, :, card]])


def noble_table(played: Played) -> str:
    """How often each noble comes, and how whoever gets it fares."""
    rows = []
    for noble in range(NOBLES):
        came = played.visits[:, noble]
        games = np.flatnonzero(came >= 0)
        shares = played.shares[games, came[games]]
        cost = ", ".join(f"{n} {COLORS[c]}" for c, n in enumerate(NOBLE_COST[noble]) if n)
        rows.append([cost, f"{100 * len(games) / max(played.dealt[:, noble].sum(), 1):.0f} %", percent(shares)])
    rows.sort(key=lambda row: -float(row[1].split()[0]))
    return table(["noble", "comes in", "its host wins"], rows)


def action_table(played: Played) -> str:
    """What is played, how often it is possible, and how often as right as the best."""
    rows = []
    kinds = KIND_OF[played.action]
    loss = played.best[:, None] - played.worth
    thirds = np.minimum(3 * (played.round - 1) // np.maximum(played.rounds[played.game], 1), 2)
    for number, name in enumerate(KINDS):
        possible = ~np.isnan(loss[:, number])
        is_right = loss[possible, number] <= CLOSE
        rows.append(
            [
                name,
                f"{100 * (kinds == number).mean():.1f} %",
                *(f"{100 * (kinds[thirds == third] == number).mean():.0f} %" for third in range(3)),
                f"{100 * is_right.mean():.0f} %" if len(is_right) else "–",
                f"{100 * np.mean(loss[possible, number]):.1f}" if len(is_right) else "–",
            ]
        )
    head = ["turn", "played", "early", "middle", "late", "right when possible", "costs on average, %"]
    return table(head, rows)


def opening_table(played: Played) -> str:
    """The first turn of the first player."""
    first = (played.round == 1) & (played.seat == 0)
    kinds, loss = KIND_OF[played.action[first]], (played.best[:, None] - played.worth)[first]
    rows = []
    for number, name in enumerate(KINDS):
        possible = ~np.isnan(loss[:, number])
        if possible.any():
            rows.append([name, f"{100 * (kinds == number).mean():.1f} %", f"{100 * loss[possible, number].mean():.2f}"])
    return table(["first turn", "best in", "costs on average, % of the win"], rows)


def favourite_lines(all_played: list[Played]) -> list[Line]:
    """How often the player whom the network thinks ahead at the beginning of a round wins in the end."""
    lines = []
    for played in all_played:
        points = []
        for round_number in range(1, 31):
            now = np.flatnonzero(played.round == round_number)
            expected = np.full((len(played.rounds), played.players), np.nan)
            expected[played.game[now], played.seat[now]] = played.best[now]
            whole = ~np.isnan(expected).any(axis=1)
            if whole.sum() < 50:
                break
            favourite = expected[whole].argmax(axis=1)
            points.append((float(round_number), 100 * played.shares[whole][np.arange(whole.sum()), favourite].mean()))
        lines.append(Line(f"{played.players} players", points))
    return lines


def kind_lines(played: Played) -> list[Line]:
    """What is played in each round."""
    kinds = KIND_OF[played.action]
    lines = []
    for number, name in enumerate(KINDS):
        if (kinds == number).mean() > CLOSE:
            rounds = [r for r in range(1, 31) if (played.round == r).sum() >= 50]
            lines.append(Line(name, [(r, 100 * (kinds[played.round == r] == number).mean()) for r in rounds]))
    return lines


def gift_values(sight: ActionValues, deals: int, seed: int) -> Floats:
    """What each card would be worth to the first of two players if it lay before them, paid, when the game begins."""
    batch = Batch(deals, 2, seed=seed)
    views, masks = new_states(deals), np.zeros((deals, ACTIONS), np.bool_)
    seats, rounds = np.zeros(deals, np.int64), np.zeros(deals, np.int64)
    seen = np.zeros((deals, OBSERVATION_SIZE), np.int8)

    def expected(states: object) -> Floats:
        look_at_games(0, deals, states, views, masks, seats, rounds, named(seen))
        best: Floats = sight.of_many(views, masks).max(axis=1)
        return best

    plain = expected(batch.states)
    values = np.zeros(CARDS)
    for card in range(CARDS):
        gifted = batch.states.copy()
        is_dealt = (gifted["market"] == card).any(axis=1)
        gifted["bonuses"][:, 0, CARD_BONUS[card]] += 1
        gifted["points"][:, 0] += CARD_POINTS[card]
        for state in gifted:
            state.bought[0, card // 8] |= 1 << card % 8
        values[card] = (expected(gifted) - plain)[~is_dealt].mean()
    return values


def luck_table(all_played: list[Played]) -> str:
    """The plot of the favourites in some rounds."""
    lines = {line.name: dict(line.points) for line in favourite_lines(all_played)}
    rows = [
        [name, *(f"{wins[number]:.0f} %" if number in wins else "–" for number in LUCK_ROUNDS)]
        for name, wins in lines.items()
    ]
    return table(["favourite wins", *(f"round {number}" for number in LUCK_ROUNDS)], rows)


NOTES = {
    "Seats": "All seats are the same network, so what differs is the seat. ± is 95 %.",
    "Length": "With the 5th, 50th and 95th percentile of the rounds.",
    "Luck": "At its turn in each round the network says what its seat can expect. This is how often the seat that "
    "expects most wins in the end. Without any knowledge it would be one of the number of players.\n\n"
    "![How often the favourite wins](images/findings-favourite.svg)",
    "Turns, 2 players": "Early, middle and late are thirds of a game. A kind of turn is *right* if its best turn costs "
    "at most 1 % of the win against the best of all; *costs* is that difference on average. Both count the turns in "
    "which this kind is possible, and are the network's judgement.\n\n"
    "![What is played in each round](images/findings-turns.svg)",
    "Turns, 4 players": "The same.",
    "First turn, 2 players": "The first turn of the first player; *costs* as above.",
    "Nobles, 2 players": "How often a noble that was dealt visits somebody, and how often that player wins.",
    "Cards, 2 players": "*Gift*: what the first player could expect more if the card lay before them, paid, when the "
    "game begins; the network's judgement over 200 deals. The five best and the three worst of each level. Who buys a "
    "card and wins may have done so because of it or because they were ahead.",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000, help="for each number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--network", type=Path, help="an ONNX file instead of the one of the package")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="into the page")
    options = parser.parse_args()
    network = Network(options.network, options.threads) if options.network else load_network()
    sight = ActionValues(network)
    all_played = [play(sight, players, options.games, options.seed) for players in (2, 3, 4)]
    two = all_played[0]
    sections = {
        "Seats": seat_table(all_played),
        "Length": length_table(all_played),
        "Luck": luck_table(all_played),
        "Turns, 2 players": action_table(two),
        "Turns, 4 players": action_table(all_played[2]),
        "First turn, 2 players": opening_table(two),
        "Nobles, 2 players": noble_table(two),
        "Cards, 2 players": card_table(two, gift_values(sight, 200, options.seed)),
    }
    for title, text in sections.items():
        print(f"\n### {title}\n\n{text}")
        if options.write:
            write_section(title, f"{NOTES[title]}\n\n{text}", PAGE)
    if options.write:
        plots = {
            "favourite": line_plot(
                "who is ahead",
                "round",
                "wins of the favourite, %",
                favourite_lines(all_played),
                log=False,
                legend_below=True,
            ),
            "turns": line_plot("what is played, 2 players", "round", "% of the turns", kind_lines(two), log=False),
        }
        for name, svg in plots.items():
            (PAGE.parent / "images" / f"findings-{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
