"""`Game`: one game with its history, for people and programs.

A game is played in whole turns (`play`) or decision by decision (`decide`). Everything that comes in is
checked: what the rules do not allow raises `IllegalMove` with a sentence that says why, and changes
nothing.
"""

from __future__ import annotations

import copy
import json
import secrets
from dataclasses import replace

from splendor.core import rules
from splendor.core.chance import new_rng
from splendor.core.components import FIRST_CARD, LEVELS, MAX_PLAYERS, UNSEEN
from splendor.core.hidden import gather_unseen
from splendor.core.state import NOBLE, RETURN, State, copy_state, new_state
from splendor.game.moves import (
    IllegalMove,
    action_of_move,
    begin_turn,
    check_action,
    move_of_action,
    play_move,
    with_decision,
)
from splendor.game.position import Board, View
from splendor.notation.errors import NotationError
from splendor.notation.json import parse_any_record, record_to_json
from splendor.notation.moves import Move, Tokens, parse_move
from splendor.notation.positions import MOST_ROUNDS, has_unseen_cards, parse_position
from splendor.notation.records import Record, Turn, check_tag, check_text, format_record

RESULT_TAGS = ("Result", "Points", "End")  # written from the game, checked when read


class IllegalRecord(ValueError):
    """A game file that is well written but not a legal game; the message names the place.

    For other languages there is a code, with what it speaks about.
    """

    def __init__(self, sentence: str, code: str = "", **params: int | str) -> None:
        """A sentence, and the same as a code; between processes the code follows the sentence."""
        super().__init__(sentence)
        self.code, self.params = code, params


