"""What a seat cannot know: hide it, or deal it again at random.

This is the only door for hidden cards. `hide` turns the state of a game into what one viewer may see: the
decks become unseen cards, and so do the cards that other players drew from a deck; their level stays
visible. A hidden state still obeys the rules: a refill or a draw in it brings an unseen card. `redeal`
goes back: it puts random cards, each possible arrangement equally likely, wherever a view shows none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splendor.core.actions import BUY_MARKET, BUY_RESERVED, PASS, RESERVE_DECK
from splendor.core.chance import shuffle
from splendor.core.components import CARD_LEVEL, CARDS_IN_LEVEL, FIRST_CARD, LEVELS, MAX_PLAYERS, NO_CARD, UNSEEN
from splendor.core.jit import rule
from splendor.core.rules import card_for_sale, drawn_level, is_bought_by, is_over, top_card
from splendor.core.state import MARKET, RESERVE_LIMIT, State
from splendor.core.types import Action, Card, Count, Level, Place, Rng, Seat

SPECTATOR = -1  # a viewer without a seat


@rule
def is_hidden(state: State, viewer: Seat, seat: Seat, place: Place) -> bool:
    """Is this reserved card unknown to the viewer? One drawn from a deck is, but to its owner, until the end (E17)."""
    return state.from_deck[seat, place] == 1 and seat != viewer and not is_over(state)


@rule
def reserved_as_seen(state: State, viewer: Seat, seat: Seat, place: Place) -> Card:
    """A reserved card as the viewer knows it; of one that is hidden the level stays visible."""
    card = state.reserved[seat, place]
    if is_hidden(state, viewer, seat, place):
        return UNSEEN + CARD_LEVEL[card]
    return card


@rule
def hide(state: State, viewer: Seat) -> None:
    """Leave only what `viewer` may know."""
    for level in range(LEVELS):
        hide_deck(state, level)
    for seat in range(MAX_PLAYERS):
        for place in range(RESERVE_LIMIT):
            state.reserved[seat, place] = reserved_as_seen(state, viewer, seat, place)


@rule
def hide_deck(state: State, level: Level) -> None:
    """The size of a deck is public. Its whole place is blanked, so that no drawn card leaves a trace."""
    for place in range(CARDS_IN_LEVEL[level]):
        state.deck[FIRST_CARD[level] + place] = UNSEEN + level


@rule
def redeal(state: State, rng: Rng) -> None:
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
def gather_unseen(state: State, level: Level) -> Count:
    """Write the cards of a level that lie in no visible place into its deck, in rising order; return how many."""
    count = 0
    for card in range(FIRST_CARD[level], FIRST_CARD[level] + CARDS_IN_LEVEL[level]):
        if not is_visible(state, card):
            state.deck[FIRST_CARD[level] + count] = card
            count += 1
    return count


@rule
def is_visible(state: State, card: Card) -> bool:
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


# ------------------------------------------------------------------------------- what a decision shows


@rule
def is_drawn_unseen(seat: Seat, action: Action, viewer: Seat) -> bool:
    """Does a seat draw a card by this decision that the viewer does not see?"""
    return RESERVE_DECK <= action < BUY_MARKET and seat != viewer


@rule
def turned_up_level(state: State, action: Action, viewer: Seat) -> Level:
    """The deck from which a decision draws a card that the viewer sees; LEVELS: from none."""
    return LEVELS if is_drawn_unseen(state.seat, action, viewer) else drawn_level(state, action)


@rule
def is_hidden_buy(state: State, action: Action, viewer: Seat) -> bool:
    """Would the viewer learn of a card by this buy that was reserved unseen?"""
    if action < BUY_RESERVED or action >= PASS:
        return False
    return is_hidden(state, viewer, state.seat, action - BUY_RESERVED)


@rule
def card_turned_up(state: State, action: Action, viewer: Seat) -> Card:
    """The card that the viewer is going to see because of this decision, or NO_CARD."""
    level = turned_up_level(state, action, viewer)
    if level < LEVELS:
        return top_card(state, level)
    if is_hidden_buy(state, action, viewer):
        return card_for_sale(state, action)
    none: Any = np.uint8(NO_CARD)  # of the type that cards have in a state
    return none
