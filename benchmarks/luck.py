"""How much of Splendor is luck: the chapter of `docs/findings.md`, and whether luck is fair.

    python benchmarks/luck.py --games 960 --cards 3 --keep luck-games --write

Plays games in lock-step, the network without search in all seats, equal or made unequal by temperature, and takes
each result apart: deal, luck of the reveals, own errors, others' errors, rest. An error is what a decision is worth
less than the best one in the eyes of the network. `--keep` stores the sums of each game in a folder; a run with the
same folder plays only what is missing, so that a long measurement can be made in parts.

With `--cards` each card is compared with so many of those that could have come, drawn at random, instead of with all.
That takes a fraction of the time and leaves the mean of luck as it is. The variance that it adds is estimated along
with it and taken off again wherever a variance is told.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from results import write_section

from splendor.analysis.averages import average
from splendor.analysis.luck import Draw, alternatives
from splendor.analysis.value import Floats, PositionValue, package_value, powers_of
from splendor.core import rules
from splendor.core.actions import ACTIONS
from splendor.core.afterstates import look_at_games
from splendor.core.components import CARD_LEVEL, LEVELS, MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.state import new_states
from splendor.many.batch import Batch
from splendor.network.action_values import ActionValues
from splendor.players.registry import load

PAGE = Path(__file__).parents[1] / "docs" / "findings.md"
LOCKSTEP = 24  # games side by side; every entrant has every seat equally often
ROUND_CAP = 200
KINDS = ("market", "hand")
Z95 = 1.96
RESAMPLED = 400  # times, for the errors of variances

PARTIES = {
    "2 players, equal": ("master", "master"),
    "2 players, artisan and master": ("artisan", "master"),
    "2 players, apprentice and master": ("apprentice", "master"),
    "3 players, equal": ("master", "master", "master"),
    "3 players, journeyman, artisan, master": ("journeyman", "artisan", "master"),
    "4 players, equal": ("master", "master", "master", "master"),
}
PARTS = ("deal", "luck", "own errors", "others' errors", "rest")


@dataclass
class Sums:
    """What the results of games were made of."""

    entrant: NDArray[np.int64]  # who sat where                          [game, seat]
    result: Floats  # the share of the win                               [game, seat]
    deal: Floats  # [game, seat]
    luck: Floats  # [game, seat]
    noise: Floats  # the variance of `luck` that comes from comparing with some cards only   [game, seat]
    plain: Floats  # luck by the network's shares as they are, not calibrated                [game, seat]
    plain_noise: Floats  # [game, seat]
    losses: Floats  # what the own decisions cost                        [game, seat]
    drawn: Floats  # luck of the seats that drew                         [game, level, kind]
    draws: NDArray[np.int64]  # how many                                 [game, level, kind]

    @property
    def players(self) -> int:
        """How many play."""
        return int(self.result.shape[1])

    def parts(self) -> Floats:
        """In the order of `PARTS`; they add up to the result less that of an average deal  [part, game, seat]."""
        base = np.array(average(package_value(), self.players).shares)
        others = (self.losses.sum(axis=1, keepdims=True) - self.losses) / (self.players - 1)
        known = np.stack([self.deal, self.luck, -self.losses, others])
        return np.concatenate([known, [self.result - base - known.sum(axis=0)]])

    def of_entrants(self, numbers: Floats) -> Floats:
        """Numbers by seat in the order of the entrants  [..., game, entrant]."""
        return np.take_along_axis(numbers, np.broadcast_to(np.argsort(self.entrant, axis=1), numbers.shape), axis=-1)


def together(parts: list[Sums]) -> Sums:
    """Many games from several."""
    return Sums(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Sums)))


# ----------------------------------------------------------------------------------------------------- luck


class Estimate(NamedTuple):
    """The luck of a reveal, from some of the cards that could have come."""

    luck: Floats  # [seat]
    noise: Floats  # its variance [seat]


class Compared(NamedTuple):
    """V of the positions with the card that came, which is the first, and with others  [reveal][card, seat]."""

    shares: list[Floats]
    others: list[int]  # how many other cards could have come [reveal]

    def calibrated(self, power: float) -> Compared:
        """The same by shares to this power."""
        raised = [shares**power for shares in self.shares]
        return Compared([shares / shares.sum(axis=1, keepdims=True) for shares in raised], self.others)

    def estimates(self) -> list[Estimate]:
        """The luck of each reveal."""
        return [estimate(shares, others) for shares, others in zip(self.shares, self.others, strict=True)]


def compared(draws: Sequence[Draw], value: PositionValue, cards: int | None, chance: np.random.Generator) -> Compared:
    """V with the card that came and with some others, all positions rated together; `cards` None: with all."""
    picked, others = [], []
    for draw in draws:
        _, states = alternatives(draw.after, draw.card)
        others.append(len(states) - 1)
        count = others[-1] if cards is None else min(cards, others[-1])
        picked.append(states[[0, *(1 + chance.permutation(others[-1])[:count])]])
    together = new_states(sum(map(len, picked)))
    ends = np.cumsum([len(states) for states in picked])
    for end, states in zip(ends, picked, strict=True):
        together[end - len(states) : end] = states
    shares = value.shares(together) if draws else np.zeros((0, MAX_PLAYERS))
    return Compared(np.split(shares, ends[:-1]) if draws else [], others)


def estimate(shares: Floats, others: int) -> Estimate:
    """The luck of a reveal from V with the card that came and with some of `others`.

    luck = others / (others + 1) × (V(came) − mean V(picked))
    """
    came, picked = shares[0], shares[1:]
    if not len(picked):
        return Estimate(np.zeros(len(came)), np.zeros(len(came)))
    part, left_out = others / (others + 1), 1 - len(picked) / others
    noise = picked.var(axis=0, ddof=1) * left_out / len(picked) if len(picked) > 1 else np.zeros(len(came))
    return Estimate(part * (came - picked.mean(axis=0)), part**2 * noise)


# ----------------------------------------------------------------------------------------------------- play


def play(
    values: ActionValues, value: PositionValue, party: tuple[str, ...], count: int, seed: int, others: int | None
) -> Sums:
    """The games of one lock-step; the seats move on by one from game to game. `value` is not calibrated."""
    players = len(party)
    batch = Batch(count, players, seed=seed, round_cap=ROUND_CAP)
    chance = np.random.default_rng(seed)
    entrant = (np.arange(count)[:, None] + np.arange(players)) % players
    warmth = np.array([load(name).temperature for name in party])[entrant]  # type: ignore[attr-defined]
    deal = package_value().shares(batch.states)[:, :players] - np.array(average(package_value(), players).shares)
    losses = np.zeros((count, players))
    drawn, draws = np.zeros((count, LEVELS, len(KINDS))), np.zeros((count, LEVELS, len(KINDS)), np.int64)
    found = {name: np.zeros((count, players)) for name in ("luck", "noise", "plain", "plain_noise")}
    views, masks = new_states(count), np.zeros((count, ACTIONS), np.bool_)
    seats, rounds = np.zeros(count, np.int64), np.zeros(count, np.int64)
    seen = named(np.zeros((count, OBSERVATION_SIZE), np.int8))
    while True:
        look_at_games(0, count, batch.states, views, masks, seats, rounds, seen)
        going_on = np.flatnonzero(masks.any(axis=1))
        if not going_on.size:
            break
        worth = values.of_many(views, masks)
        noise = chance.gumbel(size=worth.shape) * (warmth[np.arange(count), seats] * 2 / players)[:, None]
        actions = np.where(masks, worth + noise, -np.inf).argmax(axis=1)
        losses[going_on, seats[going_on]] += (worth.max(axis=1) - worth[np.arange(count), actions])[going_on]
        levels = [int(rules.drawn_level(batch.states[game], actions[game])) for game in going_on]
        cards = {
            int(game): int(rules.top_card(batch.states[game], level))
            for game, level in zip(going_on, levels, strict=True)
            if level < LEVELS
        }
        batch.step(actions)
        came = [Draw(game, int(seats[game]), card, batch.states[game]) for game, card in cards.items()]
        told = compared(came, value, others, chance)
        power = powers_of(value.critic).get(players, 1.0)
        for draw, plain, one in zip(came, told.estimates(), told.calibrated(power).estimates(), strict=True):
            place = (draw.turn, CARD_LEVEL[draw.card], KINDS.index(draw.kind))
            parts = (one.luck, one.noise, plain.luck, plain.noise)
            for sums, numbers in zip(found.values(), parts, strict=True):
                sums[draw.turn] += numbers[:players]
            drawn[place] += one.luck[draw.seat]
            draws[place] += 1
    result = batch.shares[:, :players].astype(np.float64)
    return Sums(entrant, result, deal, **found, losses=losses, drawn=drawn, draws=draws)


def file_of(folder: Path, name: str, seed: int, number: int) -> Path:
    """Where a lock-step of a party is kept."""
    return folder / f"{name.replace(', ', '-').replace(' ', '-')}-{seed + LOCKSTEP * number}.npz"


def measure(name: str, games: int, seed: int, folder: Path | None, others: int | None) -> Sums:
    """So many games of a party, or all that are kept if these are more."""
    critic = package_value().critic
    values, value = ActionValues(critic), PositionValue(critic, remembered=0, powers={})
    parts: list[Sums] = []
    while LOCKSTEP * len(parts) < games or (folder is not None and file_of(folder, name, seed, len(parts)).exists()):
        first = LOCKSTEP * len(parts)
        kept = None if folder is None else file_of(folder, name, seed, len(parts))
        if kept is not None and kept.exists():
            with np.load(kept) as arrays:
                parts.append(Sums(**arrays))
            continue
        parts.append(play(values, value, PARTIES[name], LOCKSTEP, seed + first, others))
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            np.savez(kept, **{field.name: getattr(parts[-1], field.name) for field in fields(Sums)})
        print(f"{name}: {first + LOCKSTEP} games", flush=True)
    return together(parts)


# --------------------------------------------------------------------------------------------------- tables


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def points(values: Floats) -> str:
    """A mean in percentage points with its 95 % interval."""
    return f"{100 * values.mean():+.2f} ± {100 * Z95 * values.std(ddof=1) / len(values) ** 0.5:.2f}"


def fairness_table(all_sums: dict[str, Sums]) -> str:
    """Mean luck a game by seat."""
    rows = []
    for name, sums in all_sums.items():
        means = [points(sums.luck[:, seat]) for seat in range(sums.players)]
        rows.append([name, *means, *["–"] * (MAX_PLAYERS - sums.players), str(len(sums.result))])
    return table(["mean luck a game, pp", "first", "second", "third", "fourth", "games"], rows)


def kinds_table(all_sums: dict[str, Sums]) -> str:
    """Mean luck of whoever drew, by deck and kind of reveal."""
    rows = []
    drawn = np.concatenate([sums.drawn for sums in all_sums.values()])
    draws = np.concatenate([sums.draws for sums in all_sums.values()])
    for level in range(LEVELS):
        for kind, name in enumerate(KINDS):
            count, total = draws[:, level, kind], drawn[:, level, kind]
            mean = total.sum() / count.sum()
            error = np.sqrt(((total - mean * count) ** 2).sum()) / count.sum()
            deck = f"level {level + 1}, to the {name}"
            rows.append([deck, f"{100 * mean:+.3f} ± {100 * Z95 * error:.3f}", f"{count.sum()}"])
    return table(["deck and where the card goes", "mean luck of a card for who drew it, pp", "cards"], rows)


def spread(numbers: Floats, noise: Floats | float = 0.0) -> float:
    """The standard deviation of one entrant's share in a game, the mean over the entrants  [game, entrant].

    Of the variance, `noise` came from comparing with some cards only.
    """
    return float(np.sqrt(max(numbers.var(axis=0, ddof=1).mean() - np.mean(noise), 0.0)))


def narrowing(result: Floats, luck: Floats, noise: Floats) -> float:
    """The standard deviation without luck in units of the raw one."""
    raw = spread(result)
    return spread(result - luck, noise) / raw if raw > 0 else 1.0


def resampled(numbers: list[Floats], statistic: object) -> float:
    """Half the width of the 95 % interval of a statistic of arrays by game."""
    chance, games = np.random.default_rng(1), len(numbers[0])
    assert callable(statistic)
    found = [statistic(*(array[rows] for array in numbers)) for rows in chance.integers(0, games, (RESAMPLED, games))]
    low, high = np.percentile(found, [2.5, 97.5])
    return float(high - low) / 2


def spread_table(all_sums: dict[str, Sums]) -> str:
    """How much narrower results are without luck, and whether they are unbiased."""
    rows = []
    for name, sums in all_sums.items():
        names = ("result", "luck", "deal", "noise", "plain", "plain_noise")
        result, luck, deal, noise, plain, plain_noise = (sums.of_entrants(getattr(sums, part)) for part in names)
        centered, lucky = result - result.mean(axis=0), luck - luck.mean(axis=0)
        rows.append(
            [
                name,
                f"{spread(result):.3f}",
                f"{spread(result - luck, noise):.3f}",
                f"{spread(result - luck - deal, noise):.3f}",
                change(result, luck, noise),
                change(result, plain, plain_noise),
                f"{(centered * lucky).sum() / ((lucky**2).sum() - noise.sum()):.2f}",
                points(luck[:, 0]),
                str(len(result)),
            ]
        )
    head = [
        "",
        "raw",
        "less luck",
        "less luck and deal",
        "change by luck",
        "V as it is",
        "best factor",
        "bias, pp",
        "games",
    ]
    return table(head, rows)


def change(result: Floats, luck: Floats, noise: Floats) -> str:
    """What luck changes the standard deviation by, with its 95 % interval."""
    error = resampled([result, luck, noise], narrowing)
    return f"{100 * (narrowing(result, luck, noise) - 1):+.1f} ± {100 * error:.1f} %"


def explained(parts: Floats) -> Floats:
    """The part of the variance of the results that goes with each part  [part]."""
    centered = parts - parts.mean(axis=1, keepdims=True)
    total = centered.sum(axis=0)
    share: Floats = (centered * total).sum(axis=(1, 2)) / max((total**2).sum(), 1e-9)
    return share


def variance_table(all_sums: dict[str, Sums]) -> str:
    """What the variance of the results goes with."""
    rows = []
    for name, sums in all_sums.items():
        parts = sums.of_entrants(sums.parts())
        found = explained(parts)
        by_game = [np.moveaxis(parts, 0, 1)]
        rows.append(
            [
                name,
                *(
                    f"{100 * found[n]:.0f} ± {100 * error(by_game, n):.0f}" if np.abs(parts[n]).max() > 0 else "–"
                    for n in range(len(PARTS))
                ),
                str(len(sums.result)),
            ]
        )
    return table(["% of the variance", *PARTS, "games"], rows)


def error(by_game: list[Floats], part: int) -> float:
    return resampled(by_game, lambda parts: explained(np.moveaxis(parts, 1, 0))[part])


def means_table(all_sums: dict[str, Sums]) -> str:
    """What the mean results of unequal players are made of."""
    rows = []
    for name, sums in all_sums.items():
        party = PARTIES[name]
        if len(set(party)) == 1:
            continue
        parts, result = sums.of_entrants(sums.parts()), sums.of_entrants(sums.result)
        for entrant, player in enumerate(party):
            means = [points(parts[number, :, entrant]) for number in range(len(PARTS))]
            rows.append([f"{player} of {name}", f"{100 * result[:, entrant].mean():.1f}", *means])
    return table(["mean a game, pp", "share", *PARTS], rows)


NOTE = """The network without search plays all seats; the weaker levels are the same network with a temperature. Each
result is taken apart as in a review: `result - average = deal + luck + own errors + others' errors + rest`. *Luck* is
that of the cards that came from the decks; *errors* are what decisions cost in the eyes of the network, so that
*master* makes none; the *rest* is what the network did not foresee, and is not skill. ± is 95 %, made by

    python benchmarks/luck.py --games 96 --cards 3 --keep FOLDER --write

