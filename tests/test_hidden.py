"""Hidden cards: what each viewer sees, and dealing again what nobody saw."""

import random
from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from positions import (
    assert_conserved,
    deal,
    give_cards,
    give_points,
    give_reserve,
    lay_nobles,
    legal_numbers,
    play,
    reserves,
    show_row,
    view,
)
from splendor.core.chance import new_rng
from splendor.core.components import CARD_LEVEL, FIRST_CARD, LEVELS, NO_CARD, UNSEEN
from splendor.core.hidden import SPECTATOR, card_turned_up, hide, redeal
from splendor.core.rules import apply, drawn_level, is_bought_by, is_over, top_card
from splendor.core.state import STATE, copy_state

PUBLIC = [name for name in STATE.names or () if name not in ("deck", "reserved")]


def played(players: int, seed: int, decisions: int) -> Any:
    """A position from random play, in which reserving from decks is preferred."""
    state = deal(players, seed)
    chance = random.Random(seed)
    for _ in range(decisions):
        if is_over(state):
            break
        moves = legal_numbers(state)
        draws = [action for action in moves if 42 <= action <= 44]
        apply(state, chance.choice(draws if draws and chance.random() < 0.3 else moves))
    return state


def positions() -> list[Any]:
    return [played(players, seed, 8 + 9 * seed) for players in (2, 3, 4) for seed in range(6)]


def viewers(state: Any) -> list[int]:
    return [SPECTATOR, *range(state.players)]


def rearranged(state: Any, viewer: int, seed: int) -> Any:
    """The same game to the viewer: decks and unseen reserves mixed by other means than `redeal`."""
    other = copy_state(state)
    chance = random.Random(seed)
    for level in range(3):
        first, size = int(FIRST_CARD[level]), int(state.deck_size[level])
        unseen = [
            (seat, place)
            for seat in range(state.players)
            for place in range(3)
            if seat != viewer and state.from_deck[seat, place] and CARD_LEVEL[state.reserved[seat, place]] == level
        ]
        cards = [int(card) for card in state.deck[first : first + size]]
        cards += [int(state.reserved[seat, place]) for seat, place in unseen]
        chance.shuffle(cards)
        for seat, place in unseen:
            other.reserved[seat, place] = cards.pop()
        other.deck[first : first + size] = cards
        for place in range(first + size, first + (40, 30, 20)[level]):  # where drawn cards once lay
            other.deck[place] = chance.randrange(first, first + (40, 30, 20)[level])
    assert_conserved(other)
    return other


# ------------------------------------------------------------------------------ what a decision shows


@pytest.mark.parametrize("seed", range(6))
def test_a_decision_draws_from_the_deck_that_the_rules_name_and_no_other(seed: int) -> None:
    state = deal(2 + seed % 3, seed)
    chance = random.Random(seed)
    while not is_over(state):
        action = chance.choice(legal_numbers(state))
        level, sizes = drawn_level(state, action), state.deck_size.tolist()
        card = top_card(state, level) if level < LEVELS else NO_CARD
        before = set(state.market.tolist()) | set(state.reserved[state.seat].tolist())
        seat = int(state.seat)
        apply(state, action)
        assert [had - has for had, has in zip(sizes, state.deck_size.tolist(), strict=True)] == [
            n == level for n in range(LEVELS)
        ]
        new = set(state.market.tolist()) | set(state.reserved[seat].tolist())
        assert new - before - {NO_CARD} == {card} - {NO_CARD}


@pytest.mark.parametrize("seed", range(6))
def test_what_a_viewer_learns_by_a_decision_is_what_its_view_shows_anew(seed: int) -> None:
    state = deal(2 + seed % 3, seed)
    chance = random.Random(seed)
    while not is_over(state):
        moves = legal_numbers(state)
        draws = [action for action in moves if 42 <= action <= 44]
        buys = [action for action in moves if 57 <= action <= 59]
        preferred = buys or draws
        action = chance.choice(preferred if preferred and chance.random() < 0.5 else moves)
        before, after = copy_state(state), copy_state(state)
        apply(after, action)
        if is_over(after):
            break  # at the end all hands are shown
        for viewer in viewers(state):
            card = card_turned_up(before, action, viewer)
            assert known(after, viewer) - known(before, viewer) == {card} - {NO_CARD}
        state = after


