"""Moves as text: what is printed reads back, and what is not a move is refused with the place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import positions_of
from splendor import Move, NotationError, Tokens, parse_move
from splendor.notation import format_move, format_tokens, parse_tokens

counts = st.tuples(*[st.integers(0, 4)] * 6).map(lambda n: Tokens(*n))
some_tokens = counts.filter(any)
nobles = st.none() | st.integers(1, 10)


@st.composite
def moves(draw: st.DrawFn) -> Move:
    returned, noble = draw(counts), draw(nobles)
    kind = draw(st.sampled_from(["take", "reserve", "draw", "buy", "pass", "finish"]))
    if kind == "take":
        return Move("take", taken=draw(some_tokens), returned=returned, noble=noble)
    if kind == "reserve":
        return Move("reserve", card=draw(st.integers(1, 90)), returned=returned, noble=noble)
    if kind == "draw":
        return Move("draw", level=draw(st.integers(1, 3)), returned=returned, noble=noble)
    if kind == "buy":
        card, payment = draw(st.integers(1, 90)), draw(st.none() | counts)
        return Move("buy", card=card, payment=payment, returned=returned, noble=noble)
    if kind == "pass":
        return Move("pass", returned=returned, noble=noble)
    return Move("finish", returned=draw(some_tokens), noble=noble)


@given(moves())
def test_a_printed_move_reads_back_the_same(move: Move) -> None:
    assert parse_move(format_move(move)) == move
    assert eval(repr(move)) == move


@pytest.mark.parametrize("players", [2, 3, 4])
def test_legal_moves_read_back_the_same_and_are_all_different(players: int) -> None:
    for game in positions_of(players, seed=players, every=7):
        texts = [str(move) for move in game.legal_moves]
        assert [parse_move(text) for text in texts] == game.legal_moves
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "'' is no move"),
        ("x", 1, "'x' is no move"),
        ("+", 2, "expected tokens"),
        ("+wxg", 3, "'x' is no token"),
        ("+uw", 2, "in the order wugrko: wu"),
        ("+wug-", 6, "expected tokens"),
        ("+wug-kw", 6, "in the order wugrko: wk"),
        ("r0", 2, "'0' is no card"),
        ("r91", 2, "cards are numbered 1 to 90"),
        ("r", 2, "'' is no card"),
        ("r062", 2, "'062' is no card"),
        ("rd4", 3, "decks are numbered 1 to 3"),
        ("rd", 3, "'' is no deck"),
        ("b62=wx", 6, "'x' is no token"),
        ("b62 ", 4, "is no move"),
        ("b62@11", 5, "nobles are numbered 1 to 10"),
        ("b62@", 5, "'' is no noble"),
        ("b62@8-w", 6, "is no move"),
        ("+wug+r", 5, "is no move"),
        ("passing", 5, "is no move"),
        ("+wug\n", 5, "is no move"),
        ("b٣", 2, "is no move"),
    ],
)
def test_what_is_no_move_is_refused_with_the_place(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as refusal:
        parse_move(text)
    assert refusal.value.column == column


@given(st.text(alphabet="+-=@wugrkobdpas0123456789 ", max_size=12) | st.text(max_size=8))
def test_any_text_is_a_move_that_prints_the_same_or_is_refused(text: str) -> None:
    try:
        move = parse_move(text)
    except NotationError:
        return
    assert str(move) == text


def test_tokens_are_letters_in_the_order_of_the_colors() -> None:
    assert format_tokens(Tokens(1, 2, 0, 0, 1, 3)) == "wuukooo"
    assert parse_tokens("wuukooo") == Tokens(1, 2, 0, 0, 1, 3)
