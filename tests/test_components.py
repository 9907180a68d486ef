"""The printed components: the tables say what is on the cards."""

import hashlib
from collections import Counter
from importlib import resources
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import oracle
from splendor.core.components import (
    CARD_BONUS,
    CARD_COST,
    CARD_LEVEL,
    CARD_POINTS,
    CARDS,
    CARDS_IN_LEVEL,
    COLORS,
    FIRST_CARD,
    NO_CARD,
    NOBLE_COST,
    NOBLE_POINTS,
    NOBLES,
    UNSEEN,
)

SHAPES = {  # cost without its colors: (level, points)
    "1111": (1, 0),
    "2111": (1, 0),
    "221": (1, 0),
    "311": (1, 0),
    "21": (1, 0),
    "22": (1, 0),
    "3": (1, 0),
    "4": (1, 1),
    "322": (2, 1),
    "332": (2, 1),
    "421": (2, 2),
    "5": (2, 2),
    "53": (2, 2),
    "6": (2, 3),
    "5333": (3, 3),
    "7": (3, 4),
    "633": (3, 4),
    "73": (3, 5),
}
ROTATIONS = [tuple((color + step) % 5 for color in range(5)) for step in range(5)]


def shape(card: int) -> str:
    return "".join(str(count) for count in sorted(CARD_COST[card].tolist(), reverse=True) if count)


def cost(card: int) -> str:
    return " ".join(f"{n} {color}" for n, color in zip(CARD_COST[card], COLORS, strict=False) if n)


def printed(card: int, renaming: tuple[int, ...] = (0, 1, 2, 3, 4)) -> tuple[Any, ...]:
    """What is on a card, with its colors renamed."""
    renamed = [0] * 5
    for color in range(5):
        renamed[renaming[color]] = int(CARD_COST[card, color])
    return int(CARD_LEVEL[card]), renaming[CARD_BONUS[card]], int(CARD_POINTS[card]), tuple(renamed)


def test_there_are_ninety_cards_in_three_levels() -> None:
    assert CARDS == 90
    assert Counter(CARD_LEVEL[:CARDS].tolist()) == {0: 40, 1: 30, 2: 20}
    assert CARDS_IN_LEVEL.tolist() == [40, 30, 20]
    assert FIRST_CARD.tolist() == [0, 40, 70]
    assert sorted(CARD_LEVEL[:CARDS].tolist()) == CARD_LEVEL[:CARDS].tolist()


def test_there_are_ten_different_nobles() -> None:
    assert NOBLES == 10
    assert len({tuple(noble.tolist()) for noble in NOBLE_COST}) == 10


def test_every_noble_is_worth_three_points() -> None:
    assert NOBLE_POINTS == 3
    assert all(noble["points"] == 3 for noble in oracle.NOBLES.values())


def test_all_cards_are_different() -> None:
    assert len({printed(card) for card in range(CARDS)}) == 90


def test_each_color_has_eight_six_and_four_cards() -> None:
    counts = Counter(zip(CARD_LEVEL[:CARDS].tolist(), CARD_BONUS[:CARDS].tolist(), strict=True))
    assert counts == {(level, color): 8 - 2 * level for level in range(3) for color in range(5)}


def test_each_cost_shape_occurs_once_for_each_color() -> None:
    found = Counter((shape(card), int(CARD_BONUS[card])) for card in range(CARDS))
    assert found == {(name, color): 1 for name in SHAPES for color in range(5)}


def test_level_and_points_follow_from_the_cost_shape() -> None:
    for card in range(CARDS):
        assert (CARD_LEVEL[card] + 1, CARD_POINTS[card]) == SHAPES[shape(card)]


@pytest.mark.parametrize(("level", "points", "tokens"), [(1, 5, 33), (2, 55, 41), (3, 80, 43)])
def test_a_level_has_known_points_and_asks_for_every_color_equally_often(level: int, points: int, tokens: int) -> None:
    cards = CARD_LEVEL[:CARDS] == level - 1
    assert CARD_POINTS[:CARDS][cards].sum() == points
    assert CARD_COST[:CARDS][cards].sum(axis=0).tolist() == [tokens] * 5


