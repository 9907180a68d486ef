"""`Game`: what it offers, what it refuses, and that refusing changes nothing."""

import random
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import splendor
from games import positions_of, random_game
from positions import NUMBER, deal, give_bonuses, give_tokens, lay_nobles, show
from splendor import Game, IllegalMove, Move, NotationError, Tokens, View
from splendor.core.actions import RESERVE_DECK, RETURN_TOKEN, TAKEN
from splendor.core.components import COLORS
from splendor.notation import format_position

TAKE_WHITE_GREEN_RED = 3

SOME_MOVES = [
    Move("pass"),
    *(Move("draw", level=level) for level in (1, 2, 3)),
    *(Move(kind, card=card) for kind in ("reserve", "buy") for card in range(1, 91)),
    *(Move("take", taken=Tokens(*counts)) for counts in product(range(3), repeat=6) if 1 <= sum(counts) <= 3),
]


def played(game: Game, *moves: str) -> Game:
    for move in moves:
        game.play(move)
    return game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_legal_move_plays_and_every_other_is_refused(players: int) -> None:
    for game in positions_of(players, seed=20 + players, every=83):
        position, legal = game.position, set(game.legal_moves)
        for move in legal:
            copy = game.copy()
            whole = copy.play(move)
            assert whole == move or (move.kind == "finish" and whole.noble == move.noble)
            assert copy.moves[-1] == whole
            assert copy.position != position
        for move in SOME_MOVES:
            if move not in legal:
                with pytest.raises(IllegalMove, match=r"."):
                    game.play(move)
        for move in list(legal)[:20]:
            for wrong in wrong_variants(move):
                if wrong not in legal:
                    refused_or_spelled_out(game, wrong, legal)
        assert game.position == position


def wrong_variants(move: Move) -> list[Move]:
    """The same move with other returns, another noble, another payment."""
    returns = [Tokens(*(pair.count(c) for c in range(6))) for n in (0, 1, 2, 3) for pair in combos(n)]
    variants = [Move(move.kind, move.taken, move.card, move.level, move.payment, r, move.noble) for r in returns]
    variants += [
        Move(move.kind, move.taken, move.card, move.level, move.payment, move.returned, n) for n in (None, 1, 2, 3, 9)
    ]
    if move.kind == "buy":
        payments = [Tokens(*(pair.count(c) for c in range(6))) for n in (0, 1, 2, 3) for pair in combos(n)]
        variants += [Move("buy", card=move.card, payment=p, noble=move.noble) for p in payments]
    return variants


def combos(size: int) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(6), size))


def refused_or_spelled_out(game: Game, move: Move, legal: set[Move]) -> None:
    """A move outside the list is refused, unless it only spells out what follows by itself."""
    copy = game.copy()
    try:
        same = copy.play(move)
    except IllegalMove:
        assert copy.position == game.position
        return
    assert same in legal
    assert (same.taken, same.card, same.level, same.returned) == (move.taken, move.card, move.level, move.returned)
    assert same.payment is None or same.payment == move.payment


@pytest.mark.parametrize("players", [2, 3, 4])
def test_undo_restores_every_position_exactly(players: int) -> None:
    game = Game(players=players, seed=6)
    chance = random.Random(6)
    before: list[tuple[bytes, list[Move]]] = []
    while not game.is_over:
        before.append((game.state.tobytes(), game.moves))
        game.play(chance.choice(game.legal_moves))
    while before:
        move = game.moves[-1]
        assert game.undo() == move
        assert (game.state.tobytes(), game.moves) == before.pop()
    with pytest.raises(IndexError, match="nothing has been played yet"):
        game.undo()


def test_undo_of_a_turn_that_has_begun_goes_back_to_its_start() -> None:
    game = full_hand()
    position = game.position
    game.decide(RESERVE_DECK)
    game.undo()
    game.decide(TAKE_WHITE_GREEN_RED)
    assert game.phase == "return"
    game.decide(RETURN_TOKEN)
    assert game.undo() == Move("take", taken=Tokens(1, 0, 1, 1), returned=Tokens(white=1))
    assert game.position == position


