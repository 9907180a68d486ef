"""One game at a terminal: who sits where, what may be shown, and taking back. It knows no screens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from splendor.core.components import MAX_PLAYERS
from splendor.game.game import Game
from splendor.game.position import View
from splendor.notation.moves import Move
from splendor.players import Player, load

PERSON = "person"


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A seat with whoever decides for it; without a player it is a person."""

    name: str
    player: Player | None = None


def seating(players: int, against: Sequence[str], seat: int, hotseat: bool, watch: bool) -> list[str]:
    """Who sits where, from the options of the command: PERSON or the name of a player for each seat.

    >>> seating(3, ["greedy"], 1, hotseat=False, watch=False)
    ['greedy', 'person', 'greedy']
    """
    if not 2 <= players <= MAX_PLAYERS:  # noqa: PLR2004 - the rule, as the sentence says it
        raise ValueError(f"Splendor is for 2 to {MAX_PLAYERS} players, not {players}")
    if not 0 <= seat < players:
        raise ValueError(f"with {players} players the seats are 0 to {players - 1}; there is no seat {seat}")
    if hotseat and watch:
        raise ValueError("--hotseat is for people only and --watch for computers only; choose one")
    if hotseat:
        return [PERSON] * players
    if not against:
        raise ValueError("name at least one computer player")
    others = players if watch else players - 1
    if len(against) > others:
        raise ValueError(f"there are {len(against)} computer players for {others} seat{'s' * (others > 1)}")
    filled = [against[i % len(against)] for i in range(others)]
    return filled if watch else [*filled[:seat], PERSON, *filled[seat:]]


def take_seats(who: Sequence[str]) -> list[SeatedPlayer]:
    """Seats from PERSON and names of players; raises ValueError for a name that is unknown."""
    people = list(who).count(PERSON)
    seats: list[SeatedPlayer] = []
    for index, name in enumerate(who):
        if name == PERSON:
            seats.append(SeatedPlayer("You" if people == 1 else f"Player {index + 1}"))
        else:
            title = name.partition(":")[0].capitalize()
            earlier = sum(seat.name.startswith(title) for seat in seats)
            seats.append(SeatedPlayer(f"{title} {earlier + 1}" if earlier else title, load(name)))
    return seats


class Session:
    """A game in progress."""

    def __init__(self, who: Sequence[str], *, seed: int | None = None, game: Game | None = None) -> None:
        """For each seat PERSON or the name of a player; they play a new deal, or a game that has begun."""
        self.who = list(who)
        self.seats = take_seats(who)
        self.game = game or Game(len(who), seed=seed)
        for index, seat in enumerate(self.seats):
            self.game.tag(f"Seat{index}", seat.name)

    @property
    def names(self) -> list[str]:
        """The names of the seats."""
        return [seat.name for seat in self.seats]

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [index for index, seat in enumerate(self.seats) if seat.player is None]

    @property
    def is_persons_turn(self) -> bool:
        """Does a person decide now?"""
        return not self.game.is_over and self.game.seat in self.people

    @property
    def viewer(self) -> int | None:
        """Whose eyes the screen is for: the only person, the one of several whose turn it is, or a spectator's."""
        if len(self.people) == 1:
            return self.people[0]
        return self.game.seat if self.is_persons_turn else None

    @property
    def view(self) -> View:
        """What may be shown now."""
        return self.game.view(self.viewer)

    @property
    def has_secrets(self) -> bool:
        """Do several people share the screen while one of them holds a card that the others have not seen?"""
        public = self.game.view(None)
        return len(self.people) > 1 and any(card.is_unseen for seat in self.people for card in public.reserved(seat))

    @property
    def history(self) -> list[tuple[int, Move]]:
        """The turns played so far, each with its seat."""
        game, moves = self.game, self.game.moves
        began = game.seat - len(moves) + (1 if game.is_over else 0)  # after the end, the seat is the last one's
        return [((began + turn) % game.players, move) for turn, move in enumerate(moves)]

    @property
    def can_undo(self) -> bool:
        """Has a person played, so that there is something to take back?"""
        return any(seat in self.people for seat, _ in self.history)

    def undo(self) -> None:
        """Take back turns until it is a person's turn again."""
        if not self.can_undo:
            return
        self.game.undo()
        while not self.is_persons_turn:
            self.game.undo()
