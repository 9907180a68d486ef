"""What can be believed of a review: calibration, hindsight, stability, performance, reasons; `docs/review.md`.

    python benchmarks/review_proof.py calibration --players 2 3 4 --games 3000 --write
    python benchmarks/review_proof.py hindsight --positions 10000
    python benchmarks/review_proof.py stability --positions 1000 --effort normal --times 10
    python benchmarks/review_proof.py performance --games 15
    python benchmarks/review_proof.py reasons --count 1000

Each part prints its figures; `--write` puts the calibration's plot into the docs and its powers into the package, after
which `benchmarks/first_positions.py --write` has to run again. Smaller sizes say less, and the intervals how much less.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import NamedTuple

import numpy as np
from level_losses import positions
from numpy.typing import NDArray
from plot import Line, line_plot

from splendor.analysis.evaluation import Analysis, simulations_of
from splendor.analysis.grades import COUNTED, Grading, judge
from splendor.analysis.performance import HARDNESS_BINS, LOSS_BINS, Sample, distributions, performance, stored
from splendor.analysis.reasons import reasons_for
from splendor.analysis.reviewer import look
from splendor.analysis.value import PositionValue
from splendor.core.actions import ACTIONS, RETURN_TOKEN
from splendor.core.afterstates import look_at_games
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.state import new_states
from splendor.game.position import View
from splendor.many.batch import Batch
from splendor.network.action_values import ActionValues
from splendor.network.network import load_network
from splendor.notation.positions import format_position

ROOT = Path(__file__).parents[1]
BINS = 10
LOCKSTEP = 100  # games side by side
NOISE = 0.004  # of the win: the temperature of the players, so that games differ from those that were trained on
TURNS = 28  # of a seat in a game of two
FIRST_SEED = 1 << 42
POWERS = (0.5, 2.0, 0.01)  # that are tried: from, to, step
TINY = 1e-9  # a share that counts as none

Floats = NDArray[np.float64]


# ------------------------------------------------------------------------------------------- calibration


class Told(NamedTuple):
    """What V said of positions, what came of them, and the games they are from."""

    shares: Floats  # V before any calibration  [position, seat]
    results: Floats  # [position, seat]
    seats: NDArray[np.int64]  # that decide
    games: NDArray[np.int64]


def play_and_value(players: int, games: int, seed: int) -> Told:
    """V before calibration at each turn, and what each seat got in the end."""
    values, value = ActionValues(load_network()), PositionValue(remembered=1, powers={})
    chance = np.random.default_rng(seed)
    shares: list[Floats] = []
    deciding: list[NDArray[np.int64]] = []
    numbers: list[NDArray[np.int64]] = []
    ends: list[Floats] = []
    for first in range(0, games, LOCKSTEP):
        count = min(LOCKSTEP, games - first)
        batch = Batch(count, players, seed=FIRST_SEED + seed * 1_000_000 + first, round_cap=100)
        views, masks = new_states(count), np.zeros((count, ACTIONS), np.bool_)
        seats, rounds = np.zeros(count, np.int64), np.zeros(count, np.int64)
        seen = named(np.zeros((count, OBSERVATION_SIZE), np.int8))
        while True:
            look_at_games(0, count, batch.states, views, masks, seats, rounds, seen)
            if not masks.any():
                break
            begins = np.flatnonzero(masks[:, :RETURN_TOKEN].any(axis=1))
            shares.append(value.shares(batch.states[begins]))
            deciding.append(seats[begins].copy())
            numbers.append(first + begins)
            worth = values.of_many(views, masks)
            batch.step((worth + NOISE * 2 / players * chance.gumbel(size=worth.shape) * (worth >= 0)).argmax(axis=1))
        ends.append(value.shares(batch.states))
    games_of = np.concatenate(numbers)
    return Told(np.concatenate(shares), np.concatenate(ends)[games_of], np.concatenate(deciding), games_of)


def to_the_power(shares: Floats, power: float) -> Floats:
    """V with this power, as `PositionValue` has it."""
    raised: Floats = np.where(shares > 0, shares, 0) ** power
    raised /= raised.sum(axis=1, keepdims=True)
    return raised


def fitted_power(told: Told, rows: NDArray[np.bool_]) -> float:
    """The power that makes the results of these positions most likely."""
    powers = np.arange(*POWERS)
    losses = [
        -(told.results[rows] * np.log(np.clip(to_the_power(told.shares[rows], power), TINY, 1))).sum()
        for power in powers
    ]
    return float(powers[int(np.argmin(losses))])


def calibration(players: int, games: int, seed: int) -> tuple[list[tuple[float, float]], float]:
    """Print the calibration error before and after, and how much of it is chance; the plot's points, and the power.

    What is said after is honest: the power of each half of the games was fitted on the other half.
    """
    began = time.monotonic()
    told = play_and_value(players, games, seed)
    print(f"\n{players} players, {games} games, {len(told.shares)} positions, {time.monotonic() - began:.0f} s")
    print("\nas the network says:")
    reliability(told, told.shares, games)
    corrected, powers = told.shares.copy(), []
    for half in range(2):
        rows = told.games % 2 == half
        powers.append(fitted_power(told, ~rows))
        corrected[rows] = to_the_power(told.shares[rows], powers[-1])
    print(f"\nwith the powers {powers[0]:.2f} and {powers[1]:.2f}, each fitted on the other half:")
    points = reliability(told, corrected, games)
    return points, fitted_power(told, np.ones(len(told.games), np.bool_))


def reliability(told: Told, shares: Floats, games: int) -> list[tuple[float, float]]:
    """Print what seats that decide expected against what they got."""
    rows = np.arange(len(shares))
    expected, results, numbers = shares[rows, told.seats], told.results[rows, told.seats], told.games
    bins = np.minimum((expected * BINS).astype(int), BINS - 1)
    total, error, noise, excess, points = len(expected), 0.0, 0.0, 0.0, []
    print("| expected | got | positions | games | standard error |\n|---|---|---|---|---|")
    for number in range(BINS):
        rows = np.flatnonzero(bins == number)
        if len(rows) < BINS:
            continue
        gap = results[rows] - expected[rows]
        sums = np.zeros(games)  # positions of one game share its result: a game counts as one sample
        np.add.at(sums, numbers[rows], gap - gap.mean())
        spread = float(np.sqrt((sums**2).sum()) / len(rows))
        weight = len(rows) / total
        error += weight * abs(gap.mean())
        noise += weight * spread * np.sqrt(2 / np.pi)
        excess += weight * (gap.mean() ** 2 - spread**2)
        points.append((100 * float(expected[rows].mean()), 100 * float(results[rows].mean())))
        print(
            f"| {100 * expected[rows].mean():.1f} % | {100 * results[rows].mean():.1f} % | {len(rows)} | "
            f"{len(np.unique(numbers[rows]))} | {100 * spread:.1f} % |"
        )
    bound = f"{100 * np.sqrt(max(excess, 0)):.2f} pp without chance (root mean square)"
    print(f"calibration error {100 * error:.2f} pp; by chance alone {100 * noise:.2f} pp; {bound}")
    return points


# --------------------------------------------------------------------------------------------- hindsight


def hindsight(players: int, count: int, every: int, seed: int) -> None:
    """Deal again what the seat cannot see: does it know the same, and gets every `every`-th decision the same grade?"""
    views = grades = different = 0
    for view, move in positions(players, seed):
        if views == count:
            break
        deals = [View(view.redeal(views * 2 + n), view.seat) for n in range(2)]
        different += any(deal != view or hash(deal) != hash(view) for deal in deals)
        if views % every == 0:
            verdicts = [
                judge(Analysis(deal, include=[move], seed=1).run(16).candidates, str(move)) for deal in (view, deals[0])
            ]
            different += verdicts[0] != verdicts[1]
            grades += 1
        views += 1
    print(f"{players} players: {views} positions dealt again twice, {grades} graded twice: {different} differences")


# --------------------------------------------------------------------------------------------- stability


def verdict_of(view: View, move: str, simulations: int, seed: int) -> Grading:
    analysis = Analysis(view, include=[move], seed=seed, most=2 * simulations)
    found = look(analysis, move, simulations, Event())
    assert found is not None
    return found


def stability(players: int, count: int, effort: str, times: int, seed: int) -> None:
    """The same decisions with another seed, and with so many times the search."""
    simulations = simulations_of(effort)
    began = time.monotonic()
    rows: list[tuple[Grading, Grading, Grading]] = []
    for view, move in positions(players, seed):
        if len(rows) == count:
            break
        if len(view.legal_actions) == 1:
            continue
        rows.append(
            (
                verdict_of(view, str(move), simulations, 1),
                verdict_of(view, str(move), simulations, 2),
                verdict_of(view, str(move), simulations * times, 3),
            )
        )
        if len(rows) % 20 == 0:
            report_stability(rows, players, effort, times, time.monotonic() - began)


def report_stability(
    rows: list[tuple[Grading, Grading, Grading]], players: int, effort: str, times: int, seconds: float
) -> None:
    print(
        f"\n{players} players, {effort}, {len(rows)} decisions, {seconds:.0f} s: {Counter(a.grade for a, _, _ in rows)}"
    )
    errors = {"mistake", "blunder"}
    groups = {
        "all grades": rows,
        "mistakes and blunders": [row for row in rows if row[0].grade in errors],
        "of these, certain": [row for row in rows if row[0].grade in errors and row[0].is_certain],
    }
    for name, group in groups.items():
        changed = sum(a.grade != b.grade for a, b, _ in group)
        overturned = sum(abs(place(a) - place(c)) > 1 or (is_error(a) and not is_error(c)) for a, _, c in group)
        other = sum(a.grade != c.grade for a, _, c in group)
        print(
            f"  {name}: {len(group)}; another seed changes {changed}; {times} times the search changes {other}, "
            f"overturns {overturned}"
        )
    gaps = np.array([[b.loss - a.loss, c.loss - a.loss, a.error] for a, b, c in rows if a.loss > 0])
    if len(gaps) > 1:
        print(
            f"  losses: standard deviation {100 * gaps[:, 0].std() / np.sqrt(2):.2f} pp on reseeding, "
            f"{100 * gaps[:, 1].std():.2f} pp against {times} times the search; mean error stated "
            f"{100 * np.sqrt((gaps[:, 2] ** 2).mean()):.2f} pp"
        )


def place(verdict: Grading) -> int:
    return COUNTED.index(verdict.grade) if verdict.grade in COUNTED else 0


def is_error(verdict: Grading) -> bool:
    return verdict.grade in ("inaccuracy", "mistake", "blunder")


# ------------------------------------------------------------------------------------------- performance


def draws(table: Floats, hardness: Floats, decisions: int, chance: np.random.Generator) -> Iterator[Sample]:
    """Decisions of somebody whose losses are spread like that."""
    losses = [0.0, *LOSS_BINS]
    hard = [0.0, *HARDNESS_BINS]
    for row in chance.choice(len(hard), size=decisions, p=hardness):
        yield Sample(losses[chance.choice(len(losses), p=table[row])] + 1e-9, hard[row] + 1e-9)


def power(players: int, effort: str, games: int, trials: int, seed: int) -> None:
    """How well so many games tell neighbours apart, by draws from the measured distributions."""
    chance = np.random.default_rng(seed)
    levels, tables = distributions(players, effort)
    entry = stored()["efforts"][effort][str(players)]["levels"]
    counts = np.array(entry[levels[0]]["counts"]).sum(axis=1)
    for lower, (weak, strong) in enumerate(pairwise(levels)):
        middle = (tables[lower] + tables[lower + 1]) / 2
        for name, pair in (
            (f"{weak} and {strong}", (tables[lower], tables[lower + 1])),
            (f"{weak} and half way to {strong}", (tables[lower], middle)),
        ):
            apart = right = 0
            for _ in range(trials):
                found = [
                    performance(draws(table, counts / counts.sum(), TURNS * games, chance), players, effort)
                    for table in pair
                ]
                assert found[0]
                assert found[1]
                right += found[0].scale < found[1].scale
                apart += found[0].high < found[1].low
            print(
                f"{players} players, {effort}: {name}, {games} games each: the better one ahead in "
                f"{right / trials:.0%}, intervals apart in {apart / trials:.0%} of {trials} trials"
            )


# ----------------------------------------------------------------------------------------------- reasons


def audit(players: int, count: int, seed: int) -> None:
    """Ask the second check of the tests about so many reasons."""
    sys.path.insert(0, str(ROOT / "tests"))
    from reasons_audit import is_true

    codes: Counter[str] = Counter()
    false = 0
    for view, _ in positions(players, seed):
        if sum(codes.values()) >= count:
            break
        state = view.state
        found = Analysis(view, seed=1).run(40).candidates[:5]
        for place, best in enumerate(found):
            for played in found[place + 1 :]:
                for reason in reasons_for(state, best, played):
                    codes[reason.code] += 1
                    if not is_true(format_position(state), best.line, played.line, reason.code, reason.params):
                        false += 1
                        print("false:", format_position(state), best.line, played.line, reason)
    print(f"{players} players: {sum(codes.values())} reasons, {false} false: {dict(codes)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["calibration", "hindsight", "stability", "performance", "reasons"])
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--games", type=int, default=15)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--every", type=int, default=20, help="positions for each that is graded, too")
    parser.add_argument("--effort", default="quick")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    random.seed(options.seed)
    lines, powers = [], {}
    for players in options.players:
        if options.part == "calibration":
            points, power = calibration(players, options.games, options.seed)
            lines.append(Line(f"{players} players", points))
            powers[str(players)] = {"power": round(power, 2), "games": options.games}
        elif options.part == "hindsight":
            hindsight(players, options.positions, options.every, options.seed)
        elif options.part == "stability":
            stability(players, options.positions, options.effort, options.times, options.seed)
        elif options.part == "performance":
            power(players, options.effort, options.games, options.trials, options.seed)
        else:
            audit(players, options.count, options.seed)
    if lines and options.write:
        lines.append(Line("as promised", [(0.0, 0.0), (100.0, 100.0)]))
        plot = line_plot("Expected and actual share of the win", "expected, %", "got, %", lines, log=False)
        (ROOT / "docs" / "images" / "review-calibration.svg").write_text(plot, encoding="utf-8")
        table = json.dumps({"network": load_network().fingerprint, "players": powers}, indent=1) + "\n"
        (ROOT / "src" / "splendor" / "data" / "calibration.json").write_text(table, encoding="utf-8")


if __name__ == "__main__":
    main()