class Game(Board):
    """A game of Splendor for 2 to 4 players.

    >>> game = Game(players=2, seed=1)
    >>> game.seat, game.round, len(game.legal_moves)
    (0, 1, 30)
    >>> game.play("+wug")
    parse_move('+wug')
    >>> game.tokens(0).white, game.seat
    (1, 1)
    >>> game.play("+ww")
    Traceback (most recent call last):
    ...
    splendor.game.moves.IllegalMove: the white pile holds 3 tokens; taking two needs 4
    >>> game.undo()
    parse_move('+wug')
    """

    def __init__(
        self, players: int = 2, *, seed: int | None = None, first: int = 0, round_cap: int | None = None
    ) -> None:
        """Deal a new game. The same seed gives the same deal; without one, chance decides."""
        _check_number(players, 2, MAX_PLAYERS, "Splendor is for 2 to 4 players")
        _check_number(first, 0, players - 1, f"the first seat must be 0 to {players - 1}")
        if round_cap is not None:
            _check_number(round_cap, 1, MOST_ROUNDS, f"a cap on rounds must be 1 to {MOST_ROUNDS}")
        if seed is None:
            seed = secrets.randbits(64)
        _check_number(seed, 0, 2**64 - 1, "a seed must be from 0 to 2**64 - 1")
        state = new_state()
        rules.setup(state, players, first, round_cap or 0, new_rng(seed))
        self._begin(state, {"Seed": str(seed)})

    def _begin(self, state: State, tags: dict[str, str]) -> None:
        super().__init__(state)
        self._start = copy_state(state)
        self._before: list[State] = []  # the state before each turn, an unfinished one included
        self._turns: list[Turn] = []
        self._unfinished: Move | None = None  # what has been decided of the present turn
        self.tags = tags

    # ------------------------------------------------------------------------------------------- play

    def play(self, move: Move | str) -> Move:
        """Play a whole turn, given as a move or as its notation, and return it as it is recorded.

        After `decide` has begun a turn, the rest of it is played: `-wk`, `@8` or both.
        """
        if isinstance(move, str):
            try:
                move = parse_move(move)
            except NotationError as error:
                raise IllegalMove(str(error)) from None
        after, played = play_move(self._state, move)
        if self._unfinished is not None:
            returned = Tokens(*map(sum, zip(self._unfinished.returned, played.returned, strict=True)))
            played = replace(self._unfinished, returned=returned, noble=played.noble)
        else:
            self._before.append(self._state)
        self._advance(after, played)
        return played

    def decide(self, action: int, payment: Tokens | None = None) -> None:
        """Play one decision by its number: an action, a return of one token, or the choice of a noble.

        A buy is paid with as little gold as possible, or as given.
        """
        check_action(self._state, action)
        after = copy_state(self._state)
        if payment is not None:
            move = begin_turn(after, replace(move_of_action(self._state, action), payment=payment))
        else:
            move = with_decision(self._state, self._unfinished or Move("finish"), action)
            rules.apply(after, action)
        if self._unfinished is None:
            self._before.append(self._state)
        self._advance(after, move)

    def _advance(self, after: State, move: Move) -> None:
        self._state = after
        if after["phase"] in (RETURN, NOBLE):
            self._unfinished = move
        else:
            self._unfinished = None
            self._turns.append(Turn(move, drawn_card(self._before[-1], move)))

    def undo(self) -> Move:
        """Take back the last turn, or what has been decided of the present one; return the move.

        Raises IndexError when nothing has been played.
        """
        if not self._before:
            raise IndexError("nothing has been played yet")
        move = self._unfinished
        if move is None:
            move = self._turns.pop().move
        self._unfinished = None
        self._state = self._before.pop()
        return move

    @property
    def moves(self) -> list[Move]:
        """The turns played so far."""
        return [turn.move for turn in self._turns]

    @property
    def turns_played(self) -> int:
        """How many turns have been played so far."""
        return len(self._turns)

    @property
    def turns(self) -> list[Turn]:
        """The turns played so far, with the cards they drew and what was noted about them."""
        return list(self._turns)

    @property
    def states(self) -> list[State]:
        """The states before each turn, and the present one; they hold hidden cards, and are not to be changed."""
        return [*self._before, self._state]

    def annotate(
        self,
        turn: int,
        *,
        comment: str | None = None,
        evaluation: tuple[float, ...] | None = None,
        clock: float | None = None,
    ) -> None:
        """Note something about a turn that was played: it is kept in the record."""
        if comment is not None:
            check_text(comment)
        if evaluation is not None and (len(evaluation) != self.players or not all(0 <= n <= 1 for n in evaluation)):
            raise ValueError(f"an evaluation is a share from 0 to 1 for each of the {self.players} seats")
        if clock is not None and not 0 <= clock < float("inf"):
            raise ValueError("a clock is a number of seconds from 0 on")
        old = self._turns[turn]
        self._turns[turn] = replace(
            old,
            comment=old.comment if comment is None else comment,
            evaluation=old.evaluation if evaluation is None else tuple(float(n) for n in evaluation),
            clock=old.clock if clock is None else float(clock),
        )

    # ----------------------------------------------------------------------------------------- viewing

    def view(self, seat: int | None) -> View:
        """What a seat may know now; None for a spectator. After the end the reserved cards are shown to all."""
        return View(self._state, seat)

    def copy(self) -> Game:
        """A game that goes its own way from here."""
        game = copy.copy(self)  # states are replaced, never changed, so both may hold the same ones
        game.tags = dict(self.tags)
        game._before, game._turns, game._unfinished = list(self._before), list(self._turns), self._unfinished
        return game

    def __repr__(self) -> str:
        return f"Game.from_position({self.position!r})"

    # -------------------------------------------------------------------------------- text and back again

    @classmethod
    def from_position(cls, text: str) -> Game:
        """A game that starts from a whole position; a view, which hides cards, cannot be played on."""
        state = parse_position(text)
        if has_unseen_cards(state):
            raise NotationError("this position hides cards, so it cannot be played; it can be shown as a View")
        return cls._from_state(state, {})

    @classmethod
    def _from_state(cls, state: State, tags: dict[str, str]) -> Game:
        game = object.__new__(cls)
        game._begin(state, tags)
        return game

    def record(self, *, as_json: bool = False) -> str:
        """The game so far as text: everything needed to replay it, without this program if need be."""
        record = Record(self._start, {**self.tags, **self._result_tags()}, self._turns)
        return json.dumps(record_to_json(record), indent=1) + "\n" if as_json else format_record(record)

    def _result_tags(self) -> dict[str, str]:
        if not self.is_over:
            return {"Result": "*"}
        return {
            "Result": ",".join(map(str, self.winners)),
            "Points": ",".join(map(str, self.points)),
            "End": self.phase,
        }

    @classmethod
    def from_record(cls, text: str) -> Game:
        """Replay a game file, text or JSON.

        Raises NotationError if it is badly written, and IllegalRecord if it breaks a rule; both say where.
        """
        record = parse_any_record(text)
        game = cls._from_state(with_drawn_cards(record), {})
        for index, turn in enumerate(record.turns):
            where = f"line {turn.line}, column {turn.column}: " if turn.line else f"turns[{index}]: "
            if turn.round_number not in (None, game.round) and not game.is_over:
                raise IllegalRecord(
                    f"{where}this is round {game.round}, not {turn.round_number}", "wrong_round", turn=index + 1
                )
            try:
                game.play(turn.move)
            except IllegalMove as error:
                sentence = f"{where}{turn.move} is illegal in round {game.round}: {error}"
                raise IllegalRecord(sentence, "illegal_turn", turn=index + 1, illegal=error.code) from None
            if turn.drawn != game._turns[-1].drawn:
                drawn = game._turns[-1].drawn
                expected = "no card is drawn" if drawn is None else f"the card drawn is {drawn}"
                sentence = f"{where}behind {turn.move} {expected}, but the record says {turn.drawn or 'none'}"
                raise IllegalRecord(sentence, "wrong_card", turn=index + 1)
            try:
                game.annotate(-1, comment=turn.comment, evaluation=turn.evaluation, clock=turn.clock)
            except ValueError as error:
                raise IllegalRecord(f"{where}{error}", "wrong_note", turn=index + 1) from None
        game.tags = {name: value for name, value in record.tags.items() if name not in RESULT_TAGS}
        for name, value in record.tags.items():
            if name in RESULT_TAGS and game._result_tags().get(name) != value:
                actual = game._result_tags().get(name, "missing while the game goes on")
                sentence = f"the tag {name} says {value!r}, but by the moves it is {actual}"
                if not game.is_over:
                    sentence += ": the game goes on after the last turn here; is the rest of the record missing?"
                raise IllegalRecord(sentence, "wrong_tag", tag=name)
        return game

    def tag(self, name: str, value: str) -> None:
        """Set a tag of the record, such as Seat0, Date or Event."""
        check_tag(name, value)
        if name in RESULT_TAGS:
            raise ValueError(f"the tag {name} follows from the game")
        self.tags[name] = value


