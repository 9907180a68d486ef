"""The help page of the terminal program."""

from __future__ import annotations

from rich.text import Text

from splendor.core.components import COLORS
from splendor.core.rules import WINNING_POINTS
from splendor.terminal.gems import gem

GOAL = f"""\
Be the first to {WINNING_POINTS} points. When somebody has {WINNING_POINTS} the round is finished, so
that everyone has had equally many turns; then the most points win, and
among equals the fewest bought cards.

In your turn do one thing:
  take     three tokens of different colors, or two of one color from a
           pile of four or more
  reserve  a card from the table or the top of a deck; it brings one
           gold ✦ while there is any
  buy      a card from the table or one you reserved; its bonus is one
           token off every later price

You keep at most ten tokens and three reserved cards. Nobles visit by
themselves when your bonuses reach what they ask for. A card shows its
bonus, points and id, then its cost, then whether you can buy it (✓, with
the gold that takes) or what you still lack (✗).
"""

KEYS = """\
w u g r k   pick a token             arrows   go from place to place
1 2 3       a row, then the place    Space    pick what you are on
            (1 to 4; 0: the deck)    Enter    play what is picked
4           your hand, then 1 to 3   F1       this page
b  s        buy, reserve the card    Esc      put everything back
Backspace   put a token back         z        take back your last turn
:           type a move              i        the cards of all seats
l           the whole log            Ctrl+S   save the game to a file
q           resign or quit

With the mouse: click to pick a card and again to play; a right click
puts a token back. While computers play each other: Space pauses, + and -
change the pace. In a replay: left and right step, Home and End jump,
Space plays on.
"""

TYPED = """\
+wug  +rr   take                     r62  rd2   reserve card 62, deck 2
b62         buy card 62              b62=wwo    and pay with these tokens
+wug-k      return one token         b62@8      and choose noble 8
"""


def help_text() -> Text:
    """The goal, the gems, the keys and the notation."""
    heading = "bold underline"
    text = Text()
    text.append("The game\n", style=heading).append(GOAL)
    text.append("\nGems\n", style=heading)
    for color, name in enumerate(COLORS):
        text.append_text(gem(color)).append(f" {name}   ")
    text.append("\n\nKeys\n", style=heading).append(KEYS)
    text.append("\nTyped moves\n", style=heading).append(TYPED)
    return text