def known(state: Any, viewer: int) -> set[int]:
    """The cards that a viewer has seen."""
    shown = view(state, viewer)
    cards = {*shown.market.tolist(), *shown.reserved.ravel().tolist()}
    return {card for card in range(90) if card in cards or any(is_bought_by(shown, seat, card) for seat in range(4))}


# ---------------------------------------------------------------------------------------------- views


def test_tokens_bonuses_points_bought_cards_and_nobles_are_in_every_view() -> None:
    for state in positions():
        for viewer in viewers(state):
            seen = view(state, viewer)
            for name in PUBLIC:
                assert np.array_equal(seen[name], state[name]), name


def test_the_order_of_the_decks_is_in_no_view() -> None:
    for state in positions():
        for viewer in viewers(state):
            deck = view(state, viewer).deck
            assert deck.tolist() == [UNSEEN] * 40 + [UNSEEN + 1] * 30 + [UNSEEN + 2] * 20


def test_a_card_drawn_from_a_deck_shows_only_its_level_to_the_others() -> None:
    state = deal(3)
    play(state, "reserve from deck 2")
    card = reserves(state, 0)[0] - 1
    assert view(state, 0).reserved[0, 0] == card
    for viewer in (1, 2, SPECTATOR):
        assert view(state, viewer).reserved[0].tolist() == [UNSEEN + 1, NO_CARD, NO_CARD]
        assert view(state, viewer).from_deck[0, 0] == 1


def test_a_card_reserved_face_up_stays_public() -> None:
    state = deal(3)
    play(state, "reserve level 2 card 3")
    for viewer in viewers(state):
        assert reserves(view(state, viewer), 0) == reserves(state, 0)


def test_the_number_of_reserved_cards_is_public() -> None:
    for state in positions():
        for viewer in viewers(state):
            seen = view(state, viewer)
            assert ((seen.reserved == NO_CARD) == (state.reserved == NO_CARD)).all()


def test_a_hidden_card_becomes_public_when_it_is_bought() -> None:
    state = deal(2)
    give_reserve(state, 0, 6, from_deck=1)
    assert reserves(view(state, 1), 0) == [UNSEEN + 1]
    state.bank[1] -= 3
    state.tokens[0, 1] += 3
    play(state, "buy reserved card 1")
    assert np.array_equal(view(state, 1).bought, state.bought)
    assert state.bought[0, 0] == 1 << 5


def test_after_the_game_all_reserved_cards_are_shown() -> None:
    state = deal(2)
    lay_nobles(state, 1, 3, 5)
    give_points(state, 1, 15)
    play(state, "reserve from deck 1")
    assert reserves(view(state, 1), 0) == [UNSEEN + 1]
    play(state, "reserve from deck 2")
    assert is_over(state)
    for viewer in viewers(state):
        seen = view(state, viewer)
        assert np.array_equal(seen.reserved, state.reserved)
        assert set(seen.deck.tolist()) == {UNSEEN, UNSEEN + 1, UNSEEN + 2}  # the decks stay closed


def test_unused_nobles_are_nowhere_in_a_view() -> None:
    for state in positions():
        seen = view(state, 0)
        assert (seen.nobles[state.players + 1 :] == -1).all()


def test_a_view_does_not_depend_on_what_it_hides() -> None:
    for seed, state in enumerate(positions()):
        for viewer in viewers(state):
            other = rearranged(state, viewer, seed)
            if not is_over(state):
                assert view(other, viewer).tobytes() == view(state, viewer).tobytes()


def test_hiding_changes_something_where_there_is_something_to_hide() -> None:
    state = deal(2)
    assert view(state, 0).tobytes() != state.tobytes()


def test_hiding_twice_is_hiding_once() -> None:
    for state in positions():
        for viewer in viewers(state):
            seen = view(state, viewer)
            assert view(seen, viewer).tobytes() == seen.tobytes()


