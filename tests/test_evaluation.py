"""`evaluate`: shares of all seats, ranked decisions, decisions to include, and what the seat cannot know."""

from __future__ import annotations

from threading import Event

import pytest

from games import random_game
from positions import deal, give_tokens, show_row
from splendor import Game, IllegalMove, NotationError, View
from splendor.analysis import Analysis, Evaluation, evaluate
from splendor.analysis.turns import decisions_of
from splendor.core.actions import describe_action
from splendor.notation.moves import parse_move
from splendor.notation.positions import format_position

pytestmark = pytest.mark.compiled_only


def middle(players: int = 2, seed: int = 3, turns: int = 16) -> Game:
    return random_game(players, seed, turns=turns)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_shares_add_up_and_decisions_are_ranked(players: int) -> None:
    game = middle(players)
    found = evaluate(game.view(game.seat), "quick", seed=1)
    assert sum(found.shares) == pytest.approx(1)
    assert found.simulations == 50
    worths = [candidate.worth for candidate in found.candidates]
    assert worths == sorted(worths, reverse=True)
    assert len(found.candidates) == len(game.legal_actions)
    assert {candidate.move for candidate in found.candidates} <= {str(move) for move in game.legal_moves}
    for candidate in found.candidates:
        assert sum(candidate.shares) == pytest.approx(1)
        assert candidate.shares[found.seat] == pytest.approx(candidate.worth)
        assert candidate.error > 0
        assert candidate.line[0] == candidate.move


def test_a_text_is_as_good_as_a_view_and_what_the_seat_cannot_know_plays_no_part() -> None:
    game = middle()
    seen = game.view(game.seat)
    found = evaluate(seen, 30, seed=1)
    assert evaluate(game.position, 30, seed=1) == found
    for seed in range(3):
        assert evaluate(View(seen.redeal(seed), game.seat), 30, seed=1) == found


def test_the_same_seed_finds_the_same_and_thinking_on_is_thinking_longer() -> None:
    view = middle().view(middle().seat)
    analysis = Analysis(view, seed=4)
    analysis.run(20)
    assert evaluate(view, 60, resume=analysis) == evaluate(view, 60, seed=4)


def test_a_decision_to_include_is_looked_at_as_closely_as_the_best() -> None:
    game = middle()
    worst = evaluate(game.view(game.seat), 30, seed=1).candidates[-1]
    found = evaluate(game.view(game.seat), 60, include=[worst.move], seed=1)
    visits = {candidate.move: candidate.visits for candidate in found.candidates}
    assert visits[worst.move] >= max(visits.values()) - 1


def test_a_turn_that_pays_or_returns_otherwise_can_be_included() -> None:
    state = deal()
    show_row(state, 1, 8, 1, 2, 3)  # card 8 costs four green
    give_tokens(state, 0, "2 white 2 blue 1 green 1 red 4 gold")
    game = Game.from_position(format_position(state))
    returning = [move for move in game.legal_moves if any(move.returned)]
    paying = [move for move in game.legal_moves if move.payment]
    assert returning
    assert paying
    for move in (returning[0], returning[-1], paying[0], paying[-1]):
        found = evaluate(game.view(0), 30, include=[move], seed=1)
        candidate = next(candidate for candidate in found.candidates if candidate.move == str(move))
        assert 0 <= candidate.worth <= 1
        assert candidate.line[0] == str(move)


def test_a_turn_is_played_decision_by_decision() -> None:
    state = deal()
    give_tokens(state, 0, "3 white 3 blue 2 green 1 gold")
    decisions = list(decisions_of(state, parse_move("+urk-wu")))
    words = [describe_action(decision.action) for decision in decisions]
    assert words == ["take blue, red, black", "return white", "return blue"]
    assert [int(decision.state.tokens[0].sum()) for decision in decisions] == [9, 12, 11]


def test_it_can_be_watched_and_stopped() -> None:
    game, stop, seen = middle(), Event(), list[Evaluation]()

    def watch(found: Evaluation) -> None:
        seen.append(found)
        stop.set()

    found = evaluate(game.view(game.seat), 5000, progress=watch, stop=stop, seed=1)
    assert seen == [found]
    assert found.simulations < 5000


def test_of_a_finished_game_it_says_who_won() -> None:
    game = random_game(2, 3)
    found = evaluate(game.position)
    assert found.shares == game.win_shares
    assert found.candidates == ()


def test_bad_input_is_refused_with_a_sentence() -> None:
    game = middle()
    with pytest.raises(NotationError, match="10 fields"):
        evaluate("nonsense")
    with pytest.raises(IllegalMove):
        evaluate(game.view(game.seat), include=["b90=wwwwwww"])
    with pytest.raises(IllegalMove):
        evaluate(game.view(game.seat), include=["what"])
    with pytest.raises(ValueError, match="there is no effort 'hard'"):
        evaluate(game.view(game.seat), "hard")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="from 1 to"):
        evaluate(game.view(game.seat), 0)
    with pytest.raises(ValueError, match="it is the turn of seat"):
        evaluate(game.view(1 - game.seat))
