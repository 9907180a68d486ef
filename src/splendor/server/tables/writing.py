"""What everyone who looks on is sent after a change of a running game, as JSON: joined from pieces that recur.

The messages are those of `viewers`, byte for byte, and their pieces are written by pydantic: a card as somebody sees
it, a move on offer, a player. But a piece is written once and kept, and what all viewers see of a change is written
once for all of them. Whatever is rare, such as an offer or an absence, is left to `viewers`.
"""

from __future__ import annotations

import json
from functools import cached_property, lru_cache
from typing import Any

from pydantic import BaseModel, TypeAdapter

from splendor.core import rules
from splendor.core.components import GOLD, LEVELS, NO_CARD, NO_NOBLE
from splendor.core.state import ACT, NOBLE, NOBODY, PHASES, SLOTS, Facts, State, cards_in, facts
from splendor.game import showing
from splendor.game.moves import TAKES, phases_after
from splendor.game.shown import Asked
from splendor.notation.moves import Move
from splendor.notation.moves import Tokens as Counts
from splendor.notation.positions import format_facts
from splendor.server import messages as m
from splendor.server.tables import commands, log, viewers
from splendor.server.tables.table import OnlineTable, Step

KEPT = 20_000  # pieces of each kind

_anything: TypeAdapter[Any] = TypeAdapter(Any)


def written(value: object) -> str:
    """Anything as JSON, by pydantic."""
    return _anything.dump_json(value).decode()


# ---------------------------------------------------------------------------------------------------- the pieces


@lru_cache(KEPT)
def message(value: BaseModel | None) -> str:
    """A small message that does not change: a player, a clock."""
    return written(value)


@lru_cache(KEPT)
def card(number: int, lacks: tuple[int, ...] | None) -> str:
    return "null" if number == NO_CARD else written(showing.shown_card(number, lacks))


@lru_cache(KEPT)
def reserved(number: int, lacks: tuple[int, ...] | None, from_deck: int) -> str:
    return written(showing.reserved_card(number, lacks, bool(from_deck)))


@lru_cache(KEPT)
def noble(number: int, owner: int, has: tuple[int, ...] | None) -> str:
    return written(showing.noble_as_seen(number, None if owner == NOBODY else owner, has))


@lru_cache(KEPT)
def counts(numbers: tuple[int, ...]) -> str:
    return written(showing.all_tokens(numbers) if len(numbers) > GOLD else showing.gems(numbers))


@lru_cache(KEPT)
def take(action: int, then: Asked | None) -> str:
    return written(showing.take_form(action, then))


@lru_cache(KEPT)
def form(move: Move, payment: Counts | None, then: Asked | None) -> str:
    return written(showing.form_of(move, payment, then))


@lru_cache(KEPT)
def bought(bits_by_byte: tuple[int, ...]) -> str:
    return ",".join([FACES[number] for number in cards_in(list(bits_by_byte))])


@lru_cache(KEPT)
def fairness(procedure: str, commit: str, commits: tuple[str | None, ...], order: tuple[int, ...] | None) -> str:
    """Of a game that goes on: nothing is revealed yet."""
    shown = m.Fairness(
        procedure=procedure,
        commit=commit,
        secret=None,
        commits=list(commits),
        nonces=[None] * len(commits),
        order=None if order is None else list(order),
    )
    return written(shown)


FACES = [written(face) for face in showing.CARD_FACES]


def truth(is_so: bool) -> str:
    return "true" if is_so else "false"


def number(value: int | None) -> str:
    return "null" if value is None else str(value)


def seconds(value: float | None) -> str:
    return "null" if value is None else str(float(value))


def text(value: str | None) -> str:
    return "null" if value is None else json.dumps(value, ensure_ascii=False)


# -------------------------------------------------------------------------------------------- the board and the moves


def board(seen: State, table: Facts, viewer: int | None, turn: int) -> str:
    """The board for one viewer, from what they see of the state; the same as `showing.board`."""
    players, phase = table["players"], table["phase"]
    lacks = showing.what_is_missing(seen, table, viewer)
    market = [card(number, lacks.get(number)) for number in table["market"]]
    rows = "],[".join([",".join(market[SLOTS * level : SLOTS * (level + 1)]) for level in range(LEVELS)])
    has = None if viewer is None else tuple(table["bonuses"][viewer])
    tiles = list(zip(table["nobles"], table["noble_seat"], strict=True))[: players + 1]
    nobles = ",".join([noble(tile, owner, has) for tile, owner in tiles])
    hands = ",".join([hand(table, tiles, seat, lacks if seat == viewer else {}) for seat in range(players)])
    return (
        f'{{"position":"{format_facts(table)}","viewer":{number(viewer)},"players":{players},"seat":{table["seat"]},'
        f'"round":{table["round_number"]},"turn":{turn},"phase":"{PHASES[phase]}",'
        f'"is_last_round":{truth(rules.has_trigger(seen))},"is_over":{truth(phase > NOBLE)},'
        f'"bank":{counts(tuple(table["bank"]))},"market":[[{rows}]],"decks":[{",".join(map(str, table["deck_size"]))}],'
        f'"nobles":[{nobles}],"hands":[{hands}]}}'
    )