def test_a_spectator_sees_what_all_seats_see() -> None:
    for state in positions():
        everyone = copy_state(state)
        for seat in range(state.players):
            hide(everyone, seat)
        assert everyone.tobytes() == view(state, SPECTATOR).tobytes()


def test_the_legal_decisions_of_the_viewer_are_the_same_in_the_view() -> None:
    for state in positions():
        assert legal_numbers(view(state, int(state.seat))) == legal_numbers(state)


def test_play_in_a_view_brings_unseen_cards() -> None:
    seen = view(deal(2), 0)
    play(seen, "reserve level 1 card 1")
    assert seen.market[0] == UNSEEN
    play(seen, "reserve from deck 3")
    assert seen.reserved[1, 0] == UNSEEN + 2
    redeal(seen, new_rng(5))
    assert_conserved(seen)


# --------------------------------------------------------------------------------------------- redeals


def test_a_redeal_is_a_whole_game_with_the_same_view() -> None:
    for seed, state in enumerate(positions()):
        for viewer in viewers(state):
            seen = view(state, viewer)
            full = copy_state(seen)
            redeal(full, new_rng(seed))
            assert_conserved(full)
            assert view(full, viewer).tobytes() == seen.tobytes()


def test_a_redeal_depends_only_on_the_view_and_the_seed() -> None:
    state = played(3, 2, 30)
    for viewer in viewers(state):
        first, second = view(state, viewer), view(rearranged(state, viewer, 1), viewer)
        redeal(first, new_rng(7))
        redeal(second, new_rng(7))
        assert first.tobytes() == second.tobytes()


def test_a_redeal_of_a_whole_game_only_shuffles_the_decks() -> None:
    state = played(4, 1, 30)
    other = copy_state(state)
    redeal(other, new_rng(1))
    assert_conserved(other)
    assert np.array_equal(other.reserved, state.reserved)
    assert not np.array_equal(other.deck, state.deck)


@pytest.mark.compiled_only  # a question of numbers: the modes deal alike
def test_every_deal_that_fits_a_view_is_equally_likely() -> None:
    """Four cards of level 3 are unseen: one in a hand, three in the deck, in any of 24 orders."""
    state = deal(4)
    hidden_from_0 = [87, 88, 89, 90]
    show_row(state, 3, 71, 72, 73, 74)
    for card in range(75, 87):
        give_cards(state, card % 4, card)
    give_reserve(state, 1, 87, from_deck=1)
    assert sorted(card + 1 for card in [*state.deck[70:73], state.reserved[1, 0]]) == hidden_from_0
    assert_conserved(state)
    seen = view(state, 0)
    rng = new_rng(2024)
    draws = 2400
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(draws):
        full = copy_state(seen)
        redeal(full, rng)
        counts[int(full.reserved[1, 0]) + 1, *(int(card) + 1 for card in full.deck[70:73])] += 1
    assert set(counts) == set(permutations(hidden_from_0))
    expected = draws / 24
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 49.7  # p = 0.001


@pytest.mark.compiled_only  # the same
def test_hidden_reserves_of_several_players_are_dealt_evenly() -> None:
    state = deal(3)
    for _ in range(3):
        play(state, "reserve from deck 3")
    seen = view(state, 0)
    rng = new_rng(99)
    unseen = {int(card) for card in state.deck[70 : 70 + state.deck_size[2]]}
    unseen |= {int(state.reserved[seat, 0]) for seat in (1, 2)}
    assert len(unseen) == 15
    counts: list[Counter[int]] = [Counter(), Counter(), Counter()]
    for _ in range(1500):
        full = copy_state(seen)
        redeal(full, rng)
        for which, card in enumerate((full.reserved[1, 0], full.reserved[2, 0], full.deck[70])):
            counts[which][int(card)] += 1
    for count in counts:
        assert set(count) == unseen
        assert sum((n - 100) ** 2 / 100 for n in count.values()) < 36.1  # 14 degrees of freedom, p = 0.001


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_owner_keeps_the_own_hidden_cards_in_a_redeal(players: int) -> None:
    state = deal(players)
    play(state, "reserve from deck 1")
    seen = view(state, 0)
    redeal(seen, new_rng(3))
    assert reserves(seen, 0) == reserves(state, 0)