def drawn_card(before: State, move: Move) -> int | None:
    """The printed id of the card that a legal move draws from a deck."""
    level = drawn_level(before, move)
    return None if level is None else int(rules.top_card(before, level)) + 1


def drawn_level(before: State, move: Move) -> int | None:
    """The deck, from 0, that a legal move draws a card from."""
    action = action_of_move(before, move)
    level = LEVELS if action is None else int(rules.drawn_level(before, action))
    return level if level < LEVELS else None


def with_drawn_cards(record: Record) -> State:
    """The start of a record with its decks filled in.

    A record may leave the decks unseen, since it says which cards were drawn: these come in their order, and
    below them those that nobody saw, in rising order of their ids.
    """
    state = copy_state(record.position)
    if not has_unseen_cards(state):
        return state
    if ((state.reserved >= UNSEEN) & (state.reserved < UNSEEN + LEVELS)).any():
        raise IllegalRecord("the position hides reserved cards, so the game cannot be replayed", "hidden_cards")
    for level in range(LEVELS):
        first, size = int(FIRST_CARD[level]), int(state.deck_size[level])
        if not size or state.deck[first] < UNSEEN:
            continue
        free = set(unseen_cards(state, level))
        drawn = [turn.drawn - 1 for turn in record.turns if turn.drawn is not None and turn.drawn - 1 in free]
        from_the_top = [*dict.fromkeys(drawn), *sorted(free - set(drawn))]
        state.deck[first : first + size] = from_the_top[::-1]
    return state


def unseen_cards(state: State, level: int) -> list[int]:
    """The cards of a level that lie in no visible place."""
    scratch = copy_state(state)
    count = int(gather_unseen(scratch, level))
    return [int(card) for card in scratch.deck[FIRST_CARD[level] : FIRST_CARD[level] + count]]


def _check_number(number: object, low: int, high: int, sentence: str) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
        raise ValueError(f"{sentence}, not {number!r}")
