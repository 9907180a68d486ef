"""`review`: a whole game, turn by turn.

First comes the curve, by the network alone, then luck, then decision by decision the losses, with more and more
simulations: each report holds all that is known so far. A decision whose grade is beyond doubt gets fewer simulations
than the effort says, and one in doubt more. The same seed finds the same, with any number of threads, and whether or
not a review was interrupted and resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np

from splendor.analysis.evaluation import SIMULATIONS, Analysis
from splendor.analysis.gaps import Gap, read_game
from splendor.analysis.grades import ERRORS, Grading, judge
from splendor.analysis.ledger import ledger
from splendor.analysis.levels import chances, expected_losses
from splendor.analysis.luck import draws_of, reveals
from splendor.analysis.model import (
    EFFORTS,
    FORMULA,
    Candidate,
    Effort,
    Note,
    Reason,
    RevealedCard,
    Review,
    Shares,
    TurnReview,
)
from splendor.analysis.outcome import result_of
from splendor.analysis.reasons import SECOND, reasons_for
from splendor.analysis.summary import decided_by, key_moments, seat_reviews
from splendor.analysis.value import PositionValue
from splendor.core.state import State
from splendor.game.game import Game
from splendor.game.position import View
from splendor.network.network import Network, load_network
from splendor.notation.positions import format_position

MOST_TURNS = 600  # many times a real game
CANDIDATES = 5  # are kept of each decision, and the played one
CLEAR_PARTS = (0.25, 0.5)  # of the simulations, after which a decision may be clear
UNCLEAR_TIMES = 1.5  # so many times as many simulations for one that is in doubt
SEEDS = 1 << 20  # between the seeds of two decisions

Watcher = Callable[[Review], None]


class NotReviewable(ValueError):
    """A game that cannot be reviewed: why, in a sentence and as a code with what it speaks about."""

    def __init__(self, sentence: str, code: str = "", **params: int) -> None:
        """A sentence, and the same as a code; between processes the code follows the sentence."""
        super().__init__(sentence)
        self.code, self.params = code, params


def review(
    game: Game | str,
    effort: Effort = "normal",
    *,
    seats: Collection[int] | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Watcher | None = None,
    stop: Event | None = None,
    resume: Review | None = None,
    network: Network | None = None,
) -> Review:
    """Review a game, or the text of its record: the decisions of all seats, or of these.

    `progress` is shown the review as it grows. After `stop` is set what is known so far comes back; it can be handed in
    as `resume` to go on from there. Raises ValueError with a sentence for text that is no game, for a game without a
    turn, and for one that is longer than any real one.
    """
    played, gaps = read_game(game) if isinstance(game, str) else (game, ())
    work = Work(played, effort, seats, seed, network or load_network(), resume, gaps)
    return work.run(threads, progress, stop or Event())


class Work:
    """One game under review."""

    def __init__(
        self,
        game: Game,
        effort: Effort,
        seats: Collection[int] | None,
        seed: int,
        network: Network,
        resume: Review | None,
        gaps: Sequence[Gap],
    ) -> None:
        """Check everything before the work begins."""
        if effort not in EFFORTS:
            raise ValueError(f"there is no effort {effort!r}; there are {', '.join(EFFORTS)}")
        if not game.moves:
            raise NotReviewable("there is nothing to review: no turn has been played", "no_turn")
        if len(game.moves) > MOST_TURNS:
            sentence = f"this game has {len(game.moves)} turns; a review is for at most {MOST_TURNS}"
            raise NotReviewable(sentence, "too_many_turns", turns=len(game.moves), most=MOST_TURNS)
        wrong = [seat for seat in seats or () if not 0 <= seat < game.players]
        if wrong:
            raise ValueError(f"there is no seat {wrong[0]}; the seats are 0 to {game.players - 1}")
        self.game, self.effort, self.seed, self.network, self.gaps = game, effort, seed, network, gaps
        self.seats = set(range(game.players) if seats is None else seats)
        self.states, self.moves = game.states[: len(game.moves) + 1], game.moves
        self.value = PositionValue(network)
        self.result = result_of(game)
        self.shares = self.value.shares(np.array(self.states))[:, : game.players]
        self.reveals: dict[int, list[RevealedCard]] = {}
        self.analyses: dict[int, Analysis] = {}
        self.looked: dict[int, TurnReview] = {}
        if resume is not None:
            self._take_over(resume)

    def _take_over(self, old: Review) -> None:
        same = (old.network, old.formula, old.seed, old.position) == (
            self.network.fingerprint,
            FORMULA,
            self.seed,
            format_position(self.states[0]),
        )
        if not same or any(str(move) != turn.move for move, turn in zip(self.moves, old.turns, strict=False)):
            raise ValueError("this review is of another game, or by another network, formula or seed")
        self.looked = {turn.number: turn for turn in old.turns if turn.effort is not None}

    def run(self, threads: int, progress: Watcher | None, stop: Event) -> Review:
        """All that was asked for, or what there is when `stop` is set."""

        def report() -> None:
            if progress is not None:
                progress(self.review())

        report()
        draws = list(draws_of(self.game))
        for draw, reveal in zip(draws, reveals(draws, self.value), strict=True):
            if draw.turn not in [gap.turn for gap in self.gaps]:
                self.reveals.setdefault(draw.turn, []).append(reveal)
        report()
        pool = ThreadPoolExecutor(threads)
        try:
            for effort in EFFORTS[1 : EFFORTS.index(self.effort) + 1]:
                due = [n for n in self._due() if rank(self.looked.get(n)) < EFFORTS.index(effort)]
                for number, future in [(n, pool.submit(self._look, n, effort, stop)) for n in due]:
                    turn = future.result()
                    if turn is not None:
                        self.looked[number] = turn
                        report()
        finally:
            pool.shutdown(cancel_futures=True)
        return self.review()

    def _due(self) -> Iterator[int]:
        """The decisions that can be graded: not those of a seat that holds a card which nobody recorded."""
        for number, state in enumerate(self.states[:-1]):
            holds_gap = any(gap.seat == state.seat and gap.turn < number for gap in self.gaps)
            if int(state.seat) in self.seats and not holds_gap:
                yield number

    # ----------------------------------------------------------------------------------------- one decision

    def _look(self, number: int, effort: Effort, stop: Event) -> TurnReview | None:
        """Look at a decision until its grade is clear, or the effort is spent."""
        if stop.is_set():
            return None
        state, move = self.states[number], self.moves[number]
        seat = int(state.seat)
        view = View(state, seat)
        analysis = self.analyses.get(number)
        if analysis is None:
            most = int(SIMULATIONS[self.effort] * UNCLEAR_TIMES)
            seed = self.seed * SEEDS + number
            analysis = Analysis(view, include=[move], seed=seed, network=self.network, most=most)
            self.analyses[number] = analysis
        verdict = look(analysis, str(move), SIMULATIONS[effort], stop)
        if verdict is None:
            return None
        if effort == self.effort:
            del self.analyses[number]  # its tree is not needed any more
        return self._turn(number, effort, analysis, verdict)

    def _turn(self, number: int, effort: Effort, analysis: Analysis, verdict: Grading) -> TurnReview:
        state = analysis.view.state
        found = analysis.evaluation()
        kept = [*found.candidates[:CANDIDATES]]
        if verdict.played not in kept:
            kept.append(verdict.played)
        policies, worths = chances(state, self.network), analysis.worths()
        loss = 0.0 if verdict.grade == "forced" else verdict.loss
        return self._bare(number).model_copy(
            update={
                "effort": effort,
                "best": verdict.best.move,
                "loss": loss,
                "error": verdict.error,
                "grade": verdict.grade,
                "is_certain": verdict.is_certain,
                "cost": verdict.cost,
                "expected_loss": expected_losses(policies, worths),
                "simulations": found.simulations,
                "candidates": tuple(kept),
                "reasons": self._reasons(state, verdict, found.candidates),
            }
        )

    def _reasons(self, state: State, verdict: Grading, candidates: tuple[Candidate, ...]) -> tuple[Reason, ...]:
        if verdict.grade in ERRORS:
            return reasons_for(state, verdict.best, verdict.played)
        if verdict.grade == "great":
            return reasons_for(state, verdict.played, candidates[1], SECOND)
        return ()

    # --------------------------------------------------------------------------------------------- report

    def _bare(self, number: int) -> TurnReview:
        """A turn without what the search has found."""
        state, revealed = self.states[number], tuple(self.reveals.get(number, ()))
        luck = tuple(sum(reveal.luck[seat] for reveal in revealed) for seat in range(self.game.players))
        return TurnReview(
            number=number,
            round_number=int(state.round_number),
            seat=int(state.seat),
            move=str(self.moves[number]),
            reveals=revealed,
            luck=luck,
            shares=as_tuple(self.shares[number + 1]),
        )

    def review(self) -> Review:
        """Everything that is known now."""
        numbers = range(len(self.moves))
        fresh = {number: self._bare(number) for number in numbers}
        current = {"reveals", "luck", "shares"}
        turns = [
            self.looked[n].model_copy(update={name: getattr(fresh[n], name) for name in current})
            if n in self.looked
            else fresh[n]
            for n in numbers
        ]
        errors = {turn.number: [-cost for cost in turn.cost] for turn in turns if turn.cost}
        revealed = [reveal for n in numbers for reveal in self.reveals.get(n, ())]
        ledgers = ledger(self.game, errors, value=self.value, revealed=revealed, result=self.result)
        names = tuple(self.game.tags.get(f"Seat{seat}") for seat in range(self.game.players))
        seats = seat_reviews(ledgers, turns, names, self.effort)
        due = [] if self.effort == "curve" else list(self._due())
        return Review(
            network=self.network.fingerprint,
            effort=self.effort,
            seed=self.seed,
            players=self.game.players,
            names=names,
            position=format_position(self.states[0]),
            is_over=self.result is not None,
            start=as_tuple(self.shares[0]),
            turns=tuple(turns),
            summary=seats,
            key_moments=key_moments(turns, self.game.players),
            decided_by=decided_by(seats) if self.result is not None else "open",
            notes=self._notes(),
            done=sum(rank(self.looked.get(n)) >= EFFORTS.index(self.effort) for n in due),
            total=len(due),
        )

    def _notes(self) -> tuple[Note, ...]:
        notes = []
        if self.result is not None and not self.game.is_over:
            end = as_tuple(self.shares[-1])
            expected = ", ".join(f"{100 * share:.0f} %" for share in end)
            text = f"The game was not played to its end. By then the seats could expect {expected} of the win."
            notes.append(Note(code="given_up", params={"shares": end}, text=text))
        elif self.result is None:
            text = "The game is not over: the result is what each seat can expect now."
            notes.append(Note(code="unfinished", text=text))
        if self.gaps:
            text = (
                "The record does not say which cards were drawn unseen. Where that does not show later, other cards "
                "take their place in the win shares, and what their owners decided with them is not graded."
            )
            notes.append(Note(code="unseen_cards", params={"turns": [gap.turn for gap in self.gaps]}, text=text))
        if is_under_way(self.states[0]):
            text = "The record does not begin with the deal: all that came before counts as deal."
            notes.append(Note(code="begins_later", text=text))
        return tuple(notes)


def look(analysis: Analysis, move: str, simulations: int, stop: Event) -> Grading | None:
    """Search for what a decision cost: for a part of the simulations if it is clear then, for more if it is in doubt.

    None if `stop` is set.
    """
    for part in (*CLEAR_PARTS, 1.0, UNCLEAR_TIMES):
        found = analysis.run(max(int(simulations * part) - analysis.simulations, 0), stop=stop)
        if stop.is_set():
            return None
        verdict = judge(found.candidates, move)
        if (verdict.is_certain and verdict.grade != "great") or (part == 1 and not is_in_doubt(verdict)):
            break
    return verdict


def is_in_doubt(verdict: Grading) -> bool:
    """Was the decision worse than the best, and could more search change the word for it?"""
    return not verdict.is_certain and verdict.grade not in ("best", "great", "forced")


def rank(turn: TurnReview | None) -> int:
    """With how much effort a turn was looked at, as a place in `EFFORTS`."""
    return EFFORTS.index(turn.effort) if turn is not None and turn.effort is not None else 0


def is_under_way(state: State) -> bool:
    """Has something happened before this position?"""
    return bool(state.round_number > 1 or state.seat != state.first or state.tokens.any() or state.bought.any())


def as_tuple(shares: Iterable[float]) -> Shares:
    return tuple(float(share) for share in shares)
