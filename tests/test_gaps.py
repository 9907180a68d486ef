"""A viewer's record: cards that were drawn unseen are found where they are bought, and left open where they are not."""

from __future__ import annotations

import pytest

from splendor import Game, View
from splendor.analysis import review
from splendor.analysis.gaps import read_game
from splendor.game.moves import legal_moves

pytestmark = pytest.mark.compiled_only


def with_draws(turns: int = 60) -> Game:
    """A game in which empty hands draw a card, and buy it as soon as they can."""
    game = Game(2, seed=9)
    order = ("draw", "take", "buy", "reserve", "pass")
    while not game.is_over and len(game.moves) < turns:
        held = {card.id for card in game.reserved(game.seat)}
        game.play(
            min(
                legal_moves(game.state),
                key=lambda move: (move.card not in held, bool(held) and move.kind == "draw", order.index(move.kind)),
            )
        )
    return game


def as_seen(game: Game, viewer: int) -> str:
    """The record as a viewer could have written it."""
    start = game.copy()
    while start.moves:
        start.undo()
    text = game.record().replace(start.position, View(start.state, viewer).position)
    head, _, body = text.partition("\n\n")
    words: list[str] = []
    seat = -1  # two players, and seat 0 begins
    for word in body.split():
        is_card = word.startswith(">")
        seat += not is_card and not word.endswith(".")
        if not is_card or not words[-1].startswith("rd") or seat % 2 == viewer:
            words.append(word)
    return f"{head}\n\n{' '.join(words)}\n"


def test_cards_show_when_they_are_bought() -> None:
    game = with_draws()
    text = as_seen(game, 0)
    assert text.count(">") < game.record().count(">")
    with pytest.raises(ValueError, match="the record says none"):
        Game.from_record(text)
    found, gaps = read_game(text)
    assert found.moves == game.moves
    assert all(gap.seat == 1 for gap in gaps)
    unknown = {gap.turn for gap in gaps}
    for number, (mine, theirs) in enumerate(zip(found.turns, game.turns, strict=True)):
        if number not in unknown and mine.move.kind == "draw":
            assert mine.drawn == theirs.drawn
    drawn = [number for number, turn in enumerate(game.turns) if number % 2 == 1 and turn.move.kind == "draw"]
    assert len(unknown) < len(drawn)


def test_what_stays_unknown_is_not_graded_and_the_review_says_so() -> None:
    game = with_draws(6)
    text = as_seen(game, 0)
    _, gaps = read_game(text)
    assert gaps
    found = review(text, "quick", seed=1)
    assert "unseen_cards" in [note.code for note in found.notes]
    first = min(gap.turn for gap in gaps)
    for turn in found.turns:
        assert (turn.grade is None) == (turn.seat == 1 and turn.number > first)
    for gap in gaps:
        assert found.turns[gap.turn].reveals == ()
    assert found.is_complete
    for seat in found.summary:
        parts = seat.deal + seat.luck + seat.own_errors + seat.others_errors + seat.rest
        assert parts == pytest.approx(seat.result - seat.average, abs=1e-9)


def test_a_whole_record_is_read_as_ever() -> None:
    game = with_draws(20)
    found, gaps = read_game(game.record())
    assert (found.record(), gaps) == (game.record(), ())
    assert read_game(game.record(as_json=True))[0].moves == game.moves
