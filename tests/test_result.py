"""The result: most points, then fewest bought cards, then a shared place."""

from typing import Any

import numpy as np
import pytest

from positions import deal, give_bonuses, give_points, give_reserve, lay_nobles, play
from splendor.core.rules import cards_bought, is_ahead, place_of, write_win_shares


def table(*results: tuple[int, int]) -> Any:
    """A position where each seat has these points and this many bought cards."""
    state = deal(len(results))
    for seat, (points, cards) in enumerate(results):
        state.points[seat] = points
        state.bonuses[seat] = [cards // 5 + (color < cards % 5) for color in range(5)]
    return state


def places(state: Any) -> list[int]:
    return [int(place_of(state, seat)) for seat in range(state.players)]


def shares(state: Any) -> list[float]:
    won = np.zeros(4)
    write_win_shares(state, won)
    return won.tolist()


def test_most_points_win() -> None:
    assert places(table((15, 12), (17, 20))) == [2, 1]
    assert places(table((3, 2), (16, 9), (15, 5), (18, 30))) == [4, 2, 3, 1]


def test_points_of_nobles_count() -> None:
    state = deal(2)
    lay_nobles(state, 8, 1, 2)
    give_bonuses(state, 0, "3 white 3 blue 3 green")
    play(state, "take white, blue, green")
    assert state.points[:2].tolist() == [3, 0]
    assert places(state) == [1, 2]


def test_fewest_bought_cards_break_a_tie() -> None:
    assert places(table((15, 12), (15, 11))) == [2, 1]
    assert places(table((15, 12), (15, 11), (15, 13))) == [2, 1, 3]


def test_nobles_and_reserved_cards_do_not_count_in_the_tie_break() -> None:
    state = deal(2)
    lay_nobles(state, 8, 1, 2)
    give_bonuses(state, 0, "3 white 3 blue 3 green")
    for card in (41, 42, 43):
        give_reserve(state, 0, card)
    play(state, "take white, blue, green")
    assert cards_bought(state, 0) == 9
    give_points(state, 1, 3)
    assert cards_bought(state, 1) == 1
    assert places(state) == [2, 1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_level_in_points_and_cards_share_the_victory(players: int) -> None:
    state = table(*[(15, 12)] * players)
    assert places(state) == [1] * players
    assert not is_ahead(state, 0, 1)


def test_winners_share_the_win_equally_and_nobody_else_has_a_part_of_it() -> None:
    assert shares(table((15, 12), (17, 20))) == [0, 1, 0, 0]
    assert shares(table((15, 12), (9, 5), (15, 12))) == [1 / 2, 0, 1 / 2, 0]
    assert shares(table((15, 12), (15, 12), (15, 12))) == [1 / 3, 1 / 3, 1 / 3, 0]
    assert shares(table((0, 0), (0, 0), (0, 0), (0, 0))) == [1 / 4] * 4


def test_lower_places_are_shared_too_and_the_next_is_skipped() -> None:
    assert places(table((15, 12), (9, 5), (9, 5), (2, 1))) == [1, 2, 2, 4]
    assert places(table((15, 12), (15, 12), (9, 5), (9, 6))) == [1, 1, 3, 4]
    assert places(table((4, 4), (15, 12), (15, 12), (15, 12))) == [4, 1, 1, 1]


def test_the_seat_order_does_not_matter() -> None:
    results = [(15, 12), (16, 14), (15, 11), (16, 14)]
    for turn in range(4):
        turned = results[turn:] + results[:turn]
        expected = [sorted((-p, c) for p, c in results).index((-p, c)) + 1 for p, c in turned]
        assert places(table(*turned)) == expected


def test_empty_seats_take_no_place() -> None:
    assert places(table((0, 3), (0, 3))) == [1, 1]  # the two unused seats, with 0 cards, are not ahead


def test_points_on_cards_and_points_of_nobles_are_one_quantity() -> None:
    state = deal(2)
    lay_nobles(state, 8, 1, 2)
    give_points(state, 0, 2)
    have = state.bonuses[0]
    give_bonuses(state, 0, f"{max(3, have[0])} white {max(3, have[1])} blue {max(3, have[2])} green")
    play(state, "take white, blue, green")
    assert state.points[0] == 5
