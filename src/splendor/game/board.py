"""A position drawn as plain text of at most 80 columns, for `print(game)`.

A card is written `62 r2 w1u4g2`: its id, its bonus and points, and its cost.
"""

from __future__ import annotations

from collections.abc import Iterable

from splendor.core import rules
from splendor.core.components import (
    CARD_BONUS,
    CARD_COST,
    CARD_POINTS,
    LEVELS,
    NO_CARD,
    NO_NOBLE,
    NOBLE_COST,
    UNSEEN,
)
from splendor.core.state import NOBODY, PHASES, SLOTS, State
from splendor.notation.moves import LETTERS

CARD_WIDTH = 16

DECISIONS = {"act": "to act", "return": "to return tokens", "noble": "to choose a noble"}
ENDINGS = {
    "points": f"{rules.WINNING_POINTS} points reached, round complete",
    "stalemate": "stalemate: nobody can act",
    "cap": "the cap on rounds is reached",
}


def format_board(state: State) -> str:
    """All that lies on the table."""
    lines = [_headline(state), ""]
    nobles = [n for n, seat in zip(state.nobles, state.noble_seat, strict=True) if n != NO_NOBLE and seat == NOBODY]
    lines.append("nobles   " + ("".join(f"{_noble(n):<14}" for n in nobles).rstrip() or "none left"))
    for level in reversed(range(LEVELS)):
        row = "".join(
            f"{format_card(card):<{CARD_WIDTH}}" for card in state.market[SLOTS * level : SLOTS * (level + 1)]
        )
        lines.append(f"level {level + 1}  {row}+{state.deck_size[level]}".rstrip())
    lines += ["bank     " + format_counts(state.bank, " "), ""]
    lines += [_seat(state, seat) for seat in range(int(state.players))]
    return "\n".join(lines)


def _headline(state: State) -> str:
    phase = PHASES[state.phase]
    if phase in DECISIONS:
        last = ", last round" if rules.has_trigger(state) else ""
        return f"round {state.round_number}{last}: seat {state.seat} {DECISIONS[phase]}"
    winners = [seat for seat in range(int(state.players)) if rules.place_of(state, seat) == 1]
    who = f"seat {winners[0]} wins" if len(winners) == 1 else f"seats {' and '.join(map(str, winners))} share the win"
    return f"over after round {state.round_number} ({ENDINGS[phase]}): {who}"


def format_card(card: int) -> str:
    """A card for reading; `level 2 ?` for one that is not known."""
    if card == NO_CARD:
        return "-"
    if card >= UNSEEN:
        return f"level {card - UNSEEN + 1} ?"
    points = CARD_POINTS[card] or ""
    return f"{card + 1} {LETTERS[CARD_BONUS[card]]}{points} {format_counts(CARD_COST[card])}"


def _noble(noble: int) -> str:
    return f"{noble + 1} {format_counts(NOBLE_COST[noble])}"


def format_counts(counts: Iterable[int], separator: str = "") -> str:
    """Counts of tokens or bonuses: `w1u4g2`; a dot for none.

    >>> format_counts([1, 4, 2, 0, 0])
    'w1u4g2'
    """
    return separator.join(f"{LETTERS[i]}{n}" for i, n in enumerate(counts) if n) or "."


def _seat(state: State, seat: int) -> str:
    is_deciding = seat == state.seat and PHASES[state.phase] in DECISIONS
    nobles = [str(n + 1) for n, owner in zip(state.nobles, state.noble_seat, strict=True) if owner == seat]
    reserved = [format_card(card) for card in state.reserved[seat] if card != NO_CARD]
    lines = [
        f"{'>' if is_deciding else ' '} seat {seat}  {state.points[seat]:>2} points"
        f"  bonuses {format_counts(state.bonuses[seat])}  tokens {format_counts(state.tokens[seat])}"
    ]
    if nobles or reserved:
        lines[0] += f"  nobles {','.join(nobles)}" if nobles else ""
        if reserved:
            lines.append(f"           reserved {' | '.join(reserved)}")
    return "\n".join(lines)
