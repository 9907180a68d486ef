"""`review`: a whole game turn by turn, watched, stopped and resumed; nobody is blamed for what nobody could see."""

from __future__ import annotations

import json
from functools import cache
from threading import Event

import jsonschema
import pytest

from games import random_game
from splendor import Game, View
from splendor.analysis import Analysis, Review, review
from splendor.analysis.grades import COUNTED, judge
from splendor.analysis.model import schema
from splendor.analysis.reviewer import MOST_TURNS
from splendor.players import load

pytestmark = pytest.mark.compiled_only


def played(players: int = 2, seed: int = 3, turns: int = 1000) -> Game:
    """A game of greedy players who err."""
    game, player = Game(players, seed=seed), load("greedy:noise=1", seed=seed)
    while not game.is_over and len(game.moves) < turns:
        game.play(player.choose(game.view(game.seat)))
    return game


@cache
def short(players: int = 2, turns: int = 8) -> tuple[Game, Review]:
    game = played(players, turns=turns)
    return game, review(game, "quick", seed=1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_turn_is_told_and_the_sums_of_each_seat_close(players: int) -> None:
    game, found = short(players)
    assert [turn.move for turn in found.turns] == [str(move) for move in game.moves]
    assert [turn.seat for turn in found.turns] == [n % players for n in range(len(game.moves))]
    for turn in found.turns:
        assert turn.grade is not None
        assert turn.best is not None
        assert turn.loss >= 0
        assert len(turn.luck) == len(turn.shares) == len(turn.cost) == players
        assert sum(turn.shares) == pytest.approx(1)
        assert sum(turn.luck) == pytest.approx(0, abs=1e-9)
        assert turn.move in [candidate.move for candidate in turn.candidates]
        assert turn.luck == pytest.approx(
            [sum(part) for part in zip(*(r.luck for r in turn.reveals), strict=True)]
        ) or (not turn.reveals)
    for seat in found.summary:
        parts = seat.deal + seat.luck + seat.own_errors + seat.others_errors + seat.rest
        assert parts == pytest.approx(seat.result - seat.average, abs=1e-9)
        assert seat.own_errors == pytest.approx(-sum(t.loss for t in found.turns if t.seat == seat.seat))
    assert found.is_complete


def test_a_whole_game_ends_with_its_result() -> None:
    game = played(seed=11)
    found = review(game, "curve")
    assert found.is_over
    assert found.turns[-1].shares == game.win_shares == tuple(seat.result for seat in found.summary)
    assert found.is_complete
    assert all(turn.grade is None for turn in found.turns)
    assert found.summary[0].accuracy is None
    assert found.summary[0].own_errors == 0


def test_it_fits_the_schema_and_reads_back() -> None:
    _, found = short()
    jsonschema.validate(found.to_json(), schema())
    assert Review.from_json(json.dumps(found.to_json())) == found


def test_it_grows_from_the_curve_on_and_can_be_stopped_and_resumed() -> None:
    game, whole = short()
    stop, seen = Event(), list[Review]()

    def watch(partial: Review) -> None:
        seen.append(partial)
        if partial.done == 3:
            stop.set()

    partial = review(game, "quick", seed=1, progress=watch, stop=stop)
    assert seen[0].turns[-1].shares == whole.turns[-1].shares
    assert [found.done for found in seen] == sorted(found.done for found in seen)
    assert 3 <= partial.done < partial.total == len(game.moves)
    assert not partial.is_complete
    resumed = review(game, "quick", seed=1, resume=Review.from_json(json.dumps(partial.to_json())))
    assert resumed == whole


def test_threads_change_nothing() -> None:
    game, found = short()
    assert review(game, "quick", seed=1, threads=3) == found


def test_a_review_is_resumed_only_with_what_it_belongs_to() -> None:
    game, found = short()
    with pytest.raises(ValueError, match="of another game"):
        review(game, "quick", seed=2, resume=found)
    with pytest.raises(ValueError, match="of another game"):
        review(played(seed=4, turns=8), "quick", seed=1, resume=found)


def test_seats_can_be_chosen() -> None:
    found = review(short()[0], "quick", seats=[1], seed=1)
    assert {turn.seat for turn in found.turns if turn.grade} == {1}
    assert found.total == sum(turn.seat == 1 for turn in found.turns)


@pytest.mark.parametrize("players", [2, 3])
def test_what_the_seat_could_not_see_changes_no_grade(players: int) -> None:
    game = played(players, seed=8, turns=24)
    for number in range(0, 24, 5):
        state, move = game.states[number], game.moves[number]
        seat = int(state.seat)
        seen = View(state, seat)
        verdicts = [
            judge(Analysis(View(deal, seat), include=[move], seed=2).run(20).candidates, str(move))
            for deal in (state, seen.redeal(1), seen.redeal(2))
        ]
        assert verdicts[0] == verdicts[1] == verdicts[2]


def test_an_unfinished_game_is_reviewed_as_far_as_it_goes_and_says_so() -> None:
    _, found = short()
    assert not found.is_over
    assert [note.code for note in found.notes] == ["unfinished"]
    assert found.decided_by == "open"
    assert sum(seat.result for seat in found.summary) == pytest.approx(1)


def test_a_record_that_begins_later_says_so() -> None:
    game = Game.from_position(random_game(2, 3, turns=10).position)
    game.play(game.legal_moves[0])
    assert "begins_later" in [note.code for note in review(game, "curve").notes]


def test_strong_players_decide_better() -> None:
    strong, weak = load("master", seed=1), load("random", seed=1)
    game = Game(2, seed=21)
    while not game.is_over and len(game.moves) < 16:
        game.play((strong if game.seat == 0 else weak).choose(game.view(game.seat)))
    seats = review(game, "quick", seed=1).summary
    assert seats[0].accuracy > seats[1].accuracy + 20  # type: ignore[operator]
    assert seats[0].performance.scale > seats[1].performance.scale + 1  # type: ignore[union-attr]
    assert sum(seats[0].grades.values()) == 8
    assert seats[0].decisions == sum(seats[0].grades.get(grade, 0) for grade in COUNTED)


def test_bad_input_is_refused_with_a_sentence() -> None:
    game = short()[0]
    with pytest.raises(ValueError, match="no turn has been played"):
        review(Game(2, seed=1), "quick")
    with pytest.raises(ValueError, match="there is no effort 'hard'"):
        review(game, "hard")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no seat 2"):
        review(game, seats=[2])
    with pytest.raises(ValueError, match="expected a tag"):
        review("1. e4 e5", "quick")
    with pytest.raises(ValueError, match="is illegal in round 1"):
        review(Game(2, seed=1).record() + "1. b90\n", "quick")
    with pytest.raises(ValueError, match=f"at most {MOST_TURNS}"):
        review(endless(), "quick")


def endless() -> Game:
    """Both take tokens and give them back for ever."""
    game, order = Game(2, seed=1), ("take", "reserve", "draw", "buy", "pass")
    while len(game.moves) <= MOST_TURNS:
        game.play(min(game.legal_moves, key=lambda move: order.index(move.kind)))
    return game
