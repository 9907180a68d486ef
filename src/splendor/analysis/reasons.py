"""Why a decision was better than another one: facts that follow from the two lines, with words for them.

A reason has a code and parameters, which other languages make sentences of, and a sentence in English. Each is checked
by playing both lines by the rules, as the seat that decides sees the table; a line ends where a card comes that nobody
has seen. Where no fact of this list tells the two apart, the only reason is the number that the search has found.

| code | parameters | fact |
|---|---|---|
| `ends` | points | the best decision brings its seat to 15 points or more, the played one does not |
| `scores` | card, points, less | the best decision brings so many points, the played one fewer |
| `denies` | card, seat, points | it takes a card that this seat could have bought next; the played one leaves it |
| `noble` | noble, turns | its line brings a noble within so many turns, the other one does not |
| `affords` | card, points | it can pay for this card at its next turn, after the played one it cannot |
| `buys` | card, points, turns | its line buys this card within so many turns, the other one does not |
| `nearer` | noble, lacking | its card is one of the last bonuses that a noble asks for; so many are then lacking |
| `returns` | count, less | the played decision gives back more tokens |
| `blocked` | | the played decision fills the hand with reserved cards, and none of them can be bought next |
| `gold` | | it takes a gold token, the played one does not |
| `search` | gain | none of these; so much more of the win is what the search expects |

`docs/review.md` has the sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from splendor.analysis.model import Candidate, Reason
from splendor.core import rules
from splendor.core.components import CARD_BONUS, CARD_LEVEL, CARD_POINTS, CARDS, COLORS, NOBLE_COST
from splendor.core.state import State
from splendor.game.moves import IllegalMove, play_move
from splendor.notation.json import JsonObject
from splendor.notation.moves import Move, parse_move

MOST_REASONS = 2
TURNS_AHEAD = 3  # of the seat that decides: how far a line is followed
FEW_LACKING = 2  # bonuses: a noble is near
LEAST_GAIN = 0.001  # of the win: what can be told apart in words
PLAYED, SECOND = "the played turn", "the second best turn"  # what sentences call the turn that was less good
DENIED_POINTS = 1  # a card with fewer points is hardly taken to deny it


class LineTurn(NamedTuple):
    """A turn of a line, and the hidden state after it."""

    seat: int
    move: Move
    before: State
    after: State

    @property
    def points(self) -> int:
        """What the turn scored for its seat."""
        return int(self.after.points[self.seat]) - int(self.before.points[self.seat])

    @property
    def noble(self) -> int | None:
        """The printed id of the noble that came."""
        came = (self.after.noble_seat != self.before.noble_seat).nonzero()[0]
        return int(self.after.nobles[came[0]]) + 1 if came.size else None


class Comparison(NamedTuple):
    """Two lines from one state, and the turns in them of the seat that decides."""

    seat: int
    state: State
    best: LineTurn
    played: LineTurn
    best_turns: list[LineTurn]
    played_turns: list[LineTurn]


def reasons_for(state: State, best: Candidate, played: Candidate, rival: str = PLAYED) -> tuple[Reason, ...]:
    """At most two reasons why the best decision is better than the played one, the strongest first.

    Where the best one was played it is compared with another `rival`, which the sentences then call so.
    """
    better, worse = play_line(state, best.line), play_line(state, played.line)
    if not better or not worse:
        return ()
    seat = int(state.seat)
    mine = [[step for step in line if step.seat == seat][:TURNS_AHEAD] for line in (better, worse)]
    compared = Comparison(seat, state, better[0], worse[0], *mine)
    found: list[Reason] = []
    named: set[int] = set()  # a card is named once
    for code, facts in FACTS.items():
        for params in facts(compared):
            if params.get("card") not in named and len(found) < MOST_REASONS:
                found.append(reason(code, params, rival))
                named.update({params["card"]} if "card" in params else ())
                break
    gain = best.worth - played.worth
    return tuple(found) or ((reason("search", {"gain": round(gain, 4)}, rival),) if gain >= LEAST_GAIN else ())


def play_line(state: State, line: Sequence[str]) -> list[LineTurn]:
    """The turns of a line as far as they can be played without a card that nobody has seen."""
    steps: list[LineTurn] = []
    for text in line:
        if rules.is_over(state):
            break
        move = parse_move(text)
        try:
            after, _ = play_move(state, move)
        except IllegalMove:
            break
        steps.append(LineTurn(int(state.seat), move, state, after))
        state = after
    return steps


# -------------------------------------------------------------------------------------------------- facts

Params = JsonObject  # of a reason
Facts = Callable[[Comparison], Iterator[Params]]


def ends(lines: Comparison) -> Iterator[Params]:
    after, otherwise = int(lines.best.after.points[lines.seat]), int(lines.played.after.points[lines.seat])
    if after >= rules.WINNING_POINTS > otherwise:
        yield {"points": after}


def scores(lines: Comparison) -> Iterator[Params]:
    points, less = lines.best.points, lines.played.points
    if points > less and lines.best.move.kind == "buy":
        yield {"card": lines.best.move.card, "points": points, "less": less}


def denies(lines: Comparison) -> Iterator[Params]:
    card = lines.best.move.card
    if card is None or not is_on_market(lines.state, card) or not is_on_market(lines.played.after, card):
        return
    points = int(CARD_POINTS[card - 1])
    for distance in range(1, int(lines.state.players)):
        seat = (lines.seat + distance) % int(lines.state.players)
        if points >= DENIED_POINTS and rules.can_buy(lines.state, seat, card - 1):
            yield {"card": card, "seat": seat, "points": points}


def noble(lines: Comparison) -> Iterator[Params]:
    for turns, step in enumerate(lines.best_turns, 1):
        if step.noble and is_followed(lines, turns) and not any(other.noble for other in lines.played_turns[:turns]):
            yield {"noble": step.noble, "turns": turns}


def affords(lines: Comparison) -> Iterator[Params]:
    for step in lines.best_turns[1:2]:
        card = step.move.card
        if step.move.kind != "buy" or card is None or CARD_POINTS[card - 1] == 0:
            continue
        can_pay = [
            bool(rules.can_buy(state, lines.seat, card - 1))
            for state in (lines.state, lines.best.after, lines.played.after)
        ]
        if can_pay == [False, True, False]:
            yield {"card": card, "points": int(CARD_POINTS[card - 1])}


def buys(lines: Comparison) -> Iterator[Params]:
    for turns, step in enumerate(lines.best_turns, 1):
        card = step.move.card
        if step.move.kind == "buy" and card is not None and is_followed(lines, turns):
            bought = [other.move.card for other in lines.played_turns[:turns] if other.move.kind == "buy"]
            if card not in bought and CARD_POINTS[card - 1] > 0:
                yield {"card": card, "points": int(CARD_POINTS[card - 1]), "turns": turns}


def nearer(lines: Comparison) -> Iterator[Params]:
    for place, number in enumerate(lines.state.nobles.tolist()):
        if number < 0 or not rules.is_waiting(lines.best.after, place):
            continue
        before, after, otherwise = (
            lacking_for(state, lines.seat, number) for state in (lines.state, lines.best.after, lines.played.after)
        )
        if after < before and after < otherwise and after <= FEW_LACKING:
            yield {"noble": number + 1, "lacking": after}


def returns(lines: Comparison) -> Iterator[Params]:
    count, less = sum(lines.played.move.returned), sum(lines.best.move.returned)
    if count > less:
        yield {"count": count, "less": less}


def blocked(lines: Comparison) -> Iterator[Params]:
    hand = lines.played.after.reserved[lines.seat]
    fills = lines.played.move.kind in ("reserve", "draw") and lines.best.move.kind not in ("reserve", "draw")
    is_full = not rules.has_room(lines.played.after, lines.seat) and (hand < CARDS).all()
    if fills and is_full and not any(rules.can_buy(lines.played.after, lines.seat, card) for card in hand):
        yield {}


def gold(lines: Comparison) -> Iterator[Params]:
    gained, otherwise = (
        int(step.after.tokens[lines.seat, -1]) - int(lines.state.tokens[lines.seat, -1])
        for step in (lines.best, lines.played)
    )
    if gained > 0 >= otherwise:
        yield {}


FACTS: dict[str, Facts] = {
    "ends": ends,
    "scores": scores,
    "denies": denies,
    "noble": noble,
    "affords": affords,
    "buys": buys,
    "nearer": nearer,
    "returns": returns,
    "blocked": blocked,
    "gold": gold,
}


def is_followed(lines: Comparison, turns: int) -> bool:
    """Does the played line go so far that it can be said what is not in it?"""
    return len(lines.played_turns) >= turns


def is_on_market(state: State, card: int) -> bool:
    return bool((state.market == card - 1).any())


def lacking_for(state: State, seat: int, number: int) -> int:
    """How many bonuses a seat lacks for a noble."""
    short = NOBLE_COST[number].astype(int) - state.bonuses[seat].astype(int)
    return int(short.clip(min=0).sum())


# -------------------------------------------------------------------------------------------------- words


def reason(code: str, params: Params, rival: str) -> Reason:
    text = SENTENCES[code](**params).replace(PLAYED, rival).replace(PLAYED.capitalize(), rival.capitalize())
    return Reason(code=code, params=params, text=text)


def card_words(card: int) -> str:
    """A card in words.

    >>> card_words(17), card_words(90)
    ('the green card 17 of level 1', 'the black card 90 of level 3')
    """
    return f"the {COLORS[CARD_BONUS[card - 1]]} card {card} of level {CARD_LEVEL[card - 1] + 1}"


def counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


SENTENCES: dict[str, Callable[..., str]] = {
    "ends": lambda points: f"It reaches {counted(points, 'point')}, which ends the game with this round.",
    "scores": lambda card, points, less: (
        f"It brings {counted(points, 'point')} at once, with {card_words(card)}; the played turn brings {less}."
    ),
    "denies": lambda card, seat, points: (
        f"It takes {card_words(card)}, worth {counted(points, 'point')}, which seat {seat} could have bought next."
    ),
    "noble": lambda noble, turns: (
        f"Noble {noble} comes {within(turns)}; in the line behind the played turn none comes by then."
    ),
    "affords": lambda card, points: (
        f"It can pay for {card_words(card)}, worth {counted(points, 'point')}, next turn; after the played turn not."
    ),
    "buys": lambda card, points, turns: (
        f"It leads to {card_words(card)}, worth {counted(points, 'point')}, {within(turns)}; the played turn does not."
    ),
    "nearer": lambda noble, lacking: (
        f"Its bonus counts for noble {noble}, which then lacks {lacking} more."
        if lacking
        else f"Its bonus is the last that noble {noble} asks for."
    ),
    "returns": lambda count, less: (
        f"The played turn gives back {counted(count, 'token')}"
        + (f", this one {less}." if less else ", this one none.")
    ),
    "blocked": lambda: "The played turn fills the hand with reserved cards, none of which can be bought next turn.",
    "gold": lambda: "It takes a gold token, which the played turn does not.",
    "search": lambda gain: f"The search expects {100 * gain:.1f} % more of the win.",
}


def within(turns: int) -> str:
    return "with this turn" if turns == 1 else f"within {turns} turns"