def full_hand() -> Game:
    """Two players; seat 0 to act with nine tokens."""
    return played(Game(seed=1), "+wug", "+wrk", "+wug", "+urk", "+ugr", "rd1")


def test_a_move_may_be_played_decision_by_decision() -> None:
    game = full_hand()
    assert sum(game.tokens(0)) == 9
    copy = game.copy()
    whole = next(move for move in game.legal_moves if sum(move.returned) == 2)
    game.play(whole)
    copy.decide(next(action for action in copy.legal_actions if tuple(TAKEN[action]) == whole.taken[:5]))
    for color, count in enumerate(whole.returned):
        for _ in range(count):
            copy.decide(RETURN_TOKEN + color)
    assert copy.position == game.position
    assert copy.moves == game.moves
    assert copy.record() == game.record()


def test_a_buy_may_be_decided_with_the_gold_that_is_to_be_spent() -> None:
    state = deal()
    lay_nobles(state, 2, 4, 1)
    show(state, 0, 23)
    give_bonuses(state, 0, "3 blue 2 green 3 red 3 black")  # nobles 2 and 4 want one green more
    give_tokens(state, 0, "2 white 2 gold")
    game = Game.from_position(format_position(state))
    whole = game.copy()
    game.decide(NUMBER["buy level 1 card 1"], Tokens(white=1, gold=1))
    assert game.phase == "noble"
    game.play("@4")
    whole.play("b23=wo@4")
    assert game.moves == whole.moves
    assert game.position == whole.position
    game.undo()
    with pytest.raises(IllegalMove, match="the payment must be exact"):
        game.decide(NUMBER["buy level 1 card 1"], Tokens(white=1))


def test_only_a_purchase_can_be_paid_for() -> None:
    game = Game(seed=1)
    before = game.position
    card = game.view(0).market[0][0].id  # type: ignore[union-attr]
    paid = Tokens(white=1)
    for move in (Move("take", taken=Tokens(1, 1, 1), payment=paid), Move("reserve", card=card, payment=paid)):
        with pytest.raises(IllegalMove, match="only a card that is bought is paid for"):
            game.play(move)
    with pytest.raises(IllegalMove, match="only a card that is bought is paid for"):
        game.decide(0, paid)
    assert game.position == before
    assert game.moves == []


def test_the_rest_of_a_turn_is_a_move_of_its_own() -> None:
    game = full_hand()
    take = next(action for action in game.legal_actions if action < 10)
    game.decide(take)
    assert {move.kind for move in game.legal_moves} == {"finish"}
    assert all(sum(move.returned) == 2 for move in game.legal_moves)
    rest = game.legal_moves[0]
    whole = game.play(str(rest))
    assert whole.kind == "take"
    assert whole.returned == rest.returned
    assert Game.from_record(game.record()).position == game.position


def test_a_game_can_start_from_a_position_in_the_middle_of_a_turn() -> None:
    game = full_hand()
    game.decide(next(action for action in game.legal_actions if action < 10))
    other = Game.from_position(game.position)
    other.play(other.legal_moves[0])
    assert Game.from_record(other.record()).position == other.position


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("+www", "take one token each of 3 different colors, or two of one color from a pile of 4 or more"),
        ("+wu", "take one token each of 3 different colors"),
        ("+wo", "gold cannot be taken"),
        ("+wug-w", "tokens are returned only down to 10, never below"),
        ("r1", "card 1 is not face up on the market"),
        ("b1", "card 1 is neither on the market nor among the reserved cards of seat 0"),
        ("b23", "card 23 costs 2 white, 1 blue after bonuses; seat 0 is 3 tokens short"),
        ("pass", "passing is allowed only when no other action is possible"),
        ("-w", "a turn begins with an action"),
        ("+wug@1", "noble 1 is not on the table"),
        ("+wug@2", "a noble is chosen only at the end of a turn in which several could come"),
        ("nonsense", "is no move"),
    ],
)
def test_a_refusal_teaches_the_rule_and_changes_nothing(move: str, reason: str) -> None:
    game = Game(players=2, seed=1)
    before = game.state.tobytes()
    with pytest.raises(IllegalMove, match=reason):
        game.play(move)
    assert game.state.tobytes() == before
    assert game.moves == []


