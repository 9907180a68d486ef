"""Chance: the generator is SplitMix64, draws are exactly fair, shuffles are uniform."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from oracle import SplitMix64
from splendor.core.chance import below, new_rng, random_bits, shuffle

SEEDS = [0, 1, 2, 1234567, 0x9E3779B97F4A7C15, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]


def chi_square(counts: Counter[object], kinds: int, draws: int) -> float:
    expected = draws / kinds
    return sum((count - expected) ** 2 / expected for count in counts.values()) + (kinds - len(counts)) * expected


def test_the_generator_gives_the_published_numbers() -> None:
    rng = new_rng(1234567)
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [int(random_bits(rng)) for _ in published] == published


@pytest.mark.parametrize("seed", SEEDS)
def test_the_generator_agrees_with_python_integers(seed: int) -> None:
    rng, reference = new_rng(seed), SplitMix64(seed)
    assert [int(random_bits(rng)) for _ in range(100)] == [reference.bits() for _ in range(100)]
    assert int(rng[0]) == reference.state


def test_seeds_are_taken_modulo_two_to_the_64() -> None:
    assert new_rng(-1)[0] == new_rng((1 << 64) - 1)[0]
    assert new_rng(1 << 64)[0] == new_rng(0)[0]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 10, 40, 89, 90, 127])
def test_bounded_draws_agree_with_python_integers(count: int) -> None:
    rng, reference = new_rng(count), SplitMix64(count)
    assert [int(below(rng, count)) for _ in range(300)] == [reference.below(count) for _ in range(300)]


def test_draws_of_every_size_stay_in_range() -> None:
    rng = new_rng(3)
    for count in range(1, 91):
        assert all(0 <= below(rng, count) < count for _ in range(10))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 7, 10, 11, 13, 40, 64, 90])
def test_each_result_keeps_exactly_the_same_number_of_raw_draws(count: int) -> None:
    """Of the 2**32 raw numbers, those kept for a result r satisfy r <= raw * count / 2**32 < r + 1 and are fair."""
    unfair = (1 << 32) % count

    def kept(result: int) -> int:
        first = -((-result << 32) // count)  # the first raw number that scales to this result
        last = -(-((result + 1) << 32) // count)
        dropped = sum(((raw * count) & 0xFFFFFFFF) < unfair for raw in {first, first + 1, last - 1})
        return last - first - dropped

    assert {kept(result) for result in range(count)} == {(1 << 32) // count}


def test_an_unfair_draw_is_drawn_again() -> None:
    """A raw number of 0 must be dropped for a count that does not divide 2**32: the next one decides."""
    seed = seed_whose_next_bits_are(5)
    assert int(random_bits(new_rng(seed))) == 5  # upper half 0
    after = SplitMix64(seed)
    after.bits()
    rng = new_rng(seed)
    assert below(rng, 10) == (after.bits() >> 32) * 10 >> 32
    assert int(rng[0]) == after.state  # two numbers were used
    rng = new_rng(seed)
    assert below(rng, 8) == 0  # 8 divides 2**32: no draw is unfair
    assert int(rng[0]) == (seed + 0x9E3779B97F4A7C15) % (1 << 64)


def seed_whose_next_bits_are(bits: int) -> int:
    """Run the mixing steps of SplitMix64 backwards."""
    word = (1 << 64) - 1
    z = bits
    z ^= (z >> 31) ^ (z >> 62)
    z = z * pow(0x94D049BB133111EB, -1, 1 << 64) & word
    z ^= (z >> 27) ^ (z >> 54)
    z = z * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & word
    z ^= (z >> 30) ^ (z >> 60)
    return (z - 0x9E3779B97F4A7C15) & word


def test_draws_are_spread_evenly() -> None:
    rng = new_rng(20)
    counts: Counter[object] = Counter(int(below(rng, 10)) for _ in range(10_000))
    assert chi_square(counts, 10, 10_000) < 27.9  # 9 degrees of freedom, p = 0.001


def test_a_shuffle_reaches_every_order_equally_often() -> None:
    rng = new_rng(21)
    counts: Counter[object] = Counter()
    for _ in range(4800):
        cards = np.arange(4, dtype=np.int8)
        shuffle(cards, 0, 4, rng)
        counts[tuple(cards.tolist())] += 1
    assert set(counts) == set(permutations(range(4)))
    assert chi_square(counts, 24, 4800) < 49.7  # 23 degrees of freedom, p = 0.001


def test_a_shuffle_moves_only_its_own_cards() -> None:
    cards = np.arange(90, dtype=np.int8)
    shuffle(cards, 40, 30, new_rng(22))
    assert cards[:40].tolist() == list(range(40))
    assert cards[70:].tolist() == list(range(70, 90))
    assert sorted(cards[40:70].tolist()) == list(range(40, 70))
    expected = list(range(40, 70))
    SplitMix64(22).shuffle(expected)
    assert cards[40:70].tolist() == expected
