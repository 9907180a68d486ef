"""Every rule of Splendor, once, in the order of the rulebook.

A rule takes the state of one game, looks at it or changes it in place, and returns small numbers. Rules
trust their caller: `apply` expects a legal action. They allocate nothing, raise nothing and know nothing
of text, so that the same source runs as plain Python, compiled for the CPU, and on a GPU. References such
as R13 or E19 are to the list in `docs/rules.md`.
"""

from __future__ import annotations

import numpy as np

from splendor.core.actions import (
    ACTIONS,
    BUY_MARKET,
    BUY_RESERVED,
    CHOOSE_NOBLE,
    DECK_OF_ACTION,
    PASS,
    PHASE_ACTION,
    PHASE_ACTIONS,
    RESERVE_DECK,
    RESERVE_MARKET,
    RETURN_TOKEN,
    TAKE_PAIR,
    TAKEN,
    TAKEN_COLORS,
)
from splendor.core.bits import count_bits, nth_bit
from splendor.core.chance import below, shuffle
from splendor.core.components import (
    CARD_BONUS,
    CARD_COST,
    CARD_COST_BITS,
    CARD_POINTS,
    CARDS,
    CARDS_IN_LEVEL,
    COLOR_BITS,
    COLOR_SET,
    FIRST_CARD,
    GOLD,
    LEVELS,
    MAX_PLAYERS,
    NO_CARD,
    NO_NOBLE,
    NOBLE_COST_BITS,
    NOBLE_POINTS,
    NOBLES,
)
from splendor.core.jit import rule
from splendor.core.state import (
    ACT,
    ENDED_BY_CAP,
    ENDED_BY_POINTS,
    ENDED_BY_STALEMATE,
    MARKET,
    NOBLE,
    NOBODY,
    RESERVE_LIMIT,
    RETURN,
    SLOTS,
    TABLE_NOBLES,
    State,
)
from splendor.core.types import (
    Action,
    Actions,
    Bits,
    ByAction,
    ByColor,
    BySeat,
    Card,
    Color,
    Count,
    Level,
    Noble,
    Place,
    Rng,
    Seat,
    Slot,
    WinShare,
)

HAND_LIMIT = 10
PAIR_PILE = 4  # two tokens of one color need a pile of this size
WINNING_POINTS = 15
GOLD_TOKENS = 5
GEM_TOKENS = np.array([0, 0, 4, 5, 7], np.int8)  # of each color  [players]
GEM_TOKENS.flags.writeable = False


# ---------------------------------------------------------------------------------------------- setup


@rule
def setup(state: State, players: Count, first: Seat, round_cap: Count, rng: Rng) -> None:
    """Lay out a new game for 2 to 4 players; `first` begins every round."""
    state.players = players
    state.first = first
    state.seat = first
    state.phase = ACT
    state.round_number = 1
    state.round_cap = round_cap
    state.passes = 0
    fill_bank(state)
    clear_seats(state)
    shuffle_decks(state, rng)
    for slot in range(MARKET):
        refill(state, slot)
    reveal_nobles(state, rng)


@rule
def fill_bank(state: State) -> None:
    """4, 5 or 7 tokens of each color for 2, 3 or 4 players, and always 5 gold."""
    for color in range(GOLD):
        state.bank[color] = GEM_TOKENS[state.players]
    state.bank[GOLD] = GOLD_TOKENS