def test_refusals_in_later_positions() -> None:
    game = played(Game(seed=1), "+wug", "+wrk")
    with pytest.raises(IllegalMove, match="the white pile holds 2 tokens; taking two needs 4"):
        game.play("+ww")
    game = full_hand()
    with pytest.raises(IllegalMove, match="seat 0 holds 12 tokens and must return exactly 2"):
        game.play(str(next(m for m in game.legal_moves if sum(m.returned) == 2)).partition("-")[0])
    game = played(Game(seed=1), "rd1", "rd1", "rd1", "rd1", "rd1", "rd2")
    with pytest.raises(IllegalMove, match="seat 0 already has 3 reserved cards"):
        game.play("rd2")


def test_a_wrong_payment_is_refused() -> None:
    game = played(Game(seed=1), "+wuk", "rd1", "+wug", "rd1")
    with pytest.raises(IllegalMove, match="the payment must be exact"):
        game.play("b23=ww")
    with pytest.raises(IllegalMove, match="seat 0 has 0 gold tokens"):
        game.play("b23=wwo")
    assert game.play("b23=wwu") == Move("buy", card=23)


@pytest.mark.parametrize("action", [-1, 72, 1000])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    with pytest.raises(IllegalMove, match="actions are numbered 0 to 71"):
        Game(seed=1).decide(action)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_illegal_number_is_refused_with_a_reason(players: int) -> None:
    for game in positions_of(players, seed=30 + players, every=9):
        before, legal = game.state.tobytes(), game.legal_actions
        for action in set(range(72)) - set(legal):
            with pytest.raises(IllegalMove, match=r"."):
                game.decide(action)
        assert game.state.tobytes() == before


