"""What a seat cannot know: hide it, or deal it again at random.

This is the only door for hidden cards. `hide` turns the state of a game into what one viewer may see: the
decks become unseen cards, and so do the cards that other players drew from a deck; their level stays
visible. A hidden state still obeys the rules: a refill or a draw in it brings an unseen card. `redeal`
goes back: it puts random cards, each possible arrangement equally likely, wherever a view shows none.
"""

from __future__ import annotations

from typing import Any

from splendor._jit import rule
from splendor.chance import shuffle
from splendor.components import CARD_LEVEL, CARDS_IN_LEVEL, FIRST_CARD, LEVELS, MAX_PLAYERS, UNSEEN
from splendor.rules import is_bought_by, is_over
from splendor.state import MARKET, RESERVE_LIMIT

SPECTATOR = -1  # a viewer without a seat


@rule
def hide(state: Any, viewer: Any) -> None:
    """Leave only what `viewer` may know. When the game is over the reserved cards are shown to all (E17)."""
    for level in range(LEVELS):
        hide_deck(state, level)
    if not is_over(state):
        for seat in range(MAX_PLAYERS):
            if seat != viewer:
                hide_reserved(state, seat)


@rule
def hide_deck(state: Any, level: Any) -> None:
    """The size of a deck is public. Its whole place is blanked, so that no drawn card leaves a trace."""
    for place in range(CARDS_IN_LEVEL[level]):
        state.deck[FIRST_CARD[level] + place] = UNSEEN + level


@rule
def hide_reserved(state: Any, seat: Any) -> None:
    """A card drawn from a deck shows its level only; one reserved face up stays public."""
    for place in range(RESERVE_LIMIT):
        if state.from_deck[seat, place]:
            state.reserved[seat, place] = UNSEEN + CARD_LEVEL[state.reserved[seat, place]]


@rule
def redeal(state: Any, rng: Any) -> None:
    """Replace every unseen card by a random one, uniformly over all deals that fit what is seen."""
    for level in range(LEVELS):
        unseen = gather_unseen(state, level)
        shuffle(state.deck, FIRST_CARD[level], unseen, rng)
        for seat in range(MAX_PLAYERS):
            for place in range(RESERVE_LIMIT):
                if state.reserved[seat, place] == UNSEEN + level:
                    unseen -= 1
                    state.reserved[seat, place] = state.deck[FIRST_CARD[level] + unseen]
        for slot in range(MARKET):
            if state.market[slot] == UNSEEN + level:
                unseen -= 1
                state.market[slot] = state.deck[FIRST_CARD[level] + unseen]


@rule
def gather_unseen(state: Any, level: Any) -> Any:
    """Write the cards of a level that lie in no visible place into its deck, in rising order; return how many."""
    count = 0
    for card in range(FIRST_CARD[level], FIRST_CARD[level] + CARDS_IN_LEVEL[level]):
        if not is_visible(state, card):
            state.deck[FIRST_CARD[level] + count] = card
            count += 1
    return count


@rule
def is_visible(state: Any, card: Any) -> Any:
    """Does the card lie on the market, in a hand, or bought before a player?"""
    for slot in range(MARKET):
        if state.market[slot] == card:
            return True
    for seat in range(MAX_PLAYERS):
        if is_bought_by(state, seat, card):
            return True
        for place in range(RESERVE_LIMIT):
            if state.reserved[seat, place] == card:
                return True
    return False
