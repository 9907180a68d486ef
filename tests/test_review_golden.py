"""Reviews of positions made by hand, as texts that a person has read; each says what it must and blames nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from positions import (
    deal,
    give_bonuses,
    give_points,
    give_reserve,
    give_tokens,
    lay_nobles,
    leave_in_bank,
    show,
    show_row,
    stack_deck,
)
from splendor import Game
from splendor.analysis import Review, review
from splendor.core.state import State
from splendor.notation.positions import format_position
from splendor.reports.words import cost_words, luck_words, percent, points, turn_words

pytestmark = pytest.mark.compiled_only

Golden = Callable[[str, str], None]


def played(state: State, *moves: str) -> Review:
    game = Game.from_position(format_position(state))
    for move in moves:
        game.play(move)
    return review(game, "quick", seed=1)


def told(found: Review) -> str:
    """A review as text, in whole per cent: what a person would check."""

    def shares(values: Any) -> str:
        return " ".join(f"{round(100 * share):d}" for share in values)

    lines = [f"start {shares(found.start)}"]
    for turn in found.turns:
        lines.append(f"{turn.number + 1}. seat {turn.seat} {turn.move} → {shares(turn.shares)}")
        lines.append(f"   {turn.grade}, best {turn.best}, loss {100 * turn.loss:.0f} %")
        lines += [f"   {reason.text}" for reason in turn.reasons]
        if turn.reveals:
            luck = shares(turn.luck)
            lines.append(f"   card {turn.reveals[0].card} came, luck {luck}")
    for seat in found.summary:
        lines.append(f"seat {seat.seat}: luck {shares([seat.luck])}, own errors {shares([seat.own_errors])}")
    return "\n".join([*lines, *(note.code for note in found.notes), ""])


def one_short(players: int = 2) -> State:
    """Seat 0, the last of its round, can have 15 points by card 8; seat 1 can have 16 in the next one, by card 49."""
    state = deal(players, seed=3, first=1)
    state.seat = 0
    for seat, tokens in ((0, "4 green"), (1, "4 blue 1 gold")):
        give_points(state, seat, 14)
        give_tokens(state, seat, tokens)
    show_row(state, 1, 8, 1, 2, 3)
    show(state, 4, 49)
    return state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_obvious_win_counts_nowhere_and_missing_it_is_a_blunder(players: int, golden: Golden) -> None:
    won, missed = played(one_short(players), "b8"), played(one_short(players), "r2")
    assert won.turns[0].grade in ("forced", "great", "best")
    assert won.turns[0].loss == 0
    assert missed.turns[0].grade == "blunder"
    assert missed.turns[0].best == "b8"
    golden(f"reviews/obvious-{players}.txt", told(won) + "\n" + told(missed))


def test_a_turn_without_a_choice_is_forced(golden: Golden) -> None:
    state = deal(seed=3)
    for card in (88, 89, 90):
        give_reserve(state, 0, card)
    show_row(state, 1, 8, 16, 24, 32)  # four of one color each
    give_tokens(state, 0, "2 white 2 blue 2 green 2 red 2 black")
    leave_in_bank(state, "")
    game = Game.from_position(format_position(state))
    assert [str(move) for move in game.legal_moves] == ["pass"]
    found = played(state, "pass")
    assert found.turns[0].grade == "forced"
    assert found.summary[0].decisions == 0
    assert found.summary[0].accuracy is None
    golden("reviews/forced.txt", told(found))


def test_two_ways_to_win_are_both_the_best(golden: Golden) -> None:
    state = deal(seed=3)
    give_points(state, 0, 14)
    give_points(state, 1, 3)
    show_row(state, 1, 8, 16, 2, 3)  # four green, four red: a point each
    give_tokens(state, 0, "4 green 4 red")
    first, second = played(state, "b8"), played(state, "b16")
    assert [found.turns[0].grade for found in (first, second)].count("blunder") == 0
    assert all(found.turns[0].loss < 0.005 for found in (first, second))
    golden("reviews/equals.txt", told(first) + "\n" + told(second))


def test_a_card_that_one_can_just_pay_is_luck(golden: Golden) -> None:
    """Card 72 asks for seven black. Seat 0 has four, and bonuses for the rest; it comes when seat 0 reserves."""
    state = deal(seed=3)
    give_bonuses(state, 0, "3 black")
    give_tokens(state, 0, "4 black")
    show_row(state, 3, 89, 90, 81, 82)
    stack_deck(state, 3, 72)
    found = played(state, "r89")
    (reveal,) = found.turns[0].reveals
    assert reveal.card == 72
    assert reveal.worst is not None
    assert reveal.worst.share < found.turns[0].shares[0]
    assert found.turns[0].luck[0] > 0.02
    golden("reviews/lucky.txt", told(found))


def test_who_has_lost_already_errs_no_more(golden: Golden) -> None:
    """Seat 0 has 15 points, seat 1 has 5 and the last turn."""
    state = deal(seed=3, first=0)
    give_points(state, 0, 14)
    give_points(state, 1, 5)
    show_row(state, 1, 8, 1, 2, 3)
    give_tokens(state, 0, "4 green")
    found = played(state, "b8", "+wur")
    assert found.is_over
    assert found.turns[1].loss == 0
    assert found.turns[1].grade in ("best", "forced")
    assert found.summary[1].own_errors == 0
    golden("reviews/lost.txt", told(found))


def test_a_shared_win_closes_the_account(golden: Golden) -> None:
    """Both reach 15 points with as many cards."""
    state = deal(seed=3, first=0)
    lay_nobles(state, 1, 2, 3)
    show_row(state, 1, 8, 16, 2, 3)
    for seat, tokens in ((0, "4 green"), (1, "4 red")):
        give_points(state, seat, 14)
        give_tokens(state, seat, tokens)
    found = played(state, "b8", "b16")
    assert found.is_over
    golden("reviews/tie.txt", told(found))


def test_the_words_of_all_reports_name_what_a_decision_cost() -> None:
    found = played(one_short(), "r2")
    (turn,) = found.turns
    assert turn.grade == "blunder"
    assert turn_words(turn).startswith(f"blunder: b8 was better by {cost_words(turn)} % of the win.")
    assert luck_words(turn).startswith("card 5 came: ")
    assert (percent(0.5234), points(0.02), points(-0.0001)) == ("52.3 %", "+2.0", "0.0")