def test_nothing_can_be_played_when_the_game_is_over() -> None:
    game = random_game(3, seed=1)
    assert game.legal_moves == []
    assert game.legal_actions == []
    for move in ("+wug", "pass", "-w"):
        with pytest.raises(IllegalMove, match="the game is over"):
            game.play(move)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"players": 1}, "Splendor is for 2 to 4 players, not 1"),
        ({"players": 5}, "Splendor is for 2 to 4 players, not 5"),
        ({"players": "2"}, "not '2'"),
        ({"players": True}, "not True"),
        ({"first": 2}, "the first seat must be 0 to 1, not 2"),
        ({"seed": -1}, "a seed must be from 0"),
        ({"seed": 2**64}, "a seed must be from 0"),
        ({"seed": 1.5}, "a seed must be from 0"),
        ({"round_cap": 0}, "a cap on rounds must be 1"),
    ],
)
def test_a_game_that_cannot_be_is_refused(arguments: dict[str, int], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Game(**arguments)


def test_the_same_seed_deals_the_same_game_and_no_seed_another() -> None:
    assert Game(seed=5).position == Game(seed=5).position
    assert Game(seed=5).position != Game(seed=6).position
    assert Game().position != Game().position


def test_a_game_without_a_seed_can_be_dealt_again_by_its_tag() -> None:
    game = Game(players=4)
    assert Game(players=4, seed=int(game.tags["Seed"])).position == game.position


def test_a_copy_goes_its_own_way() -> None:
    game = random_game(2, seed=2, turns=10)
    position, record = game.position, game.record()
    copy = game.copy()
    copy.play(copy.legal_moves[0])
    copy.tag("Event", "a copy")
    copy.annotate(0, comment="other")
    assert (game.position, game.record()) == (position, record)
    copy.undo()
    copy.undo()
    assert len(game.moves) == 10


def test_tags_and_notes_are_checked() -> None:
    game = random_game(2, seed=2, turns=3)
    for name in ("seat", "Position", "Game", "Result", "Two Words", ""):
        with pytest.raises(ValueError, match="tag"):
            game.tag(name, "x")
    with pytest.raises(ValueError, match="control characters"):
        game.tag("Event", "\x00")
    with pytest.raises(ValueError, match="each of the 2 seats"):
        game.annotate(0, evaluation=(1.0,))
    with pytest.raises(ValueError, match="seconds"):
        game.annotate(0, clock=-1)
    with pytest.raises(IndexError):
        game.annotate(7, comment="no such turn")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_table_agrees_with_the_state(players: int) -> None:
    for game in positions_of(players, seed=40 + players, every=11):
        state = game.state
        assert game.bank == tuple(state.bank)
        for seat in range(players):
            assert game.tokens(seat) == tuple(state.tokens[seat])
            assert (
                sum(card.points for card in game.bought(seat)) + 3 * sum(noble.seat == seat for noble in game.nobles)
                == game.points[seat]
            )
            bonuses = [sum(card.bonus == color for card in game.bought(seat)) for color in COLORS]
            assert game.bonuses(seat) == tuple(bonuses)
            assert len(game.reserved(seat)) <= 3
        on_market = [card for row in game.market for card in row if card]
        assert all(card.level == level + 1 for level, row in enumerate(game.market) for card in row if card)
        assert (
            len(on_market)
            + sum(game.deck_sizes)
            + sum(len(game.bought(seat)) + len(game.reserved(seat)) for seat in range(players))
            == 90
        )
    assert game.winners == tuple(seat for seat, place in enumerate(game.placement) if place == 1)


def test_a_seat_that_does_not_exist_is_refused() -> None:
    game = Game(players=2, seed=1)
    for ask in (game.tokens, game.bonuses, game.bought, game.reserved, game.view):
        with pytest.raises(ValueError, match="there is no seat 2; the seats are 0 to 1"):
            ask(2)


def test_a_cap_on_rounds_ends_the_game_for_its_own_reason() -> None:
    game = random_game(2, seed=3, cap=4)
    assert (game.phase, game.round, len(game.moves), game.round_cap) == ("cap", 4, 8, 4)
    assert game.winners


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_view_shows_only_the_viewer_its_drawn_cards(players: int) -> None:
    game = Game(players=players, seed=3)
    game.play("rd2")
    drawn = game.reserved(0)
    assert game.view(0).reserved(0) == drawn
    for viewer in (None, *range(1, players)):
        (card,) = game.view(viewer).reserved(0)
        assert card.is_unseen
        assert card.level == 2
    assert str(drawn[0].id) not in game.view(1).position.split(" ")[10].split(":")[2]


def test_a_view_offers_moves_only_to_the_seat_that_decides() -> None:
    game = Game(players=2, seed=1)
    assert game.view(0).legal_moves == game.legal_moves
    assert game.view(1).legal_moves == []
    assert game.view(None).legal_moves == []


@given(st.integers(0, 2**64 - 1), st.integers(2, 4), st.integers(0, 2**32))
def test_a_view_does_not_change_when_hidden_cards_do(seed: int, players: int, other: int) -> None:
    game = random_game(players, seed=seed, turns=seed % 60)
    viewer = seed % players
    view = game.view(viewer)
    redealt = View(view.redeal(other), viewer)
    assert redealt == view
    assert redealt.position == view.position
    assert redealt.legal_moves == view.legal_moves
    assert str(redealt) == str(view)


def test_boards_fit_eighty_columns() -> None:
    for players in (2, 3, 4):
        for game in positions_of(players, seed=players, every=5):
            assert max(len(line) for line in str(game).splitlines()) <= 80


def test_the_public_names_are_documented_and_there() -> None:
    for name in splendor.__all__:
        assert getattr(splendor, name).__doc__ or name == "parse_move"


def test_a_pasted_repr_is_the_same_game() -> None:
    game = random_game(3, seed=3, turns=9)
    assert eval(repr(game)).position == game.position


def test_a_foreign_position_is_refused() -> None:
    with pytest.raises(NotationError):
        Game.from_position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