def hand(table: Facts, tiles: list[tuple[int, int]], seat: int, lacks: showing.Lacks) -> str:
    """What lies before a seat; the same as `showing.hand`."""
    held = zip(table["reserved"][seat], table["from_deck"][seat], strict=True)
    cards = ",".join([reserved(card, lacks.get(card), drawn) for card, drawn in held if card != NO_CARD])
    nobles = ",".join([str(tile + 1) for tile, owner in tiles if owner == seat and tile != NO_NOBLE])
    return (
        f'{{"tokens":{counts(tuple(table["tokens"][seat]))},"bonuses":{counts(tuple(table["bonuses"][seat]))},'
        f'"points":{table["points"][seat]},"bought":[{bought(tuple(table["bought"][seat]))}],'
        f'"reserved":[{cards}],"nobles":[{nobles}]}}'
    )


def moves(state: State, seen: State, viewer: int) -> str:
    """What the viewer may play; the same as `showing.offered_moves`."""
    if seen["phase"] != ACT:
        return ",".join([written(offered) for offered in showing.offered_moves(state, viewer)])
    forms = []
    for action, phase in phases_after(seen):
        then = showing.ASKS_FOR.get(phase)
        if action < len(TAKES):
            forms.append(take(action, then))
        else:
            forms += [form(*offer, then) for offer in showing.offers(seen, action)]
    return ",".join(forms)


def moves_unseen(step: Step) -> bool:
    """Can this have moved a card that not everybody sees: one from a deck to a hand, or one in a hand?"""
    match step.move:
        case Move(kind="draw"):
            return True
        case Move(kind="buy", card=int(card)):
            return card - 1 not in step.before["market"].tolist()
    return False


# ------------------------------------------------------------------------------------------------------- the message


class Update:
    """What happened at a table after a version, and the table as it is now, for all who look on."""

    def __init__(self, table: OnlineTable, now: float, since: int) -> None:
        """For people who may watch."""
        self.table, self.now, self.since = table, now, since
        self._played: dict[tuple[int, bool], str] = {}

    def for_person(self, person: str | None) -> str:
        """The message as JSON."""
        table = self.table
        if table.status != "live" or self.since < table.version - viewers.MOST_MISSED:
            return viewers.update_message(table, person, self.now, self.since).model_dump_json()
        seats = table.seats_of(person) if person else []
        viewer = viewers.seat_of_viewer(table, seats)
        seen = showing.seen_by(table.state, viewer)
        is_turn = viewer is not None and viewer == table.to_move
        can_undo = person is not None and viewers.can_undo(table, person)
        can_abort = bool(seats) and commands.can_abort(table)
        return (
            f'{{"type":"update","version":{table.version},"resync":false,"events":[{self._events(seats)}],'
            f'"table":{{{self._head},"you":[{",".join(map(str, seats))}],"viewer":{number(viewer)},'
            f'"board":{board(seen, facts(seen), viewer, table.turn)},'
            f'"moves":[{moves(table.state, seen, viewer) if is_turn and viewer is not None else ""}],'
            f'"can_undo":{truth(can_undo)},"can_abort":{truth(can_abort)},{self._tail}}}}}'
        )

    @cached_property
    def _head(self) -> str:
        """The table up to who looks at it."""
        table, made = self.table, self.table.made
        seats = ",".join([self._seat(seat) for seat in range(len(table.seats))])
        return (
            f'"id":"{table.id}","version":{table.version},"status":"{table.status}","public":{truth(made.public)},'
            f'"spectators":{truth(made.spectators)},"clock":{message(made.clock)},"order":"{made.order}",'
            f'"created":{seconds(table.created)},"now":{seconds(self.now)},"seats":[{seats}]'
        )

    @cached_property
    def _tail(self) -> str:
        """The table from what is the same for all again."""
        table = self.table
        made, order = table.made, None if table.order is None else tuple(table.order)
        commits = tuple([commit for commit, _ in table.sat_down])
        shown = "null" if made.position is not None else fairness(made.procedure, table.commit, commits, order)
        offer = "null" if table.offer is None else written(table.offer)
        pairing = "null" if made.pairing is None else written(viewers.pairing_message(table))
        return (
            f'"offer":{offer},"result":null,"fairness":{shown},'
            f'"rematch":{text(table.rematch)},"pairing":{pairing},"is_host":false'
        )

    def _seat(self, place: int) -> str:
        """A seat; the same as `viewers.seat_message`."""
        seat = self.table.seats[place]
        if seat.absent_since is not None:
            return written(viewers.seat_message(self.table, place, self.now))
        return (
            f'{{"seat":{place},"kind":"{seat.kind}","person":{message(seat.person)},"player":{message(seat.player)},'
            f'"label":{text(seat.label)},"clock":{seconds(self.table.seconds_left(place, self.now))},'
            f'"forfeit":{text(seat.forfeit)},"absence":null,"has_committed":{truth(seat.commit is not None)},'
            f'"has_revealed":{truth(seat.nonce is not None)},"owes_promise":{truth(seat.owes_promise)}}}'
        )

    def _events(self, seats: list[int]) -> str:
        viewer = seats[0] if len(seats) == 1 else None
        return ",".join([self._event(stored, viewer) for stored in self.table.log[self.since :]])

    def _event(self, stored: log.Stored, viewer: int | None) -> str:
        """An event for a viewer. Who moved a card in hand sees more of that than the others, who all see the same."""
        if not isinstance(stored.entry, log.Played):
            return written(viewers.event_message(self.table, stored, viewer))
        step = self.table.steps[stored.version]
        sees_more = viewer == step.seat and moves_unseen(step)
        key = (stored.version, sees_more)
        if key not in self._played:
            shown = viewers.played_message(self.table, stored, step.seat if sees_more else None)
            self._played[key] = written(shown)
        return self._played[key]
