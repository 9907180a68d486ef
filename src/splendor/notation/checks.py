"""Can this position exist? For positions that come from outside; those reached by play always can.

Each check gives a sentence that says which fact of the game is broken, together with the number of the
field in the position's text that shows it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from splendor import rules
from splendor.components import CARDS, CARDS_IN_LEVEL, COLORS, FIRST_CARD, GOLD, LEVELS, NO_CARD, UNSEEN
from splendor.state import ACT, ENDED_BY_CAP, ENDED_BY_POINTS, ENDED_BY_STALEMATE, NOBLE, RETURN, SLOTS, State

ROUND, SEAT, PHASE, PASSES, BANK, MARKET_FIELD, DECKS, NOBLES_FIELD, FIRST_SEAT = 2, 3, 4, 5, 6, 7, 8, 9, 10

Problem = tuple[int, str]


def problem_with(state: State) -> Problem | None:
    """The first thing that is impossible about a position, or None."""
    for check in (tokens_are_conserved, hands_are_in_limits, cards_are_in_one_place, nobles_differ, turn_fits):
        for problem in check(state):
            return problem
    return None


def tokens_are_conserved(state: State) -> Iterator[Problem]:
    for color in range(GOLD + 1):
        total = rules.GOLD_TOKENS if color == GOLD else int(rules.GEM_TOKENS[state.players])
        there = int(state.bank[color]) + int(state.tokens[:, color].sum())
        if there != total:
            yield BANK, f"with {state.players} players there are {total} {COLORS[color]} tokens; here are {there}"


def hands_are_in_limits(state: State) -> Iterator[Problem]:
    for seat in range(int(state.players)):
        held = int(state.tokens[seat].sum())
        if state.phase == RETURN and seat == state.seat:
            if not rules.HAND_LIMIT < held <= rules.HAND_LIMIT + 3:
                yield FIRST_SEAT + seat, f"seat {seat} is to return tokens but holds {held}"
        elif held > rules.HAND_LIMIT:
            yield (
                FIRST_SEAT + seat,
                f"seat {seat} holds {held} tokens; between turns the limit is {rules.HAND_LIMIT}",
            )


def cards_are_in_one_place(state: State) -> Iterator[Problem]:
    """Every card lies in exactly one place; the places a viewer cannot see hold what is left over."""
    seen = np.zeros(CARDS, np.int64)
    unseen = np.zeros(LEVELS, np.int64)

    def lay(cards: Iterator[int], field: int) -> Iterator[Problem]:
        for card in cards:
            if card < CARDS:
                seen[card] += 1
                if seen[card] > 1:
                    yield field, f"card {card + 1} is in two places"
            elif card != NO_CARD:
                unseen[card - UNSEEN] += 1

    yield from lay((int(card) for card in state.market), MARKET_FIELD)
    for level in range(LEVELS):
        first = int(FIRST_CARD[level])
        yield from lay((int(card) for card in state.deck[first : first + state.deck_size[level]]), DECKS)
    for seat in range(int(state.players)):
        yield from lay((int(card) for card in state.reserved[seat]), FIRST_SEAT + seat)
        yield from lay((card for card in range(CARDS) if rules.is_bought_by(state, seat, card)), FIRST_SEAT + seat)
    for level in range(LEVELS):
        first, count = int(FIRST_CARD[level]), int(CARDS_IN_LEVEL[level])
        missing = [card + 1 for card in range(first, first + count) if not seen[card]]
        if len(missing) > unseen[level]:
            names = ", ".join(map(str, missing)) if not unseen[level] else f"{len(missing)} of level {level + 1}"
            yield DECKS, f"cards are missing: {names}"
        if len(missing) < unseen[level]:
            yield DECKS, f"level {level + 1} has {count} cards; here are {count + int(unseen[level]) - len(missing)}"
        if state.deck_size[level] and NO_CARD in state.market[SLOTS * level : SLOTS * (level + 1)]:
            yield MARKET_FIELD, f"a slot of level {level + 1} is empty although its deck is not"


def nobles_differ(state: State) -> Iterator[Problem]:
    nobles = [int(noble) + 1 for noble in state.nobles[: int(state.players) + 1]]
    for noble in nobles:
        if nobles.count(noble) > 1:
            yield NOBLES_FIELD, f"noble {noble} is there twice"
    for place, seat in enumerate(state.noble_seat[: int(state.players) + 1]):
        if seat >= 0 and not rules.has_bonuses_for(state, seat, place):
            yield NOBLES_FIELD, f"seat {seat} cannot have received noble {nobles[place]}: its bonuses do not reach"


def turn_fits(state: State) -> Iterator[Problem]:
    """The phase, and the end of the game, agree with the rest."""
    is_last_seat = (int(state.seat) + 1) % int(state.players) == state.first
    cap = int(state.round_cap)
    if cap and state.round_number > cap:
        yield ROUND, f"round {state.round_number} is beyond the cap of {cap}"
    if state.phase == ENDED_BY_POINTS and not (rules.has_trigger(state) and is_last_seat):
        yield PHASE, f"no player has {rules.WINNING_POINTS} points at the end of a round; the game is not over"
    if state.phase == ENDED_BY_STALEMATE and state.passes != state.players:
        yield PASSES, "a stalemate needs a pass by every player in succession"
    if state.phase == ENDED_BY_CAP and not (state.round_number == cap and is_last_seat):
        yield PHASE, "the cap on rounds has not been reached"
    if state.phase <= NOBLE and state.passes >= state.players:
        yield PASSES, "every player has passed; the game would be over"
    if state.phase == ACT and state.seat == state.first and rules.has_trigger(state):
        yield PHASE, f"a player had {rules.WINNING_POINTS} points when the last round ended; the game would be over"
    if state.phase == NOBLE and sum(bool(rules.can_receive(state, place)) for place in range(len(state.nobles))) < 2:  # noqa: PLR2004
        yield PHASE, f"seat {state.seat} has no choice between nobles"