def test_each_cost_shape_asks_for_every_color_equally_often() -> None:
    for name in SHAPES:
        total = sum(CARD_COST[card].astype(int) for card in range(CARDS) if shape(card) == name)
        assert len(set(np.asarray(total).tolist())) == 1


def test_the_nobles_ask_for_each_color_seventeen_times() -> None:
    assert NOBLE_COST.sum(axis=0).tolist() == [17] * 5
    shapes = Counter(tuple(sorted(noble.tolist(), reverse=True)) for noble in NOBLE_COST)
    assert shapes == {(3, 3, 3, 0, 0): 5, (4, 4, 0, 0, 0): 5}


def test_no_renaming_of_colors_gives_the_same_cards() -> None:
    cards = {printed(card) for card in range(CARDS)}
    same = [renaming for renaming in permutations(range(5)) if {printed(c, renaming) for c in range(CARDS)} == cards]
    assert same == [(0, 1, 2, 3, 4)]


def test_twelve_of_the_cost_shapes_are_rotations() -> None:
    turned = {
        name
        for name in SHAPES
        if all(
            {printed(c, turn) for c in range(CARDS) if shape(c) == name}
            == {printed(c) for c in range(CARDS) if shape(c) == name}
            for turn in ROTATIONS
        )
    }
    assert set(SHAPES) - turned == {"22", "3", "311", "322", "5", "53"}


def test_the_nobles_are_the_same_when_the_colors_are_rotated() -> None:
    nobles = {tuple(noble.tolist()) for noble in NOBLE_COST}
    for turn in ROTATIONS:
        assert {tuple(noble[list(turn)].tolist()) for noble in NOBLE_COST} == nobles


def test_card_62_is_the_worked_example_of_the_rulebooks() -> None:
    assert (CARD_LEVEL[61] + 1, COLORS[CARD_BONUS[61]], CARD_POINTS[61]) == (2, "red", 2)
    assert cost(61) == "1 white 4 blue 2 green"


def test_noble_8_asks_for_three_white_three_blue_three_green() -> None:
    assert NOBLE_COST[7].tolist() == [3, 3, 3, 0, 0]


def test_card_25_costs_two_blue_and_one_green() -> None:
    assert cost(24) == "2 blue 1 green"


def test_the_tables_hold_what_the_printed_files_say() -> None:
    for number, card in oracle.CARDS.items():
        row = (CARD_LEVEL[number - 1] + 1, COLORS[CARD_BONUS[number - 1]], CARD_POINTS[number - 1])
        assert row == (card["level"], card["bonus"], card["points"])
        assert CARD_COST[number - 1].tolist() == [card[color] for color in oracle.GEMS]
    for number, noble in oracle.NOBLES.items():
        assert NOBLE_COST[number - 1].tolist() == [noble[color] for color in oracle.GEMS]


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("cards.csv", "d225091a18cdd874f097061304aa249ea9982837fb4ada4ce3cf79cfa4410692"),
        ("nobles.csv", "1170de041ebb871b799204de0ba121a5799aed38d8c67329bfe72c4728e8e80f"),
    ],
)
def test_the_printed_files_are_unchanged(name: str, digest: str) -> None:
    text = resources.files("splendor").joinpath("data", name).read_bytes().replace(b"\r\n", b"\n")
    assert hashlib.sha256(text).hexdigest() == digest


def test_nobody_can_ever_pay_for_an_unknown_card_or_an_empty_slot() -> None:
    assert (CARD_COST[UNSEEN:].sum(axis=1) > 13 + 18).all()  # a hand before returns, and all bonuses of one color
    assert CARD_LEVEL[UNSEEN:NO_CARD].tolist() == [0, 1, 2]


def test_the_tables_cannot_be_changed() -> None:
    for table in (CARD_LEVEL, CARD_BONUS, CARD_POINTS, CARD_COST, NOBLE_COST, CARDS_IN_LEVEL, FIRST_CARD):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1
