"""The words of the rules' signatures: what goes in and what comes out.

Compiled code ignores them; they are for readers and for mypy. Numbers that come out of a record or a table are NumPy's
own small ones, so whoever needs a Python `int` or `bool` converts it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Seen = Any  # one `features.OBSERVATION` record; one game is a `state.State`

# Numbers.
Seat = int  # from 0; as a viewer also `hidden.SPECTATOR`
Card = int  # a row of the card tables: a known card, one of a level that is not known, or none
Color = int  # white, blue, green, red, black, gold
Level = int  # of a deck, from 0
Slot = int  # of the market, from 0
Place = int  # among the reserved cards of a seat or the nobles on the table, from 0
Noble = int
Action = int
Phase = int
Count = int
Bits = int  # a small set, see `bits`; or tokens and bonuses as bits, see `components`
WinShare = float  # from 0 to 1

# Arrays, by their axes.
Rng = NDArray[np.uint64]  # one generator, or one for each game
BySeat = np.ndarray  # [seat]
ByColor = np.ndarray  # [color]
ByAction = np.ndarray  # [action]
ByGame = np.ndarray  # [game], or [row]
Cards = np.ndarray  # card numbers  [place]
Actions = np.ndarray  # action numbers, as many as there are
Floats = np.ndarray  # weights, or scratch paper