@rule
def clear_seats(state: State) -> None:
    for seat in range(MAX_PLAYERS):
        state.points[seat] = 0
        for color in range(GOLD + 1):
            state.tokens[seat, color] = 0
        for color in range(GOLD):
            state.bonuses[seat, color] = 0
        for place in range(RESERVE_LIMIT):
            state.reserved[seat, place] = NO_CARD
            state.from_deck[seat, place] = 0
        for byte in range(CARDS // 8 + 1):
            state.bought[seat, byte] = 0


@rule
def shuffle_decks(state: State, rng: Rng) -> None:
    """Each level is shuffled on its own, the lowest first."""
    for card in range(CARDS):
        state.deck[card] = card
    for level in range(LEVELS):
        state.deck_size[level] = CARDS_IN_LEVEL[level]
        shuffle(state.deck, FIRST_CARD[level], CARDS_IN_LEVEL[level], rng)


@rule
def reveal_nobles(state: State, rng: Rng) -> None:
    """One noble more than there are players, each drawn until it is a new one."""
    for place in range(TABLE_NOBLES):
        state.nobles[place] = NO_NOBLE
        state.noble_seat[place] = NOBODY
    for place in range(state.players + 1):
        noble = below(rng, NOBLES)
        while is_revealed(state, noble):
            noble = below(rng, NOBLES)
        state.nobles[place] = noble


@rule
def is_revealed(state: State, noble: Noble) -> bool:
    for place in range(TABLE_NOBLES):
        if state.nobles[place] == noble:
            return True
    return False


# ------------------------------------------------------------------------------ a turn: what is legal


@rule
def is_over(state: State) -> bool:
    return state.phase > NOBLE


@rule
def is_legal(state: State, action: Action) -> bool:
    """May this be decided now? Any number at all may be asked about."""
    if action < 0 or action >= ACTIONS:
        return False
    if state.phase == ACT:
        if action < RESERVE_MARKET:
            return can_take(state, action)
        if action < RESERVE_DECK:
            return can_reserve_card(state, state.market[action - RESERVE_MARKET])
        if action < BUY_MARKET:
            return can_reserve_from_deck(state, action - RESERVE_DECK)
        if action < PASS:
            return can_buy(state, state.seat, card_for_sale(state, action))
        return action == PASS and must_pass(state)
    if state.phase == RETURN:
        return RETURN_TOKEN <= action < CHOOSE_NOBLE and can_return(state, action - RETURN_TOKEN)
    if state.phase == NOBLE:
        return action >= CHOOSE_NOBLE and can_receive(state, state.seat, action - CHOOSE_NOBLE)
    return False


@rule
def legal_set(state: State) -> Bits:
    """The legal decisions as a set of bits, which stand for the actions from PHASE_ACTION[phase] on."""
    if state.phase == ACT:
        actions = legal_takes(state) | legal_reserves(state) << RESERVE_MARKET | legal_buys(state) << BUY_MARKET
        return actions if actions != 0 else 1 << PASS
    if state.phase == RETURN:
        return legal_returns(state)
    if state.phase == NOBLE:
        return visiting_nobles(state, state.seat)
    return 0


@rule
def legal_actions(state: State, actions: Actions) -> Count:
    """Write the legal actions into `actions`, in rising order, and return how many there are."""
    legal = legal_set(state)
    count = 0
    if not is_over(state):
        for place in range(PHASE_ACTIONS[state.phase]):
            if legal >> place & 1:
                actions[count] = PHASE_ACTION[state.phase] + place
                count += 1
    return count


@rule
def legal_mask(state: State, mask: ByAction) -> None:
    """Write for every action whether it is legal."""
    legal = legal_set(state)
    for action in range(RETURN_TOKEN):
        mask[action] = (legal >> action & 1) * (state.phase == ACT)
    for color in range(GOLD + 1):
        mask[RETURN_TOKEN + color] = (legal >> color & 1) * (state.phase == RETURN)
    for place in range(TABLE_NOBLES):
        mask[CHOOSE_NOBLE + place] = (legal >> place & 1) * (state.phase == NOBLE)


@rule
def must_pass(state: State) -> bool:
    """Passing is legal only when nothing else is (E1)."""
    return legal_set(state) == 1 << PASS


# -------------------------------------------------------------------------------------------- take


@rule
def colors_in_bank(state: State) -> Bits:
    """The gem colors the bank still has, as a set: bit = color."""
    colors = 0
    for color in range(GOLD):
        colors |= (state.bank[color] > 0) << color
    return colors


def _takes_different(colors: int) -> int:
    """One token each of three colors; of exactly as many as there are when the bank has fewer (R12, E4)."""
    count = min(3, colors.bit_count())
    takes = [int(taken) for taken in TAKEN_COLORS[:TAKE_PAIR]]
    return sum(1 << take for take, taken in enumerate(takes) if taken.bit_count() == count and not taken & ~colors)


# The legal takes of different colors, as a set of actions   [set of colors in the bank]
TAKES_DIFFERENT = np.array([_takes_different(colors) for colors in range(1 << GOLD)], np.int64)
TAKES_DIFFERENT.flags.writeable = False


@rule
def can_take(state: State, action: Action) -> bool:
    if action >= TAKE_PAIR:
        return can_take_pair(state, action - TAKE_PAIR)
    return TAKES_DIFFERENT[colors_in_bank(state)] >> action & 1 == 1


@rule
def can_take_pair(state: State, color: Color) -> bool:
    """Two tokens of one color, if the pile holds at least four before taking (R13)."""
    return state.bank[color] >= PAIR_PILE


@rule
def legal_takes(state: State) -> Bits:
    pairs = 0
    for color in range(GOLD):
        pairs |= can_take_pair(state, color) << color
    return TAKES_DIFFERENT[colors_in_bank(state)] | pairs << TAKE_PAIR


@rule
def take(state: State, action: Action) -> None:
    for color in range(GOLD):
        receive(state, color, TAKEN[action, color])


@rule
def receive(state: State, color: Color, count: Count) -> None:
    """Tokens from the bank to the hand of the player whose turn it is."""
    state.bank[color] -= count
    state.tokens[state.seat, color] += count


@rule
def pay(state: State, color: Color, count: Count) -> None:
    """Tokens from that hand to the bank."""
    state.tokens[state.seat, color] -= count
    state.bank[color] += count


# ----------------------------------------------------------------------------------------- reserve


@rule
def has_room(state: State, seat: Seat) -> bool:
    """At most three reserved cards, and they leave the hand only by being bought (R19)."""
    return state.reserved[seat, RESERVE_LIMIT - 1] == NO_CARD


@rule
def can_reserve_card(state: State, card: Card) -> bool:
    return has_room(state, state.seat) and card != NO_CARD


@rule
def can_reserve_from_deck(state: State, level: Level) -> bool:
    return has_room(state, state.seat) and state.deck_size[level] > 0


@rule
def legal_reserves(state: State) -> Bits:
    """As a set: market slots, then decks."""
    places = 0
    if has_room(state, state.seat):
        for slot in range(MARKET):
            places |= (state.market[slot] != NO_CARD) << slot
        for level in range(LEVELS):
            places |= (state.deck_size[level] > 0) << (MARKET + level)
    return places


@rule
def reserve_card(state: State, slot: Slot) -> None:
    """Take a face-up card in hand; everybody has seen which (E17)."""
    keep_reserved(state, state.seat, state.market[slot], 0)
    refill(state, slot)
    take_gold(state)


@rule
def reserve_from_deck(state: State, level: Level) -> None:
    """Take the top card of a deck in hand, unseen by the others."""
    keep_reserved(state, state.seat, draw(state, level), 1)
    take_gold(state)


@rule
def keep_reserved(state: State, seat: Seat, card: Card, from_deck: Count) -> None:
    place = 0
    while state.reserved[seat, place] != NO_CARD:
        place += 1
    state.reserved[seat, place] = card
    state.from_deck[seat, place] = from_deck


@rule
def take_gold(state: State) -> None:
    """A reserve brings one gold, if the bank has any (R17); nothing else does (R18)."""
    receive(state, GOLD, min(1, state.bank[GOLD]))


# --------------------------------------------------------------------------------------------- buy


@rule
def card_for_sale(state: State, action: Action) -> Card:
    """The card that a buy action means: one on the market, or one of the player's own reserved cards."""
    if action < BUY_RESERVED:
        return state.market[action - BUY_MARKET]
    return state.reserved[state.seat, action - BUY_RESERVED]


@rule
def price(state: State, seat: Seat, card: Card, color: Color) -> Count:
    """A card costs a player its printed tokens, less one for each bonus of that color (R24)."""
    return max(CARD_COST[card, color] - state.bonuses[seat, color], 0)


@rule
def color_bits(count: Count, color: Color) -> Bits:
    """A number of tokens of one color as bits that can be laid over `CARD_COST_BITS`."""
    return (((1 << int(count)) - 1) & COLOR_SET) << (COLOR_BITS * color)


@rule
def of_color(bits: Bits, color: Color) -> Bits:
    """The bits of one color: as many as there are tokens or bonuses of it."""
    return bits >> (COLOR_BITS * color) & COLOR_SET


@rule
def means(state: State, seat: Seat) -> Bits:
    """What a player has for paying, gold aside: bonuses and colored tokens, as bits."""
    bits = 0
    for color in range(GOLD):
        bits |= color_bits(state.bonuses[seat, color] + state.tokens[seat, color], color)
    return bits


@rule
def bonus_bits(state: State, seat: Seat) -> Bits:
    """A player's bonuses as bits that can be laid over `NOBLE_COST_BITS`."""
    bits = 0
    for color in range(GOLD):
        bits |= color_bits(state.bonuses[seat, color], color)
    return bits


@rule
def missing(cost: Bits, has: Bits) -> Bits:
    """What is asked for, as the bits of a card or a noble, beyond what a player has, as `means` or `bonus_bits`."""
    return cost & ~has


@rule
def gold_needed(state: State, seat: Seat, card: Card) -> Count:
    """Gold is wild: one gold stands in for each token the buyer lacks (R22)."""
    return count_bits(missing(CARD_COST_BITS[card], means(state, seat)))


@rule
def can_buy(state: State, seat: Seat, card: Card) -> bool:
    return gold_needed(state, seat, card) <= state.tokens[seat, GOLD]


@rule
def legal_buys(state: State) -> Bits:
    """As a set: market slots, then reserved cards. An empty place costs more than anyone has."""
    places = 0
    for slot in range(MARKET):
        places |= can_buy(state, state.seat, state.market[slot]) << slot
    for place in range(RESERVE_LIMIT):
        places |= can_buy(state, state.seat, state.reserved[state.seat, place]) << (MARKET + place)
    return places


@rule
def most_payable(state: State, seat: Seat, card: Card, color: Color) -> Count:
    """How much of the price of one color the player can pay in that color."""
    return min(price(state, seat, card, color), state.tokens[seat, color])


@rule
def is_exact_payment(state: State, seat: Seat, card: Card, payment: ByColor) -> bool:
    """The buyer may spend gold in place of any token, but neither more nor less than the price (E10, E11)."""
    covered_by_gold = 0
    for color in range(GOLD):
        if payment[color] < 0 or payment[color] > most_payable(state, seat, card, color):
            return False
        covered_by_gold += price(state, seat, card, color) - payment[color]
    return payment[GOLD] == covered_by_gold and covered_by_gold <= state.tokens[seat, GOLD]


@rule
def least_gold_payment(state: State, seat: Seat, card: Card, payment: ByColor) -> None:
    """Write the default payment: colored tokens first, gold only for what is missing."""
    for color in range(GOLD):
        payment[color] = most_payable(state, seat, card, color)
    payment[GOLD] = gold_needed(state, seat, card)


@rule
def pay_least_gold(state: State, card: Card) -> None:
    """The same as `pay_exactly` with that payment, without writing it down. Gold first: the price is asked for anew."""
    pay(state, GOLD, gold_needed(state, state.seat, card))
    for color in range(GOLD):
        pay(state, color, most_payable(state, state.seat, card, color))


@rule
def pay_exactly(state: State, payment: ByColor) -> None:
    for color in range(GOLD + 1):
        pay(state, color, payment[color])


@rule
def collect(state: State, action: Action) -> None:
    """The paid card leaves its place and lies before its buyer: a bonus and points for the rest of the game."""
    card = card_for_sale(state, action)
    state.bonuses[state.seat, CARD_BONUS[card]] += 1
    state.points[state.seat] += CARD_POINTS[card]
    state.bought[state.seat, card >> 3] |= 1 << (card & 7)
    if action < BUY_RESERVED:
        refill(state, action - BUY_MARKET)
    else:
        close_gap(state, action - BUY_RESERVED)


@rule
def close_gap(state: State, gap: Place) -> None:
    """The later reserved cards move up."""
    for place in range(gap, RESERVE_LIMIT - 1):
        state.reserved[state.seat, place] = state.reserved[state.seat, place + 1]
        state.from_deck[state.seat, place] = state.from_deck[state.seat, place + 1]
    state.reserved[state.seat, RESERVE_LIMIT - 1] = NO_CARD
    state.from_deck[state.seat, RESERVE_LIMIT - 1] = 0


@rule
def is_bought_by(state: State, seat: Seat, card: Card) -> bool:
    return (state.bought[seat, card >> 3] >> (card & 7)) & 1 == 1


# ------------------------------------------------------------------------------------------ refill


@rule
def refill(state: State, slot: Slot) -> None:
    """A face-up card that left is replaced at once, in the same slot; with the deck empty a gap stays (R26)."""
    level = slot // SLOTS
    if state.deck_size[level] > 0:
        state.market[slot] = draw(state, level)
    else:
        state.market[slot] = NO_CARD


@rule
def top_card(state: State, level: Level) -> Card:
    """The card that is drawn next from a deck that is not empty."""
    return state.deck[FIRST_CARD[level] + state.deck_size[level] - 1]


@rule
def draw(state: State, level: Level) -> Card:
    """Take the top card of a deck that is not empty."""
    card = top_card(state, level)
    state.deck_size[level] -= 1
    return card


@rule
def drawn_level(state: State, action: Action) -> Level:
    """The deck from which a legal decision draws a card, be it to hand or to the market; LEVELS: from none."""
    level = DECK_OF_ACTION[action]
    return level if level < LEVELS and state.deck_size[level] > 0 else LEVELS


# ------------------------------------------------------------------------------------------ return


@rule
def tokens_held(state: State, seat: Seat) -> Count:
    """Tokens in a player's hand, gold included (R14)."""
    held = 0
    for color in range(GOLD + 1):
        held += state.tokens[seat, color]
    return held


@rule
def can_return(state: State, color: Color) -> bool:
    """Any token in hand: one just taken, an old one, gold (E8)."""
    return state.tokens[state.seat, color] > 0


@rule
def legal_returns(state: State) -> Bits:
    colors = 0
    for color in range(GOLD + 1):
        colors |= can_return(state, color) << color
    return colors


# ------------------------------------------------------------------------------------------ nobles


@rule
def is_waiting(state: State, place: Place) -> bool:
    """Does a noble lie in this place of the table, which has gone to nobody?"""
    return state.nobles[place] != NO_NOBLE and state.noble_seat[place] == NOBODY


@rule
def can_receive(state: State, seat: Seat, place: Place) -> bool:
    """A noble on the table visits whoever has at least the bonuses it asks for; tokens do not count (R27)."""
    return is_waiting(state, place) and has_bonuses_for(state, seat, place)


@rule
def has_bonuses_for(state: State, seat: Seat, place: Place) -> bool:
    return missing(NOBLE_COST_BITS[state.nobles[place]], bonus_bits(state, seat)) == 0


@rule
def visiting_nobles(state: State, seat: Seat) -> Bits:
    """The places of all nobles that could visit a player, as a set."""
    return visited_by(state, bonus_bits(state, seat))


@rule
def visited_by(state: State, bonuses: Bits) -> Bits:
    """The same for whoever has these bonuses. Where no tile lies, the row of NO_NOBLE asks for too much."""
    places = 0
    for place in range(TABLE_NOBLES):
        is_met = missing(NOBLE_COST_BITS[state.nobles[place]], bonuses) == 0
        places |= (is_met & (state.noble_seat[place] == NOBODY)) << place
    return places


@rule
def receive_noble(state: State, place: Place) -> None:
    state.noble_seat[place] = state.seat
    state.points[state.seat] += NOBLE_POINTS


# ------------------------------------------------------------------------------- the turn and its end


@rule
def apply(state: State, action: Action) -> None:
    """Carry out one legal decision, and all that follows from it without another."""
    if action < PASS:
        state.passes = 0
        if action < RESERVE_MARKET:
            take(state, action)
        elif action < RESERVE_DECK:
            reserve_card(state, action - RESERVE_MARKET)
        elif action < BUY_MARKET:
            reserve_from_deck(state, action - RESERVE_DECK)
        else:
            pay_least_gold(state, card_for_sale(state, action))
            collect(state, action)
        end_action(state)
    elif action == PASS:
        state.passes += 1
        end_action(state)
    elif action < CHOOSE_NOBLE:
        pay(state, action - RETURN_TOKEN, 1)
        end_action(state)
    else:
        receive_noble(state, action - CHOOSE_NOBLE)
        end_turn(state)


@rule
def apply_paying(state: State, action: Action, payment: ByColor) -> None:
    """The same for a buy that is paid as the buyer chooses (E10): `payment` is a count for each color."""
    state.passes = 0
    pay_exactly(state, payment)
    collect(state, action)
    end_action(state)


@rule
def end_action(state: State) -> None:
    """After the action: return down to ten tokens, then at most one noble, then the turn ends (E18)."""
    if tokens_held(state, state.seat) > HAND_LIMIT:
        state.phase = RETURN
        return
    visitors = visiting_nobles(state, state.seat)
    if count_bits(visitors) > 1:
        state.phase = NOBLE
        return
    if visitors != 0:
        receive_noble(state, nth_bit(visitors, 0))
    end_turn(state)


@rule
def end_turn(state: State) -> None:
    """The next player's turn, unless the game ends: 15 points end it when all have had equally many turns."""
    next_seat = state.seat + 1 if state.seat + 1 < state.players else 0
    is_round_complete = next_seat == state.first
    if is_round_complete and has_trigger(state):
        state.phase = ENDED_BY_POINTS
    elif state.passes == state.players:
        state.phase = ENDED_BY_STALEMATE
    elif is_round_complete and state.round_number == state.round_cap:
        state.phase = ENDED_BY_CAP
    else:
        state.phase = ACT
        state.seat = next_seat
        state.round_number += is_round_complete


@rule
def has_trigger(state: State) -> bool:
    """Does any player have 15 points? Then this is the last round (R33)."""
    for seat in range(state.players):
        if state.points[seat] >= WINNING_POINTS:
            return True
    return False


# ------------------------------------------------------------------------------------------ result


@rule
def cards_bought(state: State, seat: Seat) -> Count:
    """Purchased development cards only: no nobles, no reserved cards (E22). Each brought one bonus."""
    count = 0
    for color in range(GOLD):
        count += state.bonuses[seat, color]
    return count


@rule
def is_ahead(state: State, seat: Seat, other: Seat) -> bool:
    """Most points; then fewest purchased cards (R34, R35)."""
    if state.points[seat] != state.points[other]:
        return state.points[seat] > state.points[other]
    return cards_bought(state, seat) < cards_bought(state, other)


@rule
def place_of(state: State, seat: Seat) -> Count:
    """1 for the best; players level in points and cards share a place, and the next is skipped (E23)."""
    place = 1
    for other in range(state.players):
        place += is_ahead(state, other, seat)
    return place


@rule
def count_winners(state: State) -> Count:
    """How many share the first place of a finished game."""
    winners = 0
    for seat in range(state.players):
        winners += place_of(state, seat) == 1
    return winners


@rule
def win_share(state: State, seat: Seat) -> WinShare:
    """What a seat has won of a finished game: 1, or 1/n for each of n who win together, or 0 (R36)."""
    has_won = seat < state.players and place_of(state, seat) == 1
    return 1.0 / count_winners(state) if has_won else 0.0


@rule
def write_win_shares(state: State, shares: BySeat) -> None:
    """The same for all seats, the empty ones included  [seat]."""
    for seat in range(MAX_PLAYERS):
        shares[seat] = win_share(state, seat)
