"""Can this position exist? For positions that come from outside; those reached by play always can.

Each check gives a sentence that says which fact of the game is broken, as a code with what it speaks about for those
who say it in another language, together with the number of the field in the position's text that shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from splendor.core import rules
from splendor.core.components import CARDS, CARDS_IN_LEVEL, COLORS, FIRST_CARD, GOLD, LEVELS, NO_CARD, UNSEEN
from splendor.core.state import ACT, ENDED_BY_CAP, ENDED_BY_POINTS, ENDED_BY_STALEMATE, NOBLE, RETURN, SLOTS, State

ROUND, SEAT, PHASE, PASSES, BANK, MARKET_FIELD, DECKS, NOBLES_FIELD, FIRST_SEAT = 2, 3, 4, 5, 6, 7, 8, 9, 10

SENTENCES = {
    "token_count": "with {players} players there are {total} {color} tokens; here are {there}",
    "must_return": "seat {seat} is to return tokens but holds {held}",
    "hand_limit": "seat {seat} holds {held} tokens; between turns the limit is {limit}",
    "card_twice": "card {card} is in two places",
    "cards_missing": "cards are missing: {cards}",
    "level_count": "level {level} has {total} cards; here are {there}",
    "empty_slot": "a slot of level {level} is empty although its deck is not",
    "noble_twice": "noble {noble} is there twice",
    "noble_reach": "seat {seat} cannot have received noble {noble}: its bonuses do not reach",
    "beyond_cap": "round {round} is beyond the cap of {cap}",
    "not_over": "no player has {points} points at the end of a round; the game is not over",
    "no_stalemate": "a stalemate needs a pass by every player in succession",
    "cap_not_reached": "the cap on rounds has not been reached",
    "all_passed": "every player has passed; the game would be over",
    "over": "a player had {points} points when the last round ended; the game would be over",
    "no_noble_choice": "seat {seat} has no choice between nobles",
}


class Problem(NamedTuple):
    """Something that cannot be."""

    field: int  # of the text that shows it
    code: str
    params: dict[str, int | str]

    @property
    def sentence(self) -> str:
        """The same in words."""
        return SENTENCES[self.code].format(**self.params)


def problem(field: int, code: str, **params: int | str) -> Problem:
    """A problem with what it speaks about."""
    return Problem(field, code, params)


def problem_with(state: State) -> Problem | None:
    """The first thing that is impossible about a position, or None."""
    for check in (tokens_are_conserved, hands_are_in_limits, cards_are_in_one_place, nobles_differ, turn_fits):
        for found in check(state):
            return found
    return None


def tokens_are_conserved(state: State) -> Iterator[Problem]:
    for color in range(GOLD + 1):
        total = rules.GOLD_TOKENS if color == GOLD else int(rules.GEM_TOKENS[state.players])
        there = int(state.bank[color]) + int(state.tokens[:, color].sum())
        if there != total:
            yield problem(
                BANK, "token_count", players=int(state.players), total=total, color=COLORS[color], there=there
            )


def hands_are_in_limits(state: State) -> Iterator[Problem]:
    for seat in range(int(state.players)):
        held = int(state.tokens[seat].sum())
        if state.phase == RETURN and seat == state.seat:
            if not rules.HAND_LIMIT < held <= rules.HAND_LIMIT + 3:
                yield problem(FIRST_SEAT + seat, "must_return", seat=seat, held=held)
        elif held > rules.HAND_LIMIT:
            yield problem(FIRST_SEAT + seat, "hand_limit", seat=seat, held=held, limit=rules.HAND_LIMIT)


def cards_are_in_one_place(state: State) -> Iterator[Problem]:
    """Every card lies in exactly one place; the places a viewer cannot see hold what is left over."""
    seen = np.zeros(CARDS, np.int64)
    unseen = np.zeros(LEVELS, np.int64)

    def lay(cards: Iterator[int], field: int) -> Iterator[Problem]:
        for card in cards:
            if card < CARDS:
                seen[card] += 1
                if seen[card] > 1:
                    yield problem(field, "card_twice", card=card + 1)
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
            yield problem(DECKS, "cards_missing", cards=names)
        if len(missing) < unseen[level]:
            there = count + int(unseen[level]) - len(missing)
            yield problem(DECKS, "level_count", level=level + 1, total=count, there=there)
        if state.deck_size[level] and NO_CARD in state.market[SLOTS * level : SLOTS * (level + 1)]:
            yield problem(MARKET_FIELD, "empty_slot", level=level + 1)


def nobles_differ(state: State) -> Iterator[Problem]:
    nobles = [int(noble) + 1 for noble in state.nobles[: int(state.players) + 1]]
    for noble in nobles:
        if nobles.count(noble) > 1:
            yield problem(NOBLES_FIELD, "noble_twice", noble=noble)
    for place, seat in enumerate(state.noble_seat[: int(state.players) + 1]):
        if seat >= 0 and not rules.has_bonuses_for(state, seat, place):
            yield problem(NOBLES_FIELD, "noble_reach", seat=int(seat), noble=nobles[place])


def turn_fits(state: State) -> Iterator[Problem]:
    """The phase, and the end of the game, agree with the rest."""
    is_last_seat = (int(state.seat) + 1) % int(state.players) == state.first
    cap = int(state.round_cap)
    if cap and state.round_number > cap:
        yield problem(ROUND, "beyond_cap", round=int(state.round_number), cap=cap)
    if state.phase == ENDED_BY_POINTS and not (rules.has_trigger(state) and is_last_seat):
        yield problem(PHASE, "not_over", points=rules.WINNING_POINTS)
    if state.phase == ENDED_BY_STALEMATE and state.passes != state.players:
        yield problem(PASSES, "no_stalemate")
    if state.phase == ENDED_BY_CAP and not (state.round_number == cap and is_last_seat):
        yield problem(PHASE, "cap_not_reached")
    if state.phase <= NOBLE and state.passes >= state.players:
        yield problem(PASSES, "all_passed")
    if state.phase == ACT and state.seat == state.first and rules.has_trigger(state):
        yield problem(PHASE, "over", points=rules.WINNING_POINTS)
    if state.phase == NOBLE and int(rules.visiting_nobles(state, state.seat)).bit_count() < 2:  # noqa: PLR2004
        yield problem(PHASE, "no_noble_choice", seat=int(state.seat))
