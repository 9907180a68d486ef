"""The statistics of the arena, checked against truths that are known."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from splendor.arena.intervals import mean_share, t_quantile, wilson, win_share
from splendor.arena.match import play_match
from splendor.arena.play import GameResult
from splendor.arena.ratings import rate
from splendor.arena.schedule import Conditions, deal_set
from splendor.arena.sequential import AsymptoticSequence, ConfidenceSequence, FairShareTest

pytestmark = pytest.mark.compiled_only

Sets = Callable[[random.Random, int], list[list[float]]]


def independent(truth: float) -> Sets:
    """Every game is won with the same chance."""
    return lambda chance, sets: [[float(chance.random() < truth) for _ in range(2)] for _ in range(sets)]


def decided_by_the_deal(truth: float) -> Sets:
    """Mostly the better cards win, once for each side; in the other deals one side wins with both."""

    def play(chance: random.Random, sets: int) -> list[list[float]]:
        results = []
        for _ in range(sets):
            if chance.random() < 0.7:
                results.append(chance.choice([[1.0, 0.0], [0.0, 1.0]]))
            else:
                results.append([float(chance.random() < (truth - 0.35) / 0.3)] * 2)
        return results

    return play


def decided_together(truth: float) -> Sets:
    """Whoever likes the cards wins with them from both seats."""
    return lambda chance, sets: [[float(chance.random() < truth)] * 2 for _ in range(sets)]


@pytest.mark.parametrize("truth", [0.5, 0.6])
@pytest.mark.parametrize("model", [independent, decided_by_the_deal, decided_together])
def test_intervals_contain_the_truth_as_often_as_they_say(model: Callable[[float], Sets], truth: float) -> None:
    chance = random.Random(1)
    intervals = [win_share(model(truth)(chance, 50)) for _ in range(1000)]
    covered = sum(interval.low <= truth <= interval.high for interval in intervals)
    assert 920 <= covered <= 990


@pytest.mark.parametrize("truth", [0.02, 0.1, 0.95])
def test_intervals_hold_near_certainty(truth: float) -> None:
    chance = random.Random(2)
    intervals = [win_share(independent(truth)(chance, 100)) for _ in range(1000)]
    assert 920 <= sum(interval.low <= truth <= interval.high for interval in intervals) <= 995


def test_pairing_narrows_the_interval_where_the_deal_decides() -> None:
    chance = random.Random(3)
    sets = decided_by_the_deal(0.6)(chance, 200)
    paired = win_share(sets)
    alone = win_share([[share] for shares in sets for share in shares])
    assert paired.value == alone.value
    assert paired.high - paired.low < 0.85 * (alone.high - alone.low)


def test_pairing_widens_the_interval_where_games_of_a_deal_go_together() -> None:
    sets = decided_together(0.6)(random.Random(4), 200)
    paired, alone = win_share(sets), win_share([[share] for shares in sets for share in shares])
    assert paired.high - paired.low > 1.2 * (alone.high - alone.low)


def test_winning_every_game_is_not_yet_certainty() -> None:
    interval = win_share([[1.0, 1.0]] * 25)
    assert interval.value == interval.high == 1.0
    assert 0.9 < interval.low < 0.95


def test_no_games_say_nothing() -> None:
    assert win_share([]) == (0.0, 0.0, 1.0)


def test_the_share_counts_games_also_when_the_last_deal_set_is_short() -> None:
    assert win_share([[1.0, 0.0], [1.0]]).value == pytest.approx(2 / 3)


def test_wilson_and_student_agree_with_the_tables() -> None:
    assert wilson(0.5, 100, 1.959964) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert t_quantile(0.975, 10) == pytest.approx(2.228, abs=0.002)
    assert t_quantile(0.975, 5) == pytest.approx(2.571, abs=0.01)
    assert t_quantile(0.975, 1000) == pytest.approx(1.962, abs=0.001)


def freed_of_luck(chance: random.Random, truth: float) -> list[float]:
    """The games of a deal set: normal numbers around the truth, those of a deal a little alike."""
    deal = chance.gauss(0, 0.1)
    return [truth + deal + chance.gauss(0, 0.4) for _ in range(2)]


def test_intervals_of_adjusted_shares_contain_the_truth_as_often_as_they_say() -> None:
    chance = random.Random(8)
    intervals = [mean_share([freed_of_luck(chance, 0.55) for _ in range(30)]) for _ in range(1000)]
    assert 930 <= sum(interval.low <= 0.55 <= interval.high for interval in intervals) <= 970


def test_one_deal_set_says_nothing_about_adjusted_shares() -> None:
    assert mean_share([[0.25, 0.75], []]) == (0.5, 0.0, 1.0)
    assert mean_share([]) == (0.0, 0.0, 1.0)


# ------------------------------------------------------------------------------------- sequential stopping


def test_a_sequence_of_adjusted_shares_contains_the_truth_at_all_times_together() -> None:
    chance, missed = random.Random(9), 0
    for _ in range(200):
        sequence = AsymptoticSequence(0.95)
        for _ in range(400):
            sequence.add(sum(freed_of_luck(chance, 0.5)) / 2)
            interval = sequence.interval
            if not interval.low <= 0.5 <= interval.high:
                missed += 1
                break
    assert missed <= 14


def test_a_few_adjusted_shares_are_not_enough() -> None:
    sequence = AsymptoticSequence()
    assert sequence.interval == (0.5, 0.0, 1.0)
    for _ in range(10):
        sequence.add(0.9)
    assert tuple(sequence.interval) == pytest.approx((0.9, 0.0, 1.0))


def test_a_match_freed_of_luck_is_certain_when_it_may_be() -> None:
    chance, test, needed = random.Random(10), FairShareTest(2, adjusted=True), 0
    while not test.is_certain:
        share = sum(freed_of_luck(chance, 0.65)) / 2
        test.add([share, 1 - share])
        needed += 1
    assert 30 <= needed < 200
    assert test.intervals[0].low > 0.5


def test_a_confidence_sequence_contains_the_truth_at_all_times_together() -> None:
    chance, missed = random.Random(5), 0
    for _ in range(200):
        sequence = ConfidenceSequence(0.95)
        for _ in range(150):
            sequence.add((chance.random() < 0.5) / 2 + (chance.random() < 0.5) / 2)
        interval = sequence.interval  # bounds only ever close in, so the last ones have seen all
        missed += not interval.low <= 0.5 <= interval.high
    assert missed <= 10


def test_an_ordinary_interval_would_stop_far_too_often() -> None:
    chance, missed = random.Random(5), 0
    for _ in range(100):
        sets: list[list[float]] = []
        for _ in range(150):
            sets.append([float(chance.random() < 0.5), float(chance.random() < 0.5)])
            interval = win_share(sets)
            if len(sets) > 5 and not interval.low <= 0.5 <= interval.high:
                missed += 1
                break
    assert missed > 15


def test_a_clear_result_is_found_soon_and_an_even_one_never() -> None:
    clear, even = FairShareTest(2), FairShareTest(2)
    chance, needed = random.Random(6), 0
    while not clear.is_certain:
        share = sum(chance.random() < 0.9 for _ in range(2)) / 2
        clear.add([share, 1 - share])
        needed += 1
    assert needed < 40
    for _ in range(300):
        share = sum(chance.random() < 0.5 for _ in range(2)) / 2
        even.add([share, 1 - share])
    assert not even.is_certain


def test_with_more_players_a_fair_share_is_smaller() -> None:
    test = FairShareTest(4)
    for _ in range(60):
        test.add([0.75, 0.25, 0.0, 0.0])
    assert test.is_certain
    assert test.intervals[0].low > 0.25 > test.intervals[2].high


def test_a_match_stops_when_it_is_certain_and_counts_only_what_came_before() -> None:
    result = play_match(["greedy", "random"], 400, 1, until_certain=True, conditions=Conditions(round_cap=25))
    assert result.is_certain
    assert result.games < 100
    assert result.games % 2 == 0
    assert result.players[0].share.low > 0.5


# ------------------------------------------------------------------------------------------------ ratings


def made_up_games(strengths: list[float], deals: int, seed: int) -> list[list[GameResult]]:
    """Games in which each place goes to the players that are left in proportion to their strengths."""
    chance, sets = random.Random(seed), []
    for deal in range(deals):
        games = []
        for job in deal_set([str(n) for n in strengths], range(len(strengths)), deal, 0, seed, Conditions()):
            places = [0] * len(strengths)
            for place in range(1, len(strengths) + 1):
                left = [seat for seat in range(len(places)) if not places[seat]]
                seat = chance.choices(left, [strengths[job.entrants[seat]] for seat in left])[0]
                places[seat] = place
            shares = tuple(float(place == 1) for place in places)
            games.append(GameResult(job, "points", shares, tuple(places), (), 25))
        sets.append(games)
    return sets


def test_ratings_order_players_by_strength() -> None:
    ratings = rate(made_up_games([1.0, 2.0, 4.0], 100, 1), 3)
    assert ratings[0].value < ratings[1].value < ratings[2].value
    assert all(0 < rating.error < 10 for rating in ratings)


def test_error_bars_shrink_with_games() -> None:
    few, many = rate(made_up_games([1.0, 2.0], 20, 2), 2), rate(made_up_games([1.0, 2.0], 400, 2), 2)
    assert many[0].error < 0.6 * few[0].error


def test_error_bars_cover_what_another_match_would_say() -> None:
    matches = [rate(made_up_games([1.0, 2.0], 40, seed), 2)[0] for seed in range(12)]
    center = sum(rating.value for rating in matches) / len(matches)
    assert sum(abs(rating.value - center) <= rating.error for rating in matches) >= 10
