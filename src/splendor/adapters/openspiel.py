"""Splendor for OpenSpiel: importing this module registers the game `splendor`.

>>> import pyspiel
>>> import splendor.adapters.openspiel
>>> game = pyspiel.load_game("splendor(players=3)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 40)

Chance deals the twelve face-up cards and the nobles one by one, and later each card that is drawn from a deck, at the
moment it is drawn. A chance outcome is the number of the card, or 90 and the number of the noble. Players decide as
numbered in `actions`. Returns are the shares of the win, scaled to sum to zero: `players * share - 1`.

How it works: the decks of the state hold unseen cards, so the rules draw one of those, and chance then says which card
it is. Nothing of the rules is repeated here. OpenSpiel needs games that end, so there is a cap on rounds, far beyond
any sensible game.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyspiel  # type: ignore[import-not-found]  # it has no types
from numpy.typing import NDArray

from splendor.adapters.observations import observe
from splendor.core import hidden, rules
from splendor.core.actions import ACTIONS, describe_action
from splendor.core.chance import new_rng
from splendor.core.components import CARD_LEVEL, CARDS, FIRST_CARD, LEVELS, MAX_PLAYERS, NO_NOBLE, NOBLES, UNSEEN
from splendor.core.features import OBSERVATION, OBSERVATION_SIZE
from splendor.core.state import MARKET, RESERVE_LIMIT, SLOTS, STATE, TABLE_NOBLES, State, copy_state, new_state
from splendor.game.board import format_board, format_card
from splendor.game.moves import IllegalMove, check_action, legal_actions
from splendor.notation.json import JsonObject
from splendor.notation.positions import MOST_ROUNDS, format_position

MIN_PLAYERS = 2
ROUND_CAP = 100
DECISIONS_IN_TURN = 5  # an action, three returns, a noble
DEALT_NOBLE = CARDS  # + noble: the outcome that deals it
NOTHING = -1  # a decision that drew no card

GAME_TYPE = pyspiel.GameType(
    short_name="splendor",
    long_name="Splendor",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=MIN_PLAYERS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"players": 2, "round_cap": ROUND_CAP},
)


class SplendorGame(pyspiel.Game):  # type: ignore[misc]
    """The game as OpenSpiel knows it; `players` and `round_cap` are its parameters."""

    def __init__(self, params: JsonObject | None = None) -> None:
        """A game for some number of players."""
        parameters = params or {}
        self.players = int(parameters.get("players", 2))
        self.round_cap = int(parameters.get("round_cap", ROUND_CAP))
        if not MIN_PLAYERS <= self.players <= MAX_PLAYERS:
            raise ValueError(f"Splendor is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {self.players}")
        if not 1 <= self.round_cap <= MOST_ROUNDS:
            raise ValueError(f"a cap on rounds must be 1 to {MOST_ROUNDS}, not {self.round_cap}")
        self.longest = self.players * self.round_cap * DECISIONS_IN_TURN
        self.blank = undealt(self.players, self.round_cap)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=CARDS + NOBLES,
            num_players=self.players,
            min_utility=-1.0,
            max_utility=self.players - 1.0,
            utility_sum=0.0,
            max_game_length=self.longest,
        )
        super().__init__(GAME_TYPE, info, parameters)

    def new_initial_state(self, _: str | None = None) -> SplendorState:
        """A table at which nothing has been dealt."""
        return SplendorState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Every card is drawn at most once, and so is every noble of the table."""
        return CARDS + self.players + 1

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: JsonObject | None = None
    ) -> Observer:
        """Something that looks at states: with or without the history, the open cards, the hidden ones."""
        if params:
            raise ValueError(f"observers of splendor have no parameters, but were given {params}")
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SplendorState(pyspiel.State):  # type: ignore[misc]
    """A node of the game tree."""

    def __init__(self, game: SplendorGame) -> None:
        """Where every game begins; OpenSpiel asks for states through `SplendorGame.new_initial_state`."""
        super().__init__(game)
        self.course = Course(copy_state(game.blank))

    def current_player(self) -> int:
        """Who decides: a seat, chance, or nobody any more."""
        if self.course.is_chance_due:
            return int(pyspiel.PlayerId.CHANCE)
        if rules.is_over(self.course.state):
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self.course.state.seat)

    def is_terminal(self) -> bool:
        """Is the game over, and the last card turned up?"""
        return not self.course.is_chance_due and bool(rules.is_over(self.course.state))

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002  # asked only for the one who decides
        return legal_actions(self.course.state)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may come now, everything equally likely."""
        outcomes = self.course.outcomes()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        if self.course.is_chance_due:
            if action not in self.course.outcomes():
                raise pyspiel.SpielError(f"chance cannot bring {action} now")
            self.course.reveal(action)
            return
        try:
            check_action(self.course.state, action)
        except IllegalMove as refusal:
            raise pyspiel.SpielError(str(refusal)) from None
        self.course.decide(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return describe_action(action)
        return f"card {action + 1}" if action < DEALT_NOBLE else f"noble {action - DEALT_NOBLE + 1}"

    def returns(self) -> list[float]:
        """The share of the win of each seat, scaled to sum to zero; 0 for all while the game goes on."""
        state = self.course.state
        players = int(state.players)
        if not self.is_terminal():
            return [0.0] * players
        return [players * float(rules.win_share(state, seat)) - 1.0 for seat in range(players)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SplendorState:
        """A state that looks the same to this player, drawn uniformly: hidden cards in other hands are exchanged."""
        other = copy_state(self.course.state)
        hidden.hide(other, player)
        hidden.redeal(other, new_rng(int(sampler() * 2**53)))
        here = self.course.state.reserved.ravel().tolist()
        exchanged = {card: new for card, new in zip(here, other.reserved.ravel().tolist(), strict=True) if card != new}
        if not exchanged:
            return self.clone()  # type: ignore[no-any-return]
        state = self.get_game().new_initial_state()
        for step in self.full_history():
            is_chance = step.player == pyspiel.PlayerId.CHANCE
            state.apply_action(exchanged.get(step.action, step.action) if is_chance else step.action)
        return state  # type: ignore[no-any-return]

    def __str__(self) -> str:
        """The board, as one who sees all hands would."""
        return format_board(self.course.state)


class Course:
    """How the game went: the state, whose decks hold unseen cards, and all decisions with the cards they drew."""

    def __init__(self, state: State) -> None:
        """A game that has just begun, nothing dealt."""
        self.state = state
        self.deal: list[int] = []  # the outcomes of the first chance nodes
        self.decisions: list[tuple[int, int, int]] = []  # seat, action, the card that was drawn or NOTHING
        self.is_chance_due = True

    def __deepcopy__(self, memo: object) -> Course:
        course = Course(copy_state(self.state))
        course.deal, course.decisions = list(self.deal), list(self.decisions)
        course.is_chance_due = self.is_chance_due
        return course

    def __getstate__(self) -> tuple[bytes, list[int], list[tuple[int, int, int]], bool]:
        return self.state.tobytes(), self.deal, self.decisions, self.is_chance_due

    def __setstate__(self, saved: tuple[bytes, list[int], list[tuple[int, int, int]], bool]) -> None:
        record, self.deal, self.decisions, self.is_chance_due = saved
        self.state = np.frombuffer(bytearray(record), STATE).view(np.recarray)[0]

    def decide(self, action: int) -> None:
        """Play a legal decision; a card that it draws is unseen until chance reveals it."""
        self.decisions.append((int(self.state.seat), action, NOTHING))
        self.is_chance_due = int(rules.drawn_level(self.state, action)) < LEVELS
        rules.apply(self.state, action)

    def outcomes(self) -> list[int]:
        """What chance may bring: the cards of the level that is due, or the nobles that are left."""
        place = self._unseen_place()
        if place is None:
            dealt = self.state.nobles.tolist()
            return [DEALT_NOBLE + noble for noble in range(NOBLES) if noble not in dealt]
        cards, index = place
        scratch = copy_state(self.state)
        level = int(CARD_LEVEL[cards[index]])
        count = int(hidden.gather_unseen(scratch, level))
        return scratch.deck[FIRST_CARD[level] : FIRST_CARD[level] + count].tolist()  # type: ignore[no-any-return]

    def reveal(self, outcome: int) -> None:
        """Put the card or noble in its place."""
        if self.decisions:
            seat, action, _ = self.decisions[-1]
            self.decisions[-1] = (seat, action, outcome)
        else:
            self.deal.append(outcome)
        place = self._unseen_place()
        if place is None:
            self.state.nobles[self.state.nobles.tolist().index(NO_NOBLE)] = outcome - DEALT_NOBLE
        else:
            cards, index = place
            cards[index] = outcome
        self.is_chance_due = not self.decisions and len(self.deal) < MARKET + int(self.state.players) + 1

    def _unseen_place(self) -> tuple[NDArray[np.int8], int] | None:
        """Where an unseen card lies on the market or in a hand."""
        for cards in (self.state.market, self.state.reserved.reshape(-1)):
            unseen = np.flatnonzero((cards >= UNSEEN) & (cards < UNSEEN + LEVELS))
            if unseen.size:
                return cards, int(unseen[0])
        return None


def undealt(players: int, round_cap: int) -> State:
    """The table before the deal: every card unseen, no noble yet."""
    state = new_state()
    rules.setup(state, players, 0, round_cap, new_rng(0))
    for slot in range(MARKET):
        state.market[slot] = UNSEEN + slot // SLOTS
    for level in range(LEVELS):
        hidden.hide_deck(state, level)
    state.nobles[:] = NO_NOBLE
    return state


class Observer:
    """Looks at states for a player, as tensors with names and as text, in the form OpenSpiel asks for.

    What it shows depends on what is asked for: with public information the fields of `features.OBSERVATION`; with
    perfect recall also the deal and all decisions so far; without public information only the `hand` that no one else
    knows, one-hot. Numbers of cards, nobles and actions in `deal` and `decisions` are one higher, so that 0 is nothing.
    """

    def __init__(self, game: SplendorGame, wanted: pyspiel.IIGObservationType) -> None:
        """An observer for what is wanted."""
        if wanted.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("observers of splendor show one player's hidden cards, not those of all")
        self._is_public = wanted.public_info
        self._is_private = wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = wanted.perfect_recall
        shapes: dict[str, tuple[int, ...]] = {}
        if self._is_public:
            shapes |= {name: OBSERVATION[name].shape or (1,) for name in OBSERVATION.names or ()}
        elif self._is_private:
            shapes["hand"] = (RESERVE_LIMIT, CARDS)
        if self._recalls:
            shapes |= {"player": (game.players,), "deal": (MARKET + TABLE_NOBLES,), "decisions": (game.longest, 2)}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        start = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size

    def set_from(self, state: SplendorState, player: int) -> None:
        """Write what the player knows into `tensor`, and so into the arrays of `dict`."""
        self.tensor[:] = 0
        course = state.course
        if self._is_public:
            self.tensor[:OBSERVATION_SIZE] = observe(self._shown(course.state, player), player)
        elif self._is_private:
            for place, card in enumerate(hidden_hand(course.state, player)):
                self.dict["hand"][place, card] = 1
        if self._recalls:
            self.dict["player"][player] = 1
            self.dict["deal"][: len(course.deal)] = np.array(course.deal) + 1
            for row, (seat, action, card) in zip(self.dict["decisions"], course.decisions, strict=False):
                row[:] = action + 1, (0 if self._is_secret(seat, action, player) else card + 1)

    def string_from(self, state: SplendorState, player: int) -> str:
        """The same as text: the position that the player sees, or with perfect recall all that led to it.

        `View.from_position` reads the position; at a chance node the card that is to come has the number 91, 92 or 93.
        """
        course = state.course
        parts = [] if self._is_public and not self._recalls else [f"player {player}"]
        if self._recalls:
            parts.append("deal " + " ".join(str(outcome) for outcome in course.deal))
            parts += [self._decision_as_text(decision, player) for decision in course.decisions]
        elif self._is_public:
            parts.append(format_position(self._shown(course.state, player)))
        if self._is_private and not self._is_public:
            parts += [format_card(card) for card in hidden_hand(course.state, player)]
        return "; ".join(parts)

    def _shown(self, state: State, player: int) -> State:
        """The state without what is hidden from the player, or without all that is hidden from anyone."""
        shown = copy_state(state)
        hidden.hide(shown, player if self._is_private else hidden.SPECTATOR)
        return shown

    def _is_secret(self, seat: int, action: int, player: int) -> bool:
        """Is the card that this decision drew unknown to the player?"""
        return bool(hidden.is_drawn_unseen(seat, action, player if self._is_private else hidden.SPECTATOR))

    def _decision_as_text(self, decision: tuple[int, int, int], player: int) -> str:
        seat, action, card = decision
        text = f"{seat}: {describe_action(action)}"
        if card == NOTHING:
            return text
        return f"{text} > {'?' if self._is_secret(seat, action, player) else card + 1}"


def hidden_hand(state: State, seat: int) -> list[int]:
    """The reserved cards that only their owner knows."""
    cards = zip(state.reserved[seat].tolist(), state.from_deck[seat].tolist(), strict=True)
    return [card for card, is_from_deck in cards if is_from_deck and card < CARDS]


pyspiel.register_game(GAME_TYPE, SplendorGame)