Each card was compared with three of the others that could have come, drawn at random; what this adds to variances is
taken off again. *V as it is*: the same by the network's shares without [calibration](review.md#calibration). *Luck by
seat* and *by deck and kind* come from far more games in [the chapter after this one](#is-luck-fair).

*% of the variance* is the covariance of a part with the result, in units of the variance of the result. *Best factor*
is what luck would have to be multiplied with to free the results of most; 1 means that the network judges the size of
luck rightly."""


def chapter(all_sums: dict[str, Sums]) -> str:
    """The text of the page."""
    sections = {
        "What the variance goes with": variance_table(all_sums),
        "What unequal players differ in": means_table(all_sums),
        "Results freed of luck": spread_table(all_sums),
        "Luck by seat": fairness_table(all_sums),
        "Luck by deck and kind": kinds_table(all_sums),
    }
    return "\n\n".join([NOTE, *(f"### {title}\n\n{body}" for title, body in sections.items())])


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=960, help=f"of each party, in lock-steps of {LOCKSTEP}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cards", type=int, help="that a card is compared with; else with all that could have come")
    parser.add_argument("--party", action="append", choices=PARTIES, help="only these")
    parser.add_argument("--keep", type=Path, help="a folder for the sums of each game")
    parser.add_argument("--write", action="store_true", help="into the page")
    options = parser.parse_args()
    names = options.party or list(PARTIES)
    all_sums = {name: measure(name, options.games, options.seed, options.keep, options.cards) for name in names}
    text = chapter(all_sums)
    print(text)
    if options.write:
        write_section("How much of Splendor is luck", text, PAGE)


if __name__ == "__main__":
    main()
